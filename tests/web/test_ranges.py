"""Which window an address asks for: names, times in every form, and everything that makes no sense."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from urllib.parse import parse_qsl
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.web.language import speaking
from app.web.ranges import AHEAD, RANGES, STEPS_OF_A_RANGE, Window, asked_for, range_name
from tests.web.scenes import HOSTILE, NOW, ZONE, ago

BERLIN = ZoneInfo("Europe/Berlin")


def fixed(start: datetime, end: datetime, pin: datetime | None = None) -> Window:
    """A window that stands still."""
    return Window(None, start, end, pin)


def utc(day: int, hour: int, minute: int = 0) -> datetime:
    """An instant of October 2026."""
    return datetime(2026, 10, day, hour, minute, tzinfo=UTC)


@pytest.mark.parametrize(
    ("query", "window"),
    [
        ({}, Window("2h")),
        ({"range": "15m"}, Window("15m")),
        ({"range": "7d"}, Window("7d")),
        ({"range": ""}, Window("2h")),
        ({"from": "", "to": " ", "at": ""}, Window("2h")),
        ({"from": "2026-10-02T15:00", "to": "2026-10-02T16:30"}, fixed(utc(2, 6), utc(2, 7, 30))),
        ({"from": "2026-10-02T06:00Z", "to": "2026-10-02T07:30:00+00:00"}, fixed(utc(2, 6), utc(2, 7, 30))),
        ({"from": "2026-10-02T15:00 09:00", "to": "2026-10-02T16:30+0900"}, fixed(utc(2, 6), utc(2, 7, 30))),
        ({"from": "2026-10-02 15:00", "to": "20261002T163000"}, fixed(utc(2, 6), utc(2, 7, 30))),
        ({"from": "2026-10-01", "to": "2026-10-02"}, fixed(utc(1, 0) - timedelta(hours=9), utc(1, 15))),
        ({"from": "2026-10-02T15:00"}, fixed(utc(2, 6), utc(2, 8))),
        ({"from": "2026-10-02T15:00", "range": "15m"}, fixed(utc(2, 6), utc(2, 6, 15))),
        ({"to": "2026-10-02T15:00", "range": "1h"}, fixed(utc(2, 5), utc(2, 6))),
        ({"from": "2026-10-02T15:00", "to": "2026-10-03T15:00"}, fixed(utc(2, 6), utc(3, 6))),
        ({"at": "2026-10-02T15:00"}, fixed(utc(2, 4, 36), utc(2, 6, 36), utc(2, 6))),
        ({"at": "2026-10-02T15:00", "range": "1h"}, fixed(utc(2, 5, 18), utc(2, 6, 18), utc(2, 6))),
        ({"at": "2026-10-02T15:00", "from": "2026-10-02T14:00"}, fixed(utc(2, 5), utc(2, 7), utc(2, 6))),
        ({"from": "2026-09-02", "to": "2026-10-02"}, fixed(utc(1, 15) - timedelta(days=30), utc(1, 15))),
    ],
)
def test_understood(query: dict[str, str], window: Window) -> None:
    """Names of ranges, ISO times of the host's zone or with an offset, one edge alone, a moment with room around."""
    asked = asked_for(query, NOW, ZONE)

    assert (asked.window, asked.problem) == (window, "")


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ({"range": "3h"}, "There is no range “3h”."),
        ({"range": "2H"}, "There is no range “2H”."),
        ({"range": "x" * 100_000}, "There is no range “xxx"),
        ({"range": HOSTILE}, "There is no range “<script>alert"),
        ({"from": "yesterday"}, "“yesterday” is no time such as 2026-10-02T13:40."),
        ({"from": "1759384800"}, "is no time"),
        ({"from": "2026-13-01"}, "is no time"),
        ({"from": "2026-10-02T25:00"}, "is no time"),
        ({"to": "0001-01-01T00:00+14:00"}, "is no time"),
        ({"to": "9999-12-31T23:59:59-14:00"}, "is no time"),
        ({"at": "9" * 5_000}, "is no time"),
        ({"at": "\x00"}, "is no time"),
        ({"from": "2026-10-02T15:00", "to": "2026-10-02T15:00"}, "ends before it begins"),
        ({"from": "2026-10-02T15:00", "to": "2026-10-02T14:00"}, "ends before it begins"),
        ({"from": "2026-10-02T15:00", "to": "2026-10-02T15:00:30"}, "shorter than a minute"),
        ({"from": "2026-08-01", "to": "2026-10-01"}, "longer than 31 days"),
        ({"from": "2026-10-03T15:00"}, "begins at 3 Oct, 15:00; that has not come yet"),
        ({"at": "2027-01-01"}, "has not come yet"),
    ],
)
def test_not_understood(query: dict[str, str], problem: str) -> None:
    """What makes no sense is named in a sentence, cut short, and the usual range is shown instead."""
    asked = asked_for(query, NOW, ZONE)

    assert asked.window == Window("2h")
    assert problem in asked.problem
    assert asked.problem.endswith("Shown instead: the last 2 h.")
    assert len(asked.problem) < 160
    assert "\x1b" not in asked.problem


@given(st.dictionaries(st.sampled_from(["range", "from", "to", "at", "lang"]), st.text(max_size=60)))
def test_anything_gets_an_answer(query: dict[str, str]) -> None:
    """Whatever the values are there is a window, and it is live where something was wrong."""
    asked = asked_for(query, NOW, ZONE)

    assert asked.window.live or not asked.problem


@given(
    st.datetimes(datetime(2026, 1, 1), datetime(2026, 9, 1)),  # noqa: DTZ001  a wall time
    st.integers(1, 31 * 24 * 60),
    st.booleans(),
)
def test_addresses_round_trip(start: datetime, minutes: int, pinned: bool) -> None:
    """The address of a fixed window opens the same window, in whatever zone the reader then is."""
    begin = start.replace(microsecond=0, tzinfo=UTC)
    window = fixed(begin, begin + timedelta(minutes=minutes), begin if pinned else None)
    asked = asked_for(dict(parse_qsl(window.query())), NOW, timezone(timedelta(hours=-7)))

    assert asked.window == window


@pytest.mark.parametrize("name", RANGES)
def test_live_windows_move_in_steps(name: str) -> None:
    """A live window stands still for a sixteenth of its length; now is always in it, near its end."""
    window = Window(name)
    step = window.length / STEPS_OF_A_RANGE
    moments = [NOW + step * n / 50 for n in range(200)]
    bounds = [window.bounds(at) for at in moments]

    assert {end - start for start, end in bounds} == {RANGES[name]}
    assert 4 <= len(set(bounds)) <= 5
    assert all(
        window.length * AHEAD <= end - at <= step + window.length * AHEAD
        for (_s, end), at in zip(bounds, moments, strict=True)
    )
    assert dict(parse_qsl(window.query())) == {"range": name}


def test_local_times_at_a_change_of_clock() -> None:
    """The hour that comes twice means its first one; the one that is left out is the instant it would have been."""
    twice = asked_for({"from": "2025-10-26T02:30", "to": "2025-10-26T03:30"}, NOW, BERLIN).window
    never = asked_for({"from": "2026-03-29T02:30", "to": "2026-03-29T04:30"}, NOW, BERLIN).window

    assert twice.length == timedelta(hours=2)
    assert never.start == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)


def test_ranges_have_names() -> None:
    """Tabs say a day as hours and a week as days, in the language of the page."""
    with speaking("ja"):
        japanese = [range_name(name) for name in RANGES]

    assert [range_name(name) for name in RANGES] == ["15 m", "1 h", "2 h", "6 h", "24 h", "7 d"]
    assert japanese == ["15分", "1時間", "2時間", "6時間", "24時間", "7日"]
    assert Window("24h").length == NOW - ago(hours=24)


def test_the_usual_range_can_be_another() -> None:
    """Who asks for nothing, or for nothing that makes sense, gets the range that the settings prefer."""
    assert asked_for({}, NOW, ZONE, "6h").window == Window("6h")
    assert asked_for({"range": "9y"}, NOW, ZONE, "6h").window == Window("6h")
    assert asked_for({"range": "1h"}, NOW, ZONE, "6h").window == Window("1h")
