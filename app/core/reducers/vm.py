"""The Cowork VM's life, from logs that tell it side by side."""

from __future__ import annotations

from datetime import datetime
from typing import TypeAlias, assert_never

from app.core.events import (
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
from app.core.evolve import replace
from app.core.state import State, Vm
from app.core.vm import vm_at

VmEvent: TypeAlias = (
    VmStartBegan
    | VmStepStarted
    | VmStepCompleted
    | VmConfigured
    | VmWaited
    | VmStartFailed
    | VmReady
    | VmActive
    | VmNetworkChanged
    | VmApiChanged
    | VmStopTimedOut
    | VmShutDown
    | VmDiskFilled
    | VmExited
    | VmCalledRunning
)


def reduce_vm(state: State, event: VmEvent) -> State:
    """The state after an event of the VM.

    Both logs tell the same start, and are not always read side by side: each part keeps its newest word, so that the
    order in which the two are read makes no difference.
    """
    return replace(state, vm=_reduce(state.vm, event))


def _reduce(vm: Vm, event: VmEvent) -> Vm:
    match event:
        case VmStartBegan():
            vm = _configured(vm, event.cpus, event.memory_gb, None)
            return replace(vm, started_at=_later(vm.started_at, event.at))
        case VmStepStarted() | VmStepCompleted() | VmWaited():
            return _step(vm, event)
        case VmConfigured():
            return _configured(vm, event.cpus, event.memory_gb, event.guest)
        case VmStartFailed():
            return replace(vm, failed_at=_later(vm.failed_at, event.at), failure=event.detail)
        case VmReady():
            if vm.started_at is None or event.at >= vm.started_at:  # else it is of an earlier start, told late
                vm = replace(vm, step=None, step_started_at=None)
            return replace(vm, ready_at=_later(vm.ready_at, event.at), took_ms=event.took_ms or vm.took_ms)
        case VmActive():
            up = vm_at(vm, event.at).phase in ("booting", "ready", "disk_full")
            return replace(vm, active_at=event.at, ready_at=vm.ready_at if up else _later(vm.ready_at, event.at))
        case VmNetworkChanged():
            return replace(vm, network=event.status)
        case VmApiChanged():
            return replace(vm, api=event.status)
        case VmStopTimedOut():
            return replace(vm, stop_timed_out_at=_later(vm.stop_timed_out_at, event.at))
        case VmShutDown():
            return replace(vm, stopping_at=_later(vm.stopping_at, event.at))
        case VmExited():
            return replace(vm, exited_at=_later(vm.exited_at, event.at))
        case VmCalledRunning():
            return _called_running(vm, event.at)
        case VmDiskFilled():
            return replace(vm, disk_full_at=_later(vm.disk_full_at, event.at))
        case _:
            assert_never(event)


def _step(vm: Vm, event: VmStepStarted | VmStepCompleted | VmWaited) -> Vm:
    """A step of a start that is over, told late by the other log, changes nothing."""
    ends = (vm.ready_at, vm.failed_at, vm.down_at, vm.stopping_at)
    if any(when is not None and when >= event.at for when in ends):
        return vm
    match event:
        case VmStepStarted():
            running = vm.started_at is not None and all(when is None or when < vm.started_at for when in ends)
            begun = vm.started_at if running else event.at
            return replace(vm, started_at=begun, step=event.step, step_started_at=event.at)
        case VmStepCompleted():
            return replace(vm, step_started_at=None) if vm.step == event.step else vm
        case VmWaited():
            return replace(vm, step=vm.step or "guest_vsock_connect")
        case _:
            assert_never(event)


def _called_running(vm: Vm, at: datetime) -> Vm:
    """After an exit that no start followed, the service hands out a dead VM; else its word says nothing new."""
    if vm.exited_at is None or vm_at(vm, at).phase not in ("down", "orphan_suspect"):
        return vm
    return replace(vm, called_running_at=_later(vm.called_running_at, at))


def _configured(vm: Vm, cpus: int | None, memory_gb: int | None, guest: str | None) -> Vm:
    return replace(vm, cpus=cpus or vm.cpus, memory_gb=memory_gb or vm.memory_gb, guest=guest or vm.guest)


def _later(known: datetime | None, at: datetime) -> datetime:
    return at if known is None else max(known, at)
