"""The governor's rules as tables: cap, seats, who is in the queue, and whom each trigger takes."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest
from hypothesis import given

from app.core.events import Event, MemoryEvictionBegan, MemorySampled, RemoteControlEnabled, SessionWarmed, TurnBegan
from app.core.governor import (
    Cap,
    cap_of,
    counted_seats,
    eviction_pending,
    evicts_for_real,
    evidence_of,
    first_out,
    idle_seconds,
    next_out,
    ranking,
    seats_taken,
    sweep_target,
)
from app.core.reducer import fold
from app.core.state import App, Evidence, Hold, PendingEviction, Phase, Session, State
from tests.core.helpers import NOON, A, B, C, after, histories, state_after


def sample(total_mb: int | None, at: datetime = NOON) -> MemorySampled:
    """A memory line of a machine of this size."""
    return MemorySampled(at, "interval", None, None, None, None, None, None, 4000, total_mb, None)


def idle(name: str, seconds: int | None, order: int = 0) -> Session:
    """A session that has been idle for so many seconds at noon; None: nobody knows since when."""
    since = None if seconds is None else after(-seconds)
    return Session(name, order, since or NOON, phase=Phase.IDLE, idle_since=since)


def working(name: str, order: int = 0) -> Session:
    """A session in a turn."""
    return Session(name, order, NOON, phase=Phase.WORKING)


def state_of(*sessions: Session, cap: int = 8, offset: int = 0) -> State:
    """A state with these sessions and this cap from the log."""
    return State(cap=cap, cap_seen_at=NOON, sessions={s.id: s for s in sessions}, seat_offset=offset)


@pytest.mark.parametrize(
    ("gigabytes", "cap"),
    [
        (8, 6),
        (16, 6),
        (18, 6),
        (20, 6),
        (24, 8),
        (28.5, 9),
        (32, 10),
        (36, 12),
        (48, 16),
        (64, 21),
        (96, 32),
        (128, 42),
    ],
)
def test_cap_is_estimated_from_the_memory(gigabytes: float, cap: int) -> None:
    """One seat for each 3 GiB, and never fewer than six."""
    assert cap_of(State(memory=sample(int(gigabytes * 1024)))) == Cap(cap, "estimate", NOON)


def test_cap_of_the_log_leads_over_estimate_and_assumption() -> None:
    """A line is knowledge, the memory a guess, and without either the most common machine is assumed."""
    assert cap_of(State(cap=27, cap_seen_at=NOON, memory=sample(24576))) == Cap(27, "log", NOON)
    assert cap_of(State(memory=sample(None))) == Cap(8, "assumed", None)
    assert cap_of(State()) == Cap(8, "assumed", None)


@pytest.mark.parametrize(("offset", "taken"), [(0, 2), (3, 5), (-1, 1), (-5, 0)])
def test_seats_are_our_count_put_right_by_the_apps(offset: int, taken: int) -> None:
    """The app's own number wins, and never leads below zero."""
    state = state_of(idle("a", 5), working("b"), replace(idle("c", 5), kind="cowork"), offset=offset)
    assert counted_seats(state) == 2
    assert seats_taken(state) == taken


@pytest.mark.parametrize(
    ("session", "seconds"),
    [(idle("a", 842), 842), (idle("a", -5), 0), (working("a"), None), (idle("a", None), None)],
)
def test_idle_time_runs_from_the_last_activity(session: Session, seconds: int | None) -> None:
    """Only idle sessions have an idle time, and a clock set back never makes it negative."""
    assert idle_seconds(session, NOON) == seconds


@pytest.mark.parametrize(("seconds", "pending"), [(0, True), (10, True), (11, False)])
def test_eviction_is_pending_for_ten_seconds(seconds: int, pending: bool) -> None:
    """The closing line follows within a second; after ten it will not come any more."""
    session = replace(idle("a", 100), eviction=PendingEviction(NOON, "evicted_for_seat"))
    assert eviction_pending(session, after(seconds)) is pending
    assert [one.session.id for one in ranking(state_of(session), after(seconds))] == ([] if pending else ["a"])


def test_longest_idle_goes_first_and_ties_go_by_the_log() -> None:
    """Equal idle times: first seen in the log first, whatever the order of the map."""
    queue = ranking(state_of(idle("c", 100, 2), idle("b", 300, 1), idle("a", 100, 0)), NOON)
    assert [(one.session.id, one.rank, one.idle_seconds) for one in queue] == [
        ("b", 1, 300),
        ("a", 2, 100),
        ("c", 3, 100),
    ]


@pytest.mark.parametrize("hold", ["remote_control", "background_task", "scheduled"])
def test_protected_head_is_passed_over(hold: Hold) -> None:
    """The longest idle session does not go while something protects it."""
    head = replace(idle("a", 900), holds={hold: NOON})
    assert [one.session.id for one in ranking(state_of(head, idle("b", 70, 1)), NOON)] == ["b"]
    assert next_out(state_of(head, cap=1), NOON) == next_out(state_of(working("a"), cap=1), NOON)


@pytest.mark.parametrize(
    "sessions",
    [
        (working("a"), working("b")),
        (replace(idle("a", 900), holds={"remote_control": NOON}), replace(idle("b", 9), holds={"scheduled": NOON})),
        (replace(idle("a", 900), kind="cowork"), replace(idle("b", 900), phase=Phase.PAUSED)),
        (idle("a", None), replace(working("b"), phase=Phase.WAITING)),
    ],
)
def test_nobody_goes_when_all_work_or_are_protected(sessions: tuple[Session, ...]) -> None:
    """Full seats and nobody to close: no trigger takes anyone."""
    out = next_out(state_of(*sessions, cap=1), NOON)
    assert (out.user_start, out.warm_start, out.pressure) == ((), (), ())


@pytest.mark.parametrize(
    ("seats", "user", "warm"), [(7, (), ()), (8, ("s0",), ("s0",)), (9, ("s0",), ())], ids=["under", "at", "over"]
)
def test_triggers_around_the_cap(seats: int, user: tuple[str, ...], warm: tuple[str, ...]) -> None:
    """Below the cap nobody goes; at it both starts name the head; over it a warm start is always put off."""
    out = next_out(state_of(*(idle(f"s{n}", 900 - n, n) for n in range(seats))), NOON)
    assert (out.user_start, out.warm_start) == (user, warm)


@pytest.mark.parametrize(("seconds", "left", "warm"), [(0, 60, ()), (59, 1, ()), (60, 0, ("a",)), (61, 0, ("a",))])
def test_line_of_sixty_seconds(seconds: int, left: int, warm: tuple[str, ...]) -> None:
    """A warm start closes nothing younger than a minute; a user's start and memory pressure do not ask."""
    state = state_of(idle("a", seconds), working("b", 1), working("c", 2), cap=3)
    (one,) = ranking(state, NOON)
    out = next_out(state, NOON)
    assert one.eligible_in_seconds == left
    assert (out.user_start, out.warm_start, out.pressure) == (("a",), warm, ("a",))


@pytest.mark.parametrize("cap", range(6, 43))
def test_sweep_takes_down_to_two_below_the_cap(cap: int) -> None:
    """From the head of the queue: two at the cap, more over it, none two below it."""
    for seats, taken in ((cap - 2, 0), (cap - 1, 1), (cap, 2), (cap + 3, 5)):
        state = state_of(*(idle(f"s{n:02}", 900 - n, n) for n in range(seats)), cap=cap)
        assert next_out(state, NOON).pressure == tuple(f"s{n:02}" for n in range(taken))
    assert sweep_target(cap) == cap - 2


@pytest.mark.parametrize(("cap", "target"), [(0, 1), (1, 1), (2, 1), (3, 1), (4, 2)])
def test_sweep_leaves_one_seat(cap: int, target: int) -> None:
    """However small the cap, one session stays."""
    assert sweep_target(cap) == target


def test_seat_offset_counts_for_the_triggers() -> None:
    """The app's number says the seats are full although we know of one session only."""
    out = next_out(state_of(idle("a", 100), cap=8, offset=7), NOON)
    assert (out.user_start, out.warm_start, out.pressure) == (("a",), ("a",), ("a",))


CLOSED, SPARED, QUIET = Evidence(3, closed=1), Evidence(3, spared=1), Evidence(2)


@pytest.mark.parametrize(
    ("seen", "answer"),
    [
        ({}, None),
        ({"2.0": Evidence()}, None),
        ({"2.0": QUIET}, False),
        ({"2.0": CLOSED}, True),
        ({"2.0": SPARED}, False),
        ({"2.0": Evidence(9, closed=1, spared=4)}, True),
        ({"1.0": CLOSED}, True),
        ({"1.0": CLOSED, "2.0": QUIET}, True),
        ({"1.0": CLOSED, "2.0": SPARED}, False),
        ({"1.0": SPARED, "2.0": CLOSED}, True),
        ({"0.9": CLOSED, "1.0": SPARED, "2.0": QUIET}, False),
        ({"0.9": SPARED, "1.0": CLOSED}, True),
        ({"1.0": QUIET}, False),
    ],
)
def test_whether_this_build_closes_for_real(seen: dict[str, Evidence], answer: bool | None) -> None:
    """Learned from what the running version did, else from the newest one before it that did anything telling."""
    state = State(app=App(running=True, version="2.0"), evidence=seen)
    assert evicts_for_real(state) is answer


def test_evidence_is_that_of_the_running_version() -> None:
    """A version that is not known has a place of its own."""
    state = State(app=App(version="2.0"), evidence={"2.0": CLOSED, "": QUIET})
    assert evidence_of(state) == CLOSED
    assert evidence_of(replace(state, app=App())) == QUIET
    assert evidence_of(State()) == Evidence()


@given(histories())
def test_first_out_is_the_head_of_the_ranking(events: list[Event]) -> None:
    """It needs no time, for all silences grow alike; only a closing under way sets the two apart."""
    state = fold(State(), events)
    if all(session.eviction is None for session in state.sessions.values()):
        queue = ranking(state, after(10**6))
        assert first_out(state) == (queue[0].session.id if queue else None)


def test_first_out_passes_over_whoever_may_not_be_closed() -> None:
    """Working, protected and being closed; of equal silences the session that was seen first."""
    state = state_after(*(SessionWarmed(NOON, one, 100) for one in (A, B, C)))
    assert first_out(state) == A
    state = state_after(RemoteControlEnabled(after(1), A), start=state)
    assert first_out(state) == B
    state = state_after(TurnBegan(after(2), B), MemoryEvictionBegan(after(3), C, 3), start=state)
    assert first_out(state) is None
