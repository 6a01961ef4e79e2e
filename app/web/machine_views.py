"""What the templates draw of the machine: ports, and what the probes saw over the page's range. Frozen, no markup."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.web.timeline_views import Tick
from app.web.views import Row, Slice


@dataclass(frozen=True, slots=True)
class PortsView:
    """The home line's ports. ``shown`` is False where nothing counts them; ``count`` says so many of so many.

    ``pace`` is what the slope leads to, "" where it leads nowhere; ``notes`` are what to keep in mind.
    """

    shown: bool
    line: str = ""
    count: str = ""
    tone: Literal["plain", "next", "out"] = "plain"
    slices: tuple[Slice, ...] = ()
    summary: str = ""
    pace: str = ""
    rows: tuple[Row, ...] = ()
    states: tuple[Row, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TrendLine:
    """One measure as a path in a box of 1000 by the trend's height; ``kind`` draws it apart from the others."""

    kind: Literal["first", "second", "third"]
    path: str
    label: str


@dataclass(frozen=True, slots=True)
class TrendView:
    """What the probes saw of something over the page's range, on the timeline's axis, and the same as a table.

    ``limit_y`` is where the limit lies, None where there is none; ``top`` says what the upper edge is.
    """

    place: str
    height: int
    summary: str
    lines: tuple[TrendLine, ...] = ()
    ticks: tuple[Tick, ...] = ()
    limit_y: float | None = None
    limit: str = ""
    top: str = ""
    heads: tuple[str, ...] = ()
    table: tuple[tuple[str, ...], ...] = ()
