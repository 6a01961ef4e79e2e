"""What a person likes: how the page looks to them, and what they want to be told. Values only, with their checks.

Every check takes what a flag, a variable, config.toml or a form gave, and answers with the value that it means; it
raises `ValueError` with the reason, or `TypeError`, when it means none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import time
from typing import Any, TypeAlias

from app.core.ports import line_named

RANGES = ("15m", "1h", "2h", "6h", "24h", "7d")
"""The stretches of time that the page can show."""
LANGUAGES = ("auto", "en", "ja")
"""``auto``: what the browser asks for."""
THEMES = ("auto", "light", "dark")
"""``auto``: what the system asks for."""
FIRST_TO_GO, EVICTED, CRITICAL, VM_STALLED, PORTS = "first_to_go", "evicted", "critical", "vm_stalled", "ports"
KINDS = (FIRST_TO_GO, EVICTED, CRITICAL, VM_STALLED, PORTS)
"""What one can be told of: a session is first to go while there is danger, one was closed, memory pressure is critical,
the VM's start has stalled, the home line's ports run out."""
MOST_ADDRESSES, LONGEST_ADDRESS = 10, 500

QuietHours: TypeAlias = tuple[time, time]
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,30}:/{0,2}\S+")
_BETWEEN_ADDRESSES = re.compile(r"[,\s]+(?=[A-Za-z][A-Za-z0-9+.-]{0,30}://)")
_QUIET = re.compile(r"(\d{1,2}):(\d{2})\s*[-–]\s*(\d{1,2}):(\d{2})")


@dataclass(frozen=True, slots=True)
class Preferences:
    """All of them, checked. ``range``, ``language`` and ``theme`` hold where a reader has not chosen otherwise.

    ``privacy`` hides titles on the wall. ``home_line`` is a line of `app.core.ports`, or a number of ports. ``notify``
    are the `KINDS` to be told of, none of them unless asked for; ``notify_desktop`` tells them on this machine's
    desktop, ``notify_to`` are addresses of services, which are secrets; ``notify_titles`` lets titles go to them.
    ``quiet_hours`` is ``""`` or two local times such as ``22:00-07:00``.
    """

    range: str = "2h"
    language: str = "auto"
    theme: str = "auto"
    privacy: bool = False
    home_line: str = "none"
    notify: tuple[str, ...] = ()
    notify_desktop: bool = True
    notify_to: tuple[str, ...] = field(default=(), repr=False)
    notify_titles: bool = False
    quiet_hours: str = ""

    @property
    def sends(self) -> bool:
        """Whether anything leaves this machine: only what was asked for, to who was named."""
        return bool(self.notify and self.notify_to)


def truth(value: Any) -> bool:
    """True or false, also as a word."""
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    if word in ("1", "true", "yes", "on"):
        return True
    if word in ("0", "false", "no", "off"):
        return False
    raise ValueError("it is neither true nor false")


def home_line(value: Any) -> str:
    """The key of a home line as `app.core.ports` knows it, or its number of ports as text."""
    if isinstance(value, bool | float):
        raise TypeError("a home line is a name or a whole number")
    return line_named(str(value)).key


def kinds(value: Any) -> tuple[str, ...]:
    """The `KINDS` that are named, in their own order: a list, or text with commas between them."""
    named = [one.strip() for one in _texts(value.split(",") if isinstance(value, str) else value)]
    unknown = sorted(set(named) - {*KINDS, ""})
    if unknown:
        raise ValueError(f"{unknown[0]!r:.60} is none of {', '.join(KINDS)}")
    return tuple(kind for kind in KINDS if kind in named)


def addresses(value: Any) -> tuple[str, ...]:
    """Addresses of services, each once: a list, or text with commas or line ends between them."""
    listed = _BETWEEN_ADDRESSES.split(value) if isinstance(value, str) else _texts(value)
    found = tuple(dict.fromkeys(text for one in listed if (text := one.strip().rstrip(","))))
    if len(found) > MOST_ADDRESSES:
        raise ValueError(f"there are more than {MOST_ADDRESSES} addresses")
    for place, one in enumerate(found, 1):
        if len(one) > LONGEST_ADDRESS or not one.isprintable() or not _ADDRESS.fullmatch(one):
            raise ValueError(f"address {place} does not have the form scheme://…, or is too long")
    return found


def quiet_hours(value: Any) -> str:
    """Two times of the day as ``22:00-07:00``, or ``""`` for none."""
    text = str(value).strip()
    if not text:
        return ""
    found = _QUIET.fullmatch(text)
    if found is None:
        raise ValueError("it is not two times such as 22:00-07:00")
    start_hour, start_minute, end_hour, end_minute = map(int, found.groups())
    if max(start_hour, end_hour) > 23 or max(start_minute, end_minute) > 59:
        raise ValueError("a day has no such time")
    if (start_hour, start_minute) == (end_hour, end_minute):
        raise ValueError("they begin and end at the same time")
    return f"{start_hour:02d}:{start_minute:02d}-{end_hour:02d}:{end_minute:02d}"


def masked(address: str) -> str:
    """An address without what may be secret in it, which is all but its scheme: ``slack://…``."""
    return f"{address.partition(':')[0][:30]}://…"


def quiet_times(text: str) -> QuietHours | None:
    """The two local times of a checked ``quiet_hours``; None for none."""
    if not text:
        return None
    start, _dash, end = text.partition("-")
    return time.fromisoformat(start), time.fromisoformat(end)


def one_of(words: tuple[str, ...]) -> Callable[[Any], str]:
    """The check of a choice among words."""

    def check(value: Any) -> str:
        word = str(value).strip()
        if word not in words:
            raise ValueError(f"it is none of {', '.join(words)}")
        return word

    return check


CHECKS: Mapping[str, Callable[[Any], Any]] = {
    "range": one_of(RANGES),
    "language": one_of(LANGUAGES),
    "theme": one_of(THEMES),
    "privacy": truth,
    "home_line": home_line,
    "notify": kinds,
    "notify_desktop": truth,
    "notify_to": addresses,
    "notify_titles": truth,
    "quiet_hours": quiet_hours,
}
"""The check of each field of `Preferences`, in its order."""


def _texts(value: Any) -> list[str]:
    if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
        raise TypeError("it is no list of texts")
    return list(value)
