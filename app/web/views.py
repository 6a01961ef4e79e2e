"""What the templates draw: frozen values without markup.

A field that only follows the clock is left out of comparison (`ticking`): the script in the page counts it on, so two
views that differ in nothing else are the same picture and nothing is sent. Instants are seconds since 1970, because
that is what the script reads.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeAlias


def ticking() -> Any:
    """A field that the page counts on by itself."""
    return field(compare=False)


Tone: TypeAlias = Literal["plain", "next", "out"]
"""How near an end something is; a word beside it always says the same."""


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a sentence; ``strong`` sets a title apart."""

    text: str
    strong: bool = False


@dataclass(frozen=True, slots=True)
class SentenceView:
    """What would happen next, in one sentence and a smaller second line. ``tone`` colours the titles in it."""

    case: str
    parts: tuple[Part, ...]
    small: tuple[Part, ...]
    tone: Literal["next", "out", "plain"]


@dataclass(frozen=True, slots=True)
class AdviceItem:
    """One thing to do now; ``kind`` is what `app.core.advised` calls it."""

    kind: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class AdviceView:
    """What to do now, most urgent first; empty until anything is known."""

    items: tuple[AdviceItem, ...]


@dataclass(frozen=True, slots=True)
class NotesView:
    """What is quietly said below the seats, a sentence each."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NumberView:
    """Seats taken against the cap; None until anything was read. ``label`` says it for who cannot see it."""

    taken: int | None
    cap: int | None
    over: bool
    label: str


@dataclass(frozen=True, slots=True)
class MetaView:
    """The machine and the app, in the head of the page."""

    facts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StripView:
    """A note across the page: demo data, loading, no logs, trouble with a source."""

    kind: Literal["none", "demo", "loading", "nologs", "problem"]
    title: str
    lines: tuple[str, ...]


TileKind: TypeAlias = Literal[
    "working", "waiting", "first", "queued", "safe", "kept", "silent", "free", "spare", "nameless"
]


@dataclass(frozen=True, slots=True)
class TileView:
    """One seat.

    ``word`` is the state or the rank, ``since`` what the elapsed time counts from and ``said`` what stands before it.
    ``until`` is when the 60 s line is reached; ``fill`` is how far towards it the bar is, in seconds. ``href`` is the
    address of its session, "" where it has none.
    """

    slot: int
    kind: TileKind
    title: str
    word: str
    hint: str
    said: str
    since: int | None
    over: bool
    bar: bool
    until: int | None
    elapsed: str = ticking()
    left: str = ticking()
    fill: int = ticking()
    href: str = ""


@dataclass(frozen=True, slots=True)
class SeatsView:
    """All tiles in their places. ``dense`` makes small tiles of many seats.

    ``wide`` and ``mid`` are how many stand in a row on a wide and on a middling screen. ``more`` says how many seats
    are not drawn, "" when all are.
    """

    tiles: tuple[TileView, ...] = ticking()
    count: int = 0
    dense: bool = False
    wide: int = 0
    mid: int = 0
    more: str = ""


@dataclass(frozen=True, slots=True)
class NextRow:
    """A session that could be closed, or is passed over; ``href`` is its address, ``id`` the name of its element."""

    id: str
    place: str
    title: str
    note: str
    since: int | None
    first: bool
    elapsed: str = ticking()
    href: str = ""


@dataclass(frozen=True, slots=True)
class NextView:
    """The queue of who would be closed, and how often it was right; ``details`` of that record have several lines."""

    record: str
    details: str
    rows: tuple[NextRow, ...]
    kept: tuple[NextRow, ...]
    empty: str
    more: str
    more_kept: str = ""


@dataclass(frozen=True, slots=True)
class Slice:
    """A piece of a bar, in percent of it."""

    kind: Literal["vm", "claude", "rest"]
    start: float
    width: float
    label: str


@dataclass(frozen=True, slots=True)
class Row:
    """A name and its value; ``tone`` colours the value."""

    name: str
    value: str
    tone: Literal["plain", "next", "out"] = "plain"


@dataclass(frozen=True, slots=True)
class MemoryView:
    """Memory as the host or the app read it last; ``read_at`` is None where that is now, or where nothing was read.

    ``sessions`` is memory by session, ``unknown`` what could not be read and why, a line each.
    """

    level: str
    tone: Literal["plain", "next", "out"]
    free: str
    slices: tuple[Slice, ...]
    rows: tuple[Row, ...]
    sessions: tuple[Row, ...]
    unknown: tuple[str, ...]
    read_at: int | None
    age: str = ticking()


@dataclass(frozen=True, slots=True)
class VmView:
    """The Cowork VM."""

    phase: str
    tone: Literal["plain", "next", "out"]
    since: int | None
    rows: tuple[Row, ...]
    note: str
    elapsed: str = ticking()


@dataclass(frozen=True, slots=True)
class HappenedRow:
    """One thing that happened, in words; ``line`` is the log's own text and where it stands.

    ``session`` is the address of whom it happened to, "" for nobody; ``asks`` that of why it, or what else, stopped.
    """

    id: str
    time: str
    stamp: str
    icon: Literal["evicted", "put_off", "would_be", "paused", "vm", "app", "pressure", "ports", "trouble"]
    parts: tuple[Part, ...]
    why: str
    line: str
    session: str = ""
    asks: str = ""


@dataclass(frozen=True, slots=True)
class HappenedView:
    """What happened, newest first."""

    summary: str
    rows: tuple[HappenedRow, ...]
    empty: str


class Item(Protocol):
    """Something in a list, known by the ``id`` of its element."""

    @property
    def id(self) -> str:
        """Its name on the page."""
        ...


@dataclass(frozen=True, slots=True)
class Added:
    """Items that come at the ``side`` of the element that the selector ``target`` names."""

    target: str
    side: str
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class StepView:
    """From one list to the next: ids that go, items that change where they stand, items that come.

    ``template`` draws an item; ``texts`` are the new ones of elements that stay, each after its selector.
    """

    template: str
    texts: tuple[tuple[str, str], ...]
    gone: tuple[str, ...]
    changed: tuple[Item, ...]
    added: tuple[Added, ...]


@dataclass(frozen=True, slots=True)
class AnnounceView:
    """What a screen reader is told when it changes: evictions and pressure, not ticks."""

    text: str


@dataclass(frozen=True, slots=True)
class Clocks:
    """What the script needs to count on: the server's time and that of the newest log line."""

    now: int
    last_line: int | None


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several things to choose from, each an address; ``code`` is what the choice is called in it."""

    label: str
    href: str
    current: bool
    code: str


@dataclass(frozen=True, slots=True)
class RangesView:
    """The ranges to choose from; what could not be understood; what a window that stands still says of itself."""

    tabs: tuple[Choice, ...]
    problem: str
    still: str
    back: str
