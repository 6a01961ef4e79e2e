"""What of a frame shows a stretch of time: the timeline, what happened and the trends, drawn no oftener than is seen.

A live range follows a new mark at once and other changes once they would move something by about a pixel; time alone
moves nothing until the window takes its next step, for the page moves its now-line itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo

from app.core.history import History
from app.live import Snapshot
from app.web.happened import happened_view
from app.web.kept import named, names_now
from app.web.looks import Look
from app.web.machine_views import TrendView
from app.web.past import Past
from app.web.ranges import Window, range_name
from app.web.timeline import timeline
from app.web.trends import trends, until

PIXELS = 500
"""A share of the window so small moves things by a pixel or two. Drawing the timeline is half of what an open page
costs while nobody touches it."""
LEAST_WAIT, MOST_WAIT = timedelta(seconds=5), timedelta(seconds=60)
"""Bounds of how long the timeline waits before it follows a change that is no mark."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A snapshot, the moment and the zone in which it is looked at, and who sits where, by session id."""

    snapshot: Snapshot
    at: datetime
    zone: tzinfo
    slots: Mapping[str, int]


@dataclass(slots=True)
class Drawn:
    """The history's part of a frame, and what tells whether it still holds."""

    at: datetime
    told: int
    bounds: tuple[datetime, datetime]
    marks: object
    key: object
    order: tuple[str, ...]
    views: Mapping[str, object]
    pending: bool = False


def still(window: Window, past: Past | None, seen: Seen) -> Mapping[str, object]:
    """The views of a window that stands still; ``past`` is what the store tells of it, None for what is in memory."""
    start, end = window.bounds(seen.at)
    history = past.history if past is not None else seen.snapshot.history.window(start, min(end, seen.at))
    state = past.state if past is not None else seen.snapshot.state
    history = named(replace(history, start=start, end=end), names_now(seen.snapshot))
    look = Look(history, state, seen.at, seen.zone, seen.slots, live=False, pin=window.pin)
    view, _order = timeline(look)
    happened = happened_view(history.marks, state, seen.at, seen.zone)
    return {"timeline": view, **view.parts(), "happened": happened, **_trends(look, seen.snapshot)}


def draw(known: Drawn | None, window: Window, seen: Seen) -> Drawn:
    """The views of a live range; those that are ``known`` while nothing that is seen has changed."""
    snapshot, at, bounds = seen.snapshot, seen.at, window.bounds(seen.at)
    if known is not None and (known.bounds != bounds or at < known.at):
        known = None
    if known is not None and known.told == snapshot.told and not known.pending:
        return known
    # Asked until now and not until the edge: nothing is silent or faded yet in what lies ahead.
    history = replace(snapshot.history.window(bounds[0], at), end=bounds[1])
    # Once everything is read the state may know titles that its newest part did not.
    marks, key = history.marks[-1:], (_key(history), snapshot.ready)
    if known is not None and known.marks == marks:
        known.pending = known.key != key
        if not known.pending or at - known.at < redraw_after(window):
            known.told = snapshot.told
            return known
    # Lanes keep their places until the window takes a step, so that a change of one is sent without the others.
    order = known.order if known is not None else ()
    history = named(history, names_now(snapshot))
    look = Look(history, snapshot.state, at, seen.zone, seen.slots)
    view, order = timeline(look, order)
    happened = happened_view(history.marks, snapshot.state, at, seen.zone, range_name(window.name or ""))
    views = {"timeline": view, **view.parts(), "happened": happened, **_trends(look, snapshot)}
    return Drawn(at, snapshot.told, bounds, marks, key, order, views)


def _trends(look: Look, snapshot: Snapshot) -> Mapping[str, TrendView]:
    """What the probes saw in the window: from memory, or from the store for one that the store tells."""
    history = look.history
    end = min(history.end, until(look.now, look.axis.length))
    points = history.points or snapshot.trend.window(history.start, end)
    ports = snapshot.machine.ports
    return trends(look, points, ports.usage.line if ports is not None else None)


def redraw_after(window: Window) -> timedelta:
    """After how long a change that is no mark is drawn: until then it is a pixel or two wide."""
    return min(max(window.length / PIXELS, LEAST_WAIT), MOST_WAIT)


def _key(history: History) -> object:
    """Changes whenever something was added to the history or came to its end."""
    tails = (history.spans[-1:], history.seats[-1:], history.bands[-1:], history.gaps[-1:], history.memory[-1:])
    still = tuple(span for span in history.spans if span.end is None)
    return tails, still
