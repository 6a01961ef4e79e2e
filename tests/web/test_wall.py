"""The wall's board: one frame for all walls that look alike, names that stay, and times that are right for weeks."""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import aclosing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from fastapi.sse import ServerSentEvent

from app.core.history import History, Span
from app.core.preferences import Preferences
from app.core.state import Counts, Phase
from app.live import Snapshot
from app.web.board import Board, Frame
from app.web.stream import follow
from app.web.wall import WallBoard, WallFeed, WallLook
from app.web.wall_views import WallFoot, WallPicture, WallSaid, WallSeats
from tests.web.scenes import (
    HOSTILE,
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
from tests.web.test_board import CountingRecorder, working_again

BERLIN = ZoneInfo("Europe/Berlin")
LOOK, PRIVATE = WallLook(), WallLook(private=True)


def wall_of(shown: Site | Board) -> WallBoard:
    """A wall beside the page of a site."""
    return WallBoard(shown if isinstance(shown, Board) else shown.board, "1-a")


def publish(wall: WallBoard, after: Snapshot, look: WallLook = LOOK) -> Frame:
    """Publish as the pipeline does, under the next version, and give the wall's frame that follows."""
    live = wall.board.live
    live.publish(replace(after, version=live.current.version + 1))
    return wall.frame(look)


def said(frame: Frame) -> str:
    """The sentence of a frame."""
    view = frame.views["sentence"]
    assert isinstance(view, WallSaid)
    return "".join(part.text for part in view.parts)


def titles(frame: Frame) -> list[str]:
    """What stands on the tiles."""
    view = frame.views["seats"]
    assert isinstance(view, WallSeats)
    return [tile.title for tile in view.tiles]


def everything(wall: WallBoard, look: WallLook = LOOK) -> str:
    """The markup of all places."""
    frame = wall.frame(look)
    return "".join(wall.markup(look, frame, name) for name in frame.whole())


def test_a_frame_is_made_once_for_all_walls_of_a_look() -> None:
    """A hundred walls that look alike cost what one does; another look has its own frame."""
    wall = wall_of(site())
    first = wall.frame(LOOK)

    assert wall.frame(WallLook()) is first
    assert wall.frame(PRIVATE) is not first


def test_the_page_pays_nothing() -> None:
    """A site that nobody opens as a wall asks its history as often as one without a wall."""
    asked = []
    for open_as_wall in (False, True):
        recorder = CountingRecorder(snapshot().history.window(ago(hours=2), NOW))
        shown = site(replace(snapshot(), history=recorder))
        wall = wall_of(shown)
        shown.board.frame()
        asked.append(recorder.asked)
        if open_as_wall:
            wall.frame(LOOK)
            asked.append(recorder.asked)

    assert asked[0] == asked[1] < asked[2]


def test_tiles_stand_where_the_page_has_them() -> None:
    """After a session has left, the others sit on the wall as on the page."""
    shown = site()
    wall = wall_of(shown)
    wall.frame(LOOK)
    current = seven_of_eight()
    left = {one.id: one for one in current.sessions.values() if one.id != sid(2)}
    frame = publish(wall, snapshot(replace(current, sessions=left)))

    assert titles(frame)[:3] == ["Task 1", "free", "Task 3"]
    assert [tile.title for tile in shown.board.frame().views["seats"].tiles] == titles(frame)  # type: ignore[attr-defined]


def test_who_sat_before_decides_on_the_wall_too() -> None:
    """A wall that is opened before any page seats everybody by the whole past: sessions of Cowork never had a tile."""
    current = state(session(1), session(2), session(7, Phase.ENDED, kind="cowork"), session(8, Phase.ENDED))
    gone = [Span(sid(n), Phase.WORKING, ago(hours=2), ago(minutes=30)) for n in (7, 8)]
    history = past(current)
    shown = snapshot(current, history=FixedRecorder(replace(history, spans=(*gone, *history.spans))))

    on_wall = titles(wall_of(site(shown)).frame(LOOK))

    assert on_wall[:3] == ["free", "Task 1", "Task 2"]
    assert [tile.title for tile in site(shown).board.frame().views["seats"].tiles] == on_wall  # type: ignore[attr-defined]


def test_time_alone_changes_nothing_within_a_minute() -> None:
    """Clocks count in the page: fifty seconds later only the session that crossed its line is sent."""
    shown = site()
    wall = wall_of(shown)
    before = wall.frame(LOOK).views
    shown.clock.move(seconds=17)
    calm = wall.frame(LOOK)
    shown.clock.move(seconds=33)

    assert calm.changes(before) == []
    assert wall.frame(LOOK).changes(before) == ["seat-7"]


def test_the_next_minute_is_known() -> None:
    """The frame knows when its minute ends or a session reaches its line, whichever comes first."""
    shown = site()
    wall = wall_of(shown)
    line = wall.frame(LOOK).patience
    shown.clock.move(seconds=30)
    minute = wall.frame(LOOK).patience
    shown.clock.move(seconds=30)
    after = wall.frame(LOOK)

    assert (line, minute) == (18, 30)
    assert isinstance(foot := after.views["foot"], WallFoot)
    assert foot.now == "19:25"


def test_a_turn_changes_its_tile() -> None:
    """A turn that begins is sent as one tile, under two hundred bytes of it a title."""
    shown = site()
    wall = wall_of(shown)
    sent = wall.frame(LOOK).views
    frame = publish(wall, working_again(6))

    assert frame.changes(sent) == ["seat-6"]
    assert len(wall.markup(LOOK, frame, "seat-6").encode()) < 400


def test_what_is_seen_at_once_redraws_the_picture() -> None:
    """A session that is closed is on the picture in the same frame, other changes within the minute."""
    wall = wall_of(site())
    first = wall.frame(LOOK).views["picture"]
    same = publish(wall, working_again(6)).views["picture"]
    closed = replace(seven_of_eight(), counts=Counts(evicted_cap=1))
    after = publish(wall, snapshot(closed, (mark("evicted_for_seat", 0.01, 5),))).views["picture"]

    assert same is first
    assert isinstance(after, WallPicture)
    assert len(after.closed) == 1


def test_the_last_eviction_is_looked_for_once() -> None:
    """A week of history is searched when one more closing was counted, not with each frame."""
    history = snapshot(marks=(mark("evicted_for_seat", 26, 5),)).history.window(ago(days=7), NOW)
    recorder = CountingRecorder(history)
    shown = site(replace(snapshot(), history=recorder))
    wall = wall_of(shown)
    foot = wall.frame(LOOK).views["foot"]
    before = recorder.asked
    for _second in range(5):
        shown.clock.move(seconds=1)
        wall.frame(LOOK)

    assert isinstance(foot, WallFoot)
    assert foot.facts[-1].rest == "Last eviction 18:58"
    assert recorder.asked == before


def test_markup_is_made_once_and_the_whole_of_it_is_of_now() -> None:
    """The same view gives the same markup; who opens the wall later gets the tiles of now."""
    wall = wall_of(site())
    frame = wall.frame(LOOK)
    first, before = wall.markup(LOOK, frame, "foot"), str(wall.markup(LOOK, frame, "seats"))
    later = publish(wall, working_again(5))

    assert wall.markup(LOOK, later, "foot") is first
    assert str(wall.markup(LOOK, later, "seats")).count("seat working") == before.count("seat working") + 1


def test_privacy_hides_every_title() -> None:
    """Neither the tiles nor the sentence nor any attribute has a title, a folder or an id in it."""
    current = seven_of_eight()
    gone = session(9, Phase.EVICTED, since=ago(seconds=20), title="Secret plan", ended_by="evicted_for_seat")
    shown = snapshot(
        replace(current, sessions={**current.sessions, gone.id: gone}), (mark("evicted_for_seat", 1, 9),),
        problem="/home/someone/notes is unreadable", looked_in=("/home/someone",),
    )  # fmt: skip
    markup = everything(wall_of(site(shown)), PRIVATE)

    assert "Session A" in markup
    for one in (*current.sessions.values(), gone):
        assert str(one.title) not in markup
        assert one.id not in markup
    assert "someone" not in markup


def test_letters_of_a_part_are_not_those_of_the_whole() -> None:
    """While only the newest part of the logs is read, letters are lent: the whole history gives them anew."""
    wall = wall_of(site(snapshot(state(session(3)), ready=False, filling=True)))
    part = wall.frame(PRIVATE)
    whole = publish(wall, snapshot(state(session(1), session(3))), PRIVATE)

    assert titles(part)[0] == "Session A"
    assert sorted(titles(whole)[:2]) == ["Session A", "Session B"]
    assert wall.board.live.aliases.letter(sid(1)) == "A"


def test_letters_follow_the_log_and_stay() -> None:
    """Who was named first is A; who leaves and comes back is the same letter; a new one gets the next."""
    wall = wall_of(site(snapshot(state(session(3), session(1)))))
    first = wall.frame(PRIVATE)
    left = publish(wall, snapshot(state(session(3))), PRIVATE)
    back = publish(wall, snapshot(state(session(3), session(1), session(8))), PRIVATE)

    assert titles(first)[:2] == ["Session A", "Session B"]
    assert titles(left)[:2] == ["free", "Session B"]
    assert titles(back)[:3] == ["Session A", "Session B", "Session C"]


def test_the_preference_hides_titles_while_it_holds() -> None:
    """A wall that is open follows the preference; an address that hides them stays hidden without it."""
    shown = site()
    wall = wall_of(shown)
    feed, hiding = WallFeed(wall), WallFeed(wall, hide=True)
    before = titles(feed.frame())
    shown.live.preferences = Preferences(privacy=True)
    during = feed.frame()
    shown.live.preferences = Preferences()

    assert before[4] == "Meeting notes"
    assert titles(during)[4] == "Session E"
    assert titles(feed.frame()) == before
    assert titles(hiding.frame())[4] == "Session E"
    assert "Session E" in hiding.markup(hiding.frame(), "seat-5")


def test_hostile_titles_are_text() -> None:
    """What a title holds is never markup, and its control characters are gone."""
    markup = everything(wall_of(site(snapshot(state(session(1, Phase.IDLE, idle=900, title=HOSTILE))))))

    assert "&lt;script&gt;" in markup
    assert "<script" not in markup
    assert "<img" not in markup
    assert "\x1b" not in markup


def test_each_language_has_its_own_frame() -> None:
    """A Japanese and an English wall share the seats and not the words."""
    wall = wall_of(site())

    assert said(wall.frame(LOOK)) == "One seat left. Meeting notes goes first, silent for 14 minutes."
    assert said(wall.frame(WallLook("ja"))) == "残り1席。最初に閉じられるのは Meeting notes、14分待機中。"
    assert "1st to go" in everything(wall)
    assert "退去順 1番" in everything(wall, WallLook("ja"))


def test_a_night_of_the_clock_change_goes_by() -> None:
    """Every minute of the night in which summer time ends: the time grows, the repeated hour names itself."""
    shown = site()
    board = replace(shown.board, zone=BERLIN)
    wall, seen = wall_of(board), list[str]()
    shown.clock.at = datetime(2026, 10, 24, 22, 30, tzinfo=UTC)
    for _minute in range(300):
        foot = wall.frame(LOOK).views["foot"]
        assert isinstance(foot, WallFoot)
        seen.append(foot.now)
        shown.clock.move(minutes=1)

    assert len(set(seen)) == 300
    assert seen[149:151] == ["02:59", "02:00 CET"]
    assert seen[-1] == "04:29"


def test_the_stream_tells_the_walls_places() -> None:
    """A wall is sent its own places whole, then what changed, and a version of its own with each heartbeat."""
    shown = site()

    async def play() -> list[ServerSentEvent]:
        async with asyncio.timeout(20), aclosing(follow(shown.board, shown.live, WallFeed(wall_of(shown)))) as events:
            first, beat = await anext(events), await anext(events)
            shown.live.publish(replace(working_again(6), version=2))
            return [first, beat, await anext(events)]

    whole, beat, change = asyncio.run(play())

    assert re.findall(r'hx-target="#([\w-]+)"', whole.raw_data or "") == [
        "strip", "number", "sentence", "seats", "picture", "foot",
    ]  # fmt: skip
    assert json.loads(beat.raw_data or "")["v"] == "1-a"
    assert re.findall(r'hx-target="#([\w-]+)"', change.raw_data or "") == ["seat-6"]


def test_a_month_keeps_no_more_than_a_day() -> None:
    """What is kept does not grow with the frames that were made."""
    shown = site()
    wall = wall_of(shown)
    sizes = []
    for day in range(30):
        shown.clock.at = NOW + timedelta(days=day)
        everything(wall, WallLook("ja"))
        sizes.append(sum(len(kept.markup) for kept in wall._kept.values()))

    assert len(set(sizes)) == 1


def test_history_is_asked_until_now() -> None:
    """The picture reaches to the end of the minute, the question does not: else the app would seem silent there."""
    recorder = CountingRecorder(History(ago(hours=2), NOW))
    wall_of(site(replace(snapshot(), history=recorder))).frame(LOOK)

    assert recorder.latest == NOW
