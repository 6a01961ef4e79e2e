"""Which stretch of time the timeline shows: what an address asks for, and what it gets.

A range of `RANGES` is live: it ends at now and slides along. A window from ``from`` and ``to``, or around ``at``, is
fixed: it stands still and stays the same picture whenever its address is opened.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from urllib.parse import urlencode

from app.web.titles import plain
from app.web.words import _, moment, span_brief

RANGES: Mapping[str, timedelta] = {
    "15m": timedelta(minutes=15), "1h": timedelta(hours=1), "2h": timedelta(hours=2), "6h": timedelta(hours=6),
    "24h": timedelta(hours=24), "7d": timedelta(days=7),
}  # fmt: skip
USUAL = "2h"
"""What is shown when nobody asked for anything else."""
STEPS_OF_A_RANGE = 16
"""A live window stands still for this share of its length, so that what did not change need not be sent again."""
AHEAD = 0.02
"""The least share of a live window to the right of now, so that the now-line and what lies under it are seen."""
SHORTEST, LONGEST = timedelta(minutes=1), timedelta(days=31)
"""A fixed window is at least and at most so long."""
BEFORE_A_MOMENT = 0.7
"""The share of the window that lies before the moment an address points to."""
LONGEST_VALUE = 40
"""No time takes more characters."""
LOST_PLUS = re.compile(r" (?=\d\d:?\d\d$)")
"""The plus sign of an offset that was not escaped in an address arrives as a space."""


@dataclass(frozen=True, slots=True)
class Window:
    """A range by its ``name``, or from ``start`` to ``end`` with no name; ``pin`` is the moment it was opened at."""

    name: str | None = USUAL
    start: datetime | None = None
    end: datetime | None = None
    pin: datetime | None = None

    @property
    def live(self) -> bool:
        """Whether it slides along with now."""
        return self.name is not None

    @property
    def length(self) -> timedelta:
        """The time it covers."""
        if self.start is not None and self.end is not None:
            return self.end - self.start
        return RANGES[self.name or USUAL]

    def bounds(self, at: datetime) -> tuple[datetime, datetime]:
        """Its first and last instant at ``at``. Live ones move in steps and reach a little beyond now."""
        if self.start is not None and self.end is not None:
            return self.start, self.end
        step = self.length.total_seconds() / STEPS_OF_A_RANGE
        steps = -((at + self.length * AHEAD).timestamp() // -step)
        end = datetime.fromtimestamp(steps * step, UTC)
        return end - self.length, end

    def query(self) -> str:
        """The part of an address that asks for it."""
        if self.start is not None and self.end is not None:
            asked = {"from": _plain_iso(self.start), "to": _plain_iso(self.end)}
            return urlencode(asked | ({"at": _plain_iso(self.pin)} if self.pin is not None else {}))
        return urlencode({"range": self.name})


@dataclass(frozen=True, slots=True)
class WindowAsked:
    """What an address gets, and in words what of it could not be understood, "" if nothing."""

    window: Window
    problem: str = ""


class Unclear(Exception):
    """The address asks for something that cannot be shown; ``args[0]`` says why."""


def asked_for(query: Mapping[str, str], at: datetime, zone: tzinfo, usual: str = USUAL) -> WindowAsked:
    """The window that ``range``, ``from`` and ``to``, or ``at`` ask for; the ``usual`` one when they make no sense.

    Times are ISO 8601, of ``zone`` unless they carry an offset.
    """
    try:
        return WindowAsked(window_of(query, at, zone, usual))
    except Unclear as unclear:
        instead = _("Shown instead: the last {span}.").format(span=range_name(usual))
        return WindowAsked(Window(usual), _("{what} {instead}").format(what=unclear.args[0], instead=instead))


def range_name(name: str) -> str:
    """A range as its tab says it: ``15 m``, ``2 h``, ``7 d``."""
    length = RANGES[name]
    hours = int(length.total_seconds()) // 3600
    return _("{h} h").format(h=hours) if 1 <= hours <= 24 else span_brief(int(length.total_seconds()))


def window_of(query: Mapping[str, str], at: datetime, zone: tzinfo, usual: str = USUAL) -> Window:
    """The window that `asked_for` finds. Raises `Unclear` when what is asked for makes no sense."""
    name = query.get("range", usual) or usual
    if name not in RANGES:
        raise Unclear(_("There is no range “{value}”.").format(value=plain(name, LONGEST_VALUE)))
    start, end, pin = (_instant(query.get(key, ""), zone) for key in ("from", "to", "at"))
    if pin is not None and start is None and end is None:
        start = _shifted(pin, -RANGES[name] * BEFORE_A_MOMENT)
        end = _shifted(start, RANGES[name])
    elif start is None and end is None:
        return Window(name)
    else:
        start = start or _shifted(end or at, -RANGES[name])
        end = end or _shifted(start, RANGES[name])
    if end <= start:
        raise Unclear(_("The window ends before it begins."))
    if end - start < SHORTEST:
        raise Unclear(_("The window is shorter than a minute."))
    if end - start > LONGEST:
        raise Unclear(_("The window is longer than {n} days.").format(n=LONGEST.days))
    if start >= at:
        begins = moment(start, at, zone)
        raise Unclear(_("The window begins at {time}; that has not come yet.").format(time=begins))
    return Window(None, start, end, pin)


def _instant(value: str, zone: tzinfo) -> datetime | None:
    """The instant in UTC that a value names; None for none."""
    if not value.strip():
        return None
    text = LOST_PLUS.sub("+", value.strip())
    try:
        if len(text) > LONGEST_VALUE:
            raise ValueError
        found = datetime.fromisoformat(text)
        local = found if found.tzinfo is not None else found.replace(tzinfo=zone)
        return _in_reach(local.astimezone(UTC))
    except (ValueError, OverflowError) as error:
        said = plain(value, LONGEST_VALUE)
        raise Unclear(_("“{value}” is no time such as 2026-10-02T13:40.").format(value=said)) from error


def _in_reach(at: datetime) -> datetime:
    """``at``, unless it lies so far away that sums and zones would overflow."""
    if not 1990 <= at.year <= 2200:
        raise OverflowError
    return at


def _shifted(at: datetime, by: timedelta) -> datetime:
    return (at + by).replace(microsecond=0)


def _plain_iso(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
