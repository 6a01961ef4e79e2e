"""``/settings``: preferences as a form. The only page that changes anything, and only what is Seatwatch's own."""

from __future__ import annotations

import json
from collections.abc import Mapping

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.responses import Response

from app.errors import SeatwatchError
from app.web.board import Board
from app.web.frames import lasting_language, page_answer, page_context
from app.web.language import COOKIE, language_of, speaking
from app.web.problems import problem_response, wants_page
from app.web.settings_desk import Desk
from app.web.settings_form import Filled, Form, Values, filled, parsed, values_of
from app.web.settings_views import SettingsView, error_words, field_labels, gone_words, settings_view
from app.web.telling import failure_words
from app.web.troubles import unkept_words
from app.web.words import _, listed

PATH = "/settings"
URLENCODED = "application/x-www-form-urlencoded"
LARGEST_FORM = 64 * 1024
"""Ten addresses of the longest kind, escaped, and all else take less."""


def settings_router(board: Board, desk: Desk) -> APIRouter:
    """The page, what it sends, and its test button. Who may send is the middleware's matter."""
    router = APIRouter(include_in_schema=False)

    @router.get(PATH, response_class=HTMLResponse)
    async def show(request: Request) -> HTMLResponse:
        with speaking(language_of(request)):
            asked = request.query_params
            view = settings_view(
                desk, values_of(desk.live.preferences), board.clock(), board.zone,
                saved=asked.get("saved") == "1", tested=asked.get("tested") == "1",
            )  # fmt: skip
            return _page(request, board, view)

    @router.post(PATH)
    async def change(request: Request) -> Response:
        with speaking(language_of(request)):
            sent = await _form(request)
            form = filled(sent, desk.live.preferences, desk.services())
            errors = {name: error_words(name) for name in form.wrong} | await _addresses_wrong(desk, form)
            if errors:
                return _refused(request, board, desk, form.values, errors)
            try:
                # Anew: looking at an address takes time, and another tab may have changed something meanwhile.
                await desk.change(lambda held: filled(sent, held, desk.services()).changes)
            except SeatwatchError as error:
                return _refused(request, board, desk, form.values, {}, failure=error)
            answer = _back(request, "saved")
            if "language" in form.changes:
                answer.delete_cookie(COOKIE, path="/", samesite="strict")  # what was chosen here is to be seen here
            return answer

    @router.post(f"{PATH}/test")
    async def test(request: Request) -> Response:
        await desk.test()
        return _back(request, "tested")

    return router


async def _form(request: Request) -> Form:
    """The fields that were sent. Raises `HTTPException` for what is no form of ours."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != URLENCODED:
        raise HTTPException(415, _("Send the fields as a form: {form}.").format(form=URLENCODED))
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_FORM:
            raise HTTPException(413, _("No form of this page is so large."))
    try:
        return parsed(body)
    except ValueError as error:
        raise HTTPException(413, _("No form of this page is so large.")) from error


async def _addresses_wrong(desk: Desk, form: Filled) -> dict[str, str]:
    """What is wrong with an address that is new, as who knows services says it; or that one is there no more."""
    if form.gone:
        return {"notify_to": gone_words()}
    for address in form.added:
        if problem := await desk.problem_of(address):
            return {"notify_to": f"{failure_words(problem)} {error_words('notify_to')}"}
    return {}


def _refused(
    request: Request,
    board: Board,
    desk: Desk,
    values: Values,
    errors: Mapping[str, str],
    *,
    failure: SeatwatchError | None = None,
) -> Response:
    """What was not kept and why: beside the fields, or as a document that names them."""
    status = 422 if failure is None else 503
    trouble = "" if failure is None else unkept_words(failure, desk.shown_file)
    if not wants_page(request.headers):
        labels = field_labels()
        said = trouble or _("Not saved. Wrong are: {fields}.").format(fields=listed(labels[name] for name in errors))
        return _with_fields(problem_response(request.scope, status, said), errors)
    view = settings_view(desk, values, board.clock(), board.zone, errors, trouble=trouble)
    return _page(request, board, view, status)


def _with_fields(answer: Response, errors: Mapping[str, str]) -> Response:
    """A problem document with the ``errors`` by the name of their field."""
    problem = json.loads(bytes(answer.body)) | {"errors": dict(errors)}
    return Response(json.dumps(problem), answer.status_code, media_type=answer.media_type)


def _page(request: Request, board: Board, view: SettingsView, status: int = 200) -> HTMLResponse:
    context = {**page_context(request, board, here="settings", title=_("Settings")), "view": view}
    answer = page_answer(request, board, "settings.html", context, status)
    # Without any referrer a form's origin is "null", and on a network nothing else tells that it is ours.
    answer.headers["Referrer-Policy"] = "same-origin"
    return answer


def _back(request: Request, done: str) -> RedirectResponse:
    """Back to the page by GET, so that reloading it sends nothing again."""
    lasting = lasting_language(request)
    return RedirectResponse(f"{PATH}?{done}=1" + (f"&lang={lasting}" if lasting else ""), 303)
