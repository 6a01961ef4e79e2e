"""The page and what programs read: everything that speaks HTTP.

``snapshot → presenters → views → board → pages | stream``: `app.web.board` makes views of the newest snapshot once
for all pages, `app.web.pages` answers with all of them, `app.web.stream` with those that changed.
`app.web.wall` is the board of the page for a screen across the room.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import datetime, tzinfo
from pathlib import Path

from fastapi import FastAPI
from starlette.middleware.gzip import GZipMiddleware

from app.export.faces import font_folders
from app.live import Live
from app.web.api import api_router
from app.web.asked import Asked, asked_router
from app.web.board import Board
from app.web.census_page import census_router
from app.web.health import Inside, health_router
from app.web.kept import Archive, NothingKept
from app.web.language import PREFERRED
from app.web.listings import Listing, listings_router
from app.web.metrics import metrics_router
from app.web.pages import pages_router
from app.web.past import HistoryOf, PastWindows
from app.web.problems import Answerer, documented, install_problems
from app.web.rendering import Renderer, StaticUrls
from app.web.security import HEADERS, Access, HostGuard, SecurityHeaders
from app.web.security_token import TokenGuard
from app.web.session_page import session_router
from app.web.settings_desk import Desk
from app.web.settings_page import settings_router
from app.web.share import share_router
from app.web.share_files import Studio
from app.web.statics import VersionedFiles
from app.web.stream import stream_router
from app.web.wall import WallBoard
from app.web.wall_page import wall_router, wall_version
from app.web.why_page import why_router

REFUSED = (401, 403, 421, 429)
"""How `app.web.security` and `app.web.security_token` refuse whoever asks."""
ASKED = (400, 404, 422, 503, *REFUSED)
"""What may be wrong with a question, and that the store may not answer."""


def build_web(
    app: FastAPI,
    *,
    live: Live,
    zone: tzinfo,
    templates_dir: Path,
    static_dir: Path,
    clock: Callable[[], datetime],
    asked: Asked,
    access: Access | None = None,
    history_of: HistoryOf | None = None,
    archive: Archive | None = None,
    desk: Desk | None = None,
    inside: Callable[[], Inside] = Inside,
) -> Board:
    """Mount everything that Seatwatch serves on ``app``; the answer is the board that all pages share.

    ``clock`` gives the time in UTC, ``zone`` is that of all times on the page, ``access`` says who is
    answered, by default this machine alone, ``asked`` answers what is asked of the past. ``history_of`` tells of
    windows from before the history in memory, which is all there is without it; ``archive`` holds the events that
    are kept; ``inside`` tells of the parts behind the pages. ``desk`` is where preferences are changed; without it a
    change holds until the end and no longer.
    """
    urls = StaticUrls(static_dir)
    renderer = Renderer(templates_dir, urls.url, lambda: live.preferences.theme, lambda: live.sends)
    setattr(app.state, PREFERRED, lambda: live.preferences.language)
    board = Board(live, zone, clock, renderer)
    past = PastWindows(history_of) if history_of is not None else None
    kept = archive if archive is not None else NothingKept()
    app.include_router(pages_router(board, past))
    wall = WallBoard(board, wall_version(urls))
    app.include_router(wall_router(board, wall))
    app.include_router(settings_router(board, desk if desk is not None else Desk(live)))
    app.include_router(stream_router(board, live, wall))
    app.include_router(api_router(live, zone, clock), responses=documented(*REFUSED))
    app.include_router(health_router(live, clock, inside, lambda: board.pages), responses=documented(*REFUSED))
    app.include_router(metrics_router(live, clock, inside, lambda: board.pages))
    app.include_router(asked_router(asked, zone, clock), responses=documented(*ASKED))
    app.include_router(session_router(board, kept, past))
    app.include_router(why_router(board, asked))
    app.include_router(census_router(board, asked, kept))
    app.include_router(share_router(board, Studio(renderer, static_dir, font_folders(sys.platform)), past))
    app.include_router(listings_router(Listing(live, kept, past, zone, clock)), responses=documented(*ASKED))
    app.mount("/static", VersionedFiles(static_dir, urls), name="static")
    answer, access = Answerer(renderer), access or Access()
    install_problems(app, answer, HEADERS)
    # The last one added is the outermost. Starlette's compression leaves event streams alone.
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    if access.token is not None:
        app.add_middleware(TokenGuard, answer=answer, token=access.token)
    app.add_middleware(HostGuard, answer=answer, names=access.names, anywhere=access.anywhere)
    app.add_middleware(SecurityHeaders)
    return board
