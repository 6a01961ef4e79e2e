"""``/sessions/{id}``: the life of one session, its place in the queue, and every line that the log has of it."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import HTMLResponse

from app.core.evolve import replace
from app.core.history import History
from app.core.report import sessions_in_order
from app.core.state import State
from app.errors import SeatwatchError
from app.web.board import Board
from app.web.frames import failed, not_ready, page_answer, page_context
from app.web.kept import Archive, KeptLife, Wanted, named, names_now
from app.web.language import language_of, speaking
from app.web.links import session_href
from app.web.past import PastWindows
from app.web.session_life import life_window
from app.web.session_presenter import PAGE, PROOF_KINDS, SessionStory, session_view
from app.web.titles import plain, title_of
from app.web.views import Choice
from app.web.words import _

LONGEST_ID = 200
"""No session's id is longer."""
LARGEST_CURSOR = 2**62
MOST_PROOFS = 40
MOST_KNOWN = 12
"""So many sessions are offered to who asked for one that is not there."""


def session_router(board: Board, archive: Archive, past: PastWindows | None) -> APIRouter:
    """The page's route."""
    router = APIRouter(include_in_schema=False)

    @router.get("/sessions/{id}", response_class=HTMLResponse)
    async def session(request: Request, session_id: Annotated[str, Path(alias="id")]) -> HTMLResponse:
        with speaking(language_of(request)):
            if not board.live.current.ready:
                return not_ready(request, board)
            try:
                told = await _told(board, archive, past, session_id, _cursor(request.query_params.get("before")))
            except SeatwatchError as error:
                return failed(request, board, error)
            if told is None:
                return _unknown(request, board, session_id)
            view = session_view(told, session_id)
            context = {**page_context(request, board, here="", title=view.title), "view": view}
            return page_answer(request, board, "session.html", context)

    return router


def _unknown(request: Request, board: Board, session_id: str) -> HTMLResponse:
    newest = sessions_in_order(board.live.current.state)[::-1][:MOST_KNOWN]
    context = {
        **page_context(request, board, here="", title=_("No such session")),
        "what": _("No such session"),
        "why": _("The log names no session “{id}”, or what it said of it is not kept any more.").format(
            id=plain(session_id, 80)
        ),
        "todo": _("Choose one of the newest sessions:") if newest else _("Go back to the seats."),
        "known": tuple(Choice(title_of(one), session_href(one.id), current=False, code=one.id) for one in newest),
    }
    return page_answer(request, board, "unanswered.html", context, 404)


def _cursor(text: str | None) -> int | None:
    """The event before which the page begins; None, the newest page, for what is no number of one."""
    if text is None or not text.isascii() or not text.isdigit() or len(text) > 19:
        return None
    return min(int(text), LARGEST_CURSOR)


async def _told(
    board: Board, archive: Archive, past: PastWindows | None, session_id: str, before: int | None
) -> SessionStory | None:
    """All that is known of a session, None when nothing is. Raises what the archive raises."""
    at, state = board.clock(), board.live.current.state
    if len(session_id) > LONGEST_ID:
        return None
    life = await archive.life(session_id)
    if life is None and session_id not in state.sessions:
        return None
    history, then = await _history(board, past, session_id, life)
    return SessionStory(
        state=then if session_id in then.sessions and session_id not in state.sessions else state,
        history=history,
        life=life,
        events=await archive.events(Wanted(session=session_id, limit=PAGE, before=before)),
        before=before,
        proofs=await archive.events(Wanted(session=session_id, kinds=PROOF_KINDS, limit=MOST_PROOFS)),
        names={**names_now(board.live.current), **await archive.names()},
        now=at,
        zone=board.zone,
    )


async def _history(
    board: Board, past: PastWindows | None, session_id: str, life: KeptLife | None
) -> tuple[History, State]:
    """The history that shows the session's life, from memory or, when that has forgotten it, from what is kept."""
    at, snapshot = board.clock(), board.live.current
    session = snapshot.state.sessions.get(session_id)
    first = life.first_at if life is not None else _since(snapshot.state, session_id, at)
    last = at if session is not None and session.alive else life.last_at if life is not None else first
    window = life_window(first, max(first, last))
    told = await past.of(window, snapshot, at) if past is not None else None
    if told is not None:
        return named(told.history, names_now(snapshot)), told.state
    start, end = window.bounds(at)
    shown = replace(snapshot.history.window(start, min(end, at)), end=end)
    return named(shown, names_now(snapshot)), snapshot.state


def _since(state: State, session_id: str, at: datetime) -> datetime:
    session = state.sessions.get(session_id)
    return at if session is None else session.live_since or session.since
