"""Errors as RFC 9457 problem documents, or as a page when a browser asks for one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response
from starlette.types import Scope

from app.web.language import language_of, speaking
from app.web.rendering import Renderer
from app.web.words import _


def advice(status: int) -> str | None:
    """What to do about a status, where that is known."""
    known = {
        401: _(
            "This Seatwatch asks for a token, since others can reach it. Open the address that its terminal showed at "
            "the start, with ?token= at its end. Programs send it as Authorization: Bearer."
        ),
        403: _("Only this page itself may change something here, and no page of another site may read it."),
        404: _("There is nothing at this address. The page itself is at /."),
        405: _("This address takes no such request: read it with GET. Only the settings page takes changes."),
        421: _(
            "This server answers to the names of its own machine only. Open it as http://127.0.0.1, or name this one "
            "in SEATWATCH_ALLOW_HOST."
        ),
        429: _(
            "Too many wrong tokens came from your address. Wait a minute, then open the address with the right one."
        ),
        500: _("This is a fault of Seatwatch itself. Its own log says more."),
    }
    return known.get(status)


def heading(status: int) -> str:
    """A status in the words of the page."""
    known = {
        401: _("Token needed"),
        403: _("Forbidden"),
        404: _("Not Found"),
        405: _("Method Not Allowed"),
        421: _("Not a name of this server"),
        429: _("Too many wrong tokens"),
        500: _("Internal Server Error"),
    }
    return known.get(status) or title_of_status(status)


def title_of_status(status: int) -> str:
    """The standard's phrase for a status."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Error"


def problem_response(scope: Scope, status: int, detail: str, headers: dict[str, str] | None = None) -> Response:
    """A problem document; ``instance`` is the path that was asked for."""
    problem = {
        "type": "about:blank",
        "title": title_of_status(status),
        "status": status,
        "detail": detail,
        "instance": str(scope.get("path", ""))[:200],
    }
    return Response(json.dumps(problem), status, headers, media_type="application/problem+json")


def wants_page(headers: Headers) -> bool:
    """Whether a browser asks for a page rather than a program for data."""
    return "text/html" in headers.get("accept", "")


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """What ``/openapi.json`` says of these statuses, for a router's ``responses``."""
    texts = ("type", "title", "detail", "instance")
    schema = {
        "title": "Problem",
        "type": "object",
        "required": [*texts, "status"],
        "properties": {**{name: {"type": "string"} for name in texts}, "status": {"type": "integer"}},
    }
    content = {"application/problem+json": {"schema": schema}}
    return {status: {"description": title_of_status(status), "content": content} for status in statuses}


class Answerer:
    """Answers with a problem: a page where a browser asks for one, else a document."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer

    def __call__(
        self, request: Request, status: int, detail: str | None = None, extra: dict[str, str] | None = None
    ) -> Response:
        """The answer; without ``detail`` it says what is known of the status. ``extra`` are more headers."""
        if not wants_page(request.headers):
            said = detail or advice(status) or title_of_status(status)
            return problem_response(request.scope, status, said, extra)
        with speaking(language_of(request)):
            title = heading(status)
            context = {"status": status, "title": title, "detail": detail or advice(status) or title}
            return HTMLResponse(self._renderer.page("problem.html", context), status, extra)


def install_problems(app: FastAPI, answer: Answerer, headers: Mapping[str, str]) -> None:
    """Make every error of ``app`` a problem document or the problem page.

    ``headers`` go with our own faults: those are answered outside of every middleware.
    """

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)  # noqa: S101  # registered for this class only
        own = error.detail if error.detail != title_of_status(error.status_code) else None
        return answer(request, error.status_code, own, dict(error.headers or {}))

    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)  # noqa: S101  # registered for this class only
        wrong = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()[:5])
        return answer(request, 422, wrong)

    async def failed(request: Request, error: Exception) -> Response:
        return answer(request, 500, None, dict(headers))

    app.add_exception_handler(HTTPException, refused)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(Exception, failed)
