"""What the app's memory readings tell over time: whether child processes pile up.

A leak of child processes (tool servers that outlive their session) was seen to grow from one to over a thousand in
twelve hours before the app went down; one reading says nothing, an hour of them does.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TypeAlias

from app.core.events import MemorySampled
from app.core.state import State

ChildReadings: TypeAlias = tuple[tuple[datetime, int], ...]

APART = timedelta(minutes=5)
"""How far apart the readings lie that are kept."""
KEPT = timedelta(hours=1)
"""How far back they reach."""
LEAST = timedelta(minutes=15)
"""A growth is told only once it was watched for so long."""


def with_reading(readings: ChildReadings, sample: MemorySampled) -> ChildReadings:
    """The readings with a new one, thinned out and bounded."""
    if sample.child_count is None or (readings and timedelta() <= sample.at - readings[-1][0] < APART):
        return readings
    since = sample.at - KEPT
    return (*(one for one in readings if since <= one[0] < sample.at), (sample.at, sample.child_count))


def children_per_hour(state: State) -> float | None:
    """By how many the app's child processes grew per hour of late; None while too little was seen."""
    newest = state.memory
    if newest is None or newest.child_count is None or not state.children:
        return None
    since, count = state.children[0]
    watched = newest.at - since
    if watched < LEAST:
        return None
    return (newest.child_count - count) / (watched / timedelta(hours=1))
