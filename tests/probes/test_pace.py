"""How often a probe looks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.probes.pace import QUICK_MS, SLOW_MS, SLOWEST, Pace


def test_slow_looks_double_the_interval_up_to_a_bound() -> None:
    """Each look over 200 ms doubles the interval until it is eight times its own length."""
    pace, intervals = Pace(10.0), []
    for _ in range(6):
        pace = pace.after(250.0)
        intervals.append(pace.interval)

    assert intervals == [20.0, 40.0, 80.0, 80.0, 80.0, 80.0]


def test_quick_looks_bring_it_back() -> None:
    """Each look well below the limit halves the interval, down to what was wanted."""
    pace, intervals = Pace(5.0, SLOWEST), []
    for _ in range(5):
        pace = pace.after(8.0)
        intervals.append(pace.interval)

    assert intervals == [20.0, 10.0, 5.0, 5.0, 5.0]


@pytest.mark.parametrize("taken", [QUICK_MS, 150.0, SLOW_MS])
def test_a_look_in_between_changes_nothing(taken: float) -> None:
    """A look that is neither slow nor clearly quick leaves the pace as it is, so that it does not alternate."""
    assert Pace(10.0, 4).after(taken) == Pace(10.0, 4)
    assert Pace(10.0).after(taken) == Pace(10.0)


@given(st.lists(st.floats(0, 5000), max_size=40))
def test_pace_stays_within_its_bounds(looks: list[float]) -> None:
    """Whatever looks take, the interval is between what was wanted and eight times that."""
    pace = Pace(10.0)
    for taken in looks:
        pace = pace.after(taken)
        assert 10.0 <= pace.interval <= 80.0
