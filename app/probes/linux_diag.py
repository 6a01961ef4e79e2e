"""TCP connections from Linux's ``NETLINK_SOCK_DIAG``, as ``ss`` asks: as text they take the kernel three times as long.

The kernel walks all places of its table either way, a quarter of a million on a machine of 24 GB.
"""

from __future__ import annotations

import os
import socket
import struct
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from app.probes.addresses import unmapped
from app.probes.linux_net import CONNECTED, STATES
from app.probes.system import Connection

_SOCK_DIAG, _BY_FAMILY, _DUMP = 4, 20, 0x301  # NETLINK_SOCK_DIAG, SOCK_DIAG_BY_FAMILY, NLM_F_REQUEST | NLM_F_DUMP
_ERROR, _DONE = 2, 3
_STATES = sum(1 << number for number, name in enumerate(STATES) if name in CONNECTED)
_HEADER = struct.Struct("=IHHII")
_REQUEST = struct.Struct("=BBBxI48x")
_ENDS = struct.Struct("!2B2x2H16s16s")
_INODE, _INODE_AT = struct.Struct("=I"), 68
_NUMBER = struct.Struct("=i")
_MOST = 65_536
_SECONDS = 2.0
"""An answer comes at once or not at all."""


def connections(family: Literal[4, 6]) -> list[Connection]:
    """The connections of one family. OSError where the kernel does not answer: old ones, some containers."""
    kind = socket.AF_INET if family == 4 else socket.AF_INET6
    request = _REQUEST.pack(kind, socket.IPPROTO_TCP, 0, _STATES)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, _SOCK_DIAG) as asked:
        asked.settimeout(_SECONDS)
        asked.send(_HEADER.pack(_HEADER.size + len(request), _BY_FAMILY, _DUMP, 1, 0) + request)
        return list(_answers(asked, family))


def _answers(asked: socket.socket, family: Literal[4, 6]) -> Iterator[Connection]:
    while True:
        for kind, told in messages(memoryview(asked.recv(_MOST))):
            if kind == _DONE:
                return
            yield parse_message(told, family)


def messages(part: memoryview) -> Iterator[tuple[int, memoryview]]:
    """The messages of one answer, each with its kind; OSError for one that says that the kernel does not answer."""
    while len(part) >= _HEADER.size:
        size, kind, *_ = _HEADER.unpack_from(part)
        told = part[_HEADER.size : size]
        if kind == _ERROR:
            (number,) = _NUMBER.unpack_from(told)
            raise OSError(-number, os.strerror(-number))
        if size < _HEADER.size:
            raise OSError(0, "a message without a size")
        yield kind, told
        part = part[size + 3 & ~3 :]  # each begins at a multiple of four


def parse_message(told: bytes | memoryview, family: Literal[4, 6]) -> Connection:
    """The connection of one ``inet_diag_msg``; OSError when it is none."""
    try:
        _, state, port, beyond, local, remote = _ENDS.unpack_from(told)
        (inode,) = _INODE.unpack_from(told, _INODE_AT)
        name = STATES[state]
    except (struct.error, IndexError) as error:
        raise OSError(str(error)) from error
    ours, theirs = _address(local, family), _address(remote, family)
    return Connection(4 if family == 4 or ":" not in theirs else 6, (ours, port, theirs, beyond), name, inode)


@lru_cache(maxsize=4096)
def _address(raw: bytes, family: Literal[4, 6]) -> str:
    kind, size = (socket.AF_INET, 4) if family == 4 else (socket.AF_INET6, 16)
    return str(unmapped(socket.inet_ntop(kind, raw[:size])))
