"""Connections over time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from app.core.samples import Tcp
from app.probes import held
from app.probes.held import Ledger
from app.probes.system import Connection, Key
from tests.probes.machines import connection

NOON = datetime(2026, 10, 2, 12, 0, tzinfo=UTC)
ME = frozenset({40})


class Watched:
    """A ledger with the calls that it made; ``mine`` are the ports whose connections are Claude's."""

    def __init__(self, *mine: int) -> None:
        self.ledger = Ledger()
        self.mine = set(mine)
        self.asked: list[int] = []

    def owned(self, rows: Sequence[Connection]) -> frozenset[Key]:
        """Who owns what, as the system would say; one that waits in TIME_WAIT has no owner."""
        self.asked.append(len(rows))
        return frozenset(row.key for row in rows if row.key[1] in self.mine and row.state != "TIME_WAIT")

    def take(self, seconds: float, *rows: Connection, pids: frozenset[int] = ME) -> tuple[Tcp, Tcp]:
        """What Claude and the machine have after these rows."""
        self.ledger.take(NOON + timedelta(seconds=seconds), rows, pids, self.owned)
        return self.ledger.counted(rows, claude=True), self.ledger.counted(rows)


def test_connections_are_counted_by_family_and_state() -> None:
    """Each family and state has its count, and distinct remote addresses are counted once."""
    _, host = Watched().take(
        0,
        connection(port=1),
        connection(port=2),
        connection("203.0.113.8", 3, "SYN_SENT"),
        connection("2001:db8::9", 4),
    )

    assert host == Tcp({"ESTABLISHED": 2, "SYN_SENT": 1}, {"ESTABLISHED": 1}, 2, 0)


def test_closed_connection_is_held_for_its_time() -> None:
    """What is gone from the machine's table still takes a port until the router has forgotten it."""
    watched = Watched()
    watched.take(0, connection(port=1), connection(port=2))

    assert [watched.take(seconds, connection(port=2))[1].held for seconds in (10, 70, 129, 130, 140)] == [1, 1, 1, 0, 0]


def test_time_wait_is_counted_once_and_from_its_beginning() -> None:
    """The time counts from when both ends had closed: TIME_WAIT is a part of it, and not counted twice."""
    watched = Watched()
    watched.take(0, connection(port=1))
    waits = [watched.take(seconds, connection(port=1, state="TIME_WAIT"))[1] for seconds in (10, 60)]
    gone = [watched.take(seconds)[1] for seconds in (70, 129, 130)]

    assert [(one.in_use, one.held) for one in [*waits, *gone]] == [(1, 0), (1, 0), (1, 1), (1, 1), (0, 0)]


def test_ipv6_is_held_by_nobody() -> None:
    """The router translates no IPv6, so it keeps nothing of it."""
    watched = Watched()
    watched.take(0, connection("2001:db8::9", 1))

    assert watched.take(10)[1] == Tcp()


def test_port_that_is_used_again_is_open_again() -> None:
    """The same ends connected anew: one connection, not one and a held one."""
    watched = Watched()
    watched.take(0, connection(port=1, state="TIME_WAIT"))
    _, host = watched.take(100, connection(port=1))
    assert (host.in_use, host.held) == (1, 0)

    assert watched.take(110)[1].held == 1
    assert watched.take(229)[1].held == 1


def test_port_that_is_used_again_may_be_anothers() -> None:
    """Whose a connection is, is asked anew when its ends are those of one that had closed."""
    watched = Watched(1)
    watched.take(0, connection(port=1))
    watched.take(10, connection(port=1, state="TIME_WAIT"))
    watched.mine = set()
    claude, host = watched.take(20, connection(port=1))

    assert (watched.asked, claude.in_use, host.in_use) == ([1, 1], 0, 1)


def test_owner_outlives_the_connection() -> None:
    """Claude's connections stay Claude's in TIME_WAIT, when no process owns them, and while they are held."""
    watched = Watched(1)
    counts = [
        watched.take(0, connection(port=1), connection(port=2))[0],
        watched.take(10, connection(port=1, state="TIME_WAIT"), connection(port=2))[0],
        watched.take(20, connection(port=2))[0],
        watched.take(130, connection(port=2))[0],
    ]

    assert [(dict(one.v4), one.held) for one in counts] == [
        ({"ESTABLISHED": 1}, 0), ({"TIME_WAIT": 1}, 0), ({}, 1), ({}, 0)
    ]  # fmt: skip


def test_system_is_asked_about_new_connections_alone() -> None:
    """Who owns a connection is asked once: it is the dear part of a look."""
    watched = Watched(1)
    watched.take(0, connection(port=1), connection(port=2))
    watched.take(10, connection(port=1), connection(port=2))
    watched.take(20, connection(port=1), connection(port=2), connection(port=3))

    assert watched.asked == [2, 1]


def test_nobody_to_own_is_nobody_to_ask_for() -> None:
    """Without a Claude process nothing is asked, and nothing is Claude's."""
    watched = Watched(1)
    claude, host = watched.take(0, connection(port=1), pids=frozenset())

    assert (watched.asked, claude.in_use, host.in_use) == ([], 0, 1)


def test_process_that_is_known_late_gets_its_connections() -> None:
    """When a process turns out to be Claude's, its connections are looked at again."""
    watched = Watched()
    watched.take(0, connection(port=1), connection(port=2))
    watched.mine = {2}
    claude, _ = watched.take(10, connection(port=1), connection(port=2), pids=frozenset({40, 41}))

    assert (watched.asked, dict(claude.v4)) == ([2, 2], {"ESTABLISHED": 1})


def test_clock_set_back_does_not_hold_for_an_hour() -> None:
    """A clock that goes back an hour holds a closed connection for its two minutes from then, not for an hour."""
    watched = Watched()
    watched.take(0, connection(port=1))
    watched.take(10)

    assert [watched.take(seconds)[1].held for seconds in (-3600, -3500, -3480)] == [1, 1, 0]


def test_memory_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """More connections than any home has ports are not remembered; those that are there are counted all the same."""
    monkeypatch.setattr(held, "MOST", 3)
    watched = Watched(1, 2, 3, 4, 5)
    rows = [connection(port=port) for port in (1, 2, 3, 4, 5)]
    claude, host = watched.take(0, *rows)

    assert (host.in_use, claude.in_use) == (5, 3)
    assert watched.take(10)[1].held == 3
