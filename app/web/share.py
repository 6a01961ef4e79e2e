"""``/share``: a picture of the present or of any window, and its files, without anything that tells whose they are."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, Response

from app.core.aliases import Aliases
from app.errors import FaceMissing, SeatwatchError
from app.export.faces import japanese_face
from app.web.asked import problem_of
from app.web.board import Board
from app.web.frames import lasting_language, page_answer, page_context
from app.web.language import language_of, speaking
from app.web.past import PastWindows
from app.web.ranges import RANGES, Window, WindowAsked, asked_for, range_name
from app.web.seating import replay_from
from app.web.share_files import FORMS, Studio, form_of, saved_as
from app.web.share_ink import THEMES, Theme, theme_named
from app.web.share_picture import picture
from app.web.share_rows import SharedEvent, event_rows
from app.web.share_scene import Scene, places_of, scene
from app.web.troubles import unread_words
from app.web.views import Choice
from app.web.words import _, listed

MOST_ROWS = 100
"""So many events are listed on the page; the files have them all."""
NAME = "seatwatch"
"""Every file is asked for under this name and the end of its form."""
LABELS: Mapping[str, str] = {"trace.json": "Trace"}
"""What a form is called, where not by the end of its name."""
FILE_HEADERS: Mapping[str, str] = {
    "Cache-Control": "no-store",
    # A file of ours that is opened in the browser may show itself and do nothing else.
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; font-src data:; sandbox",
}


@dataclass(frozen=True, slots=True)
class FileLink:
    """A file to save: what it is called, what it is for, its address, and the name it is saved under."""

    label: str
    use: str
    href: str
    name: str


@dataclass(frozen=True, slots=True)
class ShareView:
    """The page: the picture, its files, and the choices. ``missing`` says why there is no PNG, "" when there is one.

    ``copy`` is the address of what the copy button takes; ``rows`` are what the tables hold, newest first.
    """

    problem: str
    ranges: tuple[Choice, ...]
    themes: tuple[Choice, ...]
    image: str
    alt: str
    width: int
    height: int
    missing: str
    copy: str
    files: tuple[FileLink, ...]
    promise: str
    window: str
    rows: tuple[SharedEvent, ...]


@dataclass(slots=True)
class Sharing:
    """Makes scenes of what the board shows. Letters are kept by `Live`: files saved one after the other agree."""

    board: Board
    past: PastWindows | None

    async def scene(self, window: Window) -> Scene:
        """The scene of a window. Raises what the store raises."""
        live, at, zone = self.board.live, self.board.clock(), self.board.zone
        snapshot = live.current
        # What only the newest part of the logs says has letters of its own: those of the whole must not begin with it.
        aliases = live.aliases if snapshot.ready else Aliases()
        aliases.meet(snapshot.state)
        start, end = (at - window.length, at) if window.live else window.bounds(at)
        if end < at and self.past is not None:
            told = await self.past.told(start, end, at)
            state, history, spans, at = told.state, told.history, told.history.spans, end
        else:
            # On the loop: the history grows there.
            state, history = snapshot.state, replace(snapshot.history.window(start, min(end, at)), end=end)
            spans = snapshot.history.window(replay_from(state, at), at).spans
        return scene(
            replace(snapshot, state=state), history, at, zone,
            slots=places_of(state, spans), aliases=aliases, pin=window.pin,
        )  # fmt: skip


def share_router(board: Board, studio: Studio, past: PastWindows | None) -> APIRouter:
    """The page and its files. One file is made at a time: a picture takes a good part of a second of one core."""
    router = APIRouter(include_in_schema=False)
    sharing, turn = Sharing(board, past), asyncio.Semaphore(1)

    @router.api_route("/share", methods=["GET", "HEAD"], response_class=HTMLResponse)
    async def share(request: Request) -> HTMLResponse:
        with speaking(language_of(request)):
            asked, shown = await _shown(sharing, request)
            missing = await asyncio.to_thread(_missing, studio, language_of(request))
            view = _view(request, asked, shown, missing)
            context = page_context(request, board, here="share", title=_("Share"))
            return page_answer(request, board, "share.html", {**context, "view": view})

    @router.api_route("/share/{file}", methods=["GET", "HEAD"], response_class=Response)
    async def share_file(request: Request, file: str) -> Response:
        form = form_of(file)
        if form is None or file != f"{NAME}.{form.suffix}":
            raise HTTPException(404)
        with speaking(language_of(request)):
            asked = asked_for(request.query_params, board.clock(), board.zone, board.live.preferences.range)
            if asked.problem:
                raise HTTPException(400, asked.problem)
            try:
                async with turn:
                    shown = await sharing.scene(asked.window)
                    made = await asyncio.to_thread(form.make, studio, shown, _theme(request))
            except SeatwatchError as error:
                raise problem_of(error) from error
        headers = {**FILE_HEADERS, "Content-Disposition": f'attachment; filename="{saved_as(shown, form)}"'}
        return Response(made, 200, headers, form.media_type)

    return router


async def _shown(sharing: Sharing, request: Request) -> tuple[WindowAsked, Scene]:
    """What the address asks for; the present when that cannot be had, and why."""
    board = sharing.board
    usual = board.live.preferences.range
    asked = asked_for(request.query_params, board.clock(), board.zone, usual)
    try:
        return asked, await sharing.scene(asked.window)
    except SeatwatchError as error:
        window = Window(usual)
        return WindowAsked(window, unread_words(error)), await sharing.scene(window)


def _missing(studio: Studio, language: str) -> str:
    """Why no PNG can be had in this language; "" when it can."""
    if language != "ja" or japanese_face(studio.folders) is not None:
        return ""
    error = FaceMissing("Japanese", studio.folders)
    return _("No PNG: this system has no Japanese face to draw it with. Looked in: {places}").format(
        places=listed(error.looked_in)
    )


def _theme(request: Request) -> Theme:
    return theme_named(request.query_params.get("theme"))


def _view(request: Request, asked: WindowAsked, shown: Scene, missing: str) -> ShareView:
    window, theme, language = asked.window, _theme(request), language_of(request)
    lasting = {"lang": lasting_language(request)} if lasting_language(request) else {}

    def address(path: str, of: Window, named: Mapping[str, str]) -> str:
        return f"{path}?{of.query()}&{urlencode(named)}"

    def file(suffix: str) -> str:
        return address(f"/share/{NAME}.{suffix}", window, {"theme": theme, "lang": language})

    drawn = picture(shown, theme)
    themes = {"dark": _("Dark"), "light": _("Light")}
    return ShareView(
        problem=asked.problem,
        ranges=tuple(
            Choice(range_name(name), address("/share", Window(name), {"theme": theme, **lasting}), name == window.name,
                   name)
            for name in RANGES
        ),
        themes=tuple(
            Choice(themes[one], address("/share", window, {"theme": one, **lasting}), one == theme, one)
            for one in THEMES
        ),
        image=file("svg" if missing else "png"),
        alt=f"{drawn.label}. {drawn.description}",
        width=drawn.width,
        height=drawn.height,
        missing=missing,
        copy="" if missing else file("png"),
        files=tuple(
            FileLink(LABELS.get(suffix, suffix.upper()), _uses()[suffix], file(suffix), saved_as(shown, form))
            for suffix, form in FORMS.items()
            if not (missing and suffix == "png")
        ),
        promise=shown.promise(),
        window=shown.window(),
        rows=event_rows(shown)[::-1][:MOST_ROWS],
    )  # fmt: skip


def _uses() -> Mapping[str, str]:
    """What each form is for."""
    return {
        "png": _("for chats and documents"),
        "svg": _("sharp at any size"),
        "html": _("the picture and the table in one file"),
        "csv": _("the events, for a spreadsheet"),
        "json": _("the events and sessions, for programs"),
        "trace.json": _("for Perfetto and Chrome's tracing page"),
    }
