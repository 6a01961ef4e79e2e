"""Processes and their connections by psutil."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import pytest

from app.probes.psutil_table import PsutilProcesses, connected, connection, state_named, the_table, union
from app.probes.system import MB, Birth, Now
from tests.probes.machines import GoneError, Recorded, Told, socket

NODE = Told(40, 1, "node", 400.0, "/usr/local/bin/node", ["node", "server.js"], 30 * MB)


def test_process_is_told_once_and_measured_after() -> None:
    """What a process is and how it is with it, the footprint included where there is one."""
    processes = PsutilProcesses(Recorded([NODE]), {40: 12 * MB}.get)

    assert list(processes.pids()) == [40]
    assert processes.birth(40) == Birth(40, 400.0, 1, "node", "/usr/local/bin/node", ("node", "server.js"))
    assert processes.now(40) == Now(400.0, 1, 30 * MB, 12 * MB)
    assert processes.exe(40) == "/usr/local/bin/node"


def test_other_users_processes_keep_things_to_themselves() -> None:
    """A refused path, argument or size is empty or zero, and no error."""
    processes = PsutilProcesses(Recorded([Told(1, 0, "launchd", 1.0, None, None, None, None)]))

    assert processes.birth(1) == Birth(1, 1.0, 0, "launchd")
    assert processes.now(1) == Now(1.0, 0, 0)
    assert (processes.exe(1), processes.connections_of(1)) == ("", [])


def test_process_that_is_gone_is_none() -> None:
    """Between the list and the look a process may end."""
    processes = PsutilProcesses(Recorded())

    assert (processes.birth(9), processes.now(9), processes.exe(9), processes.connections_of(9)) == (None, None, "", [])


def test_process_that_ended_and_was_not_noticed_is_gone() -> None:
    """A zombie has a number and a name, and no memory to be read."""

    class Zombie(Told):
        def memory_info(self) -> Any:
            raise GoneError

    assert PsutilProcesses(Recorded([Zombie(40, 1, "node")])).now(40) is None


def test_parents_come_from_one_call_where_there_is_one() -> None:
    """Where psutil lists all parents at once, no process is asked for its own; a newer one still is."""

    class Listing(Recorded):
        def _ppid_map(self) -> dict[int, int]:
            return {40: 7, 41: 8}

    processes = PsutilProcesses(Listing([NODE, Told(42, 9, "late", 420.0)]))
    found = [list(processes.pids()), processes.now(40), processes.now(42)]

    assert found == [[40, 41], Now(400.0, 7, 30 * MB), Now(420.0, 9, 0)]


def test_connections_need_a_remote_end() -> None:
    """What listens or is closed is left out; the state has one name whatever the system calls it."""
    found = [
        (socket(("192.168.0.7", 50_001), ("203.0.113.9", 443), "FIN_WAIT_1"), 5),
        (socket(("192.168.0.7", 8080), (), "LISTEN"), 0),
        (socket(("192.168.0.7", 50_002), (), "NONE"), 0),
        (socket(("::ffff:192.168.0.7", 50_003), ("::ffff:203.0.113.9", 443)), 0),
        (socket(("fe80::1%en0", 50_004), ("2001:db8::2", 443), "TIME_WAIT"), 0),
    ]
    rows = connected(found)

    assert [(row.family, row.state, row.tag) for row in rows] == [
        (4, "FIN_WAIT1", 5), (4, "ESTABLISHED", 0), (6, "TIME_WAIT", 0)
    ]  # fmt: skip
    assert rows[1].key == ("192.168.0.7", 50_003, "203.0.113.9", 443)
    assert union([rows[:1], [], rows[2:]]) == {rows[0].key, rows[2].key}


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("SYN_RECEIVED", "SYN_RECV"), ("fin_wait_2", "FIN_WAIT2"), ("CLOSED", None), ("LISTEN", None),
        ("LAST_ACK", "LAST_ACK"), ("CLOSING", "CLOSING"), ("BOUND", None),
    ],
)  # fmt: skip
def test_states_have_one_name(word: str, name: str | None) -> None:
    """Each system's word for a state becomes one name; some of them mean that there is no connection."""
    assert state_named(word) == name


def test_remote_end_must_be_an_address() -> None:
    """A name or a star in place of an address is refused."""
    ends: Sequence[Any] = ("10.0.0.1", 1, "example", 2)
    with pytest.raises(ValueError, match="no address"):
        connection(ends, "ESTABLISHED")


def test_psutil_itself_fits() -> None:
    """The library has what is used of it, and tells of this very process."""
    processes = PsutilProcesses(the_table())
    birth, now = processes.birth(os.getpid()), processes.now(os.getpid())

    assert os.getpid() in processes.pids()
    assert birth is not None
    assert now is not None
    assert (birth.parent, now.created) == (os.getppid(), birth.created)
    assert now.rss > 20 * MB
