"""Every turn of speech that more than one part of the page uses, and how times, sizes and ranks are said.

`_`, `p_` and `n_` are the only doors through which words reach the page: ``make messages`` finds what passes them, and
`app.web.language` says in which language they answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime, tzinfo
from typing import Protocol

from app.core.state import Phase, Protection
from app.web.language import words

MINUTE, HOUR, DAY = 60, 3600, 86_400


def _(message: str) -> str:
    """The message in the language of the page."""
    return words().gettext(message)


def p_(context: str, message: str) -> str:
    """The message where the same English words mean several things; ``context`` tells them apart."""
    return words().pgettext(context, message)


def n_(one: str, many: str, n: int) -> str:
    """``one`` or ``many``, whichever the language uses for ``n``; ``{n}`` in it becomes the number."""
    return words().ngettext(one, many, n).format(n=number(n))


# Looked up when said, and only what is said: a table of finished words asks the catalogue for all of them each time.
MONTHS: Sequence[Callable[[], str]] = (
    lambda: _("Jan"), lambda: _("Feb"), lambda: _("Mar"), lambda: _("Apr"), lambda: p_("month", "May"),
    lambda: _("Jun"), lambda: _("Jul"), lambda: _("Aug"), lambda: _("Sep"), lambda: _("Oct"), lambda: _("Nov"),
    lambda: _("Dec"),
)  # fmt: skip
PHASES: Mapping[Phase, Callable[[], str]] = {
    Phase.STARTING: lambda: _("starting"),
    Phase.WORKING: lambda: _("working"),
    Phase.WAITING: lambda: _("waits for you"),
    Phase.IDLE: lambda: _("silent"),
    Phase.PAUSED: lambda: _("paused"),
    Phase.EVICTED: lambda: _("closed"),
    Phase.ENDED: lambda: _("ended"),
    Phase.LOST: lambda: _("lost"),
}
PROTECTIONS: Mapping[Protection, Callable[[], str]] = {
    "remote_control": lambda: _("remote control"),
    "background_task": lambda: _("background task"),
    "scheduled": lambda: _("scheduled wake-up"),
    "waiting": lambda: _("waits for you"),
    "mid_turn": lambda: _("working"),
}
LEVELS: Mapping[str, Callable[[], str]] = {
    "normal": lambda: _("normal"),
    "warning": lambda: _("warning"),
    "critical": lambda: _("critical"),
    "unknown": lambda: _("not reported yet"),
}


def number(n: int) -> str:
    """A number with its thousands set apart: both languages use a comma, and a point before decimals."""
    return f"{n:,}"


def listed(items: Iterable[str]) -> str:
    """Things one after the other: ``a, b, c``."""
    found = list(items)
    text = found[0] if found else ""
    for one in found[1:]:
        text = p_("list", "{before}, {one}").format(before=text, one=one)
    return text


def span_words(seconds: int) -> str:
    """A length of time as a sentence says it: ``14 minutes``. Rounded down to its largest unit."""
    if seconds < MINUTE:
        return n_("{n} second", "{n} seconds", max(1, seconds))
    if seconds < HOUR:
        return n_("{n} minute", "{n} minutes", seconds // MINUTE)
    if seconds < DAY:
        return n_("{n} hour", "{n} hours", seconds // HOUR)
    return n_("{n} day", "{n} days", seconds // DAY)


def short_forms() -> tuple[str, str, str, str]:
    """How a tile says seconds, minutes, hours and days. The page's script fills in the same forms."""
    return _("{s} s"), _("{m} m {ss} s"), _("{h} h {mm} m"), _("{d} d {h} h")


def span_short(seconds: int) -> str:
    """A length of time as a tile says it: ``42 s``, ``14 m 02 s``, ``3 h 05 m``."""
    minutes, hours = seconds // MINUTE, seconds // HOUR
    form = short_forms()[(seconds >= MINUTE) + (seconds >= HOUR) + (seconds >= DAY)]
    return form.format(
        s=seconds, m=minutes, ss=f"{seconds % MINUTE:02d}", h=hours % 24, mm=f"{minutes % 60:02d}", d=seconds // DAY
    )


def span_brief(seconds: int) -> str:
    """A length of time where room is scarce: ``42 s``, ``28 m``, ``3 h``."""
    if seconds < MINUTE:
        return _("{s} s").format(s=seconds)
    if seconds < HOUR:
        return _("{m} m").format(m=seconds // MINUTE)
    if seconds < DAY:
        return _("{h} h").format(h=seconds // HOUR)
    return _("{d} d").format(d=seconds // DAY)


def span_clock(seconds: int) -> str:
    """A length of time as a clock shows it: ``0:42``, ``14:02``, ``3:05:10``. The script counts alike."""
    hours, rest = divmod(seconds, HOUR)
    minutes, left = divmod(rest, MINUTE)
    return f"{hours}:{minutes:02d}:{left:02d}" if hours else f"{minutes}:{left:02d}"


def clock(at: datetime, zone: tzinfo, *, seconds: bool = True) -> str:
    """The local time of day."""
    local = at.astimezone(zone)
    return f"{local.hour:02}:{local.minute:02}:{local.second:02}" if seconds else f"{local.hour:02}:{local.minute:02}"


def moment(at: datetime, now: datetime, zone: tzinfo, *, seconds: bool = False) -> str:
    """The local time of day, with the date unless it is today's."""
    time = clock(at, zone, seconds=seconds)
    local, today = at.astimezone(zone).date(), now.astimezone(zone).date()
    if local == today:
        return time
    day = date_words(local) if local.year == today.year else _("{day} {year}").format(
        day=date_words(local), year=local.year)  # fmt: skip
    return _("{day}, {time}").format(day=day, time=time)


class Beholder(Protocol):
    """Who looks at times from a moment and in a zone."""

    @property
    def now(self) -> datetime:
        """The moment."""
        ...

    @property
    def zone(self) -> tzinfo:
        """The zone."""
        ...


def told_when(beholder: Beholder, at: datetime) -> str:
    """A time to the second, with its date unless it is today's; as a method of what is looked at from a moment."""
    return moment(at, beholder.now, beholder.zone, seconds=True)


def zone_name(at: datetime, zone: tzinfo) -> str:
    """The zone as people call it at that instant: its abbreviation, where it has one."""
    return at.astimezone(zone).tzname() or _("local time")


def date_words(day: date) -> str:
    """A day of the year: ``2 Oct``."""
    return _("{day} {month}").format(day=day.day, month=MONTHS[day.month - 1]())


def gigabytes(mb: int) -> str:
    """A size in GB, with one decimal below 10: ``1.9 GB``, ``24 GB``."""
    gb = mb / 1024
    return f"{gb:.0f} GB" if gb >= 10 or gb == int(gb) else f"{gb:.1f} GB"


def ordinal(rank: int) -> str:
    """A place in a queue: ``1st``, ``2nd``, ``11th``."""
    last = rank % 10 if rank % 100 not in (11, 12, 13) else 0
    form = _("{n}st") if last == 1 else _("{n}nd") if last == 2 else _("{n}rd") if last == 3 else _("{n}th")
    return form.format(n=rank)


def phase_word(phase: Phase) -> str:
    """The state of a session in a word or two."""
    return PHASES[phase]()


def protection_word(protection: Protection) -> str:
    """What keeps a session from being closed."""
    return PROTECTIONS[protection]()


def level_word(level: str) -> str:
    """A memory-pressure level."""
    return LEVELS[level]()


def platform_word(platform: str) -> str:
    """The platform as its owner calls it; unknown ones as the app prints them."""
    return {"darwin": "macOS", "win32": "Windows", "linux": "Linux"}.get(platform, platform)
