"""The card of memory: what the log says, what the host says, who holds it, and what cannot be read."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from app.core.events import MemorySampled
from app.core.machine import Machine
from app.core.samples import HostSample, ProcessesSample, Unknown
from app.core.state import App, Pressure, State
from app.settings import resource_dir
from app.web.machine_cards import MOST_SESSIONS, memory_view, unknown_lines, vm_held
from app.web.views import Row
from tests.core.machines import host, machine, row
from tests.web.scenes import HOSTILE, NOW, ZONE, ago, seven_of_eight, sid, state

SEEN = machine(
    row("app", "Claude", 2900, 11), row("session", "claude", 512, 3, sid(5)), row("session", "claude", 1024, 2, sid(1)),
    row("session", "claude", 100, 1, "local_unknown"), row("cowork_vm", "Cowork VM", 3600),
    row("other_vm", "Docker Desktop", 8192), row("agent", "claude", 700, 2), row("agent", "codex", 324),
    row("orphan", "claude", 600, 3), host=host(1900, at=NOW), at=NOW,
)  # fmt: skip


@pytest.mark.parametrize(("before", "said"), [(41, True), (45, False), (63, False)])
def test_child_processes_that_pile_up(before: int, said: bool) -> None:
    """A growth of more than 20 an hour is told, and no other."""
    current = replace(seven_of_eight(), children=((ago(hours=1), before),))
    rows = {row.name: row for row in memory_view(current, Machine(), NOW, ZONE).rows}

    assert ("Child processes" in rows) == said
    assert not said or rows["Child processes"] == Row("Child processes", "22 more an hour", "next")


def test_memory_shows_shares_of_the_machine() -> None:
    """VM, Claude and everything else, as shares of all memory; the free rest is left open."""
    view = memory_view(seven_of_eight(), Machine(), NOW, ZONE)

    assert (view.free, view.level, view.age) == ("1.9 GB free of 24 GB", "normal", "40 s")
    assert [(one.kind, one.label) for one in view.slices] == [
        ("vm", "Cowork VM 4 GB"), ("claude", "Claude 9.1 GB"), ("rest", "everything else"),
    ]  # fmt: skip
    assert sum(one.width for one in view.slices) == pytest.approx(100 * (1 - 1946 / 24576), abs=0.2)
    assert [(row.name, row.value) for row in view.rows] == [
        ("Pressure", "normal since 19:11"), ("Claude's processes", "9.1 GB, 63 children"),
    ]  # fmt: skip


def test_memory_before_and_under_pressure() -> None:
    """Without a reading the card says so; pressure colours it."""
    unread = memory_view(State(), Machine(), NOW, ZONE)
    tight = memory_view(state(pressure=Pressure(os_level="critical", os_since=ago(minutes=3))), Machine(), NOW, ZONE)

    assert (unread.free, unread.level, unread.rows, unread.slices) == ("Not read yet", "not reported yet", (), ())
    assert (tight.level, tight.tone, tight.rows[0].value) == ("critical", "out", "critical since 19:21")


def test_pressure_is_not_known_while_the_app_does_not_run() -> None:
    """Nobody tells its level then, and what the app's processes held is over; the host's own reading still counts."""
    ended = App(running=False, down_since=ago(minutes=26))
    view = memory_view(seven_of_eight(app=ended), Machine(), NOW, ZONE)
    read = Pressure("normal", ago(minutes=30), host_level="warning", host_since=ago(minutes=2), host_last=NOW)

    assert (view.level, view.rows) == ("not known", (Row("Pressure", "not known while Claude is not running"),))
    assert "claude" not in [one.kind for one in view.slices]
    again = memory_view(state(app=ended, pressure=read), Machine(), NOW, ZONE)
    assert (again.level, again.rows[0].value) == ("warning", "warning since 19:22, read by Seatwatch")


def test_an_older_build_tells_less() -> None:
    """Fields that the app did not print leave no row and no share."""
    sample = MemorySampled(ago(seconds=5), "interval", None, None, None, None, None, None, 1000, 8192, None)
    view = memory_view(state(memory=sample), Machine(), NOW, ZONE)

    assert [row.name for row in view.rows] == ["Pressure"]
    assert [one.kind for one in view.slices] == ["rest"]


def test_host_and_processes_of_this_moment() -> None:
    """The host's own numbers stand for the log's, without an age; who holds memory is told by name."""
    view = memory_view(seven_of_eight(), SEEN, NOW, ZONE)

    assert (view.free, view.read_at, view.age) == ("1.9 GB free of 24 GB", None, "")
    assert [(one.kind, one.label) for one in view.slices] == [
        ("vm", "Cowork VM 3.5 GB"), ("claude", "Claude 4.4 GB"), ("rest", "everything else"),
    ]  # fmt: skip
    assert view.rows == (
        Row("Pressure", "normal since 19:11"), Row("Swap", "1.2 GB"), Row("Compressed", "2 GB"),
        Row("Claude's processes", "4.4 GB, 17 processes"),
        Row("Docker Desktop", "8 GB, competes with Cowork", "next"),
        Row("Agents outside the app", "3 processes, 1 GB"),
        Row("Left by an app that is gone", "3 processes, 0.6 GB", "next"),
    )  # fmt: skip
    assert view.unknown == ()


def test_memory_by_session() -> None:
    """Largest first, by title; a process of a session that no log names is left out."""
    view = memory_view(seven_of_eight(), SEEN, NOW, ZONE)
    many = machine(*(row("session", "claude", n, 1, sid(n % 7 + 1)) for n in range(20)), at=NOW)

    assert view.sessions == (Row("Task 1", "1 GB"), Row("Meeting notes", "0.5 GB"))
    assert len(memory_view(seven_of_eight(), many, NOW, ZONE).sessions) <= MOST_SESSIONS


def test_pressure_says_who_read_it() -> None:
    """Where no line gives a level it is ours, and the card says so; a level nobody knows is no row."""
    ours = Pressure(host_level="warning", host_since=ago(minutes=2), host_last=NOW)
    gone = Pressure(host_level="warning", host_since=ago(hours=2), host_last=ago(hours=1))
    view = memory_view(state(pressure=ours), Machine(), NOW, ZONE)

    assert (view.level, view.tone) == ("warning", "next")
    assert view.rows[0] == Row("Pressure", "warning since 19:22, read by Seatwatch", "next")
    assert memory_view(state(pressure=gone), Machine(), NOW, ZONE).rows == ()


def test_part_that_cannot_be_read_says_why() -> None:
    """What is known is shown beside it, and the log's reading stands in for the host's."""
    blind = HostSample(NOW, 24_576, None, 1229, None, "unknown", "none", (Unknown("compressed", "platform"),))
    view = memory_view(seven_of_eight(), Machine(blind, ProcessesSample(NOW)), NOW, ZONE)

    assert (view.free, view.age) == ("1.9 GB free of 24 GB", "40 s")
    assert view.unknown == ("Compressed memory: not known, this system does not tell.",)
    assert "Swap" in {one.name for one in view.rows}
    assert "Claude's processes" in {one.name for one in view.rows}


def test_every_part_of_the_probes_has_words() -> None:
    """What a probe names as not known is said in words of the page, never by its own name."""
    app = resource_dir("templates").parent / "app"
    code = "".join(path.read_text("utf-8") for path in (*(app / "probes").glob("*.py"), app / "probing.py"))
    named = {*re.findall(r'(?:Unknown|unknown_of)\("(\w+)"', code), "host", "processes", "connections"}

    assert {"vm_memory", "container_memory"} <= named
    assert [one for one in named if unknown_lines([Unknown(one, "missing")])[0].startswith(f"{one}:")] == []


def test_hostile_names_are_plain() -> None:
    """A process may be called anything, and so may a part that a newer probe names."""
    view = memory_view(seven_of_eight(), machine(row("other_vm", HOSTILE, 3000), at=NOW), NOW, ZONE)

    assert "\x1b" not in view.rows[-1].name
    assert "\u202e" not in view.rows[-1].name
    assert unknown_lines([Unknown("odd\x1b[31m", "failed"), Unknown("odd\x1b[31m", "failed")]) == (
        "odd: not known, the reading failed.",
    )


def test_vm_is_held_only_where_its_process_is_seen() -> None:
    """None is not zero."""
    assert vm_held(SEEN) == 3600
    assert vm_held(machine(row("app", "Claude", 900))) is None
    assert vm_held(Machine()) is None
