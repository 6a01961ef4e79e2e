"""From a session, its history and what is kept of it to what its page shows. Pure; no markup."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from typing import Literal, TypeAlias
from urllib.parse import urlencode

from app.core.events import Observed
from app.core.governor import ranking
from app.core.history import History
from app.core.state import Hold, Phase, Session, State
from app.web import session_life
from app.web.kept import KeptEvent, KeptLife
from app.web.lines import LineView, line_view
from app.web.links import session_href, why_href
from app.web.said import ending_words, event_words
from app.web.sentence import phrase
from app.web.session_views import EventsView, HoldRow, LogRow, SessionView
from app.web.titles import plain, title_by_id, title_of
from app.web.views import Part, Row
from app.web.words import _, listed, moment, n_, number, ordinal, phase_word, protection_word, span_words, told_when

Tone: TypeAlias = Literal["plain", "working", "next", "out"]

PAGE = 30
"""So many events are on a page."""
LINES_OF_AN_END = 4
TOGETHER = timedelta(seconds=10)
"""The lines of one end stand within this time of it."""

HOLD_KINDS: Mapping[Hold, tuple[str, ...]] = {
    "remote_control": ("RemoteControlEnabled", "PauseDeclined"),
    "background_task": ("WorkflowStarted", "PauseDeclined"),
    "scheduled": ("PauseDeclined",),
}
"""The kinds of event that tell of a protection."""
END_KINDS = (
    "SessionPaused", "SeatEvictionBegan", "MemoryEvictionBegan", "IdleTimerFired", "SessionFailed",
    "SessionTimedOut", "SessionStopped", "SessionTornDown",
)  # fmt: skip
PROOF_KINDS = tuple(dict.fromkeys((*END_KINDS, *(kind for kinds in HOLD_KINDS.values() for kind in kinds))))
"""Events of these kinds are looked up to stand behind a page's sentences."""


@dataclass(frozen=True, slots=True)
class SessionStory:
    """What a page is made of: the state that knows the session and its history, what is kept, and how to say it.

    ``events`` is the page that was asked for, with ``before`` as its cursor; ``proofs`` are the newest of
    `PROOF_KINDS`.
    """

    state: State
    history: History
    life: KeptLife | None
    events: Sequence[KeptEvent]
    before: int | None
    proofs: Sequence[KeptEvent]
    names: Mapping[str, str]
    now: datetime
    zone: tzinfo

    when = told_when

    def line(self, one: Observed) -> LineView:
        """The line behind an event."""
        return line_view(one, self.names, self.now, self.zone)


def session_view(told: SessionStory, session_id: str) -> SessionView:
    """Everything on the page of a session; one that the state has forgotten has its events alone."""
    session = told.state.sessions.get(session_id)
    shown, more = session_life.stretches(told.history, session_id, told.now, told.zone)
    return SessionView(
        title=title_of(session) if session is not None else title_by_id(told.state, session_id),
        id=plain(session_id, 80),
        alive=session is not None and session.alive,
        phase=phase_word(session.phase) if session is not None else _("not known any more"),
        tone=_tone(session),
        sentence=_sentence(told, session),
        ended=ending_words(session) if session is not None else "",
        proof=_proof(told, session),
        queue=_queue(told, session),
        queue_note=_("Likely, not certain: not everything that protects a session is in the log.")
        if session is not None and session.holds_seat
        else "",
        holds=_holds(told, session),
        facts=_facts(told, session),
        numbers=session_life.numbers(told.history, session_id, told.now),
        window=_window(told),
        picture=session_life.picture(told.history, told.state, session_id, told.now, told.zone),
        stretches=shown,
        more_stretches=n_("and {n} earlier stretch", "and {n} earlier stretches", more) if more else "",
        events=_events(told, session_id),
        why=why_href(session_id),
    )


def _tone(session: Session | None) -> Tone:
    if session is None:
        return "plain"
    tones: dict[Phase, Tone] = {
        Phase.STARTING: "working",
        Phase.WORKING: "working",
        Phase.WAITING: "next",
        Phase.EVICTED: "out",
        Phase.LOST: "out",
    }
    return tones.get(session.phase, "plain")


def _sentence(told: SessionStory, session: Session | None) -> tuple[Part, ...]:
    """What it does now, and since when."""
    if session is None:
        return phrase(_("The log names it, and that is all that is kept of it."))
    messages = {
        Phase.STARTING: _("{title} is starting, since {time}."),
        Phase.WORKING: _("{title} has been working since {time}, for {span}."),
        Phase.WAITING: _("{title} has been waiting for your answer since {time}, for {span}."),
        Phase.IDLE: _("{title} has been silent since {time}, for {span}."),
        Phase.PAUSED: _("{title} has been paused since {time}, for {span}."),
        Phase.EVICTED: _("{title} was closed by the app at {time}, {span} ago."),
        Phase.ENDED: _("{title} ended at {time}, {span} ago."),
        Phase.LOST: _("{title} was lost at {time}, {span} ago."),
    }
    since = (session.idle_since if session.phase is Phase.IDLE else None) or session.since
    span = span_words(max(0, int((told.now - since).total_seconds())))
    return phrase(messages[session.phase], title=session, time=told.when(since), span=span)


def _proof(told: SessionStory, session: Session | None) -> tuple[LineView, ...]:
    """The lines by which it lost its process, in the order of the log."""
    if session is None or session.alive:
        return ()
    lines = [
        kept.observed
        for kept in told.proofs
        if type(kept.observed.event).__name__ in END_KINDS and abs(kept.observed.event.at - session.since) <= TOGETHER
    ]
    return tuple(told.line(one) for one in lines[:LINES_OF_AN_END][::-1])


def _queue(told: SessionStory, session: Session | None) -> tuple[Part, ...]:
    """Its place among those that could be closed, or why it has none."""
    if session is None or not session.alive:
        return phrase(_("It has no process and holds no seat: there is nothing to close."))
    if not session.holds_seat:
        return phrase(_("Cowork's own sessions hold no seat. The app never closes them for others."))
    if session.protected_by:
        words = listed(protection_word(one) for one in session.protected_by)
        return phrase(_("The app passes over it: {words}."), words=(Part(words, strong=True),))
    queue = ranking(told.state, told.now)
    mine = next((one for one in queue if one.session.id == session.id), None)
    if mine is None:
        return phrase(_("The app is closing it now."))
    rank = (Part(ordinal(mine.rank), strong=True),)
    if mine.eligible_in_seconds > 0:
        message = _("{rank} of {all} that could be closed. A start may take it in {span}, memory pressure at once.")
        return phrase(message, rank=rank, all=number(len(queue)), span=span_words(mine.eligible_in_seconds))
    return phrase(_("{rank} of {all} that could be closed, if a seat or memory is needed."), rank=rank,
                  all=number(len(queue)))  # fmt: skip


def _holds(told: SessionStory, session: Session | None) -> tuple[HoldRow, ...]:
    """What protects it, since when, and the newest line by then that says so."""
    if session is None or not session.alive:
        return ()
    rows = []
    for hold, since in session.holds.items():
        lines = [
            kept.observed
            for kept in told.proofs
            if type(kept.observed.event).__name__ in HOLD_KINDS[hold] and kept.observed.event.at <= since
        ]
        rows.append(HoldRow(protection_word(hold), told.when(since), told.line(lines[0]) if lines else None))
    if session.phase is Phase.WAITING:
        since = min(session.waiting_for.values(), default=session.since)
        rows.append(HoldRow(protection_word("waiting"), told.when(since), None))
    elif session.phase in (Phase.WORKING, Phase.STARTING):
        rows.append(HoldRow(protection_word("mid_turn"), told.when(session.since), None))
    return tuple(rows)


def _facts(told: SessionStory, session: Session | None) -> tuple[Row, ...]:
    rows = []
    if session is not None:
        kinds = {"code": _("Code session"), "cowork": _("Cowork session"), "dispatch": _("Dispatch session")}
        rows.append(Row(_("Kind"), kinds[session.kind]))
        if session.cwd:
            rows.append(Row(_("Folder"), plain(session.cwd, 160)))
        rows.append(Row(_("Seat"), _("holds one") if session.holds_seat else _("holds none")))
        if session.alive and session.live_since is not None:
            rows.append(Row(_("Its process lives since"), told.when(session.live_since)))
    if told.life is not None:
        rows.append(Row(_("First line of it"), told.when(told.life.first_at)))
        rows.append(Row(_("Last line of it"), told.when(told.life.last_at)))
    return tuple(rows)


def _window(told: SessionStory) -> str:
    """Which part of its life the picture shows."""
    start, end = told.history.start, min(told.history.end, told.now)
    span = _("{start} to {end}").format(start=moment(start, told.now, told.zone), end=moment(end, told.now, told.zone))
    if told.life is not None and told.life.first_at < start:
        return _("{span}, the newest part of its life").format(span=span)
    return span


def _events(told: SessionStory, session_id: str) -> EventsView:
    rows = tuple(LogRow(kept.id, event_words(kept.observed.event), told.line(kept.observed)) for kept in told.events)
    here = session_href(session_id)
    older = f"{here}?{urlencode({'before': rows[-1].id})}#log" if len(rows) == PAGE else ""
    return EventsView(
        summary=n_("{n} line", "{n} lines", told.life.events) if told.life is not None else "",
        rows=rows,
        older=older,
        newest=f"{here}#log" if told.before is not None else "",
        empty="" if rows else _("There is nothing older.") if told.before is not None else _("No line of it is kept."),
    )
