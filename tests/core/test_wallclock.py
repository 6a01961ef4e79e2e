"""Local stamps to instants, over every kind of change of the clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.wallclock import MAX_HOURS, ClockState, WallClock

# zone, stamps in file order with the UTC time of each
TABLES: list[tuple[str, list[tuple[str, str]]]] = [
    (
        "Europe/Berlin",
        [
            ("2026-10-25 01:59:59", "2026-10-24 23:59:59"),
            ("2026-10-25 02:10:00", "2026-10-25 00:10:00"),
            ("2026-10-25 02:59:59", "2026-10-25 00:59:59"),
            ("2026-10-25 02:00:01", "2026-10-25 01:00:01"),
            ("2026-10-25 02:59:59", "2026-10-25 01:59:59"),
            ("2026-10-25 03:00:00", "2026-10-25 02:00:00"),
        ],
    ),
    (
        "America/New_York",
        [
            ("2026-11-01 00:59:59", "2026-11-01 04:59:59"),
            ("2026-11-01 01:50:00", "2026-11-01 05:50:00"),
            ("2026-11-01 01:48:00", "2026-11-01 05:48:00"),  # two minutes: a clock set right
            ("2026-11-01 01:02:00", "2026-11-01 06:02:00"),
            ("2026-11-01 01:01:00", "2026-11-01 06:01:00"),
            ("2026-11-01 01:30:00", "2026-11-01 06:30:00"),
            ("2026-11-01 02:00:00", "2026-11-01 07:00:00"),
        ],
    ),
    (
        "Australia/Lord_Howe",
        [
            ("2026-04-05 01:29:59", "2026-04-04 14:29:59"),
            ("2026-04-05 01:45:00", "2026-04-04 14:45:00"),
            ("2026-04-05 01:59:59", "2026-04-04 14:59:59"),
            ("2026-04-05 01:30:00", "2026-04-04 15:00:00"),
            ("2026-04-05 01:59:59", "2026-04-04 15:29:59"),
            ("2026-04-05 02:00:00", "2026-04-04 15:30:00"),
        ],
    ),
    (
        "Asia/Tokyo",
        [
            ("2026-10-25 02:59:59", "2026-10-24 17:59:59"),
            ("2026-10-25 02:00:00", "2026-10-24 17:00:00"),  # no changes there: an earlier time, no more
            ("2026-10-25 02:00:01", "2026-10-24 17:00:01"),
        ],
    ),
    (
        "Europe/Berlin",
        [
            ("2026-03-29 01:59:59", "2026-03-29 00:59:59"),
            ("2026-03-29 02:30:00", "2026-03-29 01:30:00"),  # inside the gap: does not exist, is not refused
            ("2026-03-29 03:00:00", "2026-03-29 01:00:00"),
        ],
    ),
    (
        "Europe/Berlin",
        [
            ("2025-10-26 02:50:00", "2025-10-26 00:50:00"),
            ("2025-10-26 02:05:00", "2025-10-26 01:05:00"),
            ("2026-10-25 02:05:00", "2026-10-25 00:05:00"),  # next year's change begins anew
            ("2026-10-25 02:50:00", "2026-10-25 00:50:00"),
            ("2026-10-25 02:10:00", "2026-10-25 01:10:00"),
        ],
    ),
    (
        "Europe/Berlin",
        [
            ("2026-10-25 02:50:00", "2026-10-25 00:50:00"),
            ("2026-10-25 03:10:00", "2026-10-25 02:10:00"),
            ("2026-10-25 02:55:00", "2026-10-25 01:55:00"),  # soon after the change: its second pass
            ("2026-11-20 12:00:00", "2026-11-20 11:00:00"),
            ("2025-10-26 02:30:00", "2025-10-26 00:30:00"),  # a year back is no change of the clock
            ("2025-10-25 12:00:00", "2025-10-25 10:00:00"),
        ],
    ),
]


@pytest.mark.parametrize(("zone", "table"), TABLES)
def test_changes(zone: str, table: list[tuple[str, str]]) -> None:
    """Each stamp of the table gets its instant, with the clock carried over a restart after every one too."""
    through, state = WallClock(ZoneInfo(zone)), ClockState()
    for stamp, utc in table:
        expected = datetime.fromisoformat(utc).replace(tzinfo=UTC)
        assert through.utc(stamp.encode()) == expected
        again = WallClock(ZoneInfo(zone), state)
        assert again.utc(stamp.encode()) == expected
        assert again.newest == expected
        state = again.state
        assert state == through.state


@pytest.mark.parametrize(
    "stamp",
    [
        b"2026-13-45 00:00:00",
        b"2026-02-30 10:00:00",
        b"2026-10-02 24:00:00",
        b"2026-10-02 23:60:00",
        b"0001-01-01 00:00:00",
        b"9999-12-31 23:59:59",
        b"2026-W01-1 10:00:00",
        b"2026-10-2  10:00:00",
        b"\xff026-10-02 10:00:00",
        b"",
    ],
)
def test_no_such_time(stamp: bytes) -> None:
    """What is no date or time gives None and leaves the clock as it was."""
    clock = WallClock(ZoneInfo("Europe/Berlin"))
    assert clock.newest is None
    assert not clock.started
    clock.utc(b"2026-10-02 10:00:00")
    before = clock.state
    assert clock.utc(stamp) is None
    assert clock.state == before
    assert clock.started


def test_a_zone_without_changes() -> None:
    """A fixed offset serves as a zone."""
    clock = WallClock(timezone(timedelta(hours=9)))
    assert clock.utc(b"2026-10-02 13:41:30") == datetime(2026, 10, 2, 4, 41, 30, tzinfo=UTC)


@given(st.lists(st.datetimes(datetime(2026, 10, 25), datetime(2026, 10, 25, 5)), min_size=1, max_size=12))  # noqa: DTZ001
def test_a_second_reading_changes_nothing(times: list[datetime]) -> None:
    """A clock restored from a state reads the stamp that it had read last the same once more."""
    zone = ZoneInfo("Europe/Berlin")
    clock = WallClock(zone)
    for time in times:
        stamp = f"{time:%Y-%m-%d %H:%M:%S}".encode()
        read = clock.epoch(stamp)
        assert WallClock(zone, clock.state).epoch(stamp) == read


@pytest.mark.parametrize(
    ("stamps", "plain"),
    [
        ([b"2026-10-24 23:59:59", b"2026-10-25 00:00:00"], True),
        ([b"2026-10-25 01:59:59", b"2026-10-25 02:00:00"], False),
        ([b"2026-03-29 02:30:00"], False),
        ([b"2026-10-24 12:60:00"], False),
        ([b"2026-13-24 12:00:00"], False),
        ([b"  at somewhere deep"], False),
        ([], True),
    ],
)
def test_times_that_their_order_does_not_change(stamps: list[bytes], plain: bool) -> None:
    """All but the hours of a change, and what is no time, can be read each by itself."""
    clock = WallClock(ZoneInfo("Europe/Berlin"))
    assert clock.is_plain(stamps) is plain
    assert clock.newest is None


def test_many_hours_are_read_alike() -> None:
    """A log of years is read as one of a day, while what is remembered of its hours stays bounded."""
    clock, start = WallClock(UTC), datetime(2020, 1, 1, tzinfo=UTC)
    hours = [start + timedelta(hours=number) for number in range(MAX_HOURS + 10)]
    assert [clock.utc(f"{hour:%Y-%m-%d %H:%M:%S}".encode()) for hour in hours] == hours
    assert len(clock._starts) <= MAX_HOURS
    assert clock.utc(b"2020-01-01 00:00:00") == start
