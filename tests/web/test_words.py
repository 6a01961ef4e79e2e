"""How times, sizes, ranks and states are said."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from typing import get_args

import pytest

from app.core.state import Phase, Protection
from app.web.looks import Look
from app.web.words import (
    _,
    clock,
    gigabytes,
    level_word,
    moment,
    n_,
    number,
    ordinal,
    phase_word,
    platform_word,
    protection_word,
    span_brief,
    span_clock,
    span_short,
    span_words,
    told_when,
    zone_name,
)
from tests.web.scenes import NOW, ZONE, past, state


@pytest.mark.parametrize(
    ("seconds", "words", "short", "brief", "face"),
    [
        (0, "1 second", "0 s", "0 s", "0:00"),
        (1, "1 second", "1 s", "1 s", "0:01"),
        (59, "59 seconds", "59 s", "59 s", "0:59"),
        (60, "1 minute", "1 m 00 s", "1 m", "1:00"),
        (842, "14 minutes", "14 m 02 s", "14 m", "14:02"),
        (3_599, "59 minutes", "59 m 59 s", "59 m", "59:59"),
        (11_110, "3 hours", "3 h 05 m", "3 h", "3:05:10"),
        (90_000, "1 day", "1 d 1 h", "1 d", "25:00:00"),
        (259_200, "3 days", "3 d 0 h", "3 d", "72:00:00"),
    ],
)
def test_lengths_of_time(seconds: int, words: str, short: str, brief: str, face: str) -> None:
    """Each place on the page has its form of a length of time."""
    assert (span_words(seconds), span_short(seconds), span_brief(seconds), span_clock(seconds)) == (
        words,
        short,
        brief,
        face,
    )


class Nameless(tzinfo):
    """A zone that has no abbreviation."""

    def tzname(self, _at: datetime | None) -> None:
        """None."""

    def utcoffset(self, _at: datetime | None) -> timedelta:
        """That of UTC."""
        return timedelta()

    def dst(self, _at: datetime | None) -> timedelta:
        """None."""
        return timedelta()


def test_times_are_local() -> None:
    """The page speaks the host's time, and names the day when it is another."""
    assert clock(NOW, ZONE) == "19:24:00"
    assert clock(NOW, ZONE, seconds=False) == "19:24"
    assert moment(NOW - timedelta(minutes=26), NOW, ZONE) == "18:58"
    assert moment(datetime(2026, 9, 30, 1, tzinfo=UTC), NOW, ZONE) == "30 Sep, 10:00"
    assert moment(datetime(2025, 9, 30, 1, tzinfo=UTC), NOW, ZONE, seconds=True) == "30 Sep 2025, 10:00:00"
    assert (zone_name(NOW, ZONE), zone_name(NOW, Nameless())) == ("JST", "local time")


@pytest.mark.parametrize(
    ("mb", "said"), [(1946, "1.9 GB"), (24576, "24 GB"), (4096, "4 GB"), (512, "0.5 GB"), (9318, "9.1 GB")]
)
def test_sizes(mb: int, said: str) -> None:
    """Sizes have one decimal below ten unless they are whole."""
    assert gigabytes(mb) == said


def test_numbers_and_places() -> None:
    """Thousands are set apart and places have their endings."""
    assert number(3837) == "3,837"
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 102, 111)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th",
    ]  # fmt: skip


def test_messages_pass_through_one_door() -> None:
    """`_` gives the message, `n_` the form for the number, with the number in it."""
    assert _("seats") == "seats"
    assert (n_("{n} seat", "{n} seats", 1), n_("{n} seat", "{n} seats", 1200)) == ("1 seat", "1,200 seats")


def test_every_word_exists() -> None:
    """Each phase, protection and level has a word, and no two phases share one."""
    assert len({phase_word(phase) for phase in Phase}) == len(Phase)
    assert all(protection_word(one) for one in get_args(Protection))
    assert [level_word(level) for level in ("normal", "warning", "critical", "unknown")][-1] == "not reported yet"
    assert [platform_word(one) for one in ("darwin", "win32", "linux", "haiku")] == [
        "macOS",
        "Windows",
        "Linux",
        "haiku",
    ]


def test_who_looks_tells_times_to_the_second() -> None:
    """Everything that is looked at from a moment says times in one form: today's bare, others with their date."""
    look = Look(past(state()), state(), NOW, ZONE, {})

    assert look.when(NOW - timedelta(minutes=1)) == told_when(look, NOW - timedelta(minutes=1)) == "19:23:00"
    assert look.when(NOW - timedelta(days=1)) == "1 Oct, 19:24:00"
