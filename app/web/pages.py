"""``/``: the whole page in one answer, with the places that `app.web.stream` then keeps fresh."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from app import __version__
from app.errors import SeatwatchError
from app.web.board import Board
from app.web.frames import nav_links, page_answer
from app.web.language import LANGUAGES, language_of, speaking
from app.web.past import Past, PastWindows
from app.web.ranges import RANGES, Window, WindowAsked, asked_for, range_name
from app.web.troubles import unread_words
from app.web.views import Choice, RangesView
from app.web.words import _, moment, zone_name


def pages_router(board: Board, past: PastWindows | None = None) -> APIRouter:
    """The pages' routes."""
    router = APIRouter(include_in_schema=False)

    @router.api_route("/", methods=["GET", "HEAD"], response_class=HTMLResponse)
    async def dashboard(request: Request) -> HTMLResponse:
        language, at = language_of(request), board.clock()
        with speaking(language):
            asked = asked_for(request.query_params, at, board.zone, board.live.preferences.range)
            told: Past | None = None
            try:
                told = await past.of(asked.window, board.live.current, at) if past is not None else None
            except SeatwatchError as error:
                asked = WindowAsked(Window(board.live.preferences.range), unread_words(error))
            frame = board.frame(language, asked.window, told)
            context = {
                "places": {name: board.markup(frame, name) for name in frame.whole()},
                "clocks": frame.clocks,
                "version": __version__,
                "zone": zone_name(at, board.zone),
                **choices(asked, language, board, lasting=request.query_params.get("lang") in LANGUAGES),
            }
            return page_answer(request, board, "dashboard.html", context)

    return router


def choices(asked: WindowAsked, language: str, board: Board, *, lasting: bool) -> dict[str, Any]:
    """What the reader can choose, as links: the range, and the language.

    ``lasting`` keeps an address' language in all links, for it was not the reader's own choice.
    """
    window = asked.window
    tail = f"&lang={language}" if lasting else ""
    tabs = tuple(
        Choice(range_name(name), f"/?{Window(name).query()}{tail}", name == window.name, name) for name in RANGES
    )
    languages = tuple(
        Choice(label, f"/?{window.query()}&lang={code}", code == language, code) for code, label in LANGUAGES.items()
    )
    return {
        "ranges": RangesView(
            tabs, asked.problem, _still(window, board), f"/?{Window(board.live.preferences.range).query()}{tail}"
        ),
        "languages": languages,
        "nav": nav_links("seats", language if lasting else "", window.query()),
        "stream": f"/stream?{window.query()}&lang={language}",
    }


def _still(window: Window, board: Board) -> str:
    """What a fixed window says of itself; "" for a live one."""
    if window.start is None or window.end is None:
        return ""
    start, end = (moment(at, board.clock(), board.zone) for at in (window.start, window.end))
    return _("You look at {start} to {end}. The timeline and what happened stand still.").format(start=start, end=end)
