"""Memory pressure at an instant: the log leads where it says anything, the host's own reading stands in for it.

What the operating system told the app holds until it tells something else. What the governor said fades, since no line
of its says "clear"; so does the host's reading, since the probe may have stopped. Free memory alone is never a level:
the raw figure of the log is near zero on a healthy Mac.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

from app.core.state import Pressure

Origin: TypeAlias = Literal["log", "host"]

GOVERNOR_HOLDS = timedelta(seconds=90)
"""The governor repeats itself every 30 or 60 s while pressure lasts, and no line of its says "clear"."""
HOST_REPEATS = timedelta(minutes=5)
"""How often the host's level is told again while it lasts."""
HOST_HOLDS = timedelta(minutes=7)
"""After this much silence of the probe nothing is known of the host any more: one repeat, and a slow look, later."""


@dataclass(frozen=True, slots=True)
class PressureNow:
    """A level, since when, and who says so."""

    level: Literal["normal", "warning", "critical", "unknown"]
    since: datetime | None
    origin: Origin = "log"


def pressure_at(pressure: Pressure, at: datetime) -> PressureNow:
    """The level that holds at ``at``; unknown until the log or the host has said anything about pressure."""
    if pressure.os_level is not None:
        return PressureNow(pressure.os_level, pressure.os_since)
    governor_last = pressure.governor_last
    if pressure.governor_level is not None and governor_last is not None and at - governor_last < GOVERNOR_HOLDS:
        return PressureNow(pressure.governor_level, pressure.governor_since)
    faded = None if governor_last is None else governor_last + GOVERNOR_HOLDS
    stopped = None if pressure.host_last is None else pressure.host_last + HOST_HOLDS
    if pressure.host_level is not None and stopped is not None and at < stopped:
        # Until the governor's word faded it was the log that spoke.
        since = max((when for when in (pressure.host_since, faded) if when is not None), default=None)
        return PressureNow(pressure.host_level, since, "host")
    ended = max((when for when in (faded, stopped) if when is not None), default=None)
    return PressureNow("unknown" if faded is None else "normal", ended)
