"""Pure geometry of the timeline: from spans, steps and samples to bars and paths that stay few however long the window.

Places are percent of the plot; thresholds are pixels of a plot `NOMINAL_PX` wide.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from app.core.history import FreeMemory, SeatStep
from app.core.state import Phase
from app.web.timeline_views import Bar, BarKind

NOMINAL_PX = 1060
"""The width of the plot on a wide screen: thresholds in pixels are meant at this width."""
MERGE_PX = 2.0
"""What is narrower than this cannot be told apart by eye."""
LEAST_BAR_PX = 1.5
"""A bar that stands alone is drawn at least so wide."""
MOST_POINTS = 220
"""So many points a line is drawn through at most."""

KINDS: dict[Phase, BarKind] = {
    Phase.STARTING: "working",
    Phase.WORKING: "working",
    Phase.WAITING: "waiting",
    Phase.IDLE: "silent",
}


@dataclass(frozen=True, slots=True)
class Axis:
    """Time from left to right. What lies outside is cut to the edges."""

    start: datetime
    end: datetime
    scale: float = field(init=False)
    """Percent a second."""
    origin: datetime = field(init=False)
    """The start in UTC, as all events are: instants of one zone are subtracted without asking for its rules."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", 100 / (self.end - self.start).total_seconds())
        object.__setattr__(self, "origin", self.start.astimezone(UTC))

    @property
    def length(self) -> timedelta:
        """The time the plot covers."""
        return self.end - self.start

    def x(self, at: datetime) -> float:
        """The place of an instant, in percent, cut to 0 and 100."""
        x = (at - self.origin).total_seconds() * self.scale
        return 0.0 if x < 0 else 100.0 if x > 100 else x

    def percent(self, px: float) -> float:
        """Pixels of the nominal width in percent of it."""
        return px / NOMINAL_PX * 100


@dataclass(slots=True)
class Piece:
    """A stretch of one kind in percent, still to be merged."""

    kind: BarKind
    x0: float
    x1: float


def merge(pieces: Sequence[Piece], least: float) -> list[Piece]:
    """Pieces in order of time, none narrower than ``least`` percent unless it stands alone.

    Narrow neighbours become one piece of the kind that fills most of it, so a busy hour stays a busy hour. Gaps
    narrower than ``least`` are closed.
    """
    merged: list[Piece] = []
    heap: list[Piece] = []
    for piece in pieces:
        if heap and (piece.x0 - heap[-1].x1 >= least or piece.x1 - piece.x0 >= least):
            _flush(heap, merged, least)
        heap.append(piece)
        if heap[-1].x1 - heap[0].x0 >= least:
            _flush(heap, merged, least)
    _flush(heap, merged, least)
    return merged


def _flush(heap: list[Piece], merged: list[Piece], least: float) -> None:
    """Add what the heap amounts to, joined to its neighbour where the two cannot be told apart."""
    if not heap:
        return
    if len(heap) == 1:
        kind, x0, x1 = heap[0].kind, heap[0].x0, heap[0].x1
    else:
        kind, x0, x1 = _heaviest(heap), heap[0].x0, max(piece.x1 for piece in heap)
    heap.clear()
    near = merged and x0 - merged[-1].x1 < least
    if near and (merged[-1].kind == kind or x1 - x0 < least):
        merged[-1].x1 = max(x1, merged[-1].x1)
    elif near and merged[-1].x1 - merged[-1].x0 < least:
        merged[-1] = Piece(kind, merged[-1].x0, x1)
    else:
        merged.append(Piece(kind, x0, x1))


def _heaviest(heap: Sequence[Piece]) -> BarKind:
    """The kind that fills most of the stretch; of two that fill as much, work."""
    weights: dict[BarKind, float] = {}
    for piece in heap:
        weights[piece.kind] = weights.get(piece.kind, 0.0) + piece.x1 - piece.x0
    return max(weights, key=lambda one: (weights[one], one == "working"))


@lru_cache(1000)
def _bar(kind: BarKind, x0: float, x1: float, least: float) -> Bar:
    """A bar that ended. Most of a picture are those of the picture before, which are remembered."""
    width = round(max(x1 - x0, least), 2)
    return Bar(kind, round(x0, 2), width, drawn=width)


def bars(pieces: Iterable[Piece], axis: Axis, now_x: float, *, alive: bool) -> tuple[Bar, ...]:
    """Pieces as bars with rounded places; the last one of a live session reaches the now-line."""
    least = axis.percent(LEAST_BAR_PX)
    drawn = [_bar(piece.kind, piece.x0, piece.x1, least) for piece in pieces]
    if drawn and alive:
        last = drawn[-1]
        drawn[-1] = Bar(last.kind, last.x, 0, open=True, drawn=round(max(now_x - last.x, least), 2))
    return tuple(drawn)


def seat_points(steps: Sequence[SeatStep], axis: Axis, now_x: float, cap: int) -> list[tuple[float, int, int]]:
    """``(x, taken, cap)`` from left to right, the first at the left edge, the last at the now-line.

    Steps too near to tell apart become one with the most seats of them, so no peak over the cap is lost.
    """
    least = axis.percent(MERGE_PX)
    points = _thinned(steps, axis, least, cap)
    while len(points) > MOST_POINTS and least < 50:
        least *= 1.5
        points = _thinned(steps, axis, least, cap)
    if points:
        points.append((max(now_x, points[-1][0]), points[-1][1], points[-1][2]))
    return points


def _thinned(steps: Sequence[SeatStep], axis: Axis, least: float, cap: int) -> list[tuple[float, int, int]]:
    """One peak for each stretch of ``least``, and after it what the stretch ended with."""
    points: list[tuple[float, int, int]] = []
    begun = last = 0.0
    ended = 0
    for step in steps:
        x, limit = axis.x(step.at), step.cap or cap
        if points and x <= 0:
            points[-1] = (0.0, step.taken, limit)
        elif points and x - begun < least:
            points[-1] = (begun, max(points[-1][1], step.taken), limit)
        else:
            if points and ended != points[-1][1]:
                points.append((min(begun + least, x), ended, points[-1][2]))
            points.append((x, step.taken, limit))
            begun = x
        ended, last = step.taken, x
    if points and ended != points[-1][1]:
        points.append((max(last, begun + least), ended, points[-1][2]))
    return points


def area_path(points: Sequence[tuple[float, float]], base: float) -> str:
    """A step area: the height of each point, (percent, y), holds until the next. x is scaled to 1000."""
    if not points:
        return ""
    path = [f"M{points[0][0] * 10:.0f} {base:g}"]
    for x, y in points:
        path.append(f"H{x * 10:.0f}V{y:g}")
    path.append(f"V{base:g}Z")
    return "".join(path)


def memory_line(samples: Sequence[FreeMemory], axis: Axis, top: float, height: float) -> str:
    """Free memory as a line that breaks where no reading came for five minutes; the fullest reading is at ``top``."""
    inside = [s for s in samples if axis.start <= s.at <= axis.end]
    if len(inside) < 2:
        return ""
    step = -(-len(inside) // MOST_POINTS)
    inside = inside[::step]
    most = max(s.free_mb for s in inside) or 1
    silence = max(timedelta(minutes=5), axis.length / MOST_POINTS * 3)
    path: list[str] = []
    before: datetime | None = None
    for sample in inside:
        letter = "M" if before is None or sample.at - before > silence else "L"
        path.append(f"{letter}{axis.x(sample.at) * 10:.0f} {top + height * (1 - sample.free_mb / most):.1f}")
        before = sample.at
    return "".join(path)
