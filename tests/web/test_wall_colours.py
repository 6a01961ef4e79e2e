"""The colours of the wall at night: dimmer than by day in either theme, and still to be read."""

from __future__ import annotations

import re
from pathlib import Path

from tests.web.test_colours import THEMES, contrast, linear, luminance, theme

CSS = (Path(__file__).parents[2] / "static" / "wall.css").read_text("utf-8")
WORDS = ("ink", "muted", "next-ink", "working-ink", "out-ink")
MARKS = ("working", "next", "out", "silent-line")


def night() -> dict[str, str]:
    """The tokens of the night."""
    block = re.search(r":root\.night[^{]*\{([^}]*)\}", CSS)
    assert block is not None
    return dict(re.findall(r"--([\w-]+):\s*(#[0-9a-fA-F]{6})", block[1]))


def test_every_colour_has_its_night() -> None:
    """No colour of the day shines through: each token of a theme has one for the night."""
    assert theme("dark").keys() <= night().keys()


def test_words_can_be_read_at_night() -> None:
    """Words have 4.5:1 on every ground that they stand on, marks 3:1."""
    tokens = night()
    for ground in ("page", "panel", "next-tint"):
        assert {word for word in WORDS if contrast(tokens[word], tokens[ground]) < 4.5} == set(), ground
        assert {mark for mark in MARKS if contrast(tokens[mark], tokens[ground]) < 3.0} == set(), ground


def test_the_night_is_dim() -> None:
    """The brightest colour sends out less than half of what the brightest of either theme does."""
    brightest = max(luminance(linear(colour)) for colour in night().values())

    for name in THEMES:
        assert brightest < max(luminance(linear(colour)) for colour in theme(name).values()) / 2
