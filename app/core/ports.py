"""How near a home line is to the end of its IPv4 ports.

On a line that shares one IPv4 address among many homes each home has a fixed set of source ports, and each IPv4
connection takes one until the router forgets it, TIME_WAIT included. When none is left, new connections fail while
old ones go on: sessions stop for a "network" that looks fine. IPv6 takes none of them.

What is counted is TCP. UDP takes ports as well, but leaves them sooner, and no system tells who talks to whom by it.
The count is the cautious one: some routers give one port to several connections of different destinations, and then
fewer are taken than counted. It is of this machine alone: whatever else is at home takes ports of the same set.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from typing import Literal, TypeAlias

from app.core.samples import ConnectionsSample

Kind: TypeAlias = Literal["map_e", "ds_lite", "pppoe", "none", "number"]
Reading: TypeAlias = tuple[datetime, int]
"""How many ports were taken when."""

MARKS = (70, 85, 95)
"""Per cent of the budget that are worth a word: time to look, time to act, nearly too late."""
FALLS_BY = 5
"""A mark is left only so many points below it: a count that swings around a mark speaks once."""
TREND = timedelta(minutes=10)
"""What the slope looks back on: longer than a page that opens fifty connections, shorter than a leak takes."""
LEAST = timedelta(minutes=2)
"""A slope of less time than this is chance."""
HOLD = timedelta(seconds=120)
"""How long a router keeps a closed connection's port: Linux, which most home routers run, does so for 120 s. (RFC 5382
asks for up to 240 s of those that did not close properly.)"""
LARGEST = 65_535
"""A port has 16 bits."""


@dataclass(frozen=True, slots=True)
class HomeLine:
    """A kind of line by the ``key`` that settings use. ``budget`` None: no figure is known, ``why`` says why."""

    key: str
    name: str
    kind: Kind
    budget: int | None
    why: str


_UNPUBLISHED = "The provider's own device hands out the ports and its limit is not published; give a number if known."
HOME_LINES: tuple[HomeLine, ...] = (
    HomeLine("v6plus", "v6 Plus", "map_e", 240, "15 blocks of 16 ports: the first 4 bits of a port pick the block."),
    HomeLine("ipv6option", "BIGLOBE IPv6 Option", "map_e", 240, "The same MAP-E rules as v6 Plus."),
    HomeLine("ocn", "OCN Virtual Connect", "map_e", 1008, "63 blocks of 16 ports: the first 6 bits pick the block."),
    HomeLine("transix", "transix", "ds_lite", None, _UNPUBLISHED),
    HomeLine("xpass", "Xpass", "ds_lite", None, _UNPUBLISHED),
    HomeLine("v6connect", "v6 Connect", "ds_lite", None, _UNPUBLISHED),
    HomeLine("dslite", "DS-Lite", "ds_lite", None, _UNPUBLISHED),
    HomeLine("pppoe", "PPPoE", "pppoe", None, "The address is the home's own; the router's table is the only limit."),
    HomeLine("none", "none", "none", None, "No line was named, so nothing is compared."),
)
_ALIASES = {
    "v6プラス": "v6plus",
    "ipv6オプション": "ipv6option",
    "biglobe": "ipv6option",
    "ocnバーチャルコネクト": "ocn",
    "ocnvirtualconnect": "ocn",
    "トランジックス": "transix",
    "クロスパス": "xpass",
    "v6コネクト": "v6connect",
}
_BY_KEY = {line.key: line for line in HOME_LINES}


def line_named(text: str) -> HomeLine:
    """The line that a setting names: a key of `HOME_LINES`, a usual spelling of one, or a number of ports.

    Raises ValueError with a sentence for who wrote it.
    """
    written = unicodedata.normalize("NFKC", text).casefold().strip()
    if re.fullmatch(r"[0-9]{1,9}|[0-9]{1,3}(,[0-9]{3})+", written):
        return _of_number(int(written.replace(",", "")))
    plain = re.sub(r"[\s_.()・-]", "", written)
    if plain in {"mape", "map"}:
        raise ValueError("MAP-E alone has no number of ports: name v6plus (240) or ocn (1008), or give the number")
    found = _BY_KEY.get(_ALIASES.get(plain, plain))
    if found is None:
        known = ", ".join(_BY_KEY)
        raise ValueError(f"no home line of this name is known; known are {known}, or a number of ports such as 240")
    return found


def _of_number(budget: int) -> HomeLine:
    if not 1 <= budget <= LARGEST:
        raise ValueError(f"a line has between 1 and {LARGEST} ports")
    return HomeLine(str(budget), f"{budget} ports", "number", budget, "The number that was given.")


@dataclass(frozen=True, slots=True)
class Usage:
    """Ports taken against a line. ``whole`` is False when only the Claude processes' could be counted: a least."""

    at: datetime
    line: HomeLine
    in_use: int
    claude: int | None
    remotes: int
    whole: bool

    @property
    def percent(self) -> float | None:
        """Of the budget; None on a line without one. More than 100 where the router lets connections share a port."""
        return 100 * self.in_use / self.line.budget if self.line.budget else None


def usage(sample: ConnectionsSample, line: HomeLine) -> Usage | None:
    """What a sample takes of a line's ports; None when the sample knows of no connections at all."""
    counted = sample.host or sample.claude
    if counted is None:
        return None
    claude = sample.claude.in_use if sample.claude else None
    return Usage(sample.at, line, counted.in_use, claude, counted.remotes_v4, sample.host is not None)


def highest(readings: Iterable[Reading], at: datetime, zone: tzinfo) -> Reading | None:
    """The highest reading of the day in which ``at`` lies, by the clock of ``zone``; the first one of several."""
    day = at.astimezone(zone).date()
    todays = [one for one in readings if one[0] <= at and one[0].astimezone(zone).date() == day]
    return max(todays, key=lambda one: (one[1], at - one[0]), default=None)


def slope(readings: Iterable[Reading], at: datetime, window: timedelta = TREND) -> float | None:
    """Ports per minute by least squares over the last ``window``; None while fewer than `LEAST` were watched."""
    recent = [((when - at) / timedelta(minutes=1), taken) for when, taken in readings if at - window <= when <= at]
    times = [minute for minute, _ in recent]
    if not times or max(times) - min(times) < LEAST / timedelta(minutes=1):
        return None
    mid_time, mid_taken = sum(times) / len(recent), sum(taken for _, taken in recent) / len(recent)
    spread = sum((minute - mid_time) ** 2 for minute in times)
    return sum((minute - mid_time) * (taken - mid_taken) for minute, taken in recent) / spread


def minutes_left(in_use: int, budget: int | None, per_minute: float | None) -> float | None:
    """Until the budget is gone at this slope: 0 when it is, None when there is no budget or no growth."""
    if budget is None:
        return None
    if in_use >= budget:
        return 0.0
    if per_minute is None or per_minute <= 0:
        return None
    return (budget - in_use) / per_minute


@dataclass(frozen=True, slots=True)
class Crossing:
    """The mark that holds now (0: none), and the one newly reached, which is worth telling (None: none)."""

    mark: int
    reached: int | None


def crossed(before: int, after: int, budget: int | None) -> Crossing:
    """What ``after`` ports do to the mark that held ``before`` (0, or one of `MARKS`).

    A mark is reached at once, and left only `FALLS_BY` points below it.
    """
    percent = 100 * after / budget if budget else 0.0
    risen = max((mark for mark in MARKS if percent >= mark), default=0)
    if risen > before:
        return Crossing(risen, risen)
    kept = max((mark for mark in MARKS if mark <= before and percent > mark - FALLS_BY), default=0)
    return Crossing(max(risen, kept), None)
