"""``/wall``: the page for a screen across the room, with the places that the stream's ``view=wall`` keeps fresh."""

from __future__ import annotations

import hashlib
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from app import __version__
from app.web.board import Board
from app.web.frames import page_answer
from app.web.language import language_of, speaking
from app.web.rendering import StaticUrls
from app.web.wall import WallBoard
from app.web.wall_asked import wall_asked

FILES = ("app.css", "timeline.css", "wall.css", "live.js", "wall.js")
"""What an open wall has loaded: when one of them changes the wall is outdated, whatever the version says."""


def wall_version(urls: StaticUrls) -> str:
    """The version of Seatwatch and a fingerprint of the wall's files. Raises `OSError` when one of them is missing."""
    files = hashlib.sha256("".join(urls.fingerprint(name) for name in FILES).encode("ascii"))
    return f"{__version__}-{files.hexdigest()[:8]}"


def wall_router(board: Board, wall: WallBoard) -> APIRouter:
    """The wall's route."""
    router = APIRouter(include_in_schema=False)

    @router.api_route("/wall", methods=["GET", "HEAD"], response_class=HTMLResponse)
    async def show(request: Request) -> HTMLResponse:
        language = language_of(request)
        with speaking(language):
            asked = wall_asked(request.query_params)
            look = wall.look(language, hide=asked.hide)
            frame = wall.frame(look)
            follows = {"view": "wall", "lang": language} | ({"titles": "hide"} if asked.hide else {})
            context = {
                "places": {name: wall.markup(look, frame, name) for name in frame.whole()},
                "clocks": frame.clocks,
                "version": wall.version,
                "asked": asked,
                "stream": f"/stream?{urlencode(follows)}",
            }
            return page_answer(request, board, "wall.html", context)

    return router
