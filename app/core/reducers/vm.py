"""The Cowork VM's life, from two logs that tell it side by side."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias, assert_never

from app.core.events import (
    VmActive,
    VmApiChanged,
    VmConfigured,
    VmDiskFilled,
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
)


def reduce_vm(state: State, event: VmEvent) -> State:
    """The state after an event of the VM. Both logs tell the same start, so each part keeps its newest word."""
    return replace(state, vm=_reduce(state.vm, event))


def _reduce(vm: Vm, event: VmEvent) -> Vm:
    match event:
        case VmStartBegan():
            return replace(
                vm,
                started_at=event.at,
                starts=vm.starts + 1,
                failure=None,
                cpus=event.cpus or vm.cpus,
                memory_gb=event.memory_gb or vm.memory_gb,
            )
        case VmStepStarted():
            begun = vm.started_at if vm.started_at and _starting(vm) else event.at
            return replace(vm, started_at=begun, step=event.step, step_started_at=event.at)
        case VmStepCompleted():
            return replace(vm, step_started_at=None) if vm.step == event.step else vm
        case VmConfigured():
            return replace(
                vm,
                cpus=event.cpus or vm.cpus,
                memory_gb=event.memory_gb or vm.memory_gb,
                guest=event.guest or vm.guest,
            )
        case VmWaited():
            return replace(vm, step=vm.step or "guest_vsock_connect")
        case VmStartFailed():
            return replace(vm, failed_at=event.at, failure=event.detail)
        case VmReady():
            return replace(vm, ready_at=event.at, step=None, step_started_at=None, took_ms=event.took_ms or vm.took_ms)
        case VmActive():
            up = vm_at(vm, event.at).phase in ("booting", "ready", "disk_full")
            return replace(vm, active_at=event.at, ready_at=vm.ready_at if up else event.at)
        case VmNetworkChanged():
            return replace(vm, network=event.status)
        case VmApiChanged():
            return replace(vm, api=event.status)
        case VmStopTimedOut():
            return replace(vm, stop_timed_out_at=event.at)
        case VmShutDown():
            return replace(vm, stopping_at=event.at)
        case VmDiskFilled():
            return replace(vm, disk_full_at=event.at)
        case _:
            assert_never(event)


def _starting(vm: Vm) -> bool:
    """Whether the newest start has not come to an end yet."""
    ends = [when for when in (vm.ready_at, vm.failed_at, vm.down_at, vm.stopping_at) if when is not None]
    return vm.started_at is not None and all(end <= vm.started_at for end in ends)
