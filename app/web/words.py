"""Every turn of speech that more than one part of the page uses, and how times, sizes and ranks are said.

`_` and `n_` are the only doors through which words reach the page, so that they can be extracted for translation.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, tzinfo

from app.core.state import Phase, Protection

MINUTE, HOUR, DAY = 60, 3600, 86_400


def _(message: str) -> str:
    """The message in the language of the page."""
    return message


def n_(one: str, many: str, n: int) -> str:
    """``one`` or ``many``, whichever the language uses for ``n``; ``{n}`` in it becomes the number."""
    return (one if n == 1 else many).format(n=number(n))


def number(n: int) -> str:
    """A number with its thousands set apart."""
    return f"{n:,}"


def span_words(seconds: int) -> str:
    """A length of time as a sentence says it: ``14 minutes``. Rounded down to its largest unit."""
    if seconds < MINUTE:
        return n_("{n} second", "{n} seconds", max(1, seconds))
    if seconds < HOUR:
        return n_("{n} minute", "{n} minutes", seconds // MINUTE)
    if seconds < DAY:
        return n_("{n} hour", "{n} hours", seconds // HOUR)
    return n_("{n} day", "{n} days", seconds // DAY)


def span_short(seconds: int) -> str:
    """A length of time as a tile says it: ``42 s``, ``14 m 02 s``, ``3 h 05 m``. The page's script counts alike."""
    if seconds < MINUTE:
        return f"{seconds} s"
    if seconds < HOUR:
        return f"{seconds // MINUTE} m {seconds % MINUTE:02d} s"
    if seconds < DAY:
        return f"{seconds // HOUR} h {seconds % HOUR // MINUTE:02d} m"
    return f"{seconds // DAY} d {seconds % DAY // HOUR} h"


def span_brief(seconds: int) -> str:
    """A length of time where room is scarce: ``42 s``, ``28 m``, ``3 h``."""
    return " ".join(span_short(seconds).split(" ")[:2])


def span_clock(seconds: int) -> str:
    """A length of time as a clock shows it: ``0:42``, ``14:02``, ``3:05:10``. The script counts alike."""
    hours, rest = divmod(seconds, HOUR)
    minutes, left = divmod(rest, MINUTE)
    return f"{hours}:{minutes:02d}:{left:02d}" if hours else f"{minutes}:{left:02d}"


def clock(at: datetime, zone: tzinfo, *, seconds: bool = True) -> str:
    """The local time of day."""
    return at.astimezone(zone).strftime("%H:%M:%S" if seconds else "%H:%M")


def moment(at: datetime, now: datetime, zone: tzinfo) -> str:
    """The local time of day, with the date unless it is today's."""
    local = at.astimezone(zone)
    if local.date() == now.astimezone(zone).date():
        return local.strftime("%H:%M")
    return local.strftime("%Y-%m-%d %H:%M")


def gigabytes(mb: int) -> str:
    """A size in GB, with one decimal below 10: ``1.9 GB``, ``24 GB``."""
    gb = mb / 1024
    return f"{gb:.0f} GB" if gb >= 10 or gb == int(gb) else f"{gb:.1f} GB"


def ordinal(rank: int) -> str:
    """A place in a queue: ``1st``, ``2nd``, ``11th``."""
    if rank % 100 in (11, 12, 13):
        return f"{rank}th"
    return f"{rank}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(rank % 10, 'th') }"


def phase_word(phase: Phase) -> str:
    """The state of a session in a word or two."""
    words: Mapping[Phase, str] = {
        Phase.STARTING: _("starting"),
        Phase.WORKING: _("working"),
        Phase.WAITING: _("waits for you"),
        Phase.IDLE: _("silent"),
        Phase.PAUSED: _("paused"),
        Phase.EVICTED: _("closed"),
        Phase.ENDED: _("ended"),
        Phase.LOST: _("lost"),
    }
    return words[phase]


def protection_word(protection: Protection) -> str:
    """What keeps a session from being closed."""
    words: Mapping[Protection, str] = {
        "remote_control": _("remote control"),
        "background_task": _("background task"),
        "scheduled": _("scheduled wake-up"),
        "waiting": _("waits for you"),
        "mid_turn": _("working"),
    }
    return words[protection]


def level_word(level: str) -> str:
    """A memory-pressure level."""
    words = {
        "normal": _("normal"),
        "warning": _("warning"),
        "critical": _("critical"),
        "unknown": _("not reported yet"),
    }
    return words[level]


def platform_word(platform: str) -> str:
    """The platform as its owner calls it; unknown ones as the app prints them."""
    return {"darwin": "macOS", "win32": "Windows", "linux": "Linux"}.get(platform, platform)
