"""Samples as they are kept: one point of all that the probes saw at a moment, and many of them as one.

Raw points are kept for two days, one a minute for a month, one a quarter of an hour for a year. What becomes of several
points is their mean in whole numbers, but for what a mean would hide: the least free memory and the most ports.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from itertools import groupby

RAW, MINUTE, QUARTER = 1, 60, 900
"""The steps in which points are kept, in seconds; raw ones lie as far apart as the probes look."""
KEPT = {RAW: timedelta(hours=48), MINUTE: timedelta(days=30), QUARTER: timedelta(days=365)}
"""For how long points of each step are kept."""


@dataclass(frozen=True, slots=True)
class Point:
    """The machine at an instant, or over the step that begins there; None: not known. Sizes are MB.

    ``available_low_mb`` is the least free memory and ``ports_high`` the most IPv4 ports of the step. ``claude_mb`` is
    the app's tree with its sessions, ``cowork_mb`` its VM, ``others_mb`` other virtual machines; ``processes`` counts
    those of the app's tree.
    """

    at: datetime
    total_mb: int | None = None
    available_mb: int | None = None
    available_low_mb: int | None = None
    swap_mb: int | None = None
    compressed_mb: int | None = None
    claude_mb: int | None = None
    cowork_mb: int | None = None
    others_mb: int | None = None
    processes: int | None = None
    ports: int | None = None
    ports_high: int | None = None
    ports_claude: int | None = None


MEASURES = tuple(field.name for field in fields(Point) if field.name != "at")
"""The numbers of a point, in the order of its fields."""
LEAST, MOST = frozenset({"available_low_mb"}), frozenset({"ports_high"})
"""Of these not the mean is kept."""


def step_start(at: datetime, seconds: int) -> datetime:
    """The beginning of the step of so many seconds in which ``at`` lies, counted from 1970 in UTC."""
    since = int(at.timestamp())
    return datetime.fromtimestamp(since - since % seconds, UTC)


def downsampled(points: Iterable[Point], seconds: int) -> list[Point]:
    """Points in the order of time as one for each step of so many seconds that has any."""
    steps = groupby(points, key=lambda one: step_start(one.at, seconds))
    return [_merged(start, list(several)) for start, several in steps]


def _merged(start: datetime, points: Sequence[Point]) -> Point:
    values = {name: _one(name, [getattr(one, name) for one in points]) for name in MEASURES}
    return Point(start, **values)


def _one(name: str, values: Iterable[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    if not known:
        return None
    return min(known) if name in LEAST else max(known) if name in MOST else sum(known) // len(known)


class Trend:
    """Points of a minute each, of the last ``keep``, grown in place and read window by window."""

    def __init__(self, keep: timedelta = timedelta(days=8)) -> None:
        self.keep = keep
        self._minutes: list[Point] = []
        self._open: list[Point] = []

    def begin(self, minutes: Iterable[Point]) -> None:
        """Start from points that were kept earlier, one a minute, oldest first."""
        self._minutes = list(minutes)

    def add(self, point: Point) -> None:
        """Take a raw point. One from before the newest (a clock was set back) begins no minute a second time."""
        if self._open and step_start(self._open[0].at, MINUTE) != step_start(point.at, MINUTE):
            self._close()
        self._open.append(point)

    def _close(self) -> None:
        merged = _merged(step_start(self._open[0].at, MINUTE), self._open)
        self._open = []
        while self._minutes and self._minutes[-1].at >= merged.at:
            self._minutes.pop()
        self._minutes.append(merged)
        old = bisect_left(self._minutes, merged.at - self.keep, key=_at)
        if old > MINUTE:  # about once an hour, for the list is moved as a whole
            del self._minutes[:old]

    def window(self, start: datetime, end: datetime) -> tuple[Point, ...]:
        """The minutes that begin from ``start`` to ``end``, and of the one that goes on what is known of it."""
        low, high = bisect_left(self._minutes, start, key=_at), bisect_right(self._minutes, end, key=_at)
        found = self._minutes[low:high]
        open_one = downsampled(self._open, MINUTE)
        return (*found, *(one for one in open_one if start <= one.at <= end and (not found or found[-1].at < one.at)))


def thinned(points: Sequence[Point], most: int) -> list[Point]:
    """At most so many points, neighbours as one where there are more; nothing that a mean hides is lost."""
    if len(points) <= most:
        return list(points)
    size = -(-len(points) // most)
    groups = (points[n : n + size] for n in range(0, len(points), size))
    return [_merged(group[0].at, group) for group in groups]


def _at(point: Point) -> datetime:
    return point.at
