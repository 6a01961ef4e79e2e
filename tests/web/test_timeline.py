"""The timeline's geometry: lanes, rows, axis, bands, gaps, and its weight."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from app.core.history import Band, Gap, History, SeatStep, Span
from app.core.state import Phase, State
from app.web.looks import Look
from app.web.ranges import Window
from app.web.rendering import Renderer
from app.web.timeline import (
    MOST_BARS,
    MOST_CLOSED,
    MOST_LANES,
    Rows,
    settle,
    timeline,
)
from app.web.timeline_views import TimelineView
from tests.web.scenes import HOSTILE, NOW, ROOT, ZONE, ago, mark, past, session, seven_of_eight, sid, state

SLOTS = {sid(n): n - 1 for n in range(1, 8)}


def drawn(current: State | None = None, history: History | None = None) -> TimelineView:
    """The timeline of a state with its history, in the page's own window."""
    current = current or seven_of_eight()
    start, end = Window().bounds(NOW)
    return timeline(Look(replace(history or past(current), start=start, end=end), current, NOW, ZONE, SLOTS))[0]


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
    start, end = Window("24h").bounds(NOW)
    return current, replace(past(current), start=start, end=end, spans=tuple(spans), marks=marks, seats=steps)


def test_lanes_stand_in_the_order_of_the_tiles() -> None:
    """A lane is found where its tile is; who has no process stands below and is dimmed."""
    current = seven_of_eight()
    gone = session(9, Phase.EVICTED, title="Photo index", since=ago(minutes=26), idle_since=None)
    current = replace(current, sessions={**current.sessions, gone.id: gone})
    view = drawn(current)

    assert [name.label for name in view.names] == [
        "Task 1", "Task 2", "Task 3", "Task 4", "Meeting notes", "Data merge", "Translate manual", "Photo index",
    ]  # fmt: skip
    assert [lane.dim for lane in view.lanes] == [False] * 7 + [True]
    assert [lane.y for lane in view.lanes[:2]] == [102, 127]


def test_the_first_to_go_is_marked() -> None:
    """Its silence has a hatch of its own and its lane points at it."""
    view = drawn()

    assert [name.label for name in view.names if name.first] == ["Meeting notes"]
    assert [bar.kind for bar in view.lanes[4].bars] == ["working", "next"]


def test_bars_end_at_now() -> None:
    """Whatever goes on reaches the now-line and not beyond it."""
    view = drawn()

    ends = [lane.bars[-1].x + lane.bars[-1].drawn for lane in view.lanes]
    assert ends == pytest.approx([view.now_x] * 7, abs=0.02)
    assert all(lane.bars[-1].open for lane in view.lanes)


def test_what_lies_outside_the_window_is_cut() -> None:
    """A span that began before the window begins at its edge; one that ended before it is not drawn."""
    current = state(session(1))
    spans = (Span(sid(1), Phase.WORKING, ago(hours=9), None), Span(sid(2), Phase.WORKING, ago(hours=9), ago(hours=5)))
    view = drawn(current, replace(past(current), spans=spans))

    assert view.lanes[0].bars[0].x == 0


@pytest.mark.parametrize(
    ("order", "chosen", "settled"),
    [
        ("", "abc", "abc"),
        ("cab", "abc", "cab"),
        ("abc", "acx", "axc"),
        ("abc", "xyabc", "abcxy"),
        ("abc", "ac", "ac"),
        ("abc", "xy", "xy"),
    ],
)
def test_lanes_stay_where_they_are(order: str, chosen: str, settled: str) -> None:
    """Who still has a lane keeps it, who is new takes one that became free, so that one change moves one lane."""
    assert "".join(settle(order, chosen)) == settled


def test_too_many_lanes_are_counted() -> None:
    """The next are kept; the rest is a number."""
    current = state(*(session(n) for n in range(30)), session(40, Phase.IDLE, idle=900, title="Head"))
    view = drawn(current)

    assert len(view.lanes) == len(view.names) == len(view.twin) == MOST_LANES
    assert "Head" in [name.label for name in view.names]
    assert view.more == "and 17 more sessions"
    assert drawn(state(), History(*Window().bounds(NOW))).more == "No session lived in this window."


@pytest.mark.parametrize("seats", [6, 8, 9, 42])
def test_who_holds_a_seat_has_a_lane(seats: int) -> None:
    """However many were closed: every tile has its lane while there is room beside the newest that were closed."""
    begun: dict[str, Any] = {"live_since": ago(minutes=50), "idle_since": None}
    holders = [session(n, Phase.IDLE if n % 2 else Phase.WORKING, idle=100) for n in range(seats)]
    gone = [session(100 + n, Phase.EVICTED, since=ago(minutes=n + 1), **begun) for n in range(20)]
    ended = [session(200 + n, Phase.ENDED, since=ago(seconds=n + 1), **begun) for n in range(20)]
    current = state(*holders, *gone, *ended)
    marks = tuple(mark("evicted_for_seat", n + 1, 100 + n) for n in range(20))
    start, end = Window().bounds(NOW)
    slots = {one.id: n for n, one in enumerate(holders)}
    history = replace(past(current, marks), start=start, end=end)
    labels = [name.label for name in timeline(Look(history, current, NOW, ZONE, slots))[0].names]

    seated = min(seats, MOST_LANES - MOST_CLOSED)
    closed = MOST_LANES - seated
    assert sorted(labels[:seated]) == sorted({f"Task {n}" for n in range(seats)} & set(labels))
    assert labels[seated:] == [f"Task {100 + n}" for n in range(closed)][::-1]


def test_over_the_cap_is_drawn_apart() -> None:
    """What exceeds the cap has a shape of its own; below it there is none."""
    current = seven_of_eight()
    calm = replace(past(current), seats=(SeatStep(ago(hours=1), 5, 8),))

    assert drawn(current).area.over_path.startswith("M")
    assert drawn(current, calm).area.over_path == ""
    assert drawn(current).area.cap_label == "cap 8"
    assert drawn(state(cap=None)).area.cap_label == "cap about 8"


def test_bands_tell_their_level_and_time() -> None:
    """Each stretch of pressure says its level and its times; the last one goes on."""
    view = drawn()

    assert [band.level for band in view.bands.bands] == ["normal", "critical", "normal"]
    assert view.bands.bands[1].title == "Memory pressure critical, 18:54:00 to 19:11:00"
    assert view.bands.bands[2].title.endswith("to now")
    assert view.bands.bands[2].open


def test_bands_outside_are_not_drawn() -> None:
    """What ended before the window or has not begun is left out."""
    bands = (Band("warning", ago(hours=9), ago(hours=8)), Band("critical", NOW + timedelta(minutes=1), None))

    assert drawn(history=replace(past(seven_of_eight()), bands=bands)).bands.bands == ()


def test_gaps_are_seen_and_named() -> None:
    """Time without the app has its shape; its name stands there only where it fits."""
    gaps = (
        Gap("silent", ago(minutes=90), ago(minutes=85)),
        Gap("app_down", ago(minutes=40), None),
        Gap("silent", ago(hours=9), ago(hours=8)),
    )
    view = drawn(history=replace(past(seven_of_eight()), gaps=gaps))

    assert [(gap.kind, gap.label) for gap in view.gaps.gaps] == [("silent", ""), ("app_down", "Claude not running")]
    assert view.gaps.gaps[0].title == "log silent, 17:54:00 to 17:59:00"
    assert view.gaps.gaps[1].title.endswith("to now")


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
    assert view.summary == "Sessions against the cap, 17:30 to 19:30"
    assert view.memory.title == "Free memory between 2.0 and 2.6 GB"


def test_a_day_of_forty_sessions_stays_light() -> None:
    """However busy the day, bars and marks stay few and the markup under 60 KB."""
    current, history = a_day_of(40)
    view = timeline(Look(history, current, NOW, ZONE, {}))[0]
    markup = Renderer(ROOT / "templates", lambda path: path).fragment("timeline", view)

    assert sum(len(lane.bars) for lane in view.lanes) <= MOST_BARS
    assert len(markup.encode()) < 60_000
