"""The page and what programs read: everything that speaks HTTP.

``snapshot → presenters → views → board → pages | stream``: `app.web.board` makes views of the newest snapshot once
for all pages, `app.web.pages` answers with all of them, `app.web.stream` with those that changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, tzinfo
from pathlib import Path

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware

from app.live import Live
from app.web.api import api_router
from app.web.asked import Asked, asked_router
from app.web.board import Board
from app.web.pages import pages_router
from app.web.past import HistoryOf, PastWindows
from app.web.problems import install_problems
from app.web.rendering import Renderer, StaticUrls
from app.web.security import HEADERS, HostGuard, SecurityHeaders
from app.web.statics import VersionedFiles
from app.web.stream import stream_router


def build_web(
    app: FastAPI,
    *,
    live: Live,
    zone: tzinfo,
    templates_dir: Path,
    static_dir: Path,
    clock: Callable[[], datetime],
    asked: Asked,
    names: Iterable[str] = (),
    history_of: HistoryOf | None = None,
) -> Board:
    """Mount everything that Seatwatch serves on ``app``; the answer is the board that all pages share.

    ``clock`` gives the time in UTC, ``zone`` is that of all times on the page, ``names`` are host names to answer to
    besides those of the loopback, ``asked`` answers what is asked of the past. ``history_of`` tells of windows from
    before the history in memory, which is all there is without it.
    """
    urls = StaticUrls(static_dir)
    renderer = Renderer(templates_dir, urls.url)
    board = Board(live, zone, clock, renderer)
    app.include_router(pages_router(board, renderer, PastWindows(history_of) if history_of is not None else None))
    app.include_router(stream_router(board, live))
    app.include_router(api_router(live, zone, clock))
    app.include_router(asked_router(asked, zone, clock))
    app.mount("/static", VersionedFiles(static_dir, urls), name="static")
    install_problems(app, renderer, HEADERS)
    # The last one added is the outermost. Starlette's compression leaves event streams alone.
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    app.add_middleware(HostGuard, names=tuple(names))
    app.add_middleware(SecurityHeaders)
    return board
