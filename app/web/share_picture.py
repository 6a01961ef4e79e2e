"""The shared picture as a composition: number, sentence, tiles, timeline, legend, footer, placed in a page of its own.

Everything is placed here, in units of the picture; ``templates/share_picture.svg`` draws it. The geometry within the
timeline is that of the page (`app.web.timeline`), stretched to the width there is.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from app.core.governor import SAFE_SECONDS
from app.export.faces import JAPANESE, takes_japanese
from app.web.presenters import in_a_row, number_view, seats_view
from app.web.rendering import Renderer
from app.web.share_ink import INKS, Ink, Theme
from app.web.share_scene import Scene
from app.web.share_type import Line, cut, width, wrapped
from app.web.timeline import timeline
from app.web.timeline_views import TimelineView
from app.web.views import NumberView, TileView
from app.web.words import _, clock

WIDTH, MARGIN = 1200, 36
INNER = WIDTH - 2 * MARGIN
NUMBER, LEAD, BODY, NAME, NOTE, SMALL, LEAST = 92, 25, 14, 15, 13, 12, 11
NUMBER_Y = 142
"""The line on which the number stands."""
LEAD_STEP, BODY_STEP = 34, 20
MOST_LEAD, MOST_SMALL = 4, 4
GAP = CORNER = 10
PADDING = 18
NAMES = 132
"""The room of the lanes' names."""
BESIDE = 34
"""The room to the right of the plot: half of the last time of the axis, the arrow of the first to go."""

_STEP = re.compile(r"([ML])(-?[\d.]+) (-?[\d.]+)")


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line of text on its base line ``y``."""

    y: int
    parts: Line

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(part.text for part in self.parts)


@dataclass(frozen=True, slots=True)
class Lead:
    """What leads: the number, the sentence beside it, ending at ``bottom``. ``x`` is where the sentence begins."""

    number: NumberView
    cap_x: int
    x: int
    tone: str
    said: tuple[TextLine, ...]
    small: tuple[TextLine, ...]
    bottom: int


@dataclass(frozen=True, slots=True)
class Fitted:
    """A text and the size in which it fits into its place."""

    text: str
    size: int


@dataclass(frozen=True, slots=True)
class Box:
    """A tile in its place; the texts fit into it.

    ``edge`` is the path along its top, ``bar`` that of how far it is towards the 60 s line, "" for none.
    """

    kind: str
    slot: str
    over: bool
    x: float
    y: int
    width: float
    height: int
    title: Fitted
    word: Fitted
    ago: Fitted
    edge: str
    bar: str


@dataclass(frozen=True, slots=True)
class Key:
    """An entry of the legend."""

    kind: str
    label: str
    x: float
    y: int


@dataclass(frozen=True, slots=True)
class PictureView:
    """All of it. ``plot_x``, ``plot_y`` and ``plot_width`` place the timeline, ``panel_*`` what it stands in.

    ``edge`` stands at the line of the moment that is shown: "now" would be untrue as soon as somebody looks at it.
    ``font`` is the address of a face that is carried in the file itself, "" for none.
    """

    width: int
    height: int
    ink: Ink
    font: str
    label: str
    description: str
    taken_at: str
    demo: str
    lead: Lead
    boxes: tuple[Box, ...]
    more_seats: str
    more_y: int
    panel_y: int
    panel_height: int
    plot_x: int
    plot_y: int
    plot_width: int
    plot: TimelineView
    heading: str
    edge: str
    names: tuple[str, ...]
    memory: str
    keys: tuple[Key, ...]
    footer_y: int
    footer: str
    promise: str

    @property
    def k(self) -> float:
        """Units for each percent of the plot."""
        return self.plot_width / 100


def picture(scene: Scene, theme: Theme, font: str = "") -> PictureView:
    """The composition of a scene in one theme, in the language that is spoken."""
    lead = _lead(scene)
    seats = seats_view(scene.snapshot, scene.at, scene.look.slots)
    boxes, below = _boxes(seats.tiles, lead.bottom + 20, dense=seats.dense)
    more_y = below + 18 if seats.more else below
    panel_y = more_y + 20
    plot, _order = timeline(scene.look)
    heading = _("Sessions against the cap")
    keys = _keys(plot, MARGIN + PADDING + width(heading, NOTE, bold=True) + 26, panel_y + 25)
    plot_x, plot_y = MARGIN + PADDING + NAMES, max((key.y for key in keys), default=panel_y + 25) + 18
    plot_width = WIDTH - MARGIN - BESIDE - plot_x
    panel_height = plot_y + plot.height + (16 if plot.more else 0) + 10 - panel_y
    footer_y = panel_y + panel_height + 30
    sentence = "".join(part.text for part in scene.sentence().parts)
    return PictureView(
        width=WIDTH,
        height=footer_y + 22,
        ink=INKS[theme],
        font=font,
        label=f"Seatwatch: {lead.number.label}",
        description=f"{sentence} {plot.summary}.",
        taken_at=scene.taken_at(),
        demo=_("Demo data") if scene.snapshot.demo else "",
        lead=lead,
        boxes=boxes,
        more_seats=seats.more,
        more_y=more_y,
        panel_y=panel_y,
        panel_height=panel_height,
        plot_x=plot_x,
        plot_y=plot_y,
        plot_width=plot_width,
        plot=plot,
        heading=heading,
        edge=clock(scene.at, scene.look.zone, seconds=False),
        names=tuple(cut(one.label, NOTE, NAMES - 14, bold=one.first) for one in plot.names),
        memory=_stretched(plot.memory.path, plot_width / 1000),
        keys=keys,
        footer_y=footer_y,
        footer=" · ".join((scene.taken_at(), scene.zone_name(), scene.window(), scene.version())),
        promise=scene.promise(),
    )


def svg_of(renderer: Renderer, view: PictureView) -> str:
    """The picture as SVG."""
    families = ",".join(JAPANESE)
    context = {"view": view, "families": families, "takes_japanese": takes_japanese, "width": width}
    return renderer.page("share_picture.svg", context)


def words_of(svg: str) -> str:
    """Everything that is written in an SVG, to know which faces it takes."""
    return re.sub(r"<style>.*?</style>|<[^>]*>", "", svg, flags=re.DOTALL)


def _lead(scene: Scene) -> Lead:
    number, sentence = number_view(scene.snapshot), scene.sentence()
    taken, cap = str(number.taken if number.taken is not None else "–"), str(number.cap or "")
    cap_x = MARGIN + round(width(taken, NUMBER, bold=True) - 0.045 * NUMBER * len(taken)) + 2
    right = cap_x + round(width(f"/{cap}", NUMBER) - 0.045 * NUMBER * (len(cap) + 1)) if cap else cap_x
    x = max(right, MARGIN + 120) + 34
    room = WIDTH - MARGIN - x
    said = wrapped(sentence.parts, LEAD, room, MOST_LEAD)
    small = wrapped(sentence.small, BODY, room, MOST_SMALL)
    height = len(said) * LEAD_STEP + len(small) * BODY_STEP
    # The block of lines stands beside the number in the middle of its height, and hangs down when it is longer.
    top = max(74, NUMBER_Y - 33 - height // 2)
    lead = tuple(TextLine(top + LEAD + n * LEAD_STEP, line) for n, line in enumerate(said))
    after = top + len(said) * LEAD_STEP + BODY + 5
    rest = tuple(TextLine(after + n * BODY_STEP, line) for n, line in enumerate(small))
    return Lead(number, cap_x, x, sentence.tone, lead, rest, max(NUMBER_Y + 8, top + height + 4))


def _boxes(tiles: Sequence[TileView], top: int, *, dense: bool) -> tuple[tuple[Box, ...], int]:
    """The tiles in even rows, and where the last row ends."""
    if not tiles:
        return (), top - 20
    in_row = in_a_row(len(tiles), 6, 10) if dense else in_a_row(len(tiles), 5, 8)
    wide, high = (INNER - (in_row - 1) * GAP) / in_row, 68 if dense else 86
    rows = -(-len(tiles) // in_row)
    boxes = tuple(
        _box(tile, MARGIN + (n % in_row) * (wide + GAP), top + (n // in_row) * (high + GAP), wide, high)
        for n, tile in enumerate(tiles)
    )
    return boxes, top + rows * (high + GAP) - GAP


def _box(tile: TileView, x: float, y: int, wide: float, high: int) -> Box:
    room = wide - 22
    word = tile.word.format(span=tile.left) if tile.until is not None else tile.word
    ago = tile.said.format(span=tile.elapsed) if tile.since is not None else ""
    slot = f"{_('over')} {tile.slot}" if tile.over else str(tile.slot)
    name, note = (NAME, NOTE) if high > 70 else (BODY, SMALL)
    return Box(
        kind=tile.kind,
        slot=slot,
        over=tile.over,
        x=round(x, 2),
        y=y,
        width=round(wide, 2),
        height=high,
        title=_fitted(tile.title, name, room - width(slot, SMALL) - 5, bold=True),
        word=_fitted(word, note, room, bold=tile.kind == "first"),
        ago=_fitted(f"{ago} · {tile.hint}" if tile.hint else ago, note, room),
        edge=_edge(x, y, wide),
        bar=_bar(x, y + high, wide, min(1.0, tile.fill / SAFE_SECONDS)) if tile.bar and tile.fill else "",
    )


def _fitted(text: str, size: int, room: float, *, bold: bool = False) -> Fitted:
    """The text as large as ``size`` or as small as it must be to fit; cut where even that is too large."""
    fits = (one for one in range(size, LEAST, -1) if width(text, one, bold=bold) <= room)
    found = next(fits, LEAST)
    return Fitted(cut(text, found, room, bold=bold), found)


def _edge(x: float, y: int, wide: float) -> str:
    """A band of 3 along the top, within the round corners."""
    inset = CORNER - math.sqrt(CORNER**2 - (CORNER - 3) ** 2)
    return (
        f"M{x + inset:.2f} {y + 3}A{CORNER} {CORNER} 0 0 1 {x + CORNER:.2f} {y}H{x + wide - CORNER:.2f}"
        f"A{CORNER} {CORNER} 0 0 1 {x + wide - inset:.2f} {y + 3}Z"
    )


def _bar(x: float, bottom: int, wide: float, share: float) -> str:
    """A band of 4 along the bottom, so far as ``share`` of the width, within the round corners."""
    inset = CORNER - math.sqrt(CORNER**2 - (CORNER - 4) ** 2)
    start = f"M{x + inset:.2f} {bottom - 4}A{CORNER} {CORNER} 0 0 0 {x + CORNER:.2f} {bottom}"
    if share >= 1:
        return f"{start}H{x + wide - CORNER:.2f}A{CORNER} {CORNER} 0 0 0 {x + wide - inset:.2f} {bottom - 4}Z"
    return f"{start}H{x + max(CORNER, min(wide - CORNER, wide * share)):.2f}V{bottom - 4}Z"


def _keys(plot: TimelineView, x: float, y: int) -> tuple[Key, ...]:
    """The legend of what is seen, right of ``x``, in as many rows as it takes."""
    named = {
        "working": _("working"), "silent": _("silent"), "waiting": _("waits for you"), "next": _("first to go"),
        "evicted": _("closed"), "put_off": _("start put off"), "would_be": _("named, not closed"),
        "paused": _("paused"), "trouble": _("trouble"), "vm": _("VM"), "app": _("app"), "ports": _("ports"),
        "warning": _("pressure: warning"), "critical": _("pressure: critical"),
    }  # fmt: skip
    seen: set[str] = {bar.kind for lane in plot.lanes for bar in lane.bars}
    seen |= {glyph.kind for row in plot.marks for glyph in row.glyphs}
    seen |= {band.level for band in plot.bands.bands}
    keys: list[Key] = []
    at, row = x, y
    for kind, label in named.items():
        if kind not in seen:
            continue
        wide = 22 + width(label, SMALL)
        if at + wide > WIDTH - MARGIN - PADDING:
            at, row = x, row + 20
        keys.append(Key(kind, label, round(at, 1), row))
        at += wide + 16
    return tuple(keys)


def _stretched(path: str, scale: float) -> str:
    """A path in a box 1000 wide as one in the box there is: a stretched line would be thicker across than down."""
    return _STEP.sub(lambda step: f"{step[1]}{float(step[2]) * scale:.1f} {step[3]}", path)
