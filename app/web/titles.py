"""What a session is called on the page. Titles and paths are other people's text: kept short and free of controls."""

from __future__ import annotations

import re
import unicodedata

from app.core.state import Session, State
from app.web.words import _

LONGEST_TITLE = 80
"""Longer titles are cut: no tile or lane has room for more."""

_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)?")
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def plain(text: str, limit: int) -> str:
    """``text`` in one line without terminal codes, controls or direction overrides, at most ``limit`` characters."""
    bare = text[: limit * 8]
    if not bare.isprintable():  # nearly everything is, and what is has none of the unseen
        bare = "".join(c if unicodedata.category(c) not in _UNSEEN else " " for c in _ESCAPE.sub("", bare))
    line = " ".join(bare.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def title_of(session: Session) -> str:
    """The session's title; without one its folder's name; without that the beginning of its id."""
    if session.title and (title := plain(session.title, LONGEST_TITLE)):
        return title
    folder = re.split(r"[\\/]", (session.cwd or "").rstrip("\\/"))[-1]
    if name := plain(folder, LONGEST_TITLE):
        return name
    return short_name(session.id)


def short_name(session_id: str) -> str:
    """``Session 4189``: the first four characters of the id's uuid."""
    bare = session_id.removeprefix("local_").removeprefix("ditto_")
    return _("Session {id}").format(id=plain(bare, LONGEST_TITLE)[:4] or "?")


def title_by_id(state: State, session_id: str) -> str:
    """The title of the session with this id, known to ``state`` or not."""
    session = state.sessions.get(session_id)
    return title_of(session) if session is not None else short_name(session_id)
