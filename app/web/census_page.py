"""``/census``: what the log is made of, and how far it and Seatwatch agree."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from app.errors import SeatwatchError
from app.web.asked import Asked
from app.web.board import Board
from app.web.census_presenter import Counted, census_view
from app.web.frames import failed, page_answer, page_context
from app.web.kept import Archive, Wanted
from app.web.language import language_of, speaking
from app.web.words import _

MOST_SAMPLES = 400
"""So many of the newest lines of unknown shapes are looked through for a sample of each shape."""


def census_router(board: Board, asked: Asked, archive: Archive) -> APIRouter:
    """The page's route."""
    router = APIRouter(include_in_schema=False)

    @router.get("/census", response_class=HTMLResponse)
    async def census(request: Request) -> HTMLResponse:
        with speaking(language_of(request)):
            try:
                counted = await _counted(board, asked, archive)
            except SeatwatchError as error:
                return failed(request, board, error)
            context = {**page_context(request, board, here="census", title=_("Census")), "view": census_view(counted)}
            return page_answer(request, board, "census.html", context)

    return router


async def _counted(board: Board, asked: Asked, archive: Archive) -> Counted:
    found, names = await asked.census()
    samples = await archive.events(Wanted(kinds=("Unrecognized",), limit=MOST_SAMPLES)) if found.shapes else ()
    return Counted(
        census=found,
        names=names,
        samples=[kept.observed for kept in samples],
        state=board.live.current.state,
        now=board.clock(),
        zone=board.zone,
    )
