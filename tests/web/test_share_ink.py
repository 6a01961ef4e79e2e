"""The colours of a picture."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from app.web.share_ink import INKS, THEMES, Theme, theme_named
from tests.web.test_colours import CSS, theme


@pytest.mark.parametrize("name", THEMES)
def test_colours_are_those_of_the_page(name: Theme) -> None:
    """Each token of the style sheet that a picture uses has the same value in both."""
    tokens = theme(name)
    for field, value in asdict(INKS[name]).items():
        token = field.replace("_", "-")
        if token in tokens:
            assert tokens[token] == value, token
        else:
            assert f"--{token}: {value}" in CSS


@pytest.mark.parametrize(("asked", "given"), [("light", "light"), ("dark", "dark"), ("pink", "dark"), (None, "dark")])
def test_a_theme_by_its_name(asked: str | None, given: Theme) -> None:
    """What names no theme gets the dark one."""
    assert theme_named(asked) == given
