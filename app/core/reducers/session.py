"""The life of a session: started, warmed, paused, ended."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TypeAlias, assert_never

from app.core.events import (
    IdleTimerArmed,
    IdleTimerFired,
    PauseDeclined,
    PeerMessageLost,
    QueryCompleted,
    SessionFailed,
    SessionInterrupted,
    SessionMapped,
    SessionPaused,
    SessionResumed,
    SessionRetitled,
    SessionSaveFailed,
    SessionSeenAlive,
    SessionStarted,
    SessionStopped,
    SessionTimedOut,
    SessionTornDown,
    SessionWarmed,
    WarmUpIntended,
    WarmUpSkipped,
)
from app.core.evolve import replace
from app.core.governor import eviction_pending
from app.core.pressure import pressure_at
from app.core.reducers.governor import witness
from app.core.reducers.sessions import begin, end, enter, known, put, touch
from app.core.score import explained
from app.core.state import Ending, Kind, Phase, Session, State

SessionEvent: TypeAlias = (
    SessionStarted
    | SessionResumed
    | SessionMapped
    | WarmUpIntended
    | SessionWarmed
    | WarmUpSkipped
    | SessionSeenAlive
    | IdleTimerArmed
    | IdleTimerFired
    | PauseDeclined
    | SessionPaused
    | QueryCompleted
    | SessionTornDown
    | SessionTimedOut
    | SessionFailed
    | SessionStopped
    | SessionInterrupted
    | SessionRetitled
    | SessionSaveFailed
    | PeerMessageLost
)

_COWORK_HOME = re.compile(r"/home/[^/]+/?$")
"""Cowork starts its sessions in ``/home/<slug>`` of the VM; a real path is a Code session's."""

ONE_STEP = timedelta(seconds=1)
"""The log's clock shows whole seconds, so two of its times are sure to within one."""


def reduce_session(state: State, event: SessionEvent) -> State:
    """The state after an event in the life of a session."""
    match event:
        case WarmUpIntended() | WarmUpSkipped():
            return state  # an intent is not life: the governor may put the start off
        case SessionSaveFailed():
            return replace(state, save_failed_at=event.at)
        case PeerMessageLost():
            return state  # its process did not answer, which proves neither its life nor its death
        case SessionPaused():
            return _paused(state, event)
        case QueryCompleted():
            return _query_completed(state, event)
        case IdleTimerArmed() | IdleTimerFired():
            return _idle_timer(state, event)
        case SessionTornDown() | SessionTimedOut() | SessionFailed() | SessionStopped():
            return _ended(state, event)
        case (
            SessionStarted()
            | SessionResumed()
            | SessionMapped()
            | SessionWarmed()
            | SessionSeenAlive()
            | PauseDeclined()
            | SessionInterrupted()
            | SessionRetitled()
        ):
            state = put(state, _changed(known(state, event.session, event.at), event))
            if isinstance(event, PauseDeclined) and event.reason is not None and event.reason != "mid_turn":
                return explained(state, event.session, event.reason)
            return state
        case _:
            assert_never(event)


def _changed(
    session: Session,
    event: SessionStarted
    | SessionResumed
    | SessionMapped
    | SessionWarmed
    | SessionSeenAlive
    | PauseDeclined
    | SessionInterrupted
    | SessionRetitled,
) -> Session:
    match event:
        case SessionStarted() | SessionResumed():
            kind = _kind(session, event.cwd)
            return replace(begin(session, Phase.STARTING, event.at), cwd=event.cwd, kind=kind)
        case SessionMapped():
            return session if session.alive else begin(session, Phase.STARTING, event.at)
        case SessionWarmed():
            return _warmed(session, event)
        case SessionSeenAlive():
            return session if session.alive else begin(session, Phase.IDLE, event.at)
        case PauseDeclined():
            return _held(session, event)
        case SessionInterrupted():
            return session if session.ended_by else enter(session, Phase.IDLE, event.at)
        case SessionRetitled():
            return replace(session, title=event.title)
        case _:
            assert_never(event)


def _warmed(session: Session, event: SessionWarmed) -> Session:
    """The process may have shown itself before this line: what it does, and what protects it, stays."""
    began = event.at - timedelta(milliseconds=event.took_ms) - ONE_STEP
    if session.live_since is None or session.live_since < began:
        return begin(session, Phase.IDLE, event.at)
    if session.phase is Phase.STARTING:
        return enter(session, Phase.IDLE, event.at)
    return touch(session, event.at)


def _kind(session: Session, cwd: str) -> Kind:
    if session.kind == "dispatch":
        return "dispatch"
    return "cowork" if _COWORK_HOME.match(cwd) else "code"


def _held(session: Session, event: PauseDeclined) -> Session:
    """A declined pause proves life, and mostly says what keeps the session."""
    if not session.alive:
        session = begin(session, Phase.IDLE, event.at)
    session = replace(session, eviction=None)
    if event.reason is None or event.reason == "mid_turn" or event.reason in session.holds:
        return session
    return replace(session, holds={**session.holds, event.reason: event.at})


def _idle_timer(state: State, event: IdleTimerArmed | IdleTimerFired) -> State:
    """The timer runs for live sessions only: it reveals one that lived before the log began, and ends a start."""
    if event.session not in state.sessions:
        return put(state, begin(known(state, event.session, event.at), Phase.IDLE, event.at))
    session = state.sessions[event.session]
    return put(state, enter(session, Phase.IDLE, event.at)) if session.phase is Phase.STARTING else state


def _paused(state: State, event: SessionPaused) -> State:
    session, counts = known(state, event.session, event.at), state.counts
    if event.reason == "governor_evict":
        return _evicted(state, session, event)
    if event.reason == "idle_timeout":
        state = replace(state, counts=replace(counts, paused_idle=counts.paused_idle + 1))
        return put(state, end(session, Phase.PAUSED, "paused_idle", event.at))
    return put(state, end(session, Phase.PAUSED, "unknown", event.at))


def _evicted(state: State, session: Session, event: SessionPaused | QueryCompleted) -> State:
    """Closed by the governor. Where the line that gives the cause is missing, pressure at the time tells it."""
    cause: Ending
    if session.eviction is not None and eviction_pending(session, event.at):
        cause = session.eviction.cause
    else:
        tight = pressure_at(state.pressure, event.at).level in ("warning", "critical")
        cause = "evicted_for_memory" if tight else "evicted_for_seat"
        state = witness(state, closed=1)
    counts = state.counts
    if cause == "evicted_for_memory":
        counts = replace(counts, evicted_pressure=counts.evicted_pressure + 1)
    else:
        counts = replace(counts, evicted_cap=counts.evicted_cap + 1)
    return put(replace(state, counts=counts), end(session, Phase.EVICTED, cause, event.at))


def _query_completed(state: State, event: QueryCompleted) -> State:
    """After a stop it is the process' end; in a running turn it is the turn's."""
    session = state.sessions.get(event.session)
    if session is None or not session.alive:
        return state
    if eviction_pending(session, event.at):
        return _evicted(state, session, event)
    return put(state, enter(session, Phase.IDLE, event.at))


def _ended(state: State, event: SessionTornDown | SessionTimedOut | SessionFailed | SessionStopped) -> State:
    """The process is gone. A session that had ended before keeps its first ending: that is the cause."""
    session = known(state, event.session, event.at)
    if event.session in state.sessions and not session.alive:
        return state
    ending: Ending
    match event:
        case SessionTornDown():
            ending = "failed" if event.how == "exited" else "unknown"
        case SessionTimedOut():
            ending = "timed_out"
        case SessionFailed():
            ending = "killed" if event.signal else "failed"
        case SessionStopped():
            if event.how == "cleared":
                return put(state, enter(session, Phase.IDLE, event.at))
            ending = event.how
        case _:
            assert_never(event)
    return put(state, end(session, Phase.ENDED, ending, event.at))
