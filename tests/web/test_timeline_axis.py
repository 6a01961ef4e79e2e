"""The time axis: round local times in every zone and across every change of clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

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
