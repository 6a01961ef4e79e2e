"""The life of one session: the time its picture covers, the picture, its stretches and numbers. Pure; no markup."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta, tzinfo
from typing import Literal

from app.core.evolve import replace
from app.core.history import History, MarkKind, Span
from app.core.state import Phase, State
from app.web.looks import Look
from app.web.ranges import Window
from app.web.session_views import StretchRow
from app.web.shapes import KINDS
from app.web.timeline import timeline
from app.web.timeline_views import TimelineView
from app.web.views import Row
from app.web.words import _, listed, moment, n_, phase_word, span_short

LONGEST = timedelta(days=7)
"""Of a longer life the newest part is drawn: more would be too fine to see, and memory holds little more."""
SHORTEST = timedelta(minutes=10)
MARGIN = 0.03
"""The share of the picture before the first and after the last moment."""
MOST_STRETCHES = 12
APP_MARKS = frozenset({"app_started", "app_quit", "app_update", "app_crashed"})
"""What happened to the app happened to each of its sessions."""


def life_window(first_at: datetime, last_at: datetime) -> Window:
    """The window that shows a life from ``first_at`` to ``last_at``, or its newest part."""
    length = min(max(last_at - first_at, SHORTEST), LONGEST)
    margin = length * MARGIN
    end = (last_at + margin).replace(microsecond=0) + timedelta(seconds=1)
    start = (max(first_at, last_at - length) - margin).replace(microsecond=0)
    return Window(None, min(start, end - SHORTEST), end)


def only(history: History, session: str) -> History:
    """What of a history is this session's, and what happened to the app."""
    return replace(
        history,
        spans=tuple(span for span in history.spans if span.session == session),
        marks=tuple(mark for mark in history.marks if mark.session == session or mark.kind in APP_MARKS),
    )


def picture(history: History, state: State, session: str, at: datetime, zone: tzinfo) -> TimelineView | None:
    """The session's own lane on the timeline's axis; None where nothing of it lies in the window."""
    if not any(span.session == session for span in history.spans):
        return None
    alive = session in state.sessions and state.sessions[session].alive and history.end > at
    view, _order = timeline(Look(only(history, session), state, at, zone, {}, live=alive))
    return view


def stretches(history: History, session: str, at: datetime, zone: tzinfo) -> tuple[tuple[StretchRow, ...], int]:
    """The newest stretches of the session's life, newest first, and how many are left out."""
    mine = [span for span in history.spans if span.session == session][::-1]
    rows = tuple(_stretch(span, history, at, zone) for span in mine[:MOST_STRETCHES])
    return rows, len(mine) - len(rows)


def _stretch(span: Span, history: History, at: datetime, zone: tzinfo) -> StretchRow:
    end = span.end
    until = min(end or at, history.end, at)
    return StretchRow(
        start=moment(span.start, at, zone, seconds=True),
        stamp=span.start.astimezone(zone).isoformat(timespec="seconds"),
        end=moment(end, at, zone, seconds=True) if end is not None else _("now"),
        kind=KINDS[span.phase],
        what=phase_word(span.phase),
        span=span_short(max(0, int((until - span.start).total_seconds()))),
    )


def numbers(history: History, session: str, at: datetime) -> tuple[Row, ...]:
    """How often and for how long it did what within the window, and what happened to it."""
    spent: Counter[Phase] = Counter()
    times: Counter[Phase] = Counter()
    for span in history.spans:
        if span.session == session:
            until = min(span.end or at, history.end, at)
            spent[span.phase] += max(0, int((until - max(span.start, history.start)).total_seconds()))
            times[span.phase] += 1
    rows = [
        Row(name, listed((n_("{n} time", "{n} times", times[phase]), span_short(spent[phase]))))
        for phase, name in (
            (Phase.WORKING, _("Turns")),
            (Phase.IDLE, _("Silences")),
            (Phase.WAITING, _("Waits for you")),
        )
        if times[phase]
    ]
    marks = Counter(mark.kind for mark in history.marks if mark.session == session)
    return (*rows, *_happenings(marks))


def _happenings(marks: Mapping[MarkKind, int]) -> tuple[Row, ...]:
    said: tuple[tuple[MarkKind, str, Literal["plain", "next", "out"]], ...] = (
        ("evicted_for_seat", _("Closed to make room"), "out"),
        ("evicted_for_memory", _("Closed to free memory"), "out"),
        ("paused_idle", _("Paused after its idle time"), "plain"),
        ("put_off", _("Its starts put off"), "plain"),
        ("would_evict", _("Named, not closed"), "next"),
        ("killed", _("Killed from outside"), "out"),
        ("failed", _("Ended with an error"), "out"),
        ("timed_out", _("Given up"), "out"),
        ("usage_limit", _("Met the account's limit"), "next"),
        ("overloaded", _("Met an overloaded service"), "next"),
    )
    return tuple(
        Row(name, n_("{n} time", "{n} times", marks.get(kind, 0)), tone) for kind, name, tone in said if marks.get(kind)
    )
