"""Memory pressure at an instant: what the operating system said leads, what the governor said fades."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from app.core.state import Pressure

GOVERNOR_HOLDS = timedelta(seconds=90)
"""The governor repeats itself every 30 or 60 s while pressure lasts, and no line of its says "clear"."""


@dataclass(frozen=True, slots=True)
class PressureNow:
    """A level, since when, and who says so."""

    level: Literal["normal", "warning", "critical", "unknown"]
    since: datetime | None
    origin: Literal["log", "host"] = "log"


def pressure_at(pressure: Pressure, at: datetime) -> PressureNow:
    """The level that holds at ``at``; unknown until the log has said anything about pressure."""
    if pressure.os_level is not None:
        return PressureNow(pressure.os_level, pressure.os_since)
    if pressure.governor_level is None or pressure.governor_last is None:
        return PressureNow("unknown", None)
    if at - pressure.governor_last < GOVERNOR_HOLDS:
        return PressureNow(pressure.governor_level, pressure.governor_since)
    return PressureNow("normal", pressure.governor_last + GOVERNOR_HOLDS)
