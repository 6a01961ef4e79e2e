"""What is known of the machine: what is too old, what a page would show otherwise, and what is kept of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.core.machine import MEMORY_STEP_MB, STALE, Machine, claude_mb, moved
from app.core.points import Point
from app.core.ports import line_named
from app.core.samples import ConnectionsSample, HostSample, ProcessesSample, Unknown
from tests.core.helpers import NOON, A, after
from tests.core.machines import host, machine, ports, processes, row

FULL = machine(
    row("app", "Claude", 2900, 11), row("session", "claude", 400, 3, A), row("cowork_vm", "Cowork VM", 3600),
    row("other_vm", "Docker Desktop", 8192), found=ports(204, 6.0, claude=146), host=host(1900),
)  # fmt: skip
BROKEN = (Unknown("memory", "failed", "OSError"),)


def test_old_samples_tell_nothing_of_now() -> None:
    """A probe that fell silent, and one whose clock ran ahead, say nothing."""
    assert FULL.fresh(NOON + STALE) == FULL
    assert FULL.fresh(after(121)) == Machine()
    assert FULL.fresh(after(-121)) == Machine()
    half = replace(FULL, host=host(1900, at=after(100)))
    assert half.fresh(after(125)) == Machine(host=half.host)


def test_point_has_every_number() -> None:
    """What is kept of a moment; the app's tree is the app and its sessions."""
    assert FULL.point(after(5)) == Point(after(5), 24_576, 1900, 1900, 1229, 2048, 3300, 3600, 8192, 14, 204, 204, 146)


def test_point_of_nothing_is_empty() -> None:
    """What is not known is None, and not 0."""
    assert Machine().point(NOON) == Point(NOON)
    none = Machine(processes=processes()).point(NOON)
    assert (none.claude_mb, none.processes, none.available_mb) == (0, 0, None)


def test_footprint_is_claudes_memory_where_all_of_it_is_known() -> None:
    """It counts what is shared once; a sum with a part missing would count too little."""
    part = replace(row("app", "Claude", 900), footprint_mb=700)

    assert claude_mb(ProcessesSample(NOON, (part,))) == 700
    assert claude_mb(ProcessesSample(NOON, (part, row("session", "claude", 400)))) == 1300


@pytest.mark.parametrize(
    "change",
    [
        {"host": None},
        {"host": host(1900 + MEMORY_STEP_MB)},
        {"host": host(1900, swap_used_mb=1229 + MEMORY_STEP_MB)},
        {"host": host(1900, compressed_mb=None)},
        {"host": host(1900, level="warning")},
        {"host": host(1900, unknown=BROKEN)},
        {"processes": None},
        {"processes": processes(*FULL.processes.rows[1:]) if FULL.processes else None},
        {"processes": ProcessesSample(NOON, FULL.processes.rows, BROKEN) if FULL.processes else None},
        {"ports": None},
        {"ports": ports(205, 6.0, claude=146)},
        {"ports": ports(204, 5.4, claude=146)},
        {"ports": ports(204, None, claude=146)},
        {"connections": ConnectionsSample(NOON, unknown=BROKEN)},
    ],
)
def test_what_a_page_would_show_otherwise(change: dict[str, Any]) -> None:
    """A number that is shown, a level, a part that cannot be read any more."""
    assert moved(FULL, replace(FULL, **change))
    assert moved(replace(FULL, **change), FULL)


def test_rows_that_grew_are_shown_anew() -> None:
    """A tenth of a GB, or another number of processes."""
    assert moved(machine(row("app", "Claude", 2900, 11)), machine(row("app", "Claude", 2900, 12)))
    assert moved(machine(row("app", "Claude", 2900)), machine(row("app", "Claude", 2900 + MEMORY_STEP_MB)))


def test_what_nobody_would_see_wakes_nobody() -> None:
    """A few MB more, a few seconds later, half a minute less of six."""
    later = machine(
        row("app", "Claude", 2950, 11), row("session", "claude", 410, 3, A), row("cowork_vm", "Cowork VM", 3600),
        row("other_vm", "Docker Desktop", 8192), found=ports(204, 6.4, claude=146), host=host(1990),
    )  # fmt: skip
    assert FULL.connections is not None

    assert not moved(FULL, later)
    assert not moved(Machine(), Machine())
    assert not moved(FULL, replace(FULL, connections=replace(FULL.connections, at=after(9))))
    assert not moved(Machine(HostSample(NOON, 100)), Machine(HostSample(after(5), 100)))


@pytest.mark.parametrize(
    ("taken", "minutes", "leads"),
    [(204, None, False), (205, None, True), (120, 10.0, True), (120, 10.1, False), (119, 1.0, False)],
)
def test_ports_lead(taken: int, minutes: float | None, leads: bool) -> None:
    """Above 85 %, or full within ten minutes once half of the line is taken."""
    assert ports(taken, minutes).lead is leads


def test_ports_of_a_line_without_a_number_never_lead() -> None:
    """There is nothing to run out of."""
    assert not ports(5000, 1.0, line_named("transix")).lead
