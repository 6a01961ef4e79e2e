"""The Cowork VM's life, judged at an instant from what its logs said."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from app.core.state import Vm

STALLED_AFTER = timedelta(seconds=60)
"""A step of the start that takes longer is stuck: the app itself gives up after 60 s."""

VmPhase = Literal["unknown", "down", "booting", "ready", "stalled", "stopping", "orphan_suspect", "disk_full"]


@dataclass(frozen=True, slots=True)
class VmNow:
    """A phase and since when; ``step`` while it starts."""

    phase: VmPhase
    since: datetime | None
    step: str | None = None


def vm_at(vm: Vm, at: datetime) -> VmNow:
    """The phase that holds at ``at``. The newest word wins, so the order of the two logs does not matter."""
    told: tuple[tuple[datetime | None, VmPhase], ...] = (
        (vm.disk_full_at, "disk_full"),
        (vm.ready_at, "ready"),
        (vm.failed_at, "stalled"),
        (vm.stop_timed_out_at, "orphan_suspect"),
        (vm.called_running_at, "orphan_suspect"),
        (vm.stopping_at, "stopping"),
        (vm.started_at, "booting"),
        (vm.exited_at, "down"),
        (vm.down_at, "down"),
    )
    said = [(when, phase) for when, phase in told if when is not None]
    if all(when is None for when, _ in told[:-1]):  # at most the app started; no VM was ever heard of
        return VmNow("unknown", None)
    since, phase = max(said, key=lambda pair: pair[0])  # within one second the one listed first
    if phase == "booting":
        begun = vm.step_started_at
        if begun is not None and begun >= since and at - begun >= STALLED_AFTER:
            return VmNow("stalled", begun + STALLED_AFTER, vm.step)
        return VmNow("booting", since, vm.step)
    return VmNow(phase, since)


def sub_agents(cpus: int | None) -> int | None:
    """How many sub-agents run at a time in a VM of so many cores; None when the cores are unknown."""
    return None if cpus is None else max(1, cpus - 2)
