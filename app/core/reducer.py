"""Events to state: ``reduce(state, event) → state``, pure and exhaustive."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce as _reduce
from typing import assert_never

from app.core.events import Event, Unrecognized
from app.core.reducers.app import AppEvent, reduce_app
from app.core.reducers.governor import GovernorEvent, reduce_governor
from app.core.reducers.session import SessionEvent, reduce_session
from app.core.reducers.turn import LimitEvent, TurnEvent, reduce_limit, reduce_turn
from app.core.reducers.vm import VmEvent, reduce_vm
from app.core.state import App, State


def reduce(state: State, event: Event) -> State:
    """The state after ``event``. A new kind of event breaks the type check here until it has a place."""
    # The VM's logs are read beside main.log and may tell late what happened earlier.
    late = isinstance(event, VmEvent) and state.at is not None and event.at < state.at
    state = replace(state, at=state.at if late else event.at, app=_running(state, event))
    if isinstance(event, TurnEvent):
        return reduce_turn(state, event)
    if isinstance(event, SessionEvent):
        return reduce_session(state, event)
    if isinstance(event, GovernorEvent):
        return reduce_governor(state, event)
    if isinstance(event, AppEvent):
        return reduce_app(state, event)
    if isinstance(event, VmEvent):
        return reduce_vm(state, event)
    if isinstance(event, LimitEvent):
        return reduce_limit(state, event)
    if isinstance(event, Unrecognized):
        return replace(state, counts=replace(state.counts, unrecognized=state.counts.unrecognized + 1))
    assert_never(event)


def _running(state: State, event: Event) -> App:
    """A log that begins in the middle shows a running app by any line of its main process."""
    app = state.app
    if app.running or app.started_at is not None or app.down_since is not None or isinstance(event, VmEvent):
        return app
    return replace(app, running=True, last_sign_at=event.at)


def fold(state: State, events: Iterable[Event]) -> State:
    """The state after all of ``events``, in order."""
    return _reduce(reduce, events, state)
