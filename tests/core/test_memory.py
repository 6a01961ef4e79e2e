"""Whether child processes pile up, from the readings of an hour."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.events import MemorySampled
from app.core.memory import APART, KEPT, ChildReadings, children_per_hour, with_reading
from app.core.state import State
from tests.core.helpers import NOON, after, state_after


def sample(minutes: float, children: int | None) -> MemorySampled:
    """A reading so many minutes after noon."""
    return MemorySampled(
        at=after(minutes * 60),
        trigger="interval",
        tree_rss_mb=None,
        tree_footprint_mb=None,
        electron_count=None,
        electron_mb=None,
        child_count=children,
        child_mb=None,
        free_mb=None,
        total_mb=None,
        free_raw_mb=None,
    )


def readings(*samples: MemorySampled) -> ChildReadings:
    """What is kept of these readings."""
    kept: ChildReadings = ()
    for one in samples:
        kept = with_reading(kept, one)
    return kept


def test_a_reading_without_a_count_is_none() -> None:
    """Builds that do not count their children leave nothing to compare."""
    assert readings(sample(0, None)) == ()
    assert readings(sample(0, 3), sample(9, None)) == ((NOON, 3),)


def test_readings_are_thinned_out() -> None:
    """Of the readings of five minutes the first is kept."""
    assert readings(sample(0, 1), sample(4.9, 2), sample(5, 3), sample(9, 4)) == ((NOON, 1), (after(300), 3))


def test_readings_older_than_an_hour_go() -> None:
    """The oldest reading kept is an hour old at most."""
    kept = readings(sample(0, 1), sample(30, 2), sample(60, 3), sample(61, 4), sample(66, 5))

    assert kept == ((after(1800), 2), (after(3600), 3), (after(3960), 5))


def test_a_clock_that_went_back_begins_anew() -> None:
    """Readings from after the present moment are dropped: they would make a growth of negative time."""
    assert readings(sample(0, 1), sample(50, 9), sample(20, 2)) == ((NOON, 1), (after(1200), 2))


@given(st.lists(st.tuples(st.integers(-90, 90), st.none() | st.integers(0, 2000)), max_size=40))
def test_readings_stay_ordered_and_few(steps: list[tuple[int, int | None]]) -> None:
    """Whatever the clock does: in the order of time, apart from each other, within the last hour."""
    minute, samples = 0, []
    for step, children in steps:
        minute += step
        samples.append(sample(minute, children))
    kept = readings(*samples)

    instants = [at for at, _ in kept]
    assert instants == sorted(set(instants))
    assert not kept or instants[-1] - instants[0] <= KEPT
    assert len(kept) <= KEPT / timedelta(minutes=1) + 1


@pytest.mark.parametrize(
    ("samples", "growth"),
    [
        ((), None),
        ((sample(0, None),), None),
        ((sample(0, 10),), None),
        ((sample(0, 10), sample(14, 90)), None),
        ((sample(0, 10), sample(15, 40)), 120.0),
        ((sample(0, 10), sample(30, 10)), 0.0),
        ((sample(0, 40), sample(30, 10)), -60.0),
        ((sample(0, 10), sample(30, 40), sample(31, None)), None),
        ((sample(0, 10), sample(30, 40), sample(100, 90)), None),
    ],
)
def test_growth_is_told_once_it_was_watched(samples: tuple[MemorySampled, ...], growth: float | None) -> None:
    """From a quarter of an hour on, by the hour; before that, or without a count, nothing is said."""
    assert children_per_hour(state_after(*samples)) == growth


def test_a_count_without_readings_says_nothing() -> None:
    """A state that has a newest reading and none to compare it with tells no growth."""
    assert children_per_hour(State(memory=sample(0, 5))) is None
    assert timedelta(minutes=5) == APART
