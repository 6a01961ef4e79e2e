"""What the probes saw over the page's range: a few lines on the timeline's axis for each card, with a table. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from app.core.points import MINUTE, Point, step_start, thinned
from app.core.ports import HomeLine
from app.web.looks import Look
from app.web.machine_views import TrendLine, TrendView
from app.web.shapes import Axis
from app.web.timeline_axis import ticks
from app.web.timeline_views import Tick
from app.web.words import _, gigabytes, number

HEIGHT = 64
MOST_POINTS = 48
"""So many points a line has at most: about one for every seven pixels of a card, and a live update stays small."""
MOST_LABELS = 4
TABLE_ROWS = 5
KINDS: tuple[Literal["first", "second", "third"], ...] = ("first", "second", "third")
GAP = timedelta(minutes=5)
"""A line breaks where nothing was seen for longer, or for longer than three of its points."""


class Curve(NamedTuple):
    """One line of a trend: what it is called, what it takes of a point, and how that is said."""

    name: str
    of: Callable[[Point], int | None]
    said: Callable[[int], str]


def until(at: datetime, length: timedelta) -> datetime:
    """The end of the last whole step of a picture this long: what goes on changes with every look, it should not.

    A step is as long as a point is wide, and no shorter than the minutes that are kept.
    """
    step = max(MINUTE, int(length.total_seconds()) // MOST_POINTS)
    return step_start(at, step) - timedelta(microseconds=1)


def trends(look: Look, points: Sequence[Point], line: HomeLine | None) -> dict[str, TrendView]:
    """The trends of the cards by the id of their place; ``line`` is the home line while one is known."""
    points = [one for one in points if look.axis.start <= one.at <= look.axis.end]
    total = max((one.total_mb or 0 for one in points), default=0)
    memory = (
        Curve(_("Free"), lambda one: one.available_low_mb, gigabytes),
        Curve("Claude", lambda one: one.claude_mb, gigabytes),
        Curve(_("Swap"), lambda one: one.swap_mb, gigabytes),
    )
    vm = (Curve(_("Cowork VM"), lambda one: one.cowork_mb, gigabytes),)
    ports = (
        Curve(_("In use"), lambda one: one.ports_high, number),
        Curve("Claude", lambda one: one.ports_claude, number),
    )
    budget = line.budget if line is not None else None
    return {
        "memory-trend": _trend("memory-trend", _("Memory"), look, points, memory, most=total),
        "vm-trend": _trend("vm-trend", _("Memory of the Cowork VM"), look, points, vm),
        "ports-trend": _trend("ports-trend", _("IPv4 ports"), look, points, ports, most=budget or 0, limit=budget),
    }


def _trend(
    place: str, what: str, look: Look, points: Sequence[Point], measures: Sequence[Curve], *, most: int = 0,
    limit: int | None = None,
) -> TrendView:  # fmt: skip
    start, end = look.when(look.history.start), look.when(look.history.end)
    summary = _("{what}, {start} to {end}").format(what=what, start=start, end=end)
    few = thinned(points, MOST_POINTS)
    told = [one for one in measures if any(one.of(point) for point in few)]
    if len(few) < 2 or not told:
        return TrendView(place, HEIGHT, summary)
    top = max([1, most, *(one.of(point) or 0 for one in told for point in few)])
    lines = tuple(
        TrendLine(kind, path(few, one, look.axis, top), _label(one, few))
        for kind, one in zip(KINDS, told, strict=False)
    )
    return TrendView(
        place, HEIGHT, summary, lines, labelled(ticks(look.axis, look.zone)),
        limit_y=None if limit is None else round(HEIGHT * (1 - limit / top), 1),
        limit="" if limit is None else number(limit),
        top=told[0].said(top),
        heads=(_("Time"), *(one.name for one in told)),
        table=tuple(
            (look.when(point.at), *("–" if (n := one.of(point)) is None else one.said(n) for one in told))
            for point in thinned(few, TABLE_ROWS)
        ),
    )  # fmt: skip


def _label(measure: Curve, points: Sequence[Point]) -> str:
    known = [value for point in points if (value := measure.of(point)) is not None]
    message = _("{name} {least} to {most}")
    return message.format(name=measure.name, least=measure.said(min(known)), most=measure.said(max(known)))


def path(points: Sequence[Point], measure: Curve, axis: Axis, top: int) -> str:
    """The measure as a line that breaks where nothing was seen; the upper edge is ``top``."""
    silence = max(GAP, axis.length / MOST_POINTS * 3)
    drawn: list[str] = []
    before: datetime | None = None
    for point in points:
        value = measure.of(point)
        if value is None:
            before = None
            continue
        letter = "M" if before is None or point.at - before > silence else "L"
        drawn.append(f"{letter}{axis.x(point.at) * 10:.0f} {HEIGHT * (1 - value / top):.1f}")
        before = point.at
    return "".join(drawn)


def labelled(found: Sequence[Tick]) -> tuple[Tick, ...]:
    """The ticks that a card has room for: every second or third of the timeline's, with its major ones if it can be."""
    within = [one for one in found if 4 < one.x < 96]
    step = max(1, -(-len(within) // MOST_LABELS))
    first = max(range(step), key=lambda at: sum(one.major for one in within[at::step]))
    return tuple(within[first::step])
