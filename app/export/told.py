"""Which happenings are sent to an OpenTelemetry collector, and what is said of each: words of this project alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from app.core.history import Mark, MarkKind

TOLD: Mapping[MarkKind, tuple[str, str]] = {
    "evicted_for_seat": ("warn", "The governor closed a session to free its seat."),
    "evicted_for_memory": ("warn", "The governor closed a session to free memory."),
    "paused_idle": ("info", "A session was paused because it was idle for long."),
    "put_off": ("info", "A start was put off because no seat was free."),
    "would_evict": ("info", "The governor named a session that it would close, and closed none."),
    "pressure_warning": ("warn", "Memory pressure is at the level warning."),
    "pressure_critical": ("error", "Memory pressure is critical."),
    "vm_failed": ("error", "The virtual machine did not start."),
    "vm_disk_full": ("error", "The virtual machine's disk is full."),
}
"""Each kind with its severity and its sentence."""
LOOK_BACK = timedelta(minutes=2)
"""A line may be read some time after it was written; what is older is not news any more."""


@dataclass(slots=True)
class News:
    """Picks what has not been told. What happened before ``begun`` never is: a restart repeats nothing."""

    begun: datetime
    _seen: dict[tuple[str, int, str], datetime] = field(default_factory=dict)

    def since(self, at: datetime) -> datetime:
        """From when on to look at ``at``."""
        return max(self.begun, at - LOOK_BACK)

    def pick(self, marks: Iterable[Mark], at: datetime) -> Iterator[Mark]:
        """The marks that are to be told now, each once. What is remembered of them is bounded by `LOOK_BACK`."""
        since = self.since(at)
        self._seen = {key: when for key, when in self._seen.items() if when >= since}
        for mark in marks:
            key = (mark.source, mark.line, mark.kind)
            if mark.kind in TOLD and mark.at >= since and key not in self._seen:
                self._seen[key] = mark.at
                yield mark
