"""The colours of both themes: contrast, and whether states stay apart for the common colour-vision deficiencies.

Contrast is WCAG 2's. A deficiency is simulated with the matrices of Machado, Oliveira and Fernandes (2009) at full
severity, in linear light; how far two colours then are apart is CIE 1976's distance. No state is told by colour alone,
so what is asked for is that a glance still tells them apart, not that colour carries the page.
"""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

CSS = (Path(__file__).parents[2] / "static" / "app.css").read_text("utf-8")
TIMELINE = (Path(__file__).parents[2] / "static" / "timeline.css").read_text("utf-8")
PICTURE = (Path(__file__).parents[2] / "templates" / "share_picture.svg").read_text("utf-8")
THEMES = ("dark", "light")
STATES = ("working", "silent", "next", "out")
SIGHTS = {
    "all colours": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "no blue": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
APART = 15.0
"""Two to three is what a trained eye can just tell side by side; this can be told across a table."""

Colour = tuple[float, float, float]


def theme(name: str) -> dict[str, str]:
    """The tokens of a theme: the dark one comes first, the light one second."""
    block = re.findall(r"\{([^{}]*--page:[^{}]*)\}", CSS)[THEMES.index(name)]
    return dict(re.findall(r"--([\w-]+):\s*(#[0-9a-fA-F]{6})", block))


def linear(text: str) -> Colour:
    """A colour in linear light."""
    red, green, blue = (int(text[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return _linear(red), _linear(green), _linear(blue)


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def luminance(colour: Colour) -> float:
    """Relative luminance."""
    return 0.2126 * colour[0] + 0.7152 * colour[1] + 0.0722 * colour[2]


def contrast(one: str, other: str) -> float:
    """WCAG's contrast of two colours, 1 to 21."""
    low, high = sorted((luminance(linear(one)), luminance(linear(other))))
    return (high + 0.05) / (low + 0.05)


def seen(text: str, sight: str) -> Colour:
    """A colour as this sight has it, in CIE L*a*b*."""
    colour = linear(text)
    red, green, blue = (
        min(1.0, max(0.0, sum(weight * part for weight, part in zip(row, colour, strict=True))))
        for row in SIGHTS[sight]
    )
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883
    a, b, c = (float(part ** (1 / 3)) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return 116 * b - 16, 500 * (a - b), 200 * (b - c)


def distance(one: str, other: str, sight: str) -> float:
    """How far two colours are apart for a sight."""
    pairs = zip(seen(one, sight), seen(other, sight), strict=True)
    return float(sum((a - b) ** 2 for a, b in pairs) ** 0.5)


@pytest.mark.parametrize("name", THEMES)
def test_text_can_be_read(name: str) -> None:
    """Ink and muted words have 4.5:1 on every ground that they stand on."""
    tokens = theme(name)
    for word in ("ink", "muted"):
        for ground in ("page", "panel", "raised"):
            assert contrast(tokens[word], tokens[ground]) >= 4.5, (word, ground)


@pytest.mark.parametrize("name", THEMES)
def test_marks_can_be_seen(name: str) -> None:
    """What is drawn has 3:1 on its panel; a silent bar has it by its hatch."""
    tokens = theme(name)
    for mark in ("working", "next", "out", "vm", "silent-line"):
        assert contrast(tokens[mark], tokens["panel"]) >= 3.0, mark


def mixed(text: str, ground: str, opacity: float) -> str:
    """A colour as it looks on a ground through which it is drawn."""
    pairs = ((int(text[i : i + 2], 16), int(ground[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(over * opacity + under * (1 - opacity)):02x}" for over, under in pairs)


@pytest.mark.parametrize("name", THEMES)
def test_a_dimmed_lane_can_be_seen(name: str) -> None:
    """What steps back keeps 3:1: a solid bar at its opacity, a hatched one by lines that are not dimmed at all."""
    tokens = theme(name)
    drawn = re.search(r"\.lane\.dim rect \{ opacity: ([\d.]+); \}", TIMELINE)
    hatch = re.search(r"\.lane\.dim rect\.silent \{ fill: url\(#hatch-dim\); opacity: 1; \}", TIMELINE)
    shared = re.search(r'lane\.dim %\} fill-opacity="([\d.]+)" stroke-opacity="([\d.]+)"', PICTURE)

    assert drawn is not None
    assert hatch is not None
    assert shared is not None
    assert {float(one) for one in (*drawn.groups(), *shared.groups())} == {0.8}
    assert contrast(mixed(tokens["working"], tokens["panel"], 0.8), tokens["panel"]) >= 3.0
    assert contrast(tokens["silent-line"], tokens["panel"]) >= 3.0


@pytest.mark.parametrize("name", THEMES)
def test_what_is_stale_can_still_be_read(name: str) -> None:
    """A page that lost its connection grows pale, and its sentence keeps 4.5:1."""
    tokens = theme(name)
    pale = re.search(r'\[data-conn="stale"\] \.live \{ opacity: ([\d.]+);', CSS)

    assert pale is not None
    assert contrast(mixed(tokens["ink"], tokens["page"], float(pale.group(1))), tokens["page"]) >= 4.5


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("name", THEMES)
def test_states_stay_apart(name: str, sight: str) -> None:
    """Working, silent, next and out differ for people who see no red, no green or no blue."""
    tokens = theme(name)
    near = {
        pair: round(distance(tokens[pair[0]], tokens[pair[1]], sight), 1)
        for pair in combinations(STATES, 2)
        if distance(tokens[pair[0]], tokens[pair[1]], sight) < APART
    }
    assert near == {}
