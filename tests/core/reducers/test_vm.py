"""The VM's life from two logs that tell it side by side."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.events import (
    Event,
    VmActive,
    VmApiChanged,
    VmCalledRunning,
    VmConfigured,
    VmDiskFilled,
    VmExited,
    VmNetworkChanged,
    VmReady,
    VmShutDown,
    VmStartBegan,
    VmStartFailed,
    VmStepCompleted,
    VmStepStarted,
    VmStopTimedOut,
    VmWaited,
)
from app.core.state import Vm
from app.core.vm import vm_at
from tests.core.helpers import NOON, after, state_after

BEGAN = VmStartBegan(NOON, 4, 4)


def vm_after(*events: Event) -> Vm:
    """The VM as these events leave it."""
    return state_after(*events).vm


def test_start_as_both_logs_tell_it() -> None:
    """Two starts are announced, the numbers of either stay, steps come and go, and the newest word is ready."""
    vm = vm_after(
        VmStartBegan(NOON, None, None),
        VmConfigured(NOON, None, 4, None),
        VmStartBegan(after(1), None, 4),
        VmStepStarted(after(1), "vm_boot"),
        VmConfigured(after(1), 4, None, "Ubuntu 22.04.5 LTS"),
        VmStepCompleted(after(3), "vm_boot", 2000),
        VmReady(after(4), None),
        VmReady(after(5), 5802),
    )
    assert (vm.cpus, vm.memory_gb, vm.guest, vm.took_ms) == (4, 4, "Ubuntu 22.04.5 LTS", 5802)
    assert vm_at(vm, after(6)).phase == "ready"
    assert vm.step_started_at is None


def test_stalled_boot_names_its_step_and_may_still_come_up() -> None:
    """A step that does not end in a minute is stuck, a failure is said, and a guest that comes up late is ready."""
    stuck: list[Event] = [BEGAN, VmStepStarted(after(2), "guest_vsock_connect"), VmWaited(after(42), 40_000)]
    assert vm_at(vm_after(*stuck), after(61)).phase == "booting"
    assert vm_at(vm_after(*stuck), after(62)).phase == "stalled"
    failed: list[Event] = [*stuck, VmStartFailed(after(63), "VM connection timeout after 60 seconds")]
    assert vm_after(*failed).failure == "VM connection timeout after 60 seconds"
    assert vm_at(vm_after(*failed), after(64)).phase == "stalled"
    assert vm_at(vm_after(*failed, VmActive(after(90))), after(91)).phase == "ready"
    assert vm_at(vm_after(*failed, VmStartBegan(after(300), None, None)), after(301)).phase == "booting"


def test_other_steps_end_leaves_the_current_step() -> None:
    """Two logs name different steps; the end of an older one is not the end of this."""
    vm = vm_after(BEGAN, VmStepStarted(after(1), "vm_boot"), VmStepCompleted(after(2), "create_network", 5))
    assert (vm.step, vm.step_started_at) == ("vm_boot", after(1))


NODE: tuple[Event, ...] = (
    VmStartBegan(NOON, None, None), VmStepStarted(after(1), "vm_boot"), VmStepCompleted(after(3), "vm_boot", 2000),
    VmStepStarted(after(3), "guest_vsock_connect"), VmStepCompleted(after(8), "guest_vsock_connect", 5000),
    VmReady(after(8), 8000),
)  # fmt: skip
SWIFT: tuple[Event, ...] = (
    VmStartBegan(after(1), None, 4), VmStepStarted(after(1), "vm_boot"), VmStepCompleted(after(2), "vm_boot", None),
    VmReady(after(3), None),
)  # fmt: skip


@given(st.lists(st.booleans(), min_size=len(NODE) + len(SWIFT), max_size=len(NODE) + len(SWIFT)))
def test_order_in_which_the_two_logs_are_read_makes_no_difference(choices: list[bool]) -> None:
    """One log may be read whole before the other, or the two in turns."""
    node: list[Event] = list(NODE)
    swift: list[Event] = list(SWIFT)
    merged: list[Event] = []
    for choice in choices:
        merged.append((node if (choice and node) or not swift else swift).pop(0))
    vm = vm_after(*merged)
    now = vm_at(vm, after(9))
    assert (now.phase, now.since, vm.memory_gb, vm.took_ms) == ("ready", after(8), 4, 8000)
    assert (vm.step, vm.step_started_at) == (None, None)


def test_a_late_word_of_being_ready_leaves_the_step_of_a_new_start() -> None:
    """One log tells of the next start before the other has told that the last one succeeded."""
    vm = vm_after(BEGAN, VmStartBegan(after(9), None, None), VmStepStarted(after(9), "vm_boot"), VmReady(after(5), 1))
    assert (vm.step, vm.step_started_at) == ("vm_boot", after(9))


@pytest.mark.parametrize(
    "event", [VmStepStarted(after(4), "x"), VmStepCompleted(after(5), "vm_boot", 1), VmWaited(NOON, 9)]
)
def test_step_of_a_start_that_is_over_changes_nothing(event: Event) -> None:
    """The other log tells late what the first has told already."""
    before = vm_after(BEGAN, VmStepStarted(after(1), "vm_boot"), VmReady(after(5), 1))
    assert vm_after(BEGAN, VmStepStarted(after(1), "vm_boot"), VmReady(after(5), 1), event) == before


def test_waiting_without_a_step_is_for_the_guest() -> None:
    """A log that begins in the middle of a start shows only the waiting."""
    assert vm_after(VmWaited(NOON, 20_000)).step == "guest_vsock_connect"


@pytest.mark.parametrize(
    "end",
    [VmReady(after(5), 1), VmStartFailed(after(5), "x"), VmShutDown(after(5))],
    ids=lambda end: type(end).__name__,
)
def test_step_after_an_end_is_a_new_start(end: Event) -> None:
    """A log may tell a start by its steps alone."""
    vm = vm_after(BEGAN, end, VmStepStarted(after(9), "vm_boot"))
    assert vm.started_at == after(9)
    assert vm_after(BEGAN, VmStepStarted(after(9), "vm_boot")).started_at == NOON
    assert vm_after(VmStepStarted(after(9), "vm_boot")).started_at == after(9)


def test_activity_proves_a_vm_that_was_not_known_to_be_up() -> None:
    """One that is up, starts or is full stays what it is."""
    assert vm_after(VmActive(NOON)).ready_at == NOON
    assert vm_after(BEGAN, VmActive(after(1))).ready_at is None
    assert vm_after(BEGAN, VmReady(after(5), 1), VmActive(after(9))).ready_at == after(5)
    full = vm_after(VmReady(NOON, 1), VmDiskFilled(after(5)), VmActive(after(9)))
    assert (vm_at(full, after(9)).phase, full.active_at) == ("disk_full", after(9))


@pytest.mark.parametrize(
    ("event", "field", "value"),
    [
        (VmNetworkChanged(NOON, "CONNECTED"), "network", "CONNECTED"),
        (VmApiChanged(NOON, "UNREACHABLE"), "api", "UNREACHABLE"),
        (VmStopTimedOut(NOON), "stop_timed_out_at", NOON),
        (VmShutDown(NOON), "stopping_at", NOON),
        (VmDiskFilled(NOON), "disk_full_at", NOON),
    ],
)
def test_word_of_the_vm_is_kept(event: Event, field: str, value: Any) -> None:
    """Each of these words stands for itself."""
    assert getattr(vm_after(event), field) == value


UP: tuple[Event, ...] = (BEGAN, VmReady(after(5), 5000))


def test_exit_that_the_service_saw_ends_the_vm() -> None:
    """It is down from then on, until a start comes; an exit told late changes nothing that came after it."""
    down = vm_after(*UP, VmExited(after(60), "ForcedExit"))

    assert (vm_at(down, after(61)).phase, vm_at(down, after(61)).since) == ("down", after(60))
    assert vm_at(vm_after(*UP, VmExited(after(60), None), VmStartBegan(after(70), 4, 4)), after(71)).phase == "booting"
    assert vm_at(vm_after(*UP, VmExited(after(-60), "ForcedExit")), after(61)).phase == "ready"
    assert vm_at(vm_after(VmExited(NOON, "ForcedExit")), after(1)).phase == "down"


def test_service_that_calls_a_dead_vm_running_makes_it_suspect() -> None:
    """After an exit without a start its word is wrong; without one, or after a start, it says nothing new."""
    dead = (*UP, VmExited(after(60), "ForcedExit"))
    called = vm_after(*dead, VmCalledRunning(after(90)), VmCalledRunning(after(95)))

    assert (vm_at(called, after(99)).phase, called.called_running_at) == ("orphan_suspect", after(95))
    assert vm_after(*UP, VmCalledRunning(after(90))) == vm_after(*UP)
    assert vm_after(VmShutDown(after(60)), VmCalledRunning(after(90))).called_running_at is None
    again = (VmStartBegan(after(70), 4, 4), VmReady(after(75), 5000))
    assert vm_at(vm_after(*dead, *again, VmCalledRunning(after(90))), after(99)).phase == "ready"
