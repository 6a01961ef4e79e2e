"""Tiles never jump: a session keeps its slot, newcomers take the lowest free one, a restart seats everybody alike."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from app.core.history import Span
from app.core.state import App, Phase
from app.web.seating import LONGEST_LOOK_BACK, Seating, arrivals, replay_from
from tests.web.scenes import NOW, ago, session, sid, state

steps_of_holders = st.lists(st.lists(st.integers(0, 12), unique=True, max_size=10), max_size=25)


@given(steps_of_holders)
def test_nobody_moves_and_newcomers_sit_lowest(steps: list[list[int]]) -> None:
    """Over any sequence of holders: who stays keeps its slot, no two share one, and no lower one was free."""
    seating = Seating()
    for holders in steps:
        before = seating.slots
        seating.update(map(str, holders))
        after = seating.slots

        assert set(after) == set(map(str, holders))
        assert len(set(after.values())) == len(after)
        assert all(after[one] == slot for one, slot in before.items() if one in after)
        kept = {slot for one, slot in after.items() if one in before}
        fresh = sorted(slot for one, slot in after.items() if one not in before)
        free = [slot for slot in range(30) if slot not in kept]
        assert fresh == free[: len(fresh)]


@given(steps_of_holders)
def test_a_restart_seats_everybody_as_before(steps: list[list[int]]) -> None:
    """Seating everybody again from the history gives the slots that watching it live gave."""
    live, spans, begun = Seating(), [], dict[int, int]()
    orders = {sid(n): session(n) for n in range(13)}
    for second, unsorted in enumerate(steps):
        holders = sorted(unsorted)
        for n in [n for n in begun if n not in holders]:
            spans.append(
                Span(sid(n), Phase.WORKING, NOW + timedelta(seconds=begun.pop(n)), NOW + timedelta(seconds=second))
            )
        for n in holders:
            begun.setdefault(n, second)
        live.update([sid(n) for n in sorted(begun, key=lambda n: (begun[n], n))])
    spans += [Span(sid(n), Phase.IDLE, NOW + timedelta(seconds=second), None) for n, second in begun.items()]

    again = Seating()
    again.replay(spans, state(*orders.values()))

    assert again.slots == live.slots


def test_a_change_of_phase_is_no_departure() -> None:
    """Spans that touch are one stay, so a session that fell silent keeps its slot while another leaves."""
    seating = Seating()
    seating.replay(
        [
            Span(sid(1), Phase.WORKING, ago(minutes=9), ago(minutes=5)),
            Span(sid(2), Phase.WORKING, ago(minutes=8), ago(minutes=6)),
            Span(sid(2), Phase.IDLE, ago(minutes=6), None),
        ],
        state(session(1), session(2)),
    )

    assert seating.slots == {sid(2): 1}


def test_cowork_sessions_take_no_seat_in_the_history() -> None:
    """The governor never counts Cowork's own sessions, so they get no tile."""
    seating = Seating()
    seating.replay([Span(sid(1), Phase.WORKING, ago(minutes=9), None)], state(session(1, kind="cowork")))

    assert seating.slots == {}


def test_newcomers_of_one_moment_sit_in_order_of_arrival() -> None:
    """Who got its process first sits first; equal moments go by the order of the log."""
    early = session(9, live_since=ago(hours=2))
    same = [session(n, live_since=ago(hours=1)) for n in (5, 3)]

    assert arrivals(state(*same, early)) == [sid(9), sid(3), sid(5)]


def test_history_is_asked_for_since_the_app_started() -> None:
    """The app's start empties all seats; without it a week is enough."""
    assert replay_from(state(), NOW) == ago(hours=3)
    assert replay_from(state(app=App(running=True)), NOW) == NOW - LONGEST_LOOK_BACK
