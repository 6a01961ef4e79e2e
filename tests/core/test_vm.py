"""The VM's phase at an instant: the newest word of its logs wins."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.core.state import Vm
from app.core.vm import VmNow, sub_agents, vm_at
from tests.core.helpers import NOON, after

STARTED = Vm(started_at=NOON, step="vm_boot", step_started_at=NOON)


def test_nothing_said_is_unknown() -> None:
    """A log that never spoke of the VM tells nothing of it."""
    assert vm_at(Vm(), NOON) == VmNow("unknown", None)


def test_start_of_the_app_alone_tells_nothing_of_the_vm() -> None:
    """The app's start ends a VM that was heard of; where none ever was, nothing is known."""
    assert vm_at(Vm(down_at=NOON), after(5)) == VmNow("unknown", None)


@pytest.mark.parametrize(
    ("field", "phase"),
    [
        ("disk_full_at", "disk_full"),
        ("ready_at", "ready"),
        ("failed_at", "stalled"),
        ("stop_timed_out_at", "orphan_suspect"),
        ("called_running_at", "orphan_suspect"),
        ("exited_at", "down"),
        ("stopping_at", "stopping"),
        ("down_at", "down"),
    ],
)
@pytest.mark.parametrize("earlier", [True, False])
def test_newest_word_wins(field: str, phase: str, earlier: bool) -> None:
    """Whatever came before a word does not count any more, and a start after it leads to booting."""
    change: dict[str, Any] = {field: after(-10 if earlier else 10)}
    vm = replace(STARTED, **change)
    assert vm_at(vm, after(20)).phase == ("booting" if earlier else phase)


@pytest.mark.parametrize(
    ("seconds", "phase", "since"), [(0, "booting", 0), (59, "booting", 0), (60, "stalled", 60), (300, "stalled", 60)]
)
def test_step_that_takes_a_minute_is_stalled(seconds: int, phase: str, since: int) -> None:
    """The line is at sixty seconds, and the step stays named."""
    assert vm_at(STARTED, after(seconds)) == VmNow(phase, after(since), "vm_boot")  # type: ignore[arg-type]


def test_between_steps_nothing_is_stalled() -> None:
    """Only a step that began and did not end can be stuck; one of an older start cannot."""
    assert vm_at(replace(STARTED, step_started_at=None), after(300)).phase == "booting"
    assert vm_at(replace(STARTED, step_started_at=after(-5)), after(300)).phase == "booting"


def test_within_one_second_up_wins_over_begun() -> None:
    """Two logs tell the same start side by side with steps of one second."""
    assert vm_at(replace(STARTED, ready_at=NOON), NOON).phase == "ready"


@pytest.mark.parametrize(("cpus", "agents"), [(None, None), (1, 1), (2, 1), (3, 1), (4, 2), (10, 8)])
def test_sub_agents_are_the_cores_but_two(cpus: int | None, agents: int | None) -> None:
    """At least one runs, and unknown cores give no number."""
    assert sub_agents(cpus) == agents
