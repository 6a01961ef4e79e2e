"""Changes to one session, and to the map of all of them."""

from __future__ import annotations

from datetime import datetime

from app.core.evolve import replace
from app.core.sessions import Sessions
from app.core.state import Ending, Kind, Phase, Session, State

KEEP_DEAD = 300
"""How many ended sessions the state remembers; older ones are in the store."""


def put(state: State, session: Session) -> State:
    """The state with this session in it."""
    sessions = Sessions.of(state.sessions).having(session)
    if len(sessions) > 2 * KEEP_DEAD:
        dead = sorted(sessions.gone, key=lambda s: s.since, reverse=True)
        sessions = sessions.without({s.id for s in dead[KEEP_DEAD:]})
    return replace(state, sessions=sessions)


def known(state: State, session_id: str, at: datetime) -> Session:
    """The session as it is known, or a new one without a process."""
    found = state.sessions.get(session_id)
    if found is not None:
        return found
    order = 1 + max((s.order for s in state.sessions.values()), default=-1)
    kind: Kind = "dispatch" if session_id.startswith("local_ditto_") else "code"
    return Session(id=session_id, order=order, since=at, kind=kind, phase=Phase.LOST)


def begin(session: Session, phase: Phase, at: datetime) -> Session:
    """A new process: whatever protected the old one is gone."""
    return replace(
        session,
        phase=phase,
        since=at,
        live_since=at,
        idle_since=at if phase is Phase.IDLE else None,
        idle_exact=False,
        holds={},
        waiting_for={},
        workflows=frozenset(),
        eviction=None,
        ended_by=None,
    )


def end(session: Session, phase: Phase, ended_by: Ending, at: datetime) -> Session:
    """The process is gone, and with it everything that hung on it."""
    return replace(
        session,
        phase=phase,
        since=at,
        live_since=None,
        idle_since=None,
        idle_exact=False,
        holds={},
        waiting_for={},
        workflows=frozenset(),
        eviction=None,
        ended_by=ended_by,
    )


def enter(session: Session, phase: Phase, at: datetime) -> Session:
    """A live session in another phase; a session without a process is taken to have one from now on."""
    if not session.alive:
        return begin(session, phase, at)
    if session.phase is phase:
        return session
    return replace(
        session,
        phase=phase,
        since=at,
        idle_since=at if phase is Phase.IDLE else None,
        idle_exact=False,
        waiting_for=session.waiting_for if phase is Phase.WAITING else {},
        eviction=None,
    )


def touch(session: Session, at: datetime) -> Session:
    """Activity in an idle session: its silence begins anew."""
    return replace(session, idle_since=at, idle_exact=False) if session.phase is Phase.IDLE else session


def end_all(state: State, phase: Phase, ended_by: Ending, at: datetime) -> State:
    """Every live session ends at once."""
    sessions = Sessions.of(state.sessions)
    ended = sessions.having(*[end(one, phase, ended_by, at) for one in sessions.alive])
    return replace(state, focused=None, seat_offset=0, sessions=ended)
