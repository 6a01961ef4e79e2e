"""What the page of one session draws: frozen values without markup."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.web.lines import LineView
from app.web.timeline_views import BarKind, TimelineView
from app.web.views import Part, Row


@dataclass(frozen=True, slots=True)
class HoldRow:
    """One thing that protects the session: what, since when, and the line that says so, None where none is kept."""

    what: str
    since: str
    line: LineView | None


@dataclass(frozen=True, slots=True)
class StretchRow:
    """A stretch of its life in one phase."""

    start: str
    stamp: str
    end: str
    kind: BarKind
    what: str
    span: str


@dataclass(frozen=True, slots=True)
class LogRow:
    """One event of the log: what it says in words, and the line."""

    id: int
    what: str
    line: LineView


@dataclass(frozen=True, slots=True)
class EventsView:
    """A page of events, newest first; ``older`` and ``newest`` are addresses, "" where there is nothing to go to."""

    summary: str
    rows: tuple[LogRow, ...]
    older: str
    newest: str
    empty: str


@dataclass(frozen=True, slots=True)
class SessionView:
    """One session.

    ``sentence`` says what it does now, ``ended`` how it lost its process, with the lines that say so; ``queue`` is its
    place among those that could be closed. ``picture`` is its life, ``window`` says which part of it.
    """

    title: str
    id: str
    alive: bool
    phase: str
    tone: Literal["plain", "working", "next", "out"]
    sentence: tuple[Part, ...]
    ended: str
    proof: tuple[LineView, ...]
    queue: tuple[Part, ...]
    queue_note: str
    holds: tuple[HoldRow, ...]
    facts: tuple[Row, ...]
    numbers: tuple[Row, ...]
    window: str
    picture: TimelineView | None
    stretches: tuple[StretchRow, ...]
    more_stretches: str
    events: EventsView
    why: str
