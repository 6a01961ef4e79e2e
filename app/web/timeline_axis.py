"""The time axis: round local times, whatever the zone and its changes of clock. Pure; no markup."""

from __future__ import annotations

from datetime import datetime, timedelta, tzinfo

from app.web.shapes import Axis
from app.web.timeline_views import Tick
from app.web.words import clock, date_words

MOST_TICKS = 9
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
STEPS = [
    *(timedelta(minutes=m) for m in (1, 2, 5, 15, 30, 60, 120, 180, 360, 720)),
    *(timedelta(days=d) for d in (1, 2, 4, 7)),
]
FINE = timedelta(minutes=15)
"""Offsets of zones are multiples of this, so a round local time of a coarser step is found by walking in it."""


def ticks(axis: Axis, zone: tzinfo) -> tuple[Tick, ...]:
    """Round local times, at most ten of them; every other one is major. Midnight is called by its day.

    It walks in real time and asks each instant for its local time: the hour that an autumn night has twice gets two
    lines, and the one that a spring night lacks none.
    """
    step = next((one for one in STEPS if axis.length / one <= MOST_TICKS), STEPS[-1])
    grain = MINUTE if step < FINE else FINE
    found: list[Tick] = []
    at = _first(axis.start, grain)
    while at <= axis.end:
        local = at.astimezone(zone)
        of_day = local.hour * 60 + local.minute
        if _is_round(local, of_day, step):
            midnight = of_day == 0 and axis.length > timedelta(hours=2)
            label = date_words(local.date()) if midnight else clock(at, zone, seconds=False)
            major, day = _is_round(local, of_day, 2 * step), midnight and step < DAY
            found.append(Tick(round(axis.x(at), 2), label, major, day))
        at += grain
    return tuple(found)


def _first(start: datetime, grain: timedelta) -> datetime:
    """The first instant from ``start`` on whose minute is a multiple of ``grain``."""
    at = start.replace(second=0, microsecond=0)
    if at < start:
        at += MINUTE
    while at.minute % (grain // MINUTE):
        at += MINUTE
    return at


def _is_round(local: datetime, of_day: int, step: timedelta) -> bool:
    if step < DAY:
        return of_day % (step // MINUTE) == 0
    return of_day == 0 and local.toordinal() % (step // DAY) == 0
