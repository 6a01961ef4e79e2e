"""In which language the page speaks: who decides it, and the catalogues that hold its words.

The catalogues are made with Babel (``make messages``) and read with the standard library: two languages need no more,
and dates and lengths of time are messages like any other.
"""

from __future__ import annotations

import gettext
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache, wraps
from pathlib import Path
from typing import ParamSpec, TypeVar

from starlette.requests import Request

LANGUAGES: Mapping[str, str] = {"en": "EN", "ja": "日本語"}
"""The languages there are catalogues for, with what the switch calls them. The first is spoken when none was asked."""
DEFAULT = "en"
COOKIE = "seatwatch_lang"
"""Where the page keeps what its reader chose."""
PREFERRED = "preferred_language"
"""Under this name the application's state has the function that tells which language the settings prefer."""
LOCALE = Path(__file__).parent / "locale"
MOST_ASKED = 20
"""So many wishes of an ``Accept-Language`` are looked at."""

P = ParamSpec("P")
T = TypeVar("T")

_spoken: ContextVar[str] = ContextVar("spoken", default=DEFAULT)


@cache
def catalogue(language: str) -> gettext.NullTranslations:
    """The catalogue of one of `LANGUAGES`. Raises `OSError` when the package lies there without it."""
    with (LOCALE / language / "LC_MESSAGES" / "seatwatch.mo").open("rb") as compiled:
        return gettext.GNUTranslations(compiled)


def spoken() -> str:
    """The language of what is said now."""
    return _spoken.get()


def words() -> gettext.NullTranslations:
    """The catalogue of what is said now."""
    return catalogue(_spoken.get())


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Say everything inside the block in this language."""
    before = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(before)


def remembered(say: Callable[P, T]) -> Callable[P, T]:
    """``say``, whose answers are remembered in each language: a page says the same of the same marks time and again.

    The newest five hundred are kept; its arguments must be hashable.
    """

    said: Callable[..., T] = lru_cache(500)(lambda _language, *given, **named: say(*given, **named))

    @wraps(say)
    def in_this_language(*given: P.args, **named: P.kwargs) -> T:
        return said(spoken(), *given, **named)

    return in_this_language


def choose(asked: str | None, kept: str | None, accepted: str | None, preferred: str | None = None) -> str:
    """The page's language: as its address says, its reader chose, the settings prefer, or the browser would like.

    What names no language of ours decides nothing.
    """
    for wish in (asked, kept, preferred):
        if wish is not None and wish in LANGUAGES:
            return wish
    return accept(accepted or "")


def language_of(request: Request) -> str:
    """The language in which a request is answered."""
    state = getattr(request.scope.get("app"), "state", None)
    preferred = getattr(state, PREFERRED, None)
    return choose(
        request.query_params.get("lang"),
        request.cookies.get(COOKIE),
        request.headers.get("accept-language"),
        preferred() if preferred is not None else None,
    )


def accept(header: str) -> str:
    """The language of ours that an ``Accept-Language`` likes best; what cannot be read counts as not said."""
    best, weight = DEFAULT, 0.0
    for wish in header[:1000].split(",")[:MOST_ASKED]:
        tag, _semicolon, rest = wish.strip().partition(";")
        language = tag.strip().lower().partition("-")[0]
        language = DEFAULT if language == "*" else language
        quality = _quality(rest)
        if language in LANGUAGES and quality > weight:
            best, weight = language, quality
    return best


def _quality(parameter: str) -> float:
    """The ``q`` of a wish: 1 where there is none, 0 where it makes no sense."""
    name, _equals, value = parameter.strip().partition("=")
    if not name:
        return 1.0
    try:
        quality = float(value)
    except ValueError:
        return 0.0
    return quality if name.strip().lower() == "q" and 0 <= quality <= 1 else 0.0
