"""Events to state: ``reduce(state, event) → state``, pure and exhaustive."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce as _reduce
from typing import assert_never

from app.core.events import (
    Event,
    IdleTimerArmed,
    IdleTimerFired,
    MachineEvent,
    PauseDeclined,
    PermissionRequested,
    RemoteControlEnabled,
    SessionInterrupted,
    SessionSeenAlive,
    TurnEnded,
    Unrecognized,
    WorkflowEnded,
    WorkflowStarted,
)
from app.core.evolve import replace
from app.core.reducers.app import AppEvent, reduce_app
from app.core.reducers.governor import GovernorEvent, reduce_governor
from app.core.reducers.machine import reduce_machine
from app.core.reducers.session import SessionEvent, reduce_session
from app.core.reducers.turn import LimitEvent, TurnEvent, reduce_limit, reduce_turn
from app.core.reducers.vm import VmEvent, reduce_vm
from app.core.score import follow_first
from app.core.state import App, State

REVEALING = (
    IdleTimerArmed,
    IdleTimerFired,
    PauseDeclined,
    PermissionRequested,
    RemoteControlEnabled,
    SessionInterrupted,
    SessionSeenAlive,
    TurnEnded,
    WorkflowEnded,
    WorkflowStarted,
)
"""What happens to a process that was there before; all other signs of life may be a new process."""


def reduce(state: State, event: Event) -> State:
    """The state after ``event``, which names anew whom the ranking puts first."""
    return follow_first(state, _reduced(state, event))


def _reduced(state: State, event: Event) -> State:
    """The same without; a new kind of event breaks the type check here until it has a place."""
    if isinstance(event, MachineEvent):
        return reduce_machine(state, event)  # before all else: the log said nothing, so its time stands still
    # The VM's logs are read beside main.log and may tell late what happened earlier.
    late = isinstance(event, VmEvent) and state.at is not None and event.at < state.at
    if not late and state.at != event.at:
        state = replace(state, at=event.at)
    if not state.app.running and _proves_running(state.app, event):
        state = replace(state, app=replace(state.app, running=True, last_sign_at=event.at))
    if isinstance(event, TurnEvent):
        return _revealed(state, event, reduce_turn(state, event))
    if isinstance(event, SessionEvent):
        return _revealed(state, event, reduce_session(state, event))
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


def _revealed(before: State, event: Event, after: State) -> State:
    """A session that lived unseen was among those by which the app's own count was above ours."""
    if after.seat_offset <= 0 or not isinstance(event, REVEALING):
        return after
    old, new = before.sessions.get(event.session), after.sessions.get(event.session)
    if new is None or not new.holds_seat or (old is not None and old.alive):
        return after
    return replace(after, seat_offset=after.seat_offset - 1)


def _proves_running(app: App, event: Event) -> bool:
    """Whether a log that begins in the middle shows by this line that its main process runs."""
    return app.started_at is None and app.down_since is None and not isinstance(event, VmEvent)


def fold(state: State, events: Iterable[Event]) -> State:
    """The state after all of ``events``, in order."""
    return _reduce(reduce, events, state)
