"""What the page of the census draws: frozen values without markup."""

from __future__ import annotations

from dataclasses import dataclass

from app.web.lines import LineView
from app.web.views import Row


@dataclass(frozen=True, slots=True)
class ShareRow:
    """So many lines of one name; ``width`` is the bar's length in percent of the longest."""

    name: str
    lines: str
    share: str
    width: float


@dataclass(frozen=True, slots=True)
class ShapeRow:
    """A shape that no pattern knows: how often, where first, when, and its newest line, None where none is kept."""

    shape: str
    lines: str
    where: str
    seen: str
    sample: LineView | None


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One time at which two counts of the same differed; ``where`` is the line that gave the first of them."""

    time: str
    what: str
    theirs: str
    ours: str
    where: str


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """How often the ranking was right on one version of the app."""

    version: str
    named: str
    first: str
    three: str


@dataclass(frozen=True, slots=True)
class VictimRow:
    """A session that the governor named, with the address of its page."""

    title: str
    href: str
    named: str
    closed: str


@dataclass(frozen=True, slots=True)
class CensusView:
    """All of it; each ``more_*`` says how many rows are left out, "" when none are.

    ``checks`` sums up how often the app's own count agreed with ours, ``differing`` are the times when it did not;
    ``host`` are those at which the host told something else than the log.
    """

    lead: str
    small: str
    empty: str
    severities: tuple[ShareRow, ...]
    scopes: tuple[ShareRow, ...]
    more_scopes: str
    oddities: tuple[Row, ...]
    governor: str
    governor_rows: tuple[ShareRow, ...]
    victims: tuple[VictimRow, ...]
    more_victims: str
    limits: tuple[Row, ...]
    shapes: tuple[ShapeRow, ...]
    more_shapes: str
    checks: str
    differing: tuple[CheckRow, ...]
    host: tuple[CheckRow, ...]
    more_host: str
    scores: tuple[ScoreRow, ...]
