"""The life of one session: its window, its picture, its stretches and its numbers."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from app.core.history import Span
from app.core.state import Phase
from app.web.session_life import LONGEST, MOST_STRETCHES, SHORTEST, life_window, numbers, only, picture, stretches
from tests.web.scenes import NOW, ZONE, ago, mark, past, seven_of_eight, sid

MARKS = (
    mark("evicted_for_memory", 30, 5), mark("would_evict", 25, 5), mark("would_evict", 24, 5), mark("put_off", 20, 6),
    mark("app_started", 110), mark("vm_ready", 60),
)  # fmt: skip


@pytest.mark.parametrize(
    ("first", "last", "shown"),
    [
        (ago(hours=2), NOW, timedelta(hours=2)),
        (ago(seconds=3), NOW, SHORTEST),
        (ago(days=40), NOW, LONGEST),
        (NOW, NOW, SHORTEST),
    ],
)
def test_window_holds_the_life(first: object, last: object, shown: timedelta) -> None:
    """It begins before the first moment and ends after the last one, and is neither too short nor too long."""
    window = life_window(first, last)  # type: ignore[arg-type]
    start, end = window.bounds(NOW)

    assert not window.live
    assert end > NOW
    assert shown <= end - start < shown * 1.1 + timedelta(seconds=3)


def test_only_its_own() -> None:
    """Of a history its own spans and marks are left, and what happened to the app."""
    mine = only(past(seven_of_eight(), MARKS), sid(5))

    assert {span.session for span in mine.spans} == {sid(5)}
    assert [one.kind for one in mine.marks] == ["app_started", "evicted_for_memory", "would_evict", "would_evict"]
    assert len(mine.seats) == 3


def test_picture_is_one_lane_on_the_axis() -> None:
    """Its lane reaches now while it lives; a session that has no span has no picture."""
    history = replace(past(seven_of_eight(), MARKS), end=NOW + timedelta(minutes=3))
    shown = picture(history, seven_of_eight(), sid(5), NOW, ZONE)

    assert shown is not None
    assert [name.label for name in shown.names] == ["Meeting notes"]
    assert [bar.kind for bar in shown.lanes[0].bars] == ["working", "next"]
    assert shown.now_x is not None
    assert picture(history, seven_of_eight(), "nobody", NOW, ZONE) is None


def test_stretches_are_told_newest_first() -> None:
    """Each with when, what and for how long; the oldest of many are a number."""
    spans = tuple(
        Span(sid(1), Phase.WORKING if n % 2 else Phase.IDLE, ago(minutes=n), ago(minutes=n - 1) if n > 1 else None)
        for n in range(30, 0, -1)
    )
    rows, more = stretches(replace(past(seven_of_eight()), spans=spans), sid(1), NOW, ZONE)

    assert (len(rows), more) == (MOST_STRETCHES, 30 - MOST_STRETCHES)
    assert (rows[0].start, rows[0].end, rows[0].what, rows[0].span) == ("19:23:00", "now", "working", "1 m 00 s")
    assert (rows[1].end, rows[1].kind) == ("19:23:00", "silent")


def test_numbers_of_a_life() -> None:
    """How often and how long it worked and was silent, and what happened to it; what never happened is left out."""
    rows = {row.name: (row.value, row.tone) for row in numbers(past(seven_of_eight(), MARKS), sid(5), NOW)}

    assert rows == {
        "Turns": ("1 time, 40 m 58 s", "plain"),
        "Silences": ("1 time, 14 m 02 s", "plain"),
        "Closed to free memory": ("1 time", "out"),
        "Named, not closed": ("2 times", "next"),
    }
