"""``/stream``: the page's one open connection. First everything, then what changed, and the time every few seconds.

How it ends: the page leaves (the server cancels the generator), the server stops (`Live.close` ends the wait), or
the page hides (its script lets go, and connects again for a new snapshot on return). Nothing is kept per page but
the views it was sent: a slow page skips versions.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

from fastapi import APIRouter, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent

from app import __version__
from app.live import Live
from app.web.board import Board, Frame
from app.web.language import DEFAULT, language_of
from app.web.ranges import Window, asked_for

HEARTBEAT_SECONDS = 5.0
"""The page takes three missed beats for a lost connection."""
LEAST_SECONDS_BETWEEN = 0.1
"""A page is sent at most ten messages a second; the first one after a pause goes out at once."""
MORPHED = frozenset({"happened", "next"})
"""Places in which an open detail must survive the update."""


def partial(name: str, markup: str) -> str:
    """The markup that replaces one place on the page."""
    # A place with a number or a kin in its name brings its own element.
    swap = "innerMorph" if name in MORPHED else "outerHTML" if "-" in name else "innerHTML"
    return f'<hx-partial hx-target="#{name}" hx-swap="{swap} settle:0">{markup}</hx-partial>'


def heartbeat(frame: Frame, pages: int) -> ServerSentEvent:
    """The server's time, the newest line's time, the version, which tells a page that it is outdated, and how many
    ``pages`` are open: a browser lets the seventh of them wait for ever.
    """
    beat = {"now": frame.clocks.now, "last": frame.clocks.last_line, "v": __version__, "pages": pages}
    return ServerSentEvent(event="heartbeat", raw_data=json.dumps(beat, separators=(",", ":")))


async def follow(
    board: Board, live: Live, language: str = DEFAULT, window: Window | None = None
) -> AsyncGenerator[ServerSentEvent]:
    """Messages for one page until the server stops; the timeline is among them while its window is live."""
    loop = asyncio.get_running_loop()
    window = window or Window()

    def frame_now() -> Frame:
        return board.frame(language, window) if window.live else board.head(language)

    # What was closed before the page opened is on it already and is not read out.
    sent: dict[str, object] = {"announce": frame_now().views["announce"]}
    beaten, told = -HEARTBEAT_SECONDS, None
    while not live.closing:
        frame = frame_now()
        if changed := frame.changes(sent):
            yield ServerSentEvent(raw_data="".join(partial(name, board.markup(frame, name)) for name in changed))
            sent = dict(frame.views)
        if loop.time() - beaten >= HEARTBEAT_SECONDS or told != frame.clocks.last_line:
            yield heartbeat(frame, board.pages)
            beaten, told = loop.time(), frame.clocks.last_line
        started = loop.time()
        until_beat = beaten + HEARTBEAT_SECONDS - started
        await live.after(frame.version, min(until_beat, frame.patience or HEARTBEAT_SECONDS))
        rest = LEAST_SECONDS_BETWEEN - (loop.time() - started)
        if rest > 0 and not live.closing:
            await asyncio.sleep(rest)


def stream_router(board: Board, live: Live) -> APIRouter:
    """The stream's route."""
    router = APIRouter()

    @router.get("/stream", response_class=EventSourceResponse, summary="The page's live updates")
    async def stream(request: Request) -> AsyncIterator[ServerSentEvent]:
        asked = asked_for(request.query_params, board.clock(), board.zone)
        board.pages += 1
        try:
            async with aclosing(follow(board, live, language_of(request), asked.window)) as events:
                async for event in events:
                    yield event
        finally:
            board.pages -= 1

    return router
