"""TCP connections from Linux's tables."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.probes.linux_net import STATES, owned_inodes, parse_table
from tests.probes.machines import hold, proc

HEADING = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
LINE = "   1: {local} {remote} {state} 00000000:00000000 00:00000000 00000000  1000        0 {inode} 1 0 100 0\n"


def table(*rows: tuple[str, str, str, int]) -> str:
    """A table of such rows, each with local and remote end, state and inode."""
    lines = [LINE.format(local=local, remote=remote, state=state, inode=inode) for local, remote, state, inode in rows]
    return HEADING + "".join(lines)


def test_ends_are_read_as_the_kernel_writes_them() -> None:
    """Addresses are 32 bits at a time in the machine's order of bytes, ports in the wire's."""
    rows = parse_table(table(("0700A8C0:CB9F", "097100CB:01BB", "01", 4711)), 4)

    assert [(one.family, one.key, one.state, one.tag) for one in rows] == [
        (4, ("192.168.0.7", 52_127, "203.0.113.9", 443), "ESTABLISHED", 4711)
    ]


def test_ipv6_and_ipv4_in_it() -> None:
    """An IPv6 socket that talks to an IPv4 address takes an IPv4 port, so it counts there."""
    rows = parse_table(
        table(
            ("B80D0120000000000000000001000000:CB9F", "B80D0120000000000000000002000000:01BB", "01", 1),
            ("0000000000000000FFFF00000700A8C0:CBA0", "0000000000000000FFFF0000097100CB:01BB", "06", 0),
        ),
        6,
    )

    assert [(one.family, one.remote, one.state, one.tag) for one in rows] == [
        (6, "2001:db8::2", "ESTABLISHED", 1), (4, "203.0.113.9", "TIME_WAIT", 0)
    ]  # fmt: skip


@pytest.mark.parametrize("state", ["0A", "07"])
def test_sockets_without_a_remote_end_are_left_out(state: str) -> None:
    """What listens or is closed takes no port of the router."""
    assert parse_table(table(("0700A8C0:CB9F", "00000000:0000", state, 3)), 4) == []


@pytest.mark.parametrize("number", range(1, len(STATES)))
def test_every_state_has_its_name(number: int) -> None:
    """Each number of the kernel's gives its name, those without a remote end aside."""
    rows = parse_table(table(("0700A8C0:CB9F", "097100CB:01BB", f"{number:02X}", 3)), 4)

    assert [one.state for one in rows] == ([] if STATES[number] in {"LISTEN", "CLOSE"} else [STATES[number]])


@pytest.mark.parametrize(
    "line",
    [
        "", "nonsense\n", "1: 0700A8C0:CB9F 097100CB:01BB\n",
        LINE.format(local="0700A8:CB9F", remote="097100CB:01BB", state="01", inode=1),
        LINE.format(local="0700A8C0:XYZ", remote="097100CB:01BB", state="01", inode=1),
        LINE.format(local="0700A8C0:CB9F", remote="097100CB:01BB", state="4F", inode=1),
        LINE.format(local="0700A8C0:CB9F", remote="097100CB:01BB", state="01", inode="none"),
    ],
)  # fmt: skip
def test_broken_lines_count_for_nothing(line: str) -> None:
    """A line of another form is passed over, and the next one is read."""
    good = table(("0700A8C0:CB9F", "097100CB:01BB", "01", 4711)).removeprefix(HEADING)

    assert len(parse_table(HEADING + line + good, 4)) == 1


@given(st.text(max_size=300))
def test_no_text_makes_it_fail(text: str) -> None:
    """Whatever the tables hold, reading them gives rows or none."""
    assert all(one.state in STATES for one in parse_table("heading\n" + text, 4))


def test_sockets_are_found_by_their_inodes(tmp_path: Path) -> None:
    """Descriptors that are sockets give their inodes; other descriptors and other processes give none."""
    hold(proc(tmp_path, 60, 1, "node"), "socket:[4711]", "pipe:[9]", "/dev/null", "socket:[4712]", "socket:[x]")

    assert owned_inodes(str(tmp_path / "proc"), [60, 61]) == {4711, 4712}
