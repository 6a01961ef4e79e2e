"""The Cowork VM."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.events.base import BaseEvent


@dataclass(frozen=True, slots=True)
class VmStartBegan(BaseEvent):
    """The VM is asked to start; ``cpus`` and ``memory_gb`` where the line tells them."""

    cpus: int | None
    memory_gb: int | None


@dataclass(frozen=True, slots=True)
class VmStepStarted(BaseEvent):
    """A step of the VM's start began."""

    step: str


@dataclass(frozen=True, slots=True)
class VmStepCompleted(BaseEvent):
    """A step of the VM's start is done; ``took_ms`` where the line tells it."""

    step: str
    took_ms: int | None


@dataclass(frozen=True, slots=True)
class VmConfigured(BaseEvent):
    """A part of the VM's configuration; the others are None."""

    cpus: int | None
    memory_gb: int | None
    guest: str | None


@dataclass(frozen=True, slots=True)
class VmWaited(BaseEvent):
    """Still waiting for the guest, ``elapsed_ms`` after the start."""

    elapsed_ms: int


@dataclass(frozen=True, slots=True)
class VmStartFailed(BaseEvent):
    """The app gave the start up; the guest may still come up later."""

    detail: str


@dataclass(frozen=True, slots=True)
class VmReady(BaseEvent):
    """The VM is up; ``took_ms`` where the line tells it."""

    took_ms: int | None


@dataclass(frozen=True, slots=True)
class VmActive(BaseEvent):
    """A line that only a running VM causes."""


@dataclass(frozen=True, slots=True)
class VmNetworkChanged(BaseEvent):
    """``CONNECTED`` or ``NOT_CONNECTED``."""

    status: str


@dataclass(frozen=True, slots=True)
class VmApiChanged(BaseEvent):
    """``REACHABLE``, ``PROBABLY_UNREACHABLE`` or ``UNREACHABLE``."""

    status: str


@dataclass(frozen=True, slots=True)
class VmStopTimedOut(BaseEvent):
    """The old VM would not stop: it may live on without an owner."""


@dataclass(frozen=True, slots=True)
class VmShutDown(BaseEvent):
    """The app shut its VM down while quitting."""


@dataclass(frozen=True, slots=True)
class VmDiskFilled(BaseEvent):
    """The VM's disk is full; Cowork cannot start sessions."""


@dataclass(frozen=True, slots=True)
class VmExited(BaseEvent):
    """Windows' service saw the VM end; ``how`` is its word (``ForcedExit``), None where it gives none."""

    how: str | None


@dataclass(frozen=True, slots=True)
class VmCalledRunning(BaseEvent):
    """Windows' service was asked for a VM and called its old one running. That proves no life: it was seen to err."""
