"""The app's own life: start, quit, update, and what each means for the sessions."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, TypeAlias, assert_never

from app.core.events import (
    AccountOpened,
    AppComponentCrashed,
    AppQuitBegan,
    AppQuitCompleted,
    AppStarted,
    AppUpdated,
    EventLoopStalled,
    HeartbeatSeen,
    PreviousQuitReported,
    SessionsRewarmed,
    SessionsStopped,
    ShellsKilled,
    UpdateDeferred,
    UpdateStaged,
)
from app.core.evolve import replace
from app.core.governor import counted_seats
from app.core.reducers.sessions import end, end_all
from app.core.sessions import Sessions
from app.core.state import App, Phase, SeatCheck, State

AppEvent: TypeAlias = (
    AppStarted
    | AppQuitBegan
    | AppQuitCompleted
    | SessionsStopped
    | AppUpdated
    | UpdateStaged
    | UpdateDeferred
    | PreviousQuitReported
    | SessionsRewarmed
    | HeartbeatSeen
    | EventLoopStalled
    | AppComponentCrashed
    | ShellsKilled
    | AccountOpened
)


def reduce_app(state: State, event: AppEvent) -> State:
    """The state after an event of the app's own life."""
    match event:
        case AppStarted():
            return _started(state, event)
        case SessionsStopped():
            check = SeatCheck(event.at, event.count, _alive_at_quit(state))
            return replace(_go_down(state, "quit", event.at), seat_check=check)
        case AppQuitBegan():
            return _go_down(state, "update" if event.for_update else "quit", event.at)
        case ShellsKilled():
            return _go_down(state, "quit", event.at)
        case AccountOpened():
            return _account_opened(state, event)
        case AppQuitCompleted():
            state = _go_down(state, "quit", event.at)
            app = replace(state.app, running=False, down_since=event.at)
            return replace(state, app=app, vm=replace(state.vm, stopping_at=None, down_at=event.at))
        case PreviousQuitReported():
            return _call_it_update(state) if event.for_update else state
        case AppUpdated():
            return replace(state, app=replace(state.app, version=event.new))
        case HeartbeatSeen():
            return replace(state, app=replace(state.app, last_sign_at=event.at))
        case UpdateStaged() | UpdateDeferred() | SessionsRewarmed() | EventLoopStalled() | AppComponentCrashed():
            return state
        case _:
            assert_never(event)


def _started(state: State, event: AppStarted) -> State:
    """A new main process. What still lived died with the old one: in good order, or with it when it crashed."""
    if state.app.going_down:
        state = end_all(state, Phase.ENDED, "app_update" if state.app.going_down == "update" else "app_quit", event.at)
    else:
        state = end_all(state, Phase.LOST, "app_crashed", event.at)
    return replace(
        state,
        app=App(
            running=True,
            version=event.version or state.app.version,
            platform=event.platform or state.app.platform,
            started_at=event.at,
            last_sign_at=event.at,
            quit_at=state.app.quit_at,
        ),
        cap=None,
        cap_seen_at=None,
        seat_check=None,
        children=(),
        accounts={},
        bridge=None,
        vm=replace(state.vm, down_at=event.at),
    )


def _go_down(state: State, how: Literal["quit", "update"], at: datetime) -> State:
    """An orderly end. Several lines announce it, and only one of them may say that it is for an update."""
    if state.app.going_down is None:
        app = replace(state.app, going_down=how, quit_at=at)
        return replace(end_all(state, Phase.ENDED, "app_update" if how == "update" else "app_quit", at), app=app)
    if how == "update" and state.app.going_down == "quit":
        return _call_it_update(replace(state, app=replace(state.app, going_down="update")))
    return state


def _account_opened(state: State, event: AccountOpened) -> State:
    """Another account than the one that was open: the app stopped the sessions of the former one."""
    former = state.accounts.get(event.manager)
    if former is not None and former != event.account:
        sessions = Sessions.of(state.sessions)
        its_own = [one for one in sessions.alive if (one.kind == "code") == (event.manager == "code")]
        stopped = sessions.having(*[end(one, Phase.ENDED, "stopped", event.at) for one in its_own])
        state = replace(state, sessions=stopped)
    return replace(state, accounts={**state.accounts, event.manager: event.account})


def _alive_at_quit(state: State) -> int:
    """Our own count when the app gives its own: a quit may have been announced, and have ended them, just before."""
    since = state.app.quit_at
    if state.app.going_down is None or since is None:
        return counted_seats(state)
    return sum(
        s.holds_seat or (s.kind == "code" and s.ended_by in ("app_quit", "app_update") and s.since >= since)
        for s in state.sessions.values()
    )


def _call_it_update(state: State) -> State:
    """The quit that ended these sessions turns out to have been made for an update."""
    since, sessions = state.app.quit_at, Sessions.of(state.sessions)
    if since is None:
        return state
    its_own = [one for one in sessions.gone if one.ended_by == "app_quit" and one.since >= since]
    return replace(state, sessions=sessions.having(*[replace(one, ended_by="app_update") for one in its_own]))
