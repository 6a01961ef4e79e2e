"""TCP connections as Linux's kernel answers."""

from __future__ import annotations

import socket
import struct
import sys
from collections.abc import Iterator

import pytest

from app.probes import linux_diag
from app.probes.linux import LinuxSystem
from app.probes.linux_diag import messages, parse_message

ESTABLISHED, TIME_WAIT = 1, 6


def message(local: str, remote: str, state: int = ESTABLISHED, inode: int = 4711) -> bytes:
    """An ``inet_diag_msg`` from port 52127 to 443."""
    kind = socket.AF_INET6 if ":" in remote else socket.AF_INET
    ends = b"".join(socket.inet_pton(kind, one).ljust(16, b"\0") for one in (local, remote))
    return struct.pack("!2B2x2H", kind, state, 52_127, 443) + ends + bytes(28) + struct.pack("=I", inode)


def framed(kind: int, told: bytes, size: int | None = None) -> bytes:
    """A message of netlink, filled up to a multiple of four bytes."""
    head = struct.pack("=IHHII", 16 + len(told) if size is None else size, kind, 2, 1, 0)
    return (head + told).ljust((16 + len(told) + 3) // 4 * 4, b"\0")


def test_ends_state_and_inode() -> None:
    """What the text tells is told by the answer too."""
    found = parse_message(message("192.168.0.7", "203.0.113.9"), 4)

    assert (found.family, found.key) == (4, ("192.168.0.7", 52_127, "203.0.113.9", 443))
    assert (found.state, found.tag) == ("ESTABLISHED", 4711)


def test_ipv4_within_ipv6() -> None:
    """An IPv6 socket that talks to an IPv4 address takes an IPv4 port, so it counts there."""
    apart = parse_message(message("2001:db8::1", "2001:db8::2"), 6)
    within = parse_message(message("::ffff:192.168.0.7", "::ffff:203.0.113.9", TIME_WAIT, 0), 6)

    assert (apart.family, apart.key[2]) == (6, "2001:db8::2")
    assert (within.family, within.key[2], within.state) == (4, "203.0.113.9", "TIME_WAIT")


@pytest.mark.parametrize("told", [b"", b"\2\1" * 20, message("192.0.2.1", "192.0.2.2", 77)])
def test_what_is_no_connection_is_an_error(told: bytes) -> None:
    """A message that is cut short, and a state that nobody knows: the text is read instead."""
    with pytest.raises(OSError):  # noqa: PT011 - whatever it says, the text is read
        parse_message(told, 4)


def test_an_answer_holds_many_messages() -> None:
    """Each begins at a multiple of four bytes, and what is cut off at the end is none."""
    part = framed(20, b"abcde") + framed(20, b"") + framed(3, b"\0\0\0\0") + b"\x10\0"

    assert [(kind, bytes(told)) for kind, told in messages(memoryview(part))] == [
        (20, b"abcde"), (20, b""), (3, b"\0\0\0\0"),
    ]  # fmt: skip


@pytest.mark.parametrize("part", [framed(2, struct.pack("=i", -2)), framed(20, b"", size=3)])
def test_a_kernel_that_does_not_answer(part: bytes) -> None:
    """It says with a number why not; a message without a size must not be read for ever."""
    with pytest.raises(OSError):  # noqa: PT011 - of either kind
        list(messages(memoryview(part)))


@pytest.fixture
def _connected() -> Iterator[None]:
    """A connection within this machine."""
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()),
        server.accept()[0],
    ):
        yield


@pytest.mark.usefixtures("_connected")
def test_the_answer_is_what_the_text_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the sockets of this process both tell the same; a kernel that does not answer is asked once."""
    if sys.platform != "linux":
        assert not hasattr(socket, "AF_NETLINK")
        return
    answered, system, asked = LinuxSystem().connections(), LinuxSystem(), []

    def refuse(family: int) -> list[object]:
        asked.append(family)
        raise OSError(2, "no such thing")

    monkeypatch.setattr(linux_diag, "connections", refuse)
    read = system.connections()
    again = system.connections()

    mine = {one for one in answered if one.tag} & set(read)
    assert len(mine) >= 2
    assert {one.key for one in mine} <= {one.key for one in again}
    assert asked == [4]
