"""Changes to one session and to the map of all."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.reducers.sessions import KEEP_DEAD, begin, end, end_all, enter, known, put, touch
from app.core.state import PendingEviction, Phase, Session, State
from tests.core.helpers import DITTO, NOON, A, B, after

LADEN = Session(
    A, 3, NOON, phase=Phase.IDLE, cwd="/x", title="t", idle_since=NOON, idle_exact=True,
    holds={"remote_control": NOON}, waiting_for={"r": NOON}, workflows=frozenset({"w"}),
    eviction=PendingEviction(NOON, "evicted_for_seat"), live_since=NOON,
)  # fmt: skip


def test_put_makes_a_new_state() -> None:
    """The old state is as it was, and the new map cannot be changed."""
    old = State()
    new = put(old, LADEN)
    assert dict(old.sessions) == {}
    assert dict(new.sessions) == {A: LADEN}
    with pytest.raises(TypeError):
        new.sessions[B] = LADEN  # type: ignore[index]


def test_oldest_dead_are_forgotten_and_no_live_one() -> None:
    """A state that grew for weeks keeps the newest of the dead, and everybody who lives."""
    state = put(State(), replace(LADEN, since=after(-9999)))
    for n in range(2 * KEEP_DEAD):
        state = put(state, Session(f"local_{n}", n, after(n), phase=Phase.ENDED))
    assert A in state.sessions
    assert len(state.sessions) == KEEP_DEAD + 1
    assert f"local_{2 * KEEP_DEAD - 1}" in state.sessions
    assert "local_0" not in state.sessions


def test_unknown_session_has_no_process_and_the_next_place() -> None:
    """The place in which the log first named a session breaks ties, so it is never given twice."""
    state = put(State(), LADEN)
    new = known(state, B, after(5))
    assert (new.order, new.alive, new.kind, new.since) == (4, False, "code", after(5))
    assert known(state, DITTO, NOON).kind == "dispatch"
    assert known(state, A, NOON) is LADEN
    assert known(State(), A, NOON).order == 0


@pytest.mark.parametrize(
    ("phase", "idle_since"), [(Phase.IDLE, after(9)), (Phase.STARTING, None), (Phase.WORKING, None)]
)
def test_new_process_has_nothing_of_the_old(phase: Phase, idle_since: object) -> None:
    """Protections, questions and evictions belong to a process; title and place belong to the session."""
    new = begin(LADEN, phase, after(9))
    assert (new.holds, new.waiting_for, new.workflows, new.eviction, new.ended_by) == ({}, {}, frozenset(), None, None)
    assert (new.phase, new.since, new.live_since, new.idle_since, new.idle_exact) == (
        phase, after(9), after(9), idle_since, False,
    )  # fmt: skip
    assert (new.title, new.cwd, new.order) == ("t", "/x", 3)


def test_end_takes_everything_that_hung_on_the_process() -> None:
    """A dead session protects nothing, waits for nobody and is not idle."""
    dead = end(LADEN, Phase.PAUSED, "paused_idle", after(9))
    assert (dead.holds, dead.waiting_for, dead.workflows, dead.eviction) == ({}, {}, frozenset(), None)
    assert (dead.idle_since, dead.live_since, dead.ended_by, dead.since) == (None, None, "paused_idle", after(9))


def test_enter_changes_the_phase_and_keeps_the_holds() -> None:
    """Going to work clears a foreseen eviction and open questions, not the protections."""
    new = enter(LADEN, Phase.WORKING, after(9))
    assert (new.phase, new.since, new.idle_since, new.eviction, new.waiting_for) == (
        Phase.WORKING, after(9), None, None, {},
    )  # fmt: skip
    assert (new.holds, new.live_since) == (LADEN.holds, NOON)


def test_enter_keeps_open_questions_of_one_who_waits() -> None:
    """A session that comes to wait has its questions with it."""
    assert enter(LADEN, Phase.WAITING, after(9)).waiting_for == {"r": NOON}


def test_enter_the_same_phase_changes_nothing() -> None:
    """A second word of the same does not restart the time."""
    assert enter(LADEN, Phase.IDLE, after(9)) is LADEN


def test_enter_gives_the_dead_a_new_process() -> None:
    """Whoever works has a process."""
    dead = end(LADEN, Phase.ENDED, "stopped", NOON)
    assert enter(dead, Phase.IDLE, after(9)) == begin(dead, Phase.IDLE, after(9))


def test_touch_restarts_the_silence_of_the_idle_only() -> None:
    """Activity in a session that works has no idle time to restart."""
    touched = touch(LADEN, after(9))
    assert (touched.idle_since, touched.idle_exact, touched.since) == (after(9), False, NOON)
    working = enter(LADEN, Phase.WORKING, NOON)
    assert touch(working, after(9)) is working


def test_end_all_ends_the_living_and_leaves_the_dead() -> None:
    """The earlier ending of a dead session is its cause and stays."""
    dead = end(replace(LADEN, id=B), Phase.PAUSED, "paused_idle", NOON)
    state = replace(put(put(State(), LADEN), dead), focused=A, seat_offset=2)
    ended = end_all(state, Phase.LOST, "app_crashed", after(9))
    assert ended.sessions[A].ended_by == "app_crashed"
    assert ended.sessions[B] is dead
    assert (ended.focused, ended.seat_offset) == (None, 0)
