"""What the address of a wall asks for: at which hours it is dimmed, and whether titles are hidden."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from app.web.titles import plain
from app.web.words import _

_NIGHT = re.compile(r"\s*(\d{1,2})(?::(\d\d))?\s*[-–]\s*(\d{1,2})(?::(\d\d))?\s*", re.ASCII)
DAY = 1440
"""A day in minutes."""
LONGEST_VALUE = 40
"""So much of what could not be understood is said again."""


@dataclass(frozen=True, slots=True)
class Night:
    """From when to when the wall is dimmed, in minutes of the reader's own day; the end may come first.

    ``0-24`` is always.
    """

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class WallAsked:
    """``night`` None: it is never dimmed. ``problem`` says what could not be understood, "" if nothing."""

    night: Night | None
    hide: bool
    problem: str = ""


def hides_titles(query: Mapping[str, str]) -> bool:
    """Whether titles are hidden. A word that is no word of ours hides them: who wrote it meant something by it."""
    return query.get("titles", "show").strip().lower() not in ("", "show")


def wall_asked(query: Mapping[str, str]) -> WallAsked:
    """What ``dim`` (two times of day such as ``22-7`` or ``22:30-06:15``) and ``titles=hide`` ask for."""
    text, hide = query.get("dim", "").strip(), hides_titles(query)
    if not text:
        return WallAsked(None, hide)
    if (night := _night(text)) is not None:
        return WallAsked(night, hide)
    said = plain(text, LONGEST_VALUE)
    return WallAsked(None, hide, _("“{value}” is no night such as 22-7: it is not dimmed.").format(value=said))


def _night(text: str) -> Night | None:
    """The night that a text names; None for anything else, and for one that is no time long."""
    found = _NIGHT.fullmatch(text)
    if found is None:
        return None
    hours, minutes = (int(found[1]), int(found[3])), (int(found[2] or 0), int(found[4] or 0))
    start, end = (60 * hour + minute for hour, minute in zip(hours, minutes, strict=True))
    if max(minutes) > 59 or max(start, end) > DAY or start == end:
        return None
    return Night(start % DAY, end)
