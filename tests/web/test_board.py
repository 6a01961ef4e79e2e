"""The picture all pages share: made once, changed only where something changed."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from app.core.history import History, Span
from app.core.machine import Machine
from app.core.samples import HostSample
from app.core.state import Phase
from app.live import Snapshot
from app.web.board import Frame
from tests.web.scenes import (
    NOW,
    FixedRecorder,
    Site,
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


class CountingRecorder(FixedRecorder):
    """Counts how often it is asked, and until when."""

    asked = 0
    latest = ago(days=9)

    def window(self, start: datetime, end: datetime) -> History:
        self.asked += 1
        self.latest = max(self.latest, end)
        return super().window(start, end)


def publish(shown: Site, after: Snapshot) -> Frame:
    """Publish as the pipeline does, under the next version, and give the frame that follows."""
    shown.live.publish(replace(after, version=shown.live.current.version + 1))
    return shown.board.frame()


def working_again(n: int) -> Snapshot:
    """The snapshot in which session ``n`` has begun a turn."""
    current = seven_of_eight()
    busy = replace(current.sessions[sid(n)], phase=Phase.WORKING, idle_since=None)
    return snapshot(replace(current, sessions={**current.sessions, busy.id: busy}))


def test_a_frame_is_made_once_a_second() -> None:
    """A hundred pages that ask in one second get the same frame."""
    shown = site()
    first = shown.board.frame()

    assert shown.board.frame() is first
    shown.clock.move(seconds=1)
    assert shown.board.frame() is not first


def test_what_the_machine_alone_changes_draws_no_timeline() -> None:
    """A look of the probes makes the cards anew that tell of the machine; nobody asks what has happened."""
    recorder = CountingRecorder(past(seven_of_eight()))
    shown = site(replace(snapshot(), history=recorder))
    first, asked = shown.board.frame(), recorder.asked
    shown.clock.move(seconds=1)
    shown.live.observe(Machine(HostSample(NOW, 24_000, 9_000)))
    second = shown.board.frame()

    assert recorder.asked == asked
    assert second.changes(first.views) == ["memory"]
    assert second.views["timeline"] is first.views["timeline"]


def test_time_alone_changes_nothing() -> None:
    """An idle update costs nothing: five seconds later there is nothing to send."""
    shown = site()
    sent = shown.board.frame().views
    shown.clock.move(seconds=5)

    assert shown.board.frame().changes(sent) == []


def test_only_what_changed_is_sent() -> None:
    """A turn that begins changes its tile, the queue and the sentence, not the other tiles and cards."""
    shown = site()
    sent = shown.board.frame().views
    shown.clock.move(seconds=1)
    changed = publish(shown, working_again(6)).changes(sent)

    assert changed == ["seat-6", "next"]


def test_a_new_tile_brings_the_whole_row() -> None:
    """When the number of tiles changes the row is sent, and no tile twice."""
    shown = site(snapshot(state(*(session(n) for n in range(8)))))
    sent = shown.board.frame().views
    changed = publish(shown, snapshot(state(*(session(n) for n in range(9))))).changes(sent)

    assert "seats" in changed
    assert not [name for name in changed if name.startswith("seat-")]


def test_the_line_is_crossed_in_time() -> None:
    """The frame knows when a session reaches its 60 s line, and then says so without any log line."""
    shown = site()
    before = shown.board.frame()
    shown.clock.move(seconds=18)
    after = shown.board.frame()

    assert before.patience == 18
    assert after.changes(before.views) == ["seat-7", "next"]


def test_markup_is_made_once() -> None:
    """The same view gives the same markup object, for every page; a changed one a new one."""
    shown = site()
    frame = shown.board.frame()
    first = shown.board.markup(frame, "seat-6")
    shown.clock.move(seconds=1)
    same = shown.board.markup(shown.board.frame(), "seat-6")
    other = shown.board.markup(publish(shown, working_again(6)), "seat-6")

    assert same is first
    assert other != first


def test_tiles_stay_where_they_were_after_a_restart() -> None:
    """A new board seats everybody as the old one had: from the history, not from who is there."""
    current = state(session(1), session(2), session(3))
    gone = Span(sid(7), Phase.WORKING, ago(hours=2), ago(minutes=30))
    history = past(current)
    spans = (gone, *history.spans)
    shown = snapshot(current, history=FixedRecorder(replace(history, spans=spans)))
    titles = [tile.title for tile in site(shown).board.frame().views["seats"].tiles]  # type: ignore[attr-defined]

    assert titles[:4] == ["free", "Task 1", "Task 2", "Task 3"]


def test_seats_wait_for_the_history() -> None:
    """While the history is read nobody is seated for good."""
    shown = site(snapshot(ready=False))
    shown.board.frame()
    after = publish(shown, snapshot())

    assert len(after.views["seats"].tiles) == 8  # type: ignore[attr-defined]


def test_a_page_that_opens_later_gets_the_tiles_of_now() -> None:
    """Open pages are sent the tile that changed; the row of tiles as a whole is made anew for who opens the page."""
    shown = site()
    before = str(shown.board.markup(shown.board.frame(), "seats"))
    later = publish(shown, working_again(5))

    assert "tile working" in shown.board.markup(later, "seat-5")
    assert str(shown.board.markup(later, "seats")).count("tile working") == before.count("tile working") + 1


def test_a_page_that_opens_later_gets_the_lanes_of_now() -> None:
    """The same for the timeline: its parts are sent one by one, the whole of it is never that of an earlier frame."""
    shown = site()
    before = str(shown.board.markup(shown.board.frame(), "timeline"))
    busy = working_again(5)
    later = publish(shown, replace(busy, history=FixedRecorder(past(busy.state, (mark("evicted_for_seat", 1, 5),)))))

    assert "mark evicted" not in before
    assert "mark evicted" in str(shown.board.markup(later, "timeline"))
