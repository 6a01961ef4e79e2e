"""When the timeline is drawn anew, and what is asked of the history for it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.history import Span
from app.core.state import Phase
from app.web.drawing import Seen, draw, redraw_after
from app.web.ranges import Window
from tests.web.scenes import (
    NOW,
    ZONE,
    FixedRecorder,
    ago,
    mark,
    past,
    session,
    seven_of_eight,
    sid,
    site,
    snapshot,
    state,
)
from tests.web.test_board import CountingRecorder, publish


def test_what_is_known_is_given_back_while_it_holds() -> None:
    """The same picture until the range takes a step, and another one for another moment before it."""
    window, seen = Window("2h"), Seen(snapshot(), NOW, ZONE, {})
    first = draw(None, window, seen)

    assert draw(first, window, replace(seen, at=NOW + redraw_after(window))) is first
    assert draw(first, window, replace(seen, at=NOW + window.length / 8)) is not first
    assert draw(first, window, replace(seen, at=ago(seconds=1))) is not first


def test_the_longer_the_range_the_longer_a_change_may_wait() -> None:
    """As long as it moves things by a pixel or two, and never longer than a minute."""
    assert [redraw_after(Window(name)).total_seconds() for name in ("15m", "2h", "24h", "7d")] == [5, 14.4, 60, 60]


def test_a_mark_is_drawn_at_once_and_other_changes_after_a_while() -> None:
    """The timeline follows a new mark in the same frame; a new span once it is a pixel or two wide."""
    shown = site()
    first = shown.board.frame().views
    shown.clock.move(seconds=1)
    marked = snapshot(marks=(mark("evicted_for_seat", 0.01, 5),))
    second = publish(shown, marked)
    shown.clock.move(seconds=1)
    history = past(seven_of_eight(), (mark("evicted_for_seat", 0.01, 5),))
    more = replace(history, spans=(*history.spans, Span(sid(8), Phase.WORKING, NOW, None)))
    third = publish(shown, replace(marked, history=FixedRecorder(more)))
    shown.clock.move(seconds=14)
    fourth = shown.board.frame()

    assert second.changes(first) == ["announce", "marks-4", "twin-4", "happened"]
    assert third.changes(second.views) == []
    assert third.patience == pytest.approx(13.4)
    assert fourth.changes(third.views) == ["timeline"]


def test_titles_that_are_learned_with_the_whole_history_are_drawn() -> None:
    """What was shown while it was read may have had no title for a lane; nothing else need change for it to get one."""
    current = seven_of_eight()
    bare = replace(current, sessions={**current.sessions, sid(1): replace(current.sessions[sid(1)], title=None)})
    shown = site(snapshot(bare, filling=True, ready=False))
    before = shown.board.frame()
    shown.clock.move(seconds=60)
    publish(shown, snapshot(current))
    shown.clock.move(seconds=1)
    after = publish(shown, snapshot(current))

    assert before.views["name-0"] != after.views["name-0"]
    assert "Task 1" in str(after.views["name-0"])


def test_the_timeline_slides_now_and_then() -> None:
    """With nothing new it is drawn again once now comes near the edge, a sixteenth of the window later at most."""
    shown = site(snapshot(state(session(1))))
    first = shown.board.frame().views
    shown.clock.move(seconds=216)
    calm = shown.board.frame()
    shown.clock.move(seconds=2)
    slid = shown.board.frame()

    assert not calm.ranged & set(calm.changes(first))
    trends = {"memory-trend", "vm-trend", "ports-trend"}  # they stand on the same axis
    assert slid.ranged & set(slid.changes(first)) == {"timeline", *trends}


def test_a_clock_set_back_draws_anew() -> None:
    """A picture from the future is not kept."""
    shown = site(snapshot(state(session(1))))
    first = shown.board.frame().views
    shown.clock.move(minutes=-30)

    assert "timeline" in shown.board.frame().changes(first)


def test_history_is_read_only_when_it_may_have_changed() -> None:
    """Between versions nobody asks the recorder."""
    recorder = CountingRecorder(past(seven_of_eight()))
    shown = site(replace(snapshot(), history=recorder))
    shown.board.frame()
    before = recorder.asked
    shown.clock.move(seconds=5)
    shown.board.frame()

    assert recorder.asked == before


def test_the_future_is_not_asked_for() -> None:
    """The plot reaches beyond now, the question does not: else the app would seem silent there."""
    recorder = CountingRecorder(past(seven_of_eight()))
    view = site(replace(snapshot(), history=recorder)).board.frame().views["timeline"]

    assert recorder.latest == NOW
    assert view.end > NOW.timestamp()  # type: ignore[attr-defined]
