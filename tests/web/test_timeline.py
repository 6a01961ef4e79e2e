"""The timeline's geometry: lanes, rows, axis, bands, gaps, and its weight."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from app.core.history import Band, Gap, History, SeatStep, Span
from app.core.state import Phase, State
from app.web.rendering import Renderer
from app.web.shapes import Axis
from app.web.timeline import (
    MOST_BARS,
    MOST_LANES,
    WINDOW,
    Rows,
    choose_lanes,
    ticks,
    timeline,
    window_of,
)
from app.web.timeline_views import TimelineView
from tests.web.scenes import HOSTILE, NOW, ROOT, ZONE, ago, mark, past, session, seven_of_eight, sid, state

SLOTS = {sid(n): n - 1 for n in range(1, 8)}


def drawn(current: State | None = None, history: History | None = None) -> TimelineView:
    """The timeline of a state with its history, in the page's own window."""
    current = current or seven_of_eight()
    start, end = window_of(NOW)
    return timeline(replace(history or past(current), start=start, end=end), current, NOW, ZONE, SLOTS)


def a_day_of(count: int) -> tuple[State, History]:
    """So many sessions that change between work and silence every two minutes for a day, and a mark every minute."""
    current = state(*(session(n, Phase.IDLE, idle=100 + n) for n in range(count)))
    spans = []
    for n in range(count):
        begun = ago(hours=24) + timedelta(seconds=n)
        while begun < ago(minutes=5):
            middle, end = begun + timedelta(minutes=2), begun + timedelta(minutes=4)
            spans += [Span(sid(n), Phase.WORKING, begun, middle), Span(sid(n), Phase.IDLE, middle, end)]
            begun = end
    marks = tuple(
        mark(kind, minutes, minutes % count, text=HOSTILE * 3)
        for minutes in range(1440, 0, -1)
        for kind in ("put_off", "would_evict")
    )  # fmt: skip
    steps = tuple(SeatStep(ago(minutes=m), m % 11, 8) for m in range(1440, 0, -1))
    start, end = window_of(NOW, timedelta(hours=24))
    return current, replace(past(current), start=start, end=end, spans=tuple(spans), marks=marks, seats=steps)


def test_window_leaves_room_ahead() -> None:
    """The window is two hours long, and now is inside it."""
    start, end = window_of(NOW)

    assert end - start == WINDOW
    assert start < NOW < end


def test_lanes_stand_in_the_order_of_the_tiles() -> None:
    """A lane is found where its tile is; who has no process stands below and is dimmed."""
    current = seven_of_eight()
    gone = session(9, Phase.EVICTED, title="Photo index", since=ago(minutes=26), idle_since=None)
    current = replace(current, sessions={**current.sessions, gone.id: gone})
    view = drawn(current)

    assert [lane.label for lane in view.lanes] == [
        "Task 1", "Task 2", "Task 3", "Task 4", "Meeting notes", "Data merge", "Translate manual", "Photo index",
    ]  # fmt: skip
    assert [lane.dim for lane in view.lanes] == [False] * 7 + [True]
    assert [lane.y for lane in view.lanes[:2]] == [102, 127]


def test_the_first_to_go_is_marked() -> None:
    """Its silence has a hatch of its own and its lane points at it."""
    view = drawn()

    assert [lane.label for lane in view.lanes if lane.first] == ["Meeting notes"]
    assert [bar.kind for bar in view.lanes[4].bars] == ["working", "next"]


def test_bars_end_at_now() -> None:
    """Whatever goes on reaches the now-line and not beyond it."""
    view = drawn()

    ends = [lane.bars[-1].x + lane.bars[-1].width for lane in view.lanes]
    assert ends == pytest.approx([view.now_x] * 7, abs=0.02)
    assert all(lane.bars[-1].open for lane in view.lanes)


def test_what_lies_outside_the_window_is_cut() -> None:
    """A span that began before the window begins at its edge; one that ended before it is not drawn."""
    current = state(session(1))
    spans = (Span(sid(1), Phase.WORKING, ago(hours=9), None), Span(sid(2), Phase.WORKING, ago(hours=9), ago(hours=5)))
    view = drawn(current, replace(past(current), spans=spans))

    assert view.lanes[0].bars[0].x == 0


def test_too_many_lanes_are_counted() -> None:
    """The closed and the next are kept; the rest is a number."""
    current = state(*(session(n) for n in range(30)), session(40, Phase.IDLE, idle=900, title="Head"))
    chosen, hidden = choose_lanes(past(current), current, NOW, {})

    assert (len(chosen), hidden) == (MOST_LANES, 31 - MOST_LANES)
    assert sid(40) in chosen
    assert drawn(current).more == "and 17 more sessions"
    assert drawn(state(), History(*window_of(NOW))).more == "No session lived in this window."


def test_over_the_cap_is_drawn_apart() -> None:
    """What exceeds the cap has a shape of its own; below it there is none."""
    current = seven_of_eight()
    calm = replace(past(current), seats=(SeatStep(ago(hours=1), 5, 8),))

    assert drawn(current).over_path.startswith("M")
    assert drawn(current, calm).over_path == ""
    assert drawn(current).cap_label == "cap 8"
    assert drawn(state(cap=None)).cap_label == "cap about 8"


def test_bands_tell_their_level_and_time() -> None:
    """Each stretch of pressure says its level and its times; the last one goes on."""
    view = drawn()

    assert [band.level for band in view.bands] == ["normal", "critical", "normal"]
    assert view.bands[1].title == "Memory pressure critical, 18:54:00 to 19:11:00"
    assert view.bands[2].title.endswith("to now")
    assert view.bands[2].open


def test_bands_outside_are_not_drawn() -> None:
    """What ended before the window or has not begun is left out."""
    bands = (Band("warning", ago(hours=9), ago(hours=8)), Band("critical", NOW + timedelta(minutes=1), None))

    assert drawn(history=replace(past(seven_of_eight()), bands=bands)).bands == ()


def test_gaps_are_seen_and_named() -> None:
    """Time without the app has its shape; its name stands there only where it fits."""
    gaps = (
        Gap("silent", ago(minutes=90), ago(minutes=85)),
        Gap("app_down", ago(minutes=40), None),
        Gap("silent", ago(hours=9), ago(hours=8)),
    )
    view = drawn(history=replace(past(seven_of_eight()), gaps=gaps))

    assert [(gap.kind, gap.label) for gap in view.gaps] == [("silent", ""), ("app_down", "Claude not running")]
    assert view.gaps[0].title == "log silent, 17:54:00 to 17:59:00"
    assert view.gaps[1].title.endswith("to now")


@pytest.mark.parametrize(
    ("length", "labels"),
    [
        (timedelta(minutes=15), ["19:10", "19:12", "19:14", "19:16", "19:18", "19:20", "19:22", "19:24"]),
        (timedelta(hours=2), ["17:30", "17:45", "18:00", "18:15", "18:30", "18:45", "19:00", "19:15"]),
        (timedelta(hours=24), ["21:00", "00:00", "03:00", "06:00", "09:00", "12:00", "15:00", "18:00"]),
        (timedelta(days=7), ["26 Sep", "27 Sep", "28 Sep", "29 Sep", "30 Sep", "01 Oct", "02 Oct"]),
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


def test_rows_of_the_app_only_when_it_has_marks() -> None:
    """The row for the app and the VM is there when something stands in it."""
    assert drawn().app_y is None
    assert drawn(history=past(seven_of_eight(), (mark("vm_ready", 30, detail="2014"),))).app_y is not None
    assert Rows.below(3, app=True).height == Rows.below(3, app=False).height + 22


def test_twin_says_the_same_in_numbers() -> None:
    """Each lane has a row in the table that stands in for the picture."""
    view = drawn(history=past(seven_of_eight(), (mark("would_evict", 30, 5),)))
    row = view.twin[4]

    assert (row.session, row.state, row.silent, row.waiting, row.events) == (
        "Meeting notes", "silent", "14 minutes", "none", "1 event",
    )  # fmt: skip
    assert view.summary == "Sessions against the cap, 17:29 to 19:29"
    assert view.memory_title == "Free memory between 2.0 and 2.6 GB"


def test_a_day_of_forty_sessions_stays_light() -> None:
    """However busy the day, bars and marks stay few and the markup under 60 KB."""
    current, history = a_day_of(40)
    view = timeline(history, current, NOW, ZONE, {})
    markup = Renderer(ROOT / "templates", lambda path: path).fragment("timeline", view)

    assert sum(len(lane.bars) for lane in view.lanes) <= MOST_BARS
    assert len(markup.encode()) < 60_000
