"""What all pages beside the first one share: the way between them, the language, what is true of all, the footer.

A page hands `page_context` and its own view to a template that extends ``page.html``; `page_answer` makes the answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from fastapi import Request
from fastapi.responses import HTMLResponse

from app import __version__
from app.errors import SeatwatchError
from app.web.board import Board
from app.web.language import LANGUAGES, language_of
from app.web.presenters import strip_view
from app.web.troubles import unread_words
from app.web.views import Choice, StripView
from app.web.words import _, moment, zone_name

LONGEST_VALUE = 200
"""Of an address' values so much is carried over into the links to the same page."""


@dataclass(frozen=True, slots=True)
class FrameView:
    """The frame of a page: its ``title``, the ``nav`` to the others, the ``languages`` of this one.

    ``as_of`` is the time at which it was made, for such a page stands still; ``zone`` is that of all times on it.
    ``lasting`` is the language that the address names, which a form on the page sends along, "" for none.
    """

    title: str
    nav: tuple[Choice, ...]
    languages: tuple[Choice, ...]
    strip: StripView
    as_of: str
    zone: str
    version: str
    lasting: str = ""


def nav_links(here: str, lasting: str = "", window: str = "") -> tuple[Choice, ...]:
    """The way between the pages; ``here`` is the code of the one that is open, "" for one that has no link of its own.

    ``lasting`` is the language that the address names, which goes along: it was not the reader's own choice. ``window``
    is the part of the address that names the stretch of time one looks at: what is shared is that.
    """
    tail = f"?lang={lasting}" if lasting else ""
    share = "?" + "&".join(part for part in (window, tail[1:]) if part) if window else tail
    pages = {
        "seats": ("/", _("Seats")),
        "why": ("/why", _("Why")),
        "census": ("/census", _("Census")),
        "share": ("/share", _("Share")),
        "wall": ("/wall", _("Wall")),
        "settings": ("/settings", _("Settings")),
    }
    return tuple(
        Choice(label, f"{path}{share if code == 'share' else tail}", code == here, code)
        for code, (path, label) in pages.items()
    )


def lasting_language(request: Request) -> str:
    """The language that the address itself names, "" when it names none of ours."""
    named = request.query_params.get("lang", "")
    return named if named in LANGUAGES else ""


def page_context(request: Request, board: Board, *, here: str, title: str) -> dict[str, Any]:
    """What ``page.html`` needs, as ``frame``: say it in the page's language. ``here`` is the nav's code of the page."""
    at, lasting = board.clock(), lasting_language(request)
    return {
        "frame": FrameView(
            title=title,
            nav=nav_links(here, lasting),
            languages=_languages(request),
            strip=strip_view(board.live.current),
            as_of=moment(at, at, board.zone, seconds=True),
            zone=zone_name(at, board.zone),
            version=__version__,
            lasting=lasting,
        )
    }


def page_answer(
    request: Request, board: Board, template: str, context: Mapping[str, Any], status: int = 200
) -> HTMLResponse:
    """The page as an answer that nobody keeps. Say it in the page's language."""
    html = board.renderer.page(template, context)
    headers = {
        "Cache-Control": "no-store",
        "Content-Language": language_of(request),
        "Vary": "Accept-Language, Cookie",
    }
    return HTMLResponse(html, status, headers)


def not_ready(request: Request, board: Board) -> HTMLResponse:
    """The answer while the history is read for the first time: what is not there yet cannot be missing."""
    context = {
        **page_context(request, board, here="", title=_("Reading the history")),
        "what": _("Reading the history"),
        "why": _("Seatwatch reads Claude's logs for the first time, which takes seconds."),
        "todo": _("Reload this page in a moment."),
        "known": (),
    }
    answer = page_answer(request, board, "unanswered.html", context, 503)
    answer.headers["Retry-After"] = "2"
    return answer


def failed(request: Request, board: Board, error: SeatwatchError) -> HTMLResponse:
    """The answer when what is kept cannot be read."""
    context = {
        **page_context(request, board, here="", title=_("What is kept cannot be read")),
        "what": _("What is kept cannot be read"),
        "why": unread_words(error),
        "todo": _("Reload this page in a moment. If it goes on, seatwatch doctor says what is wrong."),
        "known": (),
    }
    return page_answer(request, board, "unanswered.html", context, 503)


def _languages(request: Request) -> tuple[Choice, ...]:
    """The same page in each language."""
    path = quote(request.url.path)
    asked = [(key, value[:LONGEST_VALUE]) for key, value in request.query_params.multi_items() if key != "lang"]
    spoken = language_of(request)
    return tuple(
        Choice(label, f"{path}?{urlencode([*asked[:20], ('lang', code)])}", code == spoken, code)
        for code, label in LANGUAGES.items()
    )
