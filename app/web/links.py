"""The addresses of what a page speaks of: one session, and why something stopped."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from urllib.parse import quote, urlencode

KEPT = 2000
"""So many addresses are remembered: a page names the same few dozen sessions each time it is drawn."""


@lru_cache(KEPT)
def session_href(session: str) -> str:
    """The page of a session. Its id is the log's text: nothing in it may end the address."""
    return f"/sessions/{quote(session, safe='')}"


@lru_cache(KEPT)
def why_href(session: str | None = None, at: datetime | None = None) -> str:
    """Why a session stopped, or what stopped around a moment."""
    asked = {} if session is None else {"session": session}
    if at is not None:
        asked["at"] = at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return f"/why?{urlencode(asked)}" if asked else "/why"
