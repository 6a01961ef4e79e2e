"""What the probes saw over the page's range: lines on the timeline's axis, and the same as a table."""

from __future__ import annotations

import re
from datetime import timedelta

from app.core.history import History
from app.core.points import Point
from app.core.ports import line_named
from app.web.looks import Look
from app.web.machine_views import TrendView
from app.web.shapes import Axis
from app.web.timeline_views import Tick
from app.web.trends import HEIGHT, MOST_POINTS, TABLE_ROWS, Curve, labelled, path, trends, until
from tests.web.scenes import NOW, ZONE, ago, seven_of_eight

LOOK = Look(History(ago(hours=2), NOW), seven_of_eight(), NOW, ZONE, {})
PORTS = Curve("In use", lambda one: one.ports_high, str)


def point(minutes: float, taken: int | None = 100, **fields: int) -> Point:
    """A point so many minutes ago."""
    return Point(ago(minutes=minutes), ports_high=taken, ports_claude=taken, **fields)


POINTS = [
    point(m, 100 + m, total_mb=24_576, available_low_mb=2048, claude_mb=4096, swap_mb=1024) for m in range(119, 0, -1)
]


def drawn(place: str, points: list[Point]) -> TrendView:
    """The trend of one card on a line of v6 Plus."""
    return trends(LOOK, points, line_named("v6plus"))[place]


def test_ports_against_the_budget() -> None:
    """The upper edge is the budget while less is taken; the limit is drawn, the axis is the timeline's."""
    view = drawn("ports-trend", POINTS)

    assert (view.limit, view.limit_y, view.top) == ("240", 0.0, "240")
    assert [(one.kind, one.label) for one in view.lines] == [
        ("first", "In use 102 to 219"), ("second", "Claude 101 to 218"),
    ]  # fmt: skip
    assert view.summary == "IPv4 ports, 17:24:00 to 19:24:00"
    assert [one.label for one in view.ticks] == ["17:30", "18:00", "18:30", "19:00"]
    full = drawn("ports-trend", [point(2, 480), point(1, 240)])
    assert (full.limit_y, full.top) == (HEIGHT / 2, "480")


def test_a_card_names_even_times_of_the_timelines_axis() -> None:
    """Those at its edges have no room; of the others every second is named, with the whole hours among them."""
    found = tuple(Tick(n * 12.5, f"{11 + n // 4}:{n % 4 * 15:02}", major=n % 4 == 0) for n in range(9))

    assert [one.label for one in labelled(found)] == ["11:30", "12:00", "12:30"]
    assert labelled(()) == ()


def test_memory_is_drawn_against_all_of_it() -> None:
    """Free memory by its least, Claude's, and swap; three lines that differ in more than colour."""
    view = drawn("memory-trend", POINTS)

    assert (view.top, view.limit_y) == ("24 GB", None)
    assert [(one.kind, one.label) for one in view.lines] == [
        ("first", "Free 2 GB to 2 GB"), ("second", "Claude 4 GB to 4 GB"), ("third", "Swap 1 GB to 1 GB"),
    ]  # fmt: skip


def test_table_says_the_same_in_few_rows() -> None:
    """Who cannot see the picture reads it: times and numbers, a dash where nothing is known."""
    view = drawn("ports-trend", POINTS)

    assert view.heads == ("Time", "In use", "Claude")
    assert len(view.table) == TABLE_ROWS
    assert view.table[-1] == ("19:01:00", "123", "111")
    few = drawn("memory-trend", [point(3, total_mb=8, swap_mb=4), point(2, total_mb=8, swap_mb=4, claude_mb=2)])
    assert [row[1] for row in few.table] == ["–", "0.0 GB"]


def test_nothing_that_was_seen_is_no_picture() -> None:
    """No point in the window, one alone, or only zeros."""
    outside = [point(200), point(190)]

    for points in ([], [point(3)], outside, [point(3, None), point(2, None)]):
        assert drawn("ports-trend", points).lines == ()
    assert drawn("vm-trend", [point(3, cowork_mb=0), point(2, cowork_mb=0)]).lines == ()


def test_line_breaks_where_nothing_was_seen() -> None:
    """A pause of the probes, or a measure that was not known, is a gap and no slope."""
    axis = Axis(ago(hours=2), NOW)
    whole = path([point(4), point(3), point(2)], PORTS, axis, 240)
    paused = path([point(40), point(20), point(19)], PORTS, axis, 240)
    unknown = path([point(4), point(3, None), point(2)], PORTS, axis, 240)

    assert [re.findall("[ML]", one) for one in (whole, paused, unknown)] == [
        ["M", "L", "L"], ["M", "M", "L"], ["M", "M"],
    ]  # fmt: skip


def test_long_range_has_no_more_points_than_room() -> None:
    """A week of minutes is a few dozen points, and its highest is among them."""
    look = Look(History(ago(days=7), NOW), seven_of_eight(), NOW, ZONE, {})
    week = [point(m, 239 if m == 5000 else 100) for m in range(10_080, 0, -1)]
    view = trends(look, week, None)["ports-trend"]

    assert len(re.findall("[ML]", view.lines[0].path)) <= MOST_POINTS
    assert view.lines[0].label == "In use 100 to 239"
    assert view.limit_y is None


def test_picture_ends_with_the_last_whole_step() -> None:
    """The one that goes on changes with every look, and the picture should not. A step is a point wide."""
    quarter, day = timedelta(minutes=15), timedelta(hours=24)

    assert until(NOW + timedelta(seconds=59), quarter) == NOW - timedelta(microseconds=1)
    assert {until(NOW + timedelta(minutes=m), day) for m in range(6, 36)} == {
        NOW + timedelta(minutes=6) - timedelta(microseconds=1)
    }
