"""The stream: everything first, then what changed, a heartbeat, and an end when the server stops."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import replace
from datetime import timedelta
from zlib import crc32

import pytest
from fastapi.sse import ServerSentEvent
from starlette.testclient import TestClient

from app import __version__
from app.core.history import SeatStep, Span
from app.core.machine import Machine
from app.core.samples import HostSample
from app.core.state import Phase
from app.live import Snapshot
from app.web import stream
from app.web.board import Frame
from app.web.ranges import Window
from app.web.stream import PageFeed, follow, message, partial
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
from tests.web.test_board import working_again

PATIENCE = 10.0


def targets(event: ServerSentEvent) -> list[str]:
    """The places an event replaces."""
    return re.findall(r'hx-target="#([\w-]+)"', event.raw_data or "")


async def take(events: AsyncIterator[ServerSentEvent]) -> ServerSentEvent:
    """The next event, within a bound."""
    async with asyncio.timeout(PATIENCE):
        return await anext(events)


def watch(shown: Site, story: Callable[[AsyncIterator[ServerSentEvent]], Awaitable[None]]) -> None:
    """Let a page follow the site while ``story`` happens."""

    async def play() -> None:
        async with asyncio.timeout(PATIENCE * 2), aclosing(follow(shown.board, shown.live)) as events:
            await story(events)

    asyncio.run(play())


def queued(n: int) -> str:
    """The name of a session's row in the queue."""
    return f"q{crc32(sid(n).encode()):08x}"


def test_first_comes_everything_then_the_time() -> None:
    """On connect a page gets every place in one message, and the server's time."""
    shown = site()

    async def story(events: AsyncIterator[ServerSentEvent]) -> None:
        everything, beat = await take(events), await take(events)
        assert targets(everything) == [
            "strip", "meta", "number", "sentence", "advice", "notes", "seats", "next", "memory", "vm", "ports",
            "timeline", "happened", "memory-trend", "vm-trend", "ports-trend",
        ]  # fmt: skip
        assert beat.event == "heartbeat"
        assert json.loads(beat.raw_data or "") == {
            "now": int(NOW.timestamp()), "last": int(NOW.timestamp()) - 2, "v": __version__, "pages": 0,
        }  # fmt: skip

    watch(shown, story)


def test_then_only_what_changed_and_little() -> None:
    """A turn that begins sends one tile and takes one row out of the queue: far below six kilobytes."""
    shown = site()

    async def story(events: AsyncIterator[ServerSentEvent]) -> None:
        await take(events)
        await take(events)
        shown.live.publish(replace(working_again(6), version=2))
        update = await take(events)
        assert targets(update) == ["seat-6", queued(6)]
        assert len((update.raw_data or "").encode()) < 1000

    watch(shown, story)


def test_two_pages_get_the_same_and_versions_are_skipped() -> None:
    """A page that was slow gets the newest version alone."""
    shown = site()

    async def story(events: AsyncIterator[ServerSentEvent]) -> None:
        await take(events)
        await take(events)
        for version in range(2, 60):
            shown.live.publish(replace(snapshot(state(session(1))), version=version))
        shown.live.publish(replace(working_again(6), version=60))
        assert targets(await take(events)) == ["seat-6", queued(6)]

    watch(shown, story)


def test_a_heartbeat_comes_without_news(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page hears from the server every few seconds, so that it can tell silence from loss."""
    monkeypatch.setattr(stream, "HEARTBEAT_SECONDS", 0.3)
    shown = site()

    async def story(events: AsyncIterator[ServerSentEvent]) -> None:
        await take(events)
        await take(events)
        shown.clock.move(seconds=5)
        beat = await take(events)
        assert json.loads(beat.raw_data or "")["now"] == int(NOW.timestamp()) + 5

    watch(shown, story)


def test_a_look_that_moves_nothing_sends_nothing() -> None:
    """While the machine stays as it is a page hears no more of it than the beat."""
    shown = site()

    async def story(events: AsyncIterator[ServerSentEvent]) -> None:
        await take(events)
        await take(events)
        shown.live.observe(Machine(HostSample(NOW, 24_000, 9_000)))
        assert targets(await take(events)) == ["memory"]
        for _ in range(5):
            shown.live.observe(Machine(HostSample(NOW, 24_000, 9_100)))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await anext(events)

    watch(shown, story)


def test_who_is_awake_beats_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """News in the second half of a pause bring the beat along, so that the page is not woken for it once more."""
    monkeypatch.setattr(stream, "HEARTBEAT_SECONDS", 2.0)
    shown = site()

    async def story(events: AsyncIterator[ServerSentEvent]) -> None:
        await take(events)
        await take(events)
        shown.live.publish(replace(working_again(6), version=2))
        assert targets(await take(events)) == ["seat-6", queued(6)]
        loop = asyncio.get_running_loop()
        loop.call_later(1.1, shown.live.publish, replace(snapshot(), version=3))
        assert targets(await take(events)) == ["seat-6", queued(5)]  # its row comes back behind that one
        at = loop.time()
        assert (await take(events)).event == "heartbeat"
        assert loop.time() - at < 0.5

    watch(shown, story)


def test_the_line_is_crossed_without_news() -> None:
    """A session that reaches its 60 s line is told when it does, not at the next heartbeat."""
    shown = site()

    async def story(events: AsyncIterator[ServerSentEvent]) -> None:
        shown.clock.move(seconds=17.5)
        await take(events)
        await take(events)
        shown.clock.move(seconds=0.5)
        assert targets(await take(events)) == ["seat-7", queued(7)]

    watch(shown, story)


def test_what_happened_before_is_not_read_out() -> None:
    """An eviction that the page shows already is announced to nobody."""
    shown = site()

    async def story(events: AsyncIterator[ServerSentEvent]) -> None:
        assert "announce" not in targets(await take(events))

    watch(shown, story)


def test_it_ends_when_the_server_stops() -> None:
    """Closing ends every wait, so that Ctrl-C is not held up by open pages."""
    shown = site()

    async def play() -> list[ServerSentEvent]:
        async with asyncio.timeout(PATIENCE):
            asyncio.get_running_loop().call_later(0.05, shown.live.close)
            return [event async for event in follow(shown.board, shown.live)]

    assert len(asyncio.run(play())) == 2


def test_over_http_it_is_an_event_stream() -> None:
    """The route frames the events, forbids to keep them, and ends with the server."""
    shown = site()
    with TestClient(shown.app, base_url="http://127.0.0.1") as browser:
        assert browser.portal is not None
        with browser.stream("GET", "/stream") as answer:
            lines = answer.iter_lines()
            first = next(lines)
            browser.portal.call(shown.live.close)
            rest = list(lines)

    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.headers["cache-control"] == "no-cache"
    assert "content-encoding" not in answer.headers
    assert first.startswith('data: <hx-partial hx-target="#strip"')
    assert "event: heartbeat" in rest


def test_hostile_titles_cannot_open_a_partial() -> None:
    """Markup of the stream's own kind in a title is text."""
    current = state(session(1, title=f"<hx-partial hx-target='#number'>{HOSTILE}"))
    shown = site(snapshot(current))
    frame = shown.board.frame()
    message = "".join(partial(name, shown.board.markup(frame, name)) for name in ("seats", "timeline"))

    assert message.count("<hx-partial") == 2
    assert "<script" not in message


def test_places_are_replaced_as_they_need() -> None:
    """Parts are replaced whole; tiles, names and what happened are morphed, to keep the focus and an open detail."""
    assert 'hx-swap="outerHTML settle:0"' in partial("lane-3", "x")
    assert 'hx-swap="outerMorph settle:0"' in partial("seat-3", "x")
    assert 'hx-swap="outerMorph settle:0"' in partial("name-3", "x")
    assert 'hx-swap="innerMorph settle:0"' in partial("happened", "x")
    assert 'hx-swap="innerHTML settle:0"' in partial("number", "x")


def first_message(address: str) -> str:
    """All lines of the first event at an address."""
    shown = site()
    with TestClient(shown.app, base_url="http://127.0.0.1") as browser:
        assert browser.portal is not None
        with browser.stream("GET", address) as answer:
            lines: list[str] = []
            sent = answer.iter_lines()
            while line := next(sent):
                lines.append(line.removeprefix("data: "))
            browser.portal.call(shown.live.close)
            list(sent)
    return "\n".join(lines)


def sizes_of(shown: Site, before: Frame, after: Frame) -> dict[str, int]:
    """Bytes on the wire of each place that changed."""
    feed = PageFeed(shown.board, after.language, after.window)
    told = {name: message(shown.board, feed, after, name, before.views) for name in after.changes(before.views)}
    return {name: len(text.encode()) for name, text in told.items()}


def republish(shown: Site, after: Snapshot, window: Window, *, language: str = "ja") -> Frame:
    """The frame after the next version, once the timeline follows it."""
    shown.clock.move(seconds=15)
    shown.live.publish(replace(after, version=shown.live.current.version + 1))
    return shown.board.frame(language, window)


def test_a_turn_that_begins_weighs_little() -> None:
    """A usual update is the session's tile, lane and row of the queue: far below 6 KB, in the wider language too."""
    shown, window, current = site(), Window("2h"), seven_of_eight()
    before = shown.board.frame("ja", window)
    busy = replace(current.sessions[sid(6)], phase=Phase.WORKING, idle_since=None, since=NOW)
    history = past(current)
    spans = tuple(
        replace(s, end=ago(seconds=60)) if s.session == busy.id and s.end is None else s for s in history.spans
    )
    history = replace(history, spans=(*spans, Span(busy.id, Phase.WORKING, ago(seconds=60), None)))
    after = snapshot(replace(current, sessions={**current.sessions, busy.id: busy}), history=FixedRecorder(history))
    sizes = sizes_of(shown, before, republish(shown, after, window))

    assert set(sizes) == {"seat-6", "next", "lane-5", "twin-5"}
    assert sum(sizes.values()) < 1_500


def test_a_closing_weighs_less_than_the_page() -> None:
    """A closing changes much at once, but of the timeline its own lane, the seats and its mark alone."""
    shown, window, current = site(), Window("2h"), seven_of_eight()
    before = shown.board.frame("ja", window)
    gone = replace(
        current.sessions[sid(5)], phase=Phase.EVICTED, idle_since=None, since=NOW, ended_by="evicted_for_seat"
    )
    closing = mark("evicted_for_seat", 0, 5, idle_seconds=850, text="[CliGovernor] evicting for a seat " + "x" * 90)
    history = past(current, (closing,))
    spans = tuple(replace(s, end=NOW) if s.session == gone.id and s.end is None else s for s in history.spans)
    history = replace(history, spans=spans, seats=(*history.seats, SeatStep(NOW, 6, 8)))
    after = snapshot(replace(current, sessions={**current.sessions, gone.id: gone}), history=FixedRecorder(history))
    sizes = sizes_of(shown, before, republish(shown, after, window))
    of_the_timeline = {name for name in sizes if name.split("-")[0] in ("timeline", "tl", "lane", "name", "marks")}

    assert {"tl-area", "lane-4", "name-4", "marks-4"} <= of_the_timeline
    assert of_the_timeline <= {"tl-area", "lane-4", "name-4", "marks-4", "lane-5", "name-5"}  # the next is first now
    assert sum(sizes.values()) < 5_700


@pytest.mark.parametrize("seconds", [1, 5, 30, 120])
def test_time_alone_weighs_nothing(seconds: int) -> None:
    """While nothing happens and the window stands still nothing of the timeline is sent, whatever the range."""
    shown = site()
    for name in ("1h", "2h", "6h", "24h", "7d"):
        window = Window(name)
        before = shown.board.frame("en", window)
        shown.clock.at = NOW + timedelta(seconds=seconds if name != "1h" else 1)
        after = shown.board.frame("en", window)
        assert not after.ranged & set(after.changes(before.views)), name
        shown.clock.at = NOW


def test_the_stream_speaks_the_pages_language_and_range() -> None:
    """The address of the stream carries both; a page of a fixed window gets what is about now and no timeline."""
    first = {
        address: first_message(f"/stream?{address}")
        for address in ("range=24h&lang=ja", "lang=en", "from=2026-10-02T15:00&to=2026-10-02T16:00&lang=ja")
    }

    assert "24時間" in first["range=24h&lang=ja"]
    assert "残り1席。" in first["range=24h&lang=ja"]
    assert "One seat left." in first["lang=en"]
    assert 'hx-target="#timeline"' in first["lang=en"]
    fixed = first["from=2026-10-02T15:00&to=2026-10-02T16:00&lang=ja"]
    assert "残り1席。" in fixed
    assert "#timeline" not in fixed
    assert "#happened" not in fixed
