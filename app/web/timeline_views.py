"""The shapes of the timeline: what its templates draw. Across, places are percent of the plot; down, pixels.

The picture is made of parts that are sent alone when they alone changed. What only reaches further because time went
on is left out of comparison: the page's script moves it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from app.web.views import ticking

BarKind: TypeAlias = Literal["working", "waiting", "silent", "next"]
GlyphKind: TypeAlias = Literal["evicted", "paused", "put_off", "would_be", "trouble", "vm", "app", "ports"]


@dataclass(frozen=True, slots=True)
class Bar:
    """A stretch of one kind; ``open`` ones have no ``width`` of their own: they reach the now-line and grow with it.

    ``drawn`` is the width at the moment of drawing.
    """

    kind: BarKind
    x: float
    width: float
    open: bool = False
    drawn: float = field(default=0.0, compare=False)


@dataclass(frozen=True, slots=True)
class LaneView:
    """The bars of one session around ``y``, dimmed once it has no process; an arrow where it is the first to go."""

    n: int
    y: int
    dim: bool
    first: bool
    bars: tuple[Bar, ...]
    now_x: float = ticking()


@dataclass(frozen=True, slots=True)
class NameView:
    """The name of a lane, and the address of its session."""

    n: int
    label: str
    dim: bool
    first: bool
    href: str = ""


@dataclass(frozen=True, slots=True)
class Glyph:
    """A mark that can be hovered and focused; ``title`` says when, what, and the log line.

    ``label`` stands beside it, ``rest`` after that where there is room, ``before`` it where its right has none.
    """

    id: str
    kind: GlyphKind
    x: float
    y: int
    title: str
    label: str = ""
    rest: str = ""
    before: bool = False


@dataclass(frozen=True, slots=True)
class MarksView:
    """The marks of one row: of a lane, by its number, of starts put off, or of the app and the VM."""

    row: str
    glyphs: tuple[Glyph, ...]


@dataclass(frozen=True, slots=True)
class Tick:
    """A line of the time axis; ``major`` ones keep their label where there is little room, ``day`` ones name a day."""

    x: float
    label: str
    major: bool
    day: bool = False


@dataclass(frozen=True, slots=True)
class OpenStep:
    """The number of seats that goes on: from ``x`` to the now-line, ``drawn`` wide at the moment of drawing."""

    x: float
    y: float
    height: float
    over_height: float
    drawn: float = field(default=0.0, compare=False)


@dataclass(frozen=True, slots=True)
class AreaView:
    """Seats against the cap. Paths are in a box of 1000 by ``height``."""

    height: int
    cap_y: float
    cap_label: str
    path: str
    over_path: str
    last: OpenStep | None


@dataclass(frozen=True, slots=True)
class MemoryLineView:
    """Free memory, as a path in a box of 1000 by ``height``; "" where there is none."""

    height: int
    path: str
    title: str


@dataclass(frozen=True, slots=True)
class BandBar:
    """A stretch at one level of memory pressure. Width as in `Bar`."""

    level: str
    x: float
    width: float
    title: str
    open: bool
    drawn: float = field(default=0.0, compare=False)


@dataclass(frozen=True, slots=True)
class BandsView:
    """Memory pressure."""

    y: int
    bands: tuple[BandBar, ...]


@dataclass(frozen=True, slots=True)
class GapBar:
    """A stretch without the app; ``label`` is empty where there is no room for it. Width as in `Bar`."""

    kind: Literal["app_down", "silent"]
    x: float
    width: float
    label: str
    title: str
    open: bool = False
    drawn: float = field(default=0.0, compare=False)


@dataclass(frozen=True, slots=True)
class GapsView:
    """Time without the app."""

    bottom: int
    label_y: int
    gaps: tuple[GapBar, ...]


@dataclass(frozen=True, slots=True)
class TwinRow:
    """A lane in numbers, for who cannot see it. Times count on only as far as this row is sent again."""

    n: int
    session: str
    state: str
    events: str
    working: str = ticking()
    silent: str = ticking()
    waiting: str = ticking()


@dataclass(frozen=True, slots=True)
class MoreView:
    """What the lanes leave out, in words; "" where they show all."""

    text: str


Part: TypeAlias = (
    LaneView | NameView | MarksView | AreaView | MemoryLineView | BandsView | GapsView | TwinRow | MoreView
)


@dataclass(frozen=True, slots=True)
class TimelineView:
    """What the parts stand in: the axis and the rows. ``*_y`` are where the rows lie.

    ``slides`` tells whether it is about now and its script moves it; ``now_x`` and ``pin_x`` are None where these
    moments lie outside. Parts are left out of comparison: they are sent by themselves.
    """

    slides: bool
    start: int
    end: int
    height: int
    plot_bottom: int
    ticks: tuple[Tick, ...]
    app_y: int | None
    axis_y: int
    summary: str
    pin_x: float | None
    pin_label: str
    now_x: float | None = field(compare=False)
    more: str = field(compare=False)
    area: AreaView = field(compare=False)
    memory: MemoryLineView = field(compare=False)
    bands: BandsView = field(compare=False)
    gaps: GapsView = field(compare=False)
    lanes: tuple[LaneView, ...] = field(compare=False)
    names: tuple[NameView, ...] = field(compare=False)
    marks: tuple[MarksView, ...] = field(compare=False)
    twin: tuple[TwinRow, ...] = field(compare=False)

    def parts(self) -> dict[str, Part]:
        """The parts by the id of their place on the page."""
        return {
            "tl-area": self.area,
            "tl-memory": self.memory,
            "tl-bands": self.bands,
            "tl-gaps": self.gaps,
            "tl-more": MoreView(self.more),
            **{f"lane-{one.n}": one for one in self.lanes},
            **{f"name-{one.n}": one for one in self.names},
            **{f"marks-{one.row}": one for one in self.marks},
            **{f"twin-{one.n}": one for one in self.twin},
        }
