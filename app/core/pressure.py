"""Memory pressure at an instant: the log leads where it says anything, the host's own reading stands in for it.

What the operating system told the app holds until it tells something else. What the governor said fades, since no line
of its says "clear"; so does the host's reading, since the probe may have stopped. Free memory alone is never a level:
the raw figure of the log is near zero on a healthy Mac.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

from app.core.state import Pressure, State

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
    if (host := _host_at(pressure, at)) is not None:
        # Until the governor's word faded it was the log that spoke.
        since = max((when for when in (host.since, faded) if when is not None), default=None)
        return PressureNow(host.level, since, "host")
    stopped = None if pressure.host_last is None else pressure.host_last + HOST_HOLDS
    ended = max((when for when in (faded, stopped) if when is not None), default=None)
    return PressureNow("unknown" if faded is None else "normal", ended)


def pressure_known(state: State, at: datetime) -> PressureNow:
    """The level that a reader may take for that of ``at``: while the app does not run its log tells of the past.

    What it said last holds again once the app is back, so `pressure_at` keeps it.
    """
    if state.app.running:
        return pressure_at(state.pressure, at)
    return _host_at(state.pressure, at) or PressureNow("unknown", None)


def _host_at(pressure: Pressure, at: datetime) -> PressureNow | None:
    """The host's own reading, None where there is none that still counts."""
    if pressure.host_level is None or pressure.host_last is None or at >= pressure.host_last + HOST_HOLDS:
        return None
    return PressureNow(pressure.host_level, pressure.host_since, "host")
