"""The rows that belong to no session: what goes on is a shape of its own, so that time alone changes nothing."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from app.core.history import Band, Gap, History, SeatStep
from app.core.state import State
from app.web.looks import Look
from app.web.ranges import Window
from app.web.timeline_rows import area, bands, gaps, memory, summary
from tests.web.scenes import NOW, ZONE, ago, past, seven_of_eight, state


def look(history: History, at_minute: float = 0, current: State | None = None, *, live: bool = True) -> Look:
    """A look so many minutes after `NOW`, at the window of `NOW`."""
    start, end = Window().bounds(NOW)
    now = NOW + timedelta(minutes=at_minute)
    return Look(replace(history, start=start, end=end), current or seven_of_eight(), now, ZONE, {}, live=live)


def test_time_alone_changes_no_row() -> None:
    """A minute later the same history gives equal views, though what is drawn reaches further."""
    history = replace(past(seven_of_eight()), gaps=(Gap("silent", ago(minutes=4), None),))
    before, after = look(history), look(history, 1)

    assert area(before, 300) == area(after, 300)
    assert bands(before, 200) == bands(after, 200)
    assert gaps(before, 280) == gaps(after, 280)
    assert area(after, 300).last.drawn > area(before, 300).last.drawn  # type: ignore[union-attr]
    assert gaps(after, 280).gaps[0].drawn > gaps(before, 280).gaps[0].drawn


def test_the_last_step_is_open_and_tells_what_is_over() -> None:
    """Over the cap the open step has a part of its own; below it none; a picture that stands still has no open step."""
    over = History(ago(hours=2), NOW, seats=(SeatStep(ago(hours=1), 6, 8), SeatStep(ago(minutes=10), 10, 8)))
    calm = replace(over, seats=over.seats[:1])

    assert area(look(over), 300).last.over_height == 10.0  # type: ignore[union-attr]
    assert area(look(calm), 300).last.over_height == 0  # type: ignore[union-attr]
    assert area(look(over, live=False), 300).last is None
    assert area(look(over, live=False), 300).over_path != ""


def test_no_step_no_area() -> None:
    """Before anything was read there is a cap and nothing under it."""
    view = area(look(History(ago(hours=2), NOW), current=state(cap=None)), 300)

    assert (view.path, view.last, view.cap_label) == ("", None, "cap about 8")


def test_days_without_the_app_are_one_gap() -> None:
    """A week's window shows a gap over days with its name and the days it lasted."""
    start, end = Window("7d").bounds(NOW)
    away = Gap("app_down", ago(days=4), ago(days=1))
    shown = gaps(Look(History(start, end, gaps=(away,)), state(), NOW, ZONE, {}), 280).gaps[0]

    assert shown.label == "Claude not running"
    assert shown.title == "Claude not running, 28 Sep, 19:24:00 to 1 Oct, 19:24:00"
    assert 42 < shown.drawn < 44
    assert not shown.open


def test_bands_of_a_look_back_end_with_it() -> None:
    """A band that goes on is cut at the edge of a window that stands still, and does not grow."""
    history = replace(past(seven_of_eight()), bands=(Band("warning", ago(minutes=30), None),))
    shown = bands(look(history, live=False), 200).bands[0]

    assert not shown.open
    assert shown.width == shown.drawn > 0


def test_band_that_no_line_gave_says_who_read_it() -> None:
    """The host's own reading is told apart from what the log said."""
    history = replace(past(seven_of_eight()), bands=(Band("warning", ago(minutes=30), None, "host"),))

    assert bands(look(history), 200).bands[0].title == "Memory pressure warning, 18:54:00 to now, read by Seatwatch"


def test_no_memory_no_line() -> None:
    """Without readings the row is empty."""
    assert memory(look(History(ago(hours=2), NOW)), 200, 15, 300).path == ""
    assert memory(look(past(seven_of_eight())), 200, 15, 300).title == "Free memory between 2.0 and 2.6 GB"


def test_summary_names_the_days() -> None:
    """The picture's name has the days of its edges where they are not today."""
    start, end = Window("24h").bounds(NOW)
    view = summary(Look(History(start, end), state(), NOW, ZONE, {}))

    assert view == "Sessions against the cap, 1 Oct, 21:00 to 21:00"
