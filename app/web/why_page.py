"""``/why``: why a session stopped, or what stopped around a time, with the log lines that prove it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import datetime

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from app.errors import SeatwatchError, Unanswerable
from app.explain import Told, judge
from app.web.asked import Asked, moment_asked
from app.web.board import Board
from app.web.frames import failed, not_ready, page_answer, page_context
from app.web.language import language_of, speaking
from app.web.why_presenter import Seen, answer_view, form, problem, recent_rows
from app.web.why_views import WhyView
from app.web.words import _

LONGEST_SESSION, LONGEST_TIME = 200, 80
"""Longer values name no session and no time."""


def why_router(board: Board, asked: Asked) -> APIRouter:
    """The page's route. One question is answered at a time: one of the past folds a week of events anew."""
    router = APIRouter(include_in_schema=False)
    turn = asyncio.Semaphore(1)

    @router.get("/why", response_class=HTMLResponse)
    async def why(request: Request) -> HTMLResponse:
        with speaking(language_of(request)):
            if not board.live.current.ready:
                return not_ready(request, board)
            session = request.query_params.get("session", "").strip()[:LONGEST_SESSION]
            typed = request.query_params.get("at", "").strip()[:LONGEST_TIME]
            try:
                async with turn:
                    view = await _view(board, asked, session, typed)
            except SeatwatchError as error:
                return failed(request, board, error)
            context = {**page_context(request, board, here="why", title=_("Why it stopped")), "view": view}
            return page_answer(request, board, "why.html", context, 400 if view.problem else 200)

    return router


async def _view(board: Board, asked: Asked, session: str, typed: str) -> WhyView:
    """The whole page. Raises what ``asked`` raises."""
    now, state, zone = board.clock(), board.live.current.state, board.zone
    seen = Seen(now, zone)
    at: datetime | None = None
    told: Told | None = None
    try:
        at = moment_asked(typed, zone) if typed else None
        seen = replace(seen, asked=at)
        told = await asked.told(at or now)
        if not session and at is None:
            _state, trail = await asyncio.to_thread(told.walked, now)
            rows = recent_rows(trail.stops, state, seen)
            empty = "" if rows else _("Nothing has stopped in all that is kept of the log.")
            return WhyView(form(state, session, at, seen), recent=rows, empty=empty)
        found = await asyncio.to_thread(judge, told, session or None, at or now, zone)
    except Unanswerable as error:
        value = typed if error.kind in ("moment", "before") else session
        return WhyView(form(state, session, at, seen), problem=problem(error, state, value, seen, told))
    answer = answer_view(found, told, seen)
    empty = "" if answer is not None else _("Nothing stopped within ten minutes of that time.")
    meant = found.session.id if session and found.session is not None else session
    return WhyView(form(state, meant, at, seen), answer, empty=empty)
