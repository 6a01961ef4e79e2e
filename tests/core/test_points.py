"""Points of many samples, points of many points, and the trend that grows in memory."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from app.core.points import LEAST, MEASURES, MINUTE, MOST, QUARTER, Point, Trend, downsampled, step_start, thinned
from tests.core.helpers import NOON, after

NUMBERS = st.none() | st.integers(0, 100_000)
RAW_POINTS = st.lists(
    st.tuples(st.integers(0, 4000), NUMBERS, NUMBERS), max_size=60, unique_by=lambda one: one[0]
).map(lambda found: [Point(after(at), available_mb=a, available_low_mb=a, ports=p, ports_high=p)
                     for at, a, p in sorted(found, key=lambda one: one[0])])  # fmt: skip


def ports(minute: float, taken: int | None) -> Point:
    """A point of so many ports."""
    return Point(after(60 * minute), ports=taken, ports_high=taken)


def test_steps_are_counted_from_1970() -> None:
    """A quarter begins at a round time of UTC, whatever the zone of the instant."""
    at = datetime(2026, 10, 2, 12, 14, 59, 999_999, tzinfo=UTC)

    assert step_start(at, QUARTER) == NOON
    assert step_start(at.astimezone(), MINUTE) == after(14 * 60)


@given(RAW_POINTS)
def test_step_has_mean_least_and_most_of_what_is_known(raw: list[Point]) -> None:
    """A mean of what is known, in whole numbers; the least free memory and the most ports are not lost in it."""
    found = downsampled(raw, MINUTE)

    assert [one.at for one in found] == sorted({step_start(one.at, MINUTE) for one in raw})
    for one in found:
        within = [point for point in raw if step_start(point.at, MINUTE) == one.at]
        for name in MEASURES:
            known = [value for point in within if (value := getattr(point, name)) is not None]
            how = min if name in LEAST else max if name in MOST else (lambda values: sum(values) // len(values))
            assert getattr(one, name) == (how(known) if known else None)


@given(RAW_POINTS)
def test_trend_is_the_minutes_of_all_that_was_added(raw: list[Point]) -> None:
    """The trend in memory and the points in the store are the same."""
    trend = Trend()
    for one in raw:
        trend.add(one)

    assert list(trend.window(NOON, after(5000))) == downsampled(raw, MINUTE)


def test_trend_goes_on_from_what_was_kept() -> None:
    """A minute that the end of the process cut in two is the newer half's, and a window is cut to its bounds."""
    trend = Trend()
    trend.begin([ports(0, 10), ports(1, 11), ports(2, 12)])
    trend.add(ports(2.5, 30))

    assert [one.ports for one in trend.window(NOON, after(200))] == [10, 11, 12]
    trend.add(ports(3, 40))
    assert [one.ports for one in trend.window(NOON, after(200))] == [10, 11, 30, 40]
    assert [one.ports for one in trend.window(after(60), after(120))] == [11, 30]


def test_clock_that_was_set_back_leaves_the_order() -> None:
    """What lay after the new time is told again by what comes."""
    trend = Trend()
    for minute, taken in ((0, 1), (1, 2), (2, 3), (1, 4), (2, 5)):
        trend.add(ports(minute, taken))

    assert [one.ports for one in trend.window(NOON, after(200))] == [1, 4, 5]


def test_trend_forgets_what_is_older_than_it_keeps() -> None:
    """It is dropped in pieces of an hour or so."""
    trend = Trend(timedelta(minutes=30))
    for minute in range(200):
        trend.add(ports(minute, minute))

    found = trend.window(NOON, after(60 * 200))
    assert 30 <= len(found) <= 30 + MINUTE + 2
    assert found[-1].ports == 199


def test_picture_has_at_most_so_many_points() -> None:
    """Neighbours become one, and its highest stays."""
    many = [ports(minute, minute) for minute in range(100)]

    found = thinned(many, 30)
    assert thinned(many, 100) == many
    assert (len(found), found[0].at, found[-1].ports_high, found[0].ports) == (25, NOON, 99, 1)
