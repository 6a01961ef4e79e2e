"""``/stream``: the page's one open connection. First everything, then what changed, and the time every few seconds.

How it ends: the page leaves (the server cancels the generator), the server stops (`Live.close` ends the wait), or
the page hides (its script lets go, and connects again for a new snapshot on return). Nothing is kept per page but
the views it was sent: a slow page skips versions.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Protocol

from fastapi import APIRouter, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent
from markupsafe import Markup

from app import __version__
from app.live import Live
from app.web.board import Board, Frame
from app.web.language import DEFAULT, language_of
from app.web.ranges import Window, asked_for
from app.web.steps import step
from app.web.wall import WallBoard, WallFeed
from app.web.wall_asked import hides_titles

HEARTBEAT_SECONDS = 5.0
"""The page takes three missed beats for a lost connection."""
LEAST_SECONDS_BETWEEN = 0.1
"""A page is sent at most ten messages a second; the first one after a pause goes out at once."""
MORPHED = frozenset({"happened", "next", "memory", "ports", "seats", "timeline"})
"""Places in which an open detail, and where the reader stands with the keyboard, must survive the update."""


def partial(name: str, markup: str) -> str:
    """The markup that replaces one place on the page."""
    # A place with a number or a kin in its name brings its own element.
    # A tile and the name of a lane are links: who has stepped to one with the keyboard must not be thrown off it.
    whole = "outerMorph" if name.startswith(("seat-", "name-")) else "outerHTML"
    swap = "innerMorph" if name in MORPHED else whole if "-" in name else "innerHTML"
    return f'<hx-partial hx-target="#{name}" hx-swap="{swap} settle:0">{markup}</hx-partial>'


def message(board: Board, feed: Feed, frame: Frame, name: str, sent: Mapping[str, object]) -> str:
    """What brings one place from what the page was ``sent`` to what ``frame`` has there."""
    taken = step(sent.get(name), frame.views[name])
    return board.step(frame, name, taken) if taken is not None else partial(name, feed.markup(frame, name))


def heartbeat(frame: Frame, pages: int, version: str) -> ServerSentEvent:
    """The server's time, the newest line's time, the version, which tells a page that it is outdated, and how many
    ``pages`` are open: a browser lets the seventh of them wait for ever.
    """
    beat = {"now": frame.clocks.now, "last": frame.clocks.last_line, "v": version, "pages": pages}
    return ServerSentEvent(event="heartbeat", raw_data=json.dumps(beat, separators=(",", ":")))


class Feed(Protocol):
    """What a page follows. ``version`` is that of what the server serves: a page with another one is outdated."""

    @property
    def version(self) -> str:
        """Any text that changes with what is served."""

    def frame(self) -> Frame:
        """The frame of now."""

    def markup(self, frame: Frame, name: str) -> Markup:
        """The markup of one place of that frame."""


@dataclass(frozen=True, slots=True)
class PageFeed:
    """The first page's feed; the timeline is part of it while its ``window`` is live."""

    board: Board
    language: str = DEFAULT
    window: Window = field(default_factory=Window)
    version: str = __version__

    def frame(self) -> Frame:
        """The frame of now."""
        return self.board.frame(self.language, self.window) if self.window.live else self.board.head(self.language)

    def markup(self, frame: Frame, name: str) -> Markup:
        """The markup of one place of it."""
        return self.board.markup(frame, name)


async def follow(board: Board, live: Live, feed: Feed | None = None) -> AsyncGenerator[ServerSentEvent]:
    """Messages for one page until the server stops: of ``feed``, by default the first page's in its usual range."""
    loop = asyncio.get_running_loop()
    feed = feed or PageFeed(board)
    # What was closed before the page opened is on it already and is not read out.
    sent = {name: view for name, view in feed.frame().views.items() if name == "announce"}
    beaten, told, news = -HEARTBEAT_SECONDS, None, False
    while not live.closing:
        frame = feed.frame()
        if changed := frame.changes(sent):
            yield ServerSentEvent(raw_data="".join(message(board, feed, frame, name, sent) for name in changed))
            sent = dict(frame.views)
        # Who is awake for some news beats early: to be woken again for the beat alone costs as much as the news.
        every = HEARTBEAT_SECONDS / 2 if news else HEARTBEAT_SECONDS
        if loop.time() - beaten >= every or told != frame.clocks.last_line:
            yield heartbeat(frame, board.pages, feed.version)
            beaten, told = loop.time(), frame.clocks.last_line
        started = loop.time()
        until_beat = beaten + HEARTBEAT_SECONDS - started
        news = await live.after(frame.version, min(until_beat, frame.patience or HEARTBEAT_SECONDS)) is not None
        rest = LEAST_SECONDS_BETWEEN - (loop.time() - started)
        if rest > 0 and not live.closing:
            await asyncio.sleep(rest)


def stream_router(board: Board, live: Live, wall: WallBoard | None = None) -> APIRouter:
    """The stream's route. ``view=wall`` asks for the wall's places, anything else for the first page's."""
    router = APIRouter()

    def feed_of(request: Request) -> Feed:
        query, language = request.query_params, language_of(request)
        if wall is not None and query.get("view") == "wall":
            return WallFeed(wall, language, hides_titles(query))
        return PageFeed(board, language, asked_for(query, board.clock(), board.zone).window)

    @router.get("/stream", response_class=EventSourceResponse, summary="The page's live updates")
    async def stream(request: Request) -> AsyncIterator[ServerSentEvent]:
        feed = feed_of(request)
        board.pages += 1
        try:
            async with aclosing(follow(board, live, feed)) as events:
                async for event in events:
                    yield event
        finally:
            board.pages -= 1

    return router
