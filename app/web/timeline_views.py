"""The shapes of the timeline: what its template draws. Across, places are percent of the plot; down, pixels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

BarKind: TypeAlias = Literal["working", "waiting", "silent", "next"]
GlyphKind: TypeAlias = Literal["evicted", "paused", "put_off", "would_be", "trouble", "vm", "app"]


@dataclass(frozen=True, slots=True)
class Bar:
    """A stretch of one kind; ``open`` ones reach the now-line and grow with it."""

    kind: BarKind
    x: float
    width: float
    open: bool = False


@dataclass(frozen=True, slots=True)
class Lane:
    """One session: its bars at ``y``, dimmed once it has no process, ``first`` when it is the first to go."""

    label: str
    y: int
    dim: bool
    first: bool
    bars: tuple[Bar, ...]


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
class Tick:
    """A line of the time axis; ``major`` ones keep their label where there is little room."""

    x: float
    label: str
    major: bool


@dataclass(frozen=True, slots=True)
class BandBar:
    """A stretch at one level of memory pressure."""

    level: str
    x: float
    width: float
    title: str
    open: bool


@dataclass(frozen=True, slots=True)
class GapBar:
    """A stretch without the app; ``label`` is empty where there is no room for it."""

    kind: Literal["app_down", "silent"]
    x: float
    width: float
    label: str
    title: str


@dataclass(frozen=True, slots=True)
class TwinRow:
    """A lane in numbers, for who cannot see it."""

    session: str
    state: str
    working: str
    silent: str
    waiting: str
    events: str


@dataclass(frozen=True, slots=True)
class TimelineView:
    """The whole picture. ``*_y`` are where its rows lie; paths are in a box of 1000 by ``height``."""

    start: int
    end: int
    now_x: float
    height: int
    plot_bottom: int
    cap_y: float
    base_y: int
    cap_label: str
    seats_path: str
    over_path: str
    ticks: tuple[Tick, ...]
    lanes: tuple[Lane, ...]
    glyphs: tuple[Glyph, ...]
    bands: tuple[BandBar, ...]
    gaps: tuple[GapBar, ...]
    band_y: int
    memory_path: str
    memory_title: str
    app_y: int | None
    axis_y: int
    more: str
    summary: str
    twin: tuple[TwinRow, ...]
