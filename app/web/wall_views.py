"""What the wall's templates draw: as `app.web.views`, with what is read from across a room and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.web.timeline_views import AreaView, BandsView, GapsView
from app.web.views import Part, TileKind, ticking

Size = Literal["large", "medium", "small"]
Tone = Literal["plain", "next", "out"]


@dataclass(frozen=True, slots=True)
class WallSaid:
    """The sentence in its short form; ``size`` lets a long one fit into the same room, ``tone`` colours its titles."""

    case: str
    parts: tuple[Part, ...]
    size: Size
    tone: Tone


@dataclass(frozen=True, slots=True)
class WallTile:
    """One seat. ``since`` is what its time counts from, ``until`` when it reaches the 60 s line and counts no more
    towards it. ``sure`` is False while the app's log is silent and idle times are guesses.
    """

    slot: int
    kind: TileKind
    title: str
    word: str
    over: bool
    sure: bool
    since: int | None
    until: int | None
    elapsed: str = ticking()
    left: str = ticking()


@dataclass(frozen=True, slots=True)
class WallSeats:
    """All tiles in ``columns`` times ``rows``. ``more`` says how many seats are not drawn, "" when all are."""

    tiles: tuple[WallTile, ...] = ticking()
    count: int = 0
    columns: int = 0
    rows: int = 0
    more: str = ""


@dataclass(frozen=True, slots=True)
class WallPicture:
    """Seats against the cap from ``start`` to ``end``, with the pressure under it.

    ``closed`` are the places, in percent, at which a session was closed. ``label`` says what it is for who cannot see.
    """

    start: int
    end: int
    label: str
    area: AreaView
    bands: BandsView
    gaps: GapsView
    closed: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class WallFact:
    """A fact of the bottom row: what matters of it, and the rest in a quieter colour.

    ``listed`` tells that the rest is one more thing, not the number of the first.
    """

    lead: str
    rest: str
    tone: Tone = "plain"
    listed: bool = True


@dataclass(frozen=True, slots=True)
class WallFoot:
    """The bottom row: when the picture begins, facts, and the time of now."""

    start: str
    facts: tuple[WallFact, ...]
    now: str
