"""Turns, focus, permission, holds and limits."""

from __future__ import annotations

from datetime import timedelta
from typing import TypeAlias, assert_never

from app.core.events import (
    BridgeClosed,
    CloudSessionSeen,
    FocusChanged,
    NetworkFailed,
    PermissionAnswered,
    PermissionRequested,
    RemoteBridgeChanged,
    RemoteControlEnabled,
    ScheduledSpawned,
    ScheduleExpired,
    ServiceOverloaded,
    SignInLost,
    TurnAnswered,
    TurnBegan,
    TurnEnded,
    TurnErrorReported,
    UsageLimited,
    WindowFocused,
    WorkflowEnded,
    WorkflowStarted,
)
from app.core.evolve import replace
from app.core.reducers.sessions import begin, enter, known, put, touch
from app.core.sessions import alive_in
from app.core.state import Hold, Limit, Phase, State

TurnEvent: TypeAlias = (
    TurnBegan
    | TurnAnswered
    | TurnEnded
    | FocusChanged
    | WindowFocused
    | PermissionRequested
    | PermissionAnswered
    | RemoteControlEnabled
    | WorkflowStarted
    | WorkflowEnded
    | ScheduleExpired
    | ScheduledSpawned
)
LimitEvent: TypeAlias = (
    UsageLimited
    | ServiceOverloaded
    | TurnErrorReported
    | SignInLost
    | NetworkFailed
    | CloudSessionSeen
    | BridgeClosed
    | RemoteBridgeChanged
)

KEEP_CLOUD = 100
"""How many cloud sessions the state remembers."""


def reduce_turn(state: State, event: TurnEvent) -> State:
    """The state after an event of a turn, of focus, of permission or of what protects a session."""
    match event:
        case TurnBegan():
            return put(state, enter(known(state, event.session, event.at), Phase.WORKING, event.at))
        case TurnAnswered():
            session = state.sessions.get(event.session)
            if session is not None and session.phase is not Phase.STARTING:
                return state  # the turn's own lines say more, and a late answer revives nobody
            return put(state, enter(known(state, event.session, event.at), Phase.WORKING, event.at))
        case TurnEnded():
            return _turn_ended(state, event)
        case FocusChanged():
            return _focus_changed(state, event)
        case PermissionRequested():
            session = enter(known(state, event.session, event.at), Phase.WAITING, event.at)
            return put(state, replace(session, waiting_for={**session.waiting_for, event.request: event.at}))
        case PermissionAnswered():
            return _permission_answered(state, event)
        case RemoteControlEnabled() | WorkflowStarted() | WorkflowEnded():
            return _hold(state, event)
        case ScheduleExpired():
            return _schedule_expired(state, event)
        case ScheduledSpawned():
            return replace(state, app=replace(state.app, last_sign_at=event.at))  # as any line of the scheduler
        case WindowFocused():
            return state
        case _:
            assert_never(event)


def _turn_ended(state: State, event: TurnEnded) -> State:
    """A turn's end makes a live session idle. It revives no session that is known to have ended: it was its last."""
    if state.limited is not None and _disproves(event, state.limited):
        state = replace(state, limited=None)
    session = state.sessions.get(event.session)
    if session is None:
        if event.reason is not None:
            return state
        return put(state, begin(known(state, event.session, event.at), Phase.IDLE, event.at))
    if not session.alive:
        return state
    return put(state, touch(enter(session, Phase.IDLE, event.at), event.at))


def _disproves(event: TurnEnded, limited: Limit) -> bool:
    """Whether this turn began after the limit was met and was answered: one that began before may have been answered

    before it too.
    """
    if event.reason is not None or not event.answered or event.seconds is None:
        return False
    return event.at - timedelta(seconds=event.seconds) >= limited.at


def _focus_changed(state: State, event: FocusChanged) -> State:
    """Looking at a session, and looking away from it, are both activity: its silence begins anew."""
    if event.session == state.focused:
        return state
    for one in (state.focused, event.session):
        session = state.sessions.get(one or "")
        if session is not None and session.phase is Phase.IDLE:
            state = put(state, touch(session, event.at))
    return replace(state, focused=event.session)


def _permission_answered(state: State, event: PermissionAnswered) -> State:
    for session in alive_in(state.sessions):
        if event.request in session.waiting_for:
            left = {key: since for key, since in session.waiting_for.items() if key != event.request}
            if left:
                return put(state, replace(session, waiting_for=left))
            return put(state, enter(session, Phase.WORKING, event.at))
    return state


def _schedule_expired(state: State, event: ScheduleExpired) -> State:
    """One of its schedules is over. Whether another goes on the next declined pause will tell."""
    session = state.sessions.get(event.session)
    if session is None or "scheduled" not in session.holds:
        return state
    return put(state, replace(session, holds={key: at for key, at in session.holds.items() if key != "scheduled"}))


def _hold(state: State, event: RemoteControlEnabled | WorkflowStarted | WorkflowEnded) -> State:
    """Holds belong to a process: one that is known to have none gets none."""
    session = state.sessions.get(event.session)
    if session is None:
        session = begin(known(state, event.session, event.at), Phase.IDLE, event.at)
    if not session.alive:
        return state
    hold: Hold = "remote_control" if isinstance(event, RemoteControlEnabled) else "background_task"
    workflows = session.workflows
    if isinstance(event, WorkflowStarted):
        workflows |= {event.workflow}
    elif isinstance(event, WorkflowEnded):
        workflows -= {event.workflow}
    if isinstance(event, WorkflowEnded) and not workflows:
        holds = {key: since for key, since in session.holds.items() if key != hold}
    else:
        holds = {hold: event.at, **session.holds}
    return put(state, replace(session, holds=holds, workflows=workflows))


def reduce_limit(state: State, event: LimitEvent) -> State:
    """The state after an event of limits, sign-in, network or the cloud."""
    counts = state.counts
    match event:
        case UsageLimited():
            counted = replace(state, counts=replace(counts, rate_limited=counts.rate_limited + 1))
            if event.resets_at is None or event.resets_at <= event.at:
                return counted
            return replace(counted, limited=Limit(event.at, event.session, event.resets, event.resets_at))
        case ServiceOverloaded():
            return replace(state, counts=replace(counts, overloaded=counts.overloaded + 1))
        case SignInLost():
            return replace(state, sign_in_lost_at=event.at)
        case NetworkFailed():
            return replace(state, network_failed_at=event.at)
        case CloudSessionSeen():
            seen = {**state.cloud_sessions, event.session: event.at}
            newest = sorted(seen, key=seen.__getitem__)[-KEEP_CLOUD:]
            return replace(state, cloud_sessions={key: seen[key] for key in newest})
        case BridgeClosed():
            left = {key: at for key, at in state.cloud_sessions.items() if key != event.session}
            return replace(state, cloud_sessions=left)
        case RemoteBridgeChanged():
            return replace(state, bridge=event.status)
        case TurnErrorReported():
            return state
        case _:
            assert_never(event)
