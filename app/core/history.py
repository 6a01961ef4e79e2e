"""What was true when: the recent past as spans, steps, bands and marks, ready to be drawn.

`app.core.recorder` records it beside the fold; nothing here draws, `app.web.timeline` does.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from app.core.events import Level
from app.core.points import Point
from app.core.pressure import Origin
from app.core.state import Phase

MarkKind: TypeAlias = Literal[
    "evicted_for_seat", "evicted_for_memory", "paused_idle", "put_off", "would_evict",
    "killed", "failed", "timed_out", "usage_limit", "overloaded", "signed_out", "network",
    "app_started", "app_quit", "app_update", "app_crashed", "account_switched",
    "undelivered", "save_failed", "remote_lost",
    "vm_ready", "vm_failed", "vm_disk_full", "pressure_warning", "pressure_critical", "ports",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Span:
    """A session in one phase from ``start`` until ``end`` (None: still)."""

    session: str
    phase: Phase
    start: datetime
    end: datetime | None


@dataclass(frozen=True, slots=True)
class SeatStep:
    """From ``at`` on this many seats were taken, against this cap (None: not known yet)."""

    at: datetime
    taken: int
    cap: int | None


@dataclass(frozen=True, slots=True)
class Band:
    """A stretch of time at one memory-pressure level; ``end`` None: still. ``origin`` is who said so."""

    level: Level
    start: datetime
    end: datetime | None
    origin: Origin = "log"


@dataclass(frozen=True, slots=True)
class Gap:
    """A stretch in which the app did not run, or its log was silent (asleep or stuck); ``end`` None: still."""

    kind: Literal["app_down", "silent"]
    start: datetime
    end: datetime | None


@dataclass(frozen=True, slots=True)
class FreeMemory:
    """Free memory as the app read it."""

    at: datetime
    free_mb: int
    total_mb: int


@dataclass(frozen=True, slots=True)
class Mark:
    """One thing that happened, and the log line that says so.

    ``idle_seconds`` is the silence the governor gave for the session, ``detail`` a number or word of the line (the
    cap at which a start was put off, the version that started, milliseconds a boot took).
    """

    at: datetime
    kind: MarkKind
    session: str | None
    source: str
    line: int
    text: str
    idle_seconds: int | None = None
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class History:
    """Everything that touches the window from ``start`` to ``end``, oldest first.

    ``points`` are what the probes saw, where the store tells of the window; of late they are in memory beside this.
    """

    start: datetime
    end: datetime
    spans: tuple[Span, ...] = ()
    seats: tuple[SeatStep, ...] = ()
    bands: tuple[Band, ...] = ()
    gaps: tuple[Gap, ...] = ()
    memory: tuple[FreeMemory, ...] = ()
    marks: tuple[Mark, ...] = ()
    points: tuple[Point, ...] = ()
