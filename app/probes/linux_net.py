"""TCP connections from Linux's tables, without rights and without a look into every process."""

from __future__ import annotations

import os
import socket
from collections.abc import Collection
from contextlib import suppress
from functools import lru_cache
from typing import Literal

from app.probes.addresses import unmapped
from app.probes.system import Connection

STATES = (
    "", "ESTABLISHED", "SYN_SENT", "SYN_RECV", "FIN_WAIT1", "FIN_WAIT2", "TIME_WAIT",
    "CLOSE", "CLOSE_WAIT", "LAST_ACK", "LISTEN", "CLOSING", "SYN_RECV"
)  # fmt: skip
"""By the number that the kernel prints; the last is its newer form of one that is being accepted."""

CONNECTED = frozenset(STATES) - {"", "LISTEN", "CLOSE"}


def parse_table(text: str, family: Literal[4, 6]) -> list[Connection]:
    """The connections of ``/proc/net/tcp`` (4) or ``tcp6`` (6); lines of another form count for nothing."""
    rows: list[Connection] = []
    for line in text.splitlines()[1:]:
        with suppress(ValueError, IndexError, OSError):
            fields = line.split(None, 10)
            state = STATES[int(fields[3], 16)]
            if state not in CONNECTED:
                continue
            local, local_port = _end(fields[1], family)
            remote, port = _end(fields[2], family)
            kind: Literal[4, 6] = 4 if family == 4 or ":" not in remote else 6
            rows.append(Connection(kind, (local, local_port, remote, port), state, int(fields[9])))
    return rows


def owned_inodes(proc: str, pids: Collection[int]) -> set[int]:
    """The inodes of the sockets that these processes hold; processes that are gone or another's hold none."""
    found: set[int] = set()
    for pid in pids:
        folder = f"{proc}/{pid}/fd"
        with suppress(OSError):
            for name in os.listdir(folder):  # noqa: PTH208 - half the time
                with suppress(OSError, ValueError):
                    target = os.readlink(f"{folder}/{name}")  # noqa: PTH115 - half the time
                    if target.startswith("socket:["):
                        found.add(int(target[8:-1]))
    return found


def _end(text: str, family: Literal[4, 6]) -> tuple[str, int]:
    address, _, port = text.partition(":")
    return _address(address, family), int(port, 16)


@lru_cache(maxsize=4096)
def _address(text: str, family: Literal[4, 6]) -> str:
    """The kernel prints 32 bits at a time, each in the order of bytes of this machine (a little-endian one)."""
    raw = bytes.fromhex(text)
    words = b"".join(raw[at : at + 4][::-1] for at in range(0, len(raw), 4))
    plain = socket.inet_ntop(socket.AF_INET if family == 4 else socket.AF_INET6, words)
    return str(unmapped(plain))
