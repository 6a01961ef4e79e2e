"""The composition of a picture, and what of it is seen."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from app.core.history import History
from app.core.state import App, Phase, State
from app.export.faces import INTER
from app.export.picture import png_of
from app.live import Snapshot
from app.web.language import speaking
from app.web.share_ink import INKS, THEMES, Theme
from app.web.share_picture import MARGIN, WIDTH, PictureView, picture, svg_of, words_of
from app.web.share_type import width
from tests.export.pixels import Png, colour, read_png
from tests.hostile_texts import CONTROLS, LENGTHS, MARKUP, STRUCTURE
from tests.web.scenes import NOW, ROOT, FixedRecorder, ago, session, snapshot, state
from tests.web.sharing import eventful, renderer, scene_of

SVG = "{http://www.w3.org/2000/svg}"


def drawn(view: PictureView) -> ElementTree.Element:
    """The picture's elements; it is well-formed, or this fails."""
    return ElementTree.fromstring(svg_of(renderer(), view))  # noqa: S314 - our own text


def texts(root: ElementTree.Element) -> list[str]:
    """Every text in the picture."""
    return ["".join(one.itertext()) for one in root.iter(f"{SVG}text")]


def shot(theme: Theme, scale: float) -> tuple[Png, PictureView]:
    """The picture in pixels."""
    view = picture(scene_of(eventful()), theme)
    svg = svg_of(renderer(), view)
    return read_png(png_of(svg, words_of(svg), ROOT / "static" / INTER, (), scale)), view


def test_everything_that_leads_is_in_it() -> None:
    """Number, sentence, a tile for each seat, lanes, cap, pressure, legend and footer are written in the picture."""
    told = texts(drawn(picture(scene_of(eventful()), "dark")))

    assert "7" in told
    assert "/8" in told
    assert "Session E is likely to be closed first, silent for 14 minutes." in " ".join(told).replace("  ", " ")
    assert told.count("Session A") == 2  # its tile and its lane
    for words in ("1st to go", "free", "cap 8", "pressure", "free mem", "start put off", "closed", "named, not closed"):
        assert words in told, words
    assert any("closed · memory pressure, silent 28 m" in one for one in told)
    assert re.fullmatch(r"2 Oct 2026, [\d:]{8} · JST \(UTC\+09:00\) · [\d:]+ to [\d:]+ · Seatwatch [\d.]+", told[-2])
    assert told[-1].startswith("Sessions are called by letters")


def test_the_legend_names_what_is_seen() -> None:
    """Nothing stands in the legend that the picture does not show."""
    kinds = [key.kind for key in picture(scene_of(eventful()), "dark").keys]

    assert kinds == ["working", "silent", "next", "evicted", "put_off", "would_be", "critical"]
    assert "evicted" not in [key.kind for key in picture(scene_of(), "dark").keys]


@pytest.mark.parametrize("count", [6, 8, 16, 17, 42, 64])
def test_tiles_lie_within_the_picture_beside_each_other(count: int) -> None:
    """However many seats there are, no tile overlaps another or leaves the picture, and no text leaves its tile."""
    many = state(*(session(n, Phase.IDLE, idle=n * 30) for n in range(count)), cap=count)
    boxes = picture(scene_of(snapshot(many)), "dark").boxes

    assert len(boxes) == count
    for one, other in pairwise(boxes):
        assert (other.y == one.y and other.x >= one.x + one.width) or other.y >= one.y + one.height
    for box in boxes:
        assert MARGIN <= box.x <= box.x + box.width <= WIDTH - MARGIN + 0.1
        for fitted in (box.title, box.word, box.ago):
            assert 12 + width(fitted.text, fitted.size) <= box.width
        assert "…" not in box.title.text  # a letter that is cut off would name nobody


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(
    "shown",
    [
        snapshot(),
        snapshot(demo=True),
        snapshot(State(), ready=False),
        snapshot(state()),
        snapshot(state(app=App(running=False, down_since=ago(minutes=26)))),
        snapshot(state(*(session(n) for n in range(9)))),
        snapshot(state(*(session(n, Phase.WAITING, waiting_for={"r": ago(minutes=9)}) for n in range(8)))),
        snapshot(state(*(session(n, Phase.IDLE, idle=n * 30) for n in range(90)), cap=90)),
        replace(snapshot(), history=FixedRecorder(History(ago(hours=2), NOW))),
    ],
    ids=["seven", "demo", "loading", "nobody", "not running", "over", "waiting", "ninety", "no history"],
)
def test_every_state_has_its_picture(shown: Snapshot, language: str) -> None:
    """Each state of the page gives a whole picture in both languages: well-formed, as high as what is in it."""
    with speaking(language):
        view = picture(scene_of(shown), "light")
        root = drawn(view)

    assert view.footer_y < view.height < 1800
    assert view.lead.bottom < view.panel_y < view.plot_y
    assert root.find(f"{SVG}title") is not None
    assert all(line.y < view.lead.bottom for line in (*view.lead.said, *view.lead.small))


HOSTILE = [*MARKUP.values(), *CONTROLS.values(), *STRUCTURE.values(), *LENGTHS.values()]


@pytest.mark.parametrize("first", range(0, len(HOSTILE), 8))
def test_a_hostile_title_is_text(first: int) -> None:
    """Whatever a title holds, the picture that shows it is well-formed, has no element of it and no control."""
    titled = [session(n, Phase.IDLE, idle=900 - n, title=text) for n, text in enumerate(HOSTILE[first : first + 8])]
    svg = svg_of(renderer(), picture(scene_of(snapshot(state(*titled)), titles=True), "dark"))
    root = ElementTree.fromstring(svg)  # noqa: S314 - our own text

    known = {"svg", "title", "desc", "style", "defs", "pattern", "rect", "path", "text", "tspan", "g", "circle"}
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= known
    assert not any(name.startswith("on") or "href" in name for element in root.iter() for name in element.attrib)
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]", svg)
    assert len(svg) < 100_000


@pytest.mark.parametrize("theme", THEMES)
def test_pixels_are_those_of_the_theme(theme: Theme) -> None:
    """The picture has its size, its ground, its panel, work in the colour of work and the first tile in its own."""
    png, view = shot(theme, 0.5)
    ink = INKS[theme]
    first = next(box for box in view.boxes if box.kind == "first")
    bar = view.plot.lanes[0].bars[0]

    assert (png.width, png.height) == (WIDTH / 2, (view.height + 1) // 2)
    assert png.at(4, 4) == colour(ink.page)
    assert png.at((view.plot_x - 60) / 2, (view.panel_y + 20) / 2) == colour(ink.panel)
    assert png.at((first.x + first.width / 2) / 2, (first.y + 8) / 2) == colour(ink.next_tint)
    middle = view.plot_x + (bar.x + bar.drawn / 2) * view.k
    assert png.at(middle / 2, (view.plot_y + view.plot.lanes[0].y) / 2) == colour(ink.working)
    assert png.colours(18, 35, 50, 73)[colour(ink.ink)] > 100  # the number


def test_marks_are_seen_where_they_belong() -> None:
    """The crossed circle, the ring and the triangle stand at their places, each in its colour."""
    png, view = shot("dark", 1)
    ink = INKS["dark"]
    strokes = {"evicted": ink.out_ink, "put_off": ink.muted, "would_be": ink.next_ink}
    glyphs = [glyph for row in view.plot.marks for glyph in row.glyphs]

    assert {glyph.kind for glyph in glyphs} == set(strokes)
    for glyph in glyphs:
        x, y = view.plot_x + glyph.x * view.k, view.plot_y + glyph.y
        seen = png.colours(x - 8, y - 8, x + 8, y + 8)
        red, green, blue = colour(strokes[glyph.kind])
        near = sum(n for (r, g, b), n in seen.items() if abs(r - red) + abs(g - green) + abs(b - blue) < 40)
        assert near > 8, glyph.kind


def test_words_are_what_is_written() -> None:
    """The faces are chosen by the words alone, not by names of families or colours."""
    svg = svg_of(renderer(), picture(scene_of(), "dark"))

    assert "Session A" in words_of(svg)
    assert "Hiragino" not in words_of(svg)
    assert "#0d1014" not in words_of(svg)
