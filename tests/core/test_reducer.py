"""The fold: total over any events in any order, and what always holds of a state."""

from __future__ import annotations

from dataclasses import astuple

import pytest
from hypothesis import given

from app.core.events import (
    AppQuitCompleted,
    AppStarted,
    Event,
    HeartbeatSeen,
    IdleTimerArmed,
    MemoryEvictionBegan,
    PauseDeclined,
    PressureReported,
    SessionPaused,
    SessionStarted,
    SessionWarmed,
    TurnBegan,
    TurnEnded,
    Unrecognized,
    VmActive,
)
from app.core.governor import counted_seats, next_out, ranking, seats_taken
from app.core.reducer import fold, reduce
from app.core.state import State
from tests.core.helpers import ANY_EVENT, CODE, COWORK, NOON, A, B, after, histories, state_after

LEAVE_THE_DEAD: tuple[object, ...] = (None, False, {}, {}, frozenset(), None, None)


@given(histories(40))
def test_every_event_in_every_phase(events: list[Event]) -> None:
    """Whatever the log says in whatever order, the state stays sound and no count ever goes back."""
    state = State()
    for event in events:
        before, state = state, reduce(state, event)
        for one in state.sessions.values():
            if not one.alive:
                left = (one.idle_since, one.idle_exact, one.holds, one.waiting_for, one.workflows, one.eviction)
                assert (*left, one.live_since) == LEAVE_THE_DEAD
            assert one.alive or not one.holds_seat
            assert not one.waiting_for or one.phase == "waiting"
        assert seats_taken(state) >= 0
        assert all(old <= new for old, new in zip(astuple(before.counts), astuple(state.counts), strict=True))
        assert before.score.named <= state.score.named
        assert state.score.first <= state.score.first_three <= state.score.named


@given(histories())
def test_queue_and_triggers_agree_with_each_other(events: list[Event]) -> None:
    """The queue holds idle, unprotected seat holders only, ranked from one; each trigger takes from its head."""
    state = fold(State(), events)
    queue = ranking(state, after(5))
    out = next_out(state, after(5))
    names = [one.session.id for one in queue]
    assert [one.rank for one in queue] == list(range(1, len(queue) + 1))
    assert all(one.session.holds_seat and not one.session.protected_by for one in queue)
    assert [one.idle_seconds for one in queue] == sorted((one.idle_seconds for one in queue), reverse=True)
    for taken in (out.user_start, out.warm_start, out.pressure):
        assert list(taken) == names[: len(taken)]
    assert len(out.warm_start) <= len(out.user_start) <= 1


@given(ANY_EVENT)
def test_old_state_is_left_as_it_was(event: Event) -> None:
    """A reduction makes a new state; pages may still show the old one."""
    old = state_after(SessionWarmed(NOON, A, 100), SessionStarted(NOON, B, CODE))
    again = state_after(SessionWarmed(NOON, A, 100), SessionStarted(NOON, B, CODE))
    reduce(old, event)
    assert old == again


def test_fold_is_one_reduction_after_another() -> None:
    """The newest event's instant is the state's."""
    events: list[Event] = [SessionWarmed(NOON, A, 100), TurnBegan(after(5), A)]
    assert fold(State(), events) == reduce(reduce(State(), events[0]), events[1])
    assert fold(State(), events).at == after(5)
    assert fold(State(), []) == State()


def test_unknown_shape_is_counted() -> None:
    """Never dropped, and it changes nothing else."""
    state = state_after(Unrecognized(NOON, "[CliGovernor] new <n>"))
    assert state.counts.unrecognized == 1
    assert dict(state.sessions) == {}


def test_log_that_begins_in_the_middle_shows_a_running_app() -> None:
    """Any line of its main process proves it, a line of the VM's own logs does not."""
    assert state_after(HeartbeatSeen(NOON)).app.running
    assert state_after(TurnBegan(NOON, A)).app.last_sign_at == NOON
    assert not state_after(VmActive(NOON)).app.running


def test_app_that_has_quit_is_not_running_until_it_starts() -> None:
    """Lines that come late from a process that goes down do not bring it back."""
    down = state_after(AppStarted(NOON, "2.0", None, None), AppQuitCompleted(after(60)), HeartbeatSeen(after(60)))
    assert not down.app.running
    assert state_after(AppStarted(after(90), "2.0", None, None), start=down).app.running


def test_vm_that_tells_late_does_not_set_the_clock_back() -> None:
    """The VM's logs may be read after main.log; the time of the state is the newest."""
    assert state_after(HeartbeatSeen(after(60)), VmActive(NOON)).at == after(60)
    assert state_after(VmActive(NOON)).at == NOON
    assert state_after(HeartbeatSeen(after(60)), HeartbeatSeen(NOON)).at == NOON, "a clock that was set back"


FULL = PressureReported(NOON, "warning", 0, 2)


@pytest.mark.parametrize(
    "event",
    [
        TurnEnded(after(5), A, 4, None),
        IdleTimerArmed(after(5), A, 900),
        PauseDeclined(after(5), A, None),
        MemoryEvictionBegan(after(5), A, 100),
    ],
    ids=lambda event: type(event).__name__,
)
def test_session_that_shows_itself_was_counted_by_the_app_before(event: Event) -> None:
    """The app said two seats, we knew of none; the first that shows itself is one of the two, not a third."""
    state = state_after(FULL, event)
    assert (counted_seats(state), seats_taken(state)) == (1, 2)
    assert seats_taken(state_after(event, start=state)) == 2, "and it shows itself once only"


@pytest.mark.parametrize("event", [SessionStarted(after(5), A, CODE), SessionWarmed(after(5), A, 100)])
def test_new_process_takes_a_seat_more(event: Event) -> None:
    """It was not there when the app counted."""
    assert seats_taken(state_after(FULL, event)) == 3


def test_session_that_holds_no_seat_was_not_counted() -> None:
    """Cowork's own sessions are not in the governor's number, and neither are the dead."""
    paused = (SessionStarted(after(-9), A, CODE), SessionPaused(after(-8), A, "idle_timeout"))
    assert seats_taken(state_after(*paused, FULL, TurnEnded(after(5), A, 4, None))) == 2
    cowork = (SessionStarted(after(-9), A, COWORK), SessionPaused(after(-8), A, "idle_timeout"))
    assert seats_taken(state_after(*cowork, FULL, PauseDeclined(after(5), A, None))) == 2
    assert seats_taken(state_after(FULL, TurnEnded(after(5), A, 4, "api_error"))) == 2
