"""``/``: the whole page in one answer, with the places that `app.web.stream` then keeps fresh."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from app import __version__
from app.web.board import Board
from app.web.rendering import Renderer


def zone_name(board: Board) -> str:
    """The zone of all times on the page, as its abbreviation."""
    return board.clock().astimezone(board.zone).tzname() or "local time"


def pages_router(board: Board, renderer: Renderer) -> APIRouter:
    """The pages' routes."""
    router = APIRouter(include_in_schema=False)

    @router.api_route("/", methods=["GET", "HEAD"], response_class=HTMLResponse)
    async def dashboard() -> HTMLResponse:
        frame = board.frame()
        places = {name: board.markup(frame, name) for name in frame.views if not name.startswith("seat-")}
        context = {"places": places, "clocks": frame.clocks, "version": __version__, "zone": zone_name(board)}
        return HTMLResponse(renderer.page("dashboard.html", context), headers={"Cache-Control": "no-store"})

    return router
