"""The time axis: round local times in every zone and across every change of clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from app.web.language import speaking
from app.web.shapes import Axis
from app.web.timeline_axis import ticks
from tests.web.scenes import NOW, ZONE


@pytest.mark.parametrize(
    ("length", "labels"),
    [
        (timedelta(minutes=15), ["19:10", "19:12", "19:14", "19:16", "19:18", "19:20", "19:22", "19:24"]),
        (timedelta(hours=2), ["17:30", "17:45", "18:00", "18:15", "18:30", "18:45", "19:00", "19:15"]),
        (timedelta(hours=24), ["21:00", "2 Oct", "03:00", "06:00", "09:00", "12:00", "15:00", "18:00"]),
        (timedelta(days=7), ["26 Sep", "27 Sep", "28 Sep", "29 Sep", "30 Sep", "1 Oct", "2 Oct"]),
    ],
)
def test_axis_has_round_local_times(length: timedelta, labels: list[str]) -> None:
    """From a quarter of an hour to a week the axis has a handful of round times of the host's zone."""
    assert [tick.label for tick in ticks(Axis(NOW - length, NOW), ZONE)] == labels


def test_axis_is_local_where_zones_are_odd_or_change() -> None:
    """Zones of a quarter of an hour and the hour that comes twice keep round labels."""
    odd = ticks(Axis(NOW - timedelta(hours=6), NOW), ZoneInfo("Asia/Kathmandu"))
    autumn = datetime(2026, 10, 25, 2, tzinfo=UTC)
    fold = ticks(Axis(autumn - timedelta(hours=6), autumn), ZoneInfo("Europe/Berlin"))

    assert {tick.label[-2:] for tick in odd} == {"00"}
    assert [tick.label for tick in fold].count("02:00") == 2


@pytest.mark.parametrize(
    ("zone", "night", "hours", "labels"),
    [
        ("Europe/Berlin", datetime(2026, 10, 25, tzinfo=UTC), 6, ["02:00", "02:00", "03:00", "04:00", "05:00"]),
        ("Europe/Berlin", datetime(2026, 3, 29, tzinfo=UTC), 6, ["01:00", "03:00", "04:00", "05:00", "06:00", "07:00"]),
        ("America/New_York", datetime(2026, 11, 1, 5, tzinfo=UTC), 4, ["01:00", "01:30", "01:00", "01:30", "02:00"]),
        ("America/New_York", datetime(2026, 3, 8, 6, tzinfo=UTC), 4, ["01:00", "01:30", "03:00", "03:30", "04:00"]),
    ],
)
def test_nights_in_which_the_clock_is_changed(zone: str, night: datetime, hours: int, labels: list[str]) -> None:
    """An hour that comes twice has two lines, one that is left out has none, and all stand evenly apart."""
    found = ticks(Axis(night - timedelta(minutes=10), night + timedelta(hours=hours)), ZoneInfo(zone))
    apart = {round(b.x - a.x, 1) for a, b in pairwise(found)}

    assert [tick.label for tick in found][: len(labels)] == labels
    assert len(apart) <= 2
    assert max(apart) - min(apart) < 0.2


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe"])
@pytest.mark.parametrize("change", [datetime(2026, 10, 25, tzinfo=UTC), datetime(2026, 3, 29, tzinfo=UTC)])
def test_days_of_a_week_begin_at_midnight(zone: str, change: datetime) -> None:
    """Over a change of clock each day of a week is named once, at its own midnight; a day of 23 hours is narrower."""
    axis = Axis(change - timedelta(days=3, hours=5), change + timedelta(days=3, hours=19))
    found = ticks(axis, ZoneInfo(zone))
    names = [tick.label for tick in found]
    lengths = [round((b.x - a.x) / axis.scale / 3600, 1) for a, b in pairwise(found)]

    assert len(names) == len(set(names)) == 7
    assert set(lengths) <= {23.0, 23.5, 24.0, 24.5, 25.0, 23.9, 24.1, 22.9, 23.1, 24.9, 25.1}
    assert not any(tick.day for tick in found)


def test_midnight_is_named_by_its_day_in_the_pages_language() -> None:
    """In a window over midnight the day that begins is named, once, and stands out."""
    axis = Axis(NOW - timedelta(hours=24), NOW)
    with speaking("ja"):
        (japanese,) = [tick.label for tick in ticks(axis, ZONE) if tick.day]

    assert [tick.label for tick in ticks(axis, ZONE) if tick.day] == ["2 Oct"]
    assert japanese == "10月2日"


def test_a_month_has_a_handful_of_days() -> None:
    """The longest window has one line every few days."""
    assert 4 <= len(ticks(Axis(NOW - timedelta(days=31), NOW), ZONE)) <= 10
