"""Advice about the machine: each rule at its borders, and its words."""

from __future__ import annotations

import pytest

from app.core.advice import advise, sentence
from app.core.advice_machine import (
    LARGE_ORPHANS_MB,
    LARGE_VM_MB,
    competing_vm,
    machine_sentence,
    orphans,
    ports_short,
)
from app.core.advised import AppSilent, CompetingVm, Nothing, Orphans, PortsShort, StopBeforeCap
from app.core.machine import Machine
from app.core.ports import line_named
from app.core.state import App, Pressure, State
from tests.core.helpers import NOON, after
from tests.core.machines import machine, ports, row

RUNS = State(at=NOON, app=App(running=True, started_at=after(-600), last_sign_at=NOON))
TIGHT = Pressure(os_level="critical", os_since=NOON)


@pytest.mark.parametrize(
    ("taken", "minutes", "said"),
    [
        (204, None, None),
        (205, None, PortsShort(205, 240, None)),
        (240, 0.0, PortsShort(240, 240, 0)),
        (120, 9.9, PortsShort(120, 240, 10)),
        (119, 2.0, None),
        (150, 10.1, None),
    ],
)
def test_ports_above_85_percent_or_full_within_ten_minutes(
    taken: int, minutes: float | None, said: PortsShort | None
) -> None:
    """Below half of the line even a steep slope is a burst; from there on it counts as much as the share."""
    assert ports_short(machine(found=ports(taken, minutes))) == said


def test_line_without_a_budget_is_never_short() -> None:
    """What has no number cannot be full."""
    assert ports_short(machine(found=ports(5000, None, line_named("transix")))) is None
    assert ports_short(Machine()) is None


def test_largest_other_machine_competes_while_memory_is_short() -> None:
    """While there is memory for all, another virtual machine is its owner's business."""
    two = machine(row("other_vm", "Colima", 3000), row("other_vm", "Docker Desktop", 8192))

    assert competing_vm(two, short=True) == CompetingVm("Docker Desktop", 8192)
    assert competing_vm(two, short=False) is None
    assert competing_vm(machine(row("other_vm", "Lima", LARGE_VM_MB - 1)), short=True) is None
    assert competing_vm(Machine(), short=True) is None


def test_much_that_was_left_behind_is_told_at_any_time() -> None:
    """A little of it only while memory is short."""
    little = machine(row("orphan", "claude", LARGE_ORPHANS_MB - 1, 2))

    assert orphans(machine(row("orphan", "claude", 400, 2), row("orphan", "node", 200)), short=False) == Orphans(3, 600)
    assert orphans(little, short=False) is None
    assert orphans(little, short=True) == Orphans(2, LARGE_ORPHANS_MB - 1)
    assert orphans(machine(row("app", "Claude", 9000)), short=True) is None


def test_advice_in_words() -> None:
    """Numbers as a person reads them, and what to do."""
    said = [
        machine_sentence(one)
        for one in (PortsShort(1000, 1008, 3), CompetingVm("Docker Desktop", 8192), Orphans(3, 600), Orphans(1, 12_288))
    ]

    assert said == [
        "1,000 of 1,008 ports of the home line are in use. Start no more agents now, and close what keeps many "
        "connections open.",
        "Docker Desktop holds 8 GB and competes with Claude for memory. Stop it if you can.",
        "What an app that is gone left behind (3 processes) holds 0.6 GB. Ending it frees that.",
        "What an app that is gone left behind (1 process) holds 12 GB. Ending it frees that.",
    ]
    assert sentence(Orphans(1, 12_288), {}) == said[-1]


def test_ports_come_first_and_memory_is_told_where_it_is_short() -> None:
    """A line that is full takes every session offline: nothing is more urgent."""
    full = machine(row("other_vm", "Docker Desktop", 8192), row("orphan", "node", 900), found=ports(230))
    tight = State(at=NOON, app=RUNS.app, pressure=TIGHT)

    assert [one.kind for one in advise(tight, NOON, full)] == ["ports_short", "competing_vm", "orphans"]
    assert [one.kind for one in advise(RUNS, NOON, full)] == ["ports_short", "orphans"]
    assert [one.kind for one in advise(State(), NOON, full)] == ["ports_short", "orphans"]


def test_silent_app_leaves_the_machine_known() -> None:
    """Nothing is certain of the sessions then; the ports are counted all the same."""
    silent = State(at=NOON, app=App(running=True, last_sign_at=after(-600)))

    found = advise(silent, NOON, machine(found=ports(230)))
    assert [type(one) for one in found] == [PortsShort, AppSilent]


def test_old_samples_advise_nothing() -> None:
    """A probe that fell silent says nothing of now."""
    assert advise(RUNS, after(600), machine(found=ports(230))) == (AppSilent(600),)
    assert advise(RUNS, NOON) == (Nothing(),)
    assert StopBeforeCap not in {type(one) for one in advise(RUNS, NOON, machine())}
