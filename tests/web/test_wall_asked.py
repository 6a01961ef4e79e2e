"""What the address of a wall asks for."""

from __future__ import annotations

import pytest

from app.web.wall_asked import Night, hides_titles, wall_asked
from tests.web.scenes import HOSTILE


@pytest.mark.parametrize(
    ("text", "night"),
    [
        ("22-7", Night(1320, 420)),
        ("22:30-06:15", Night(1350, 375)),
        (" 9 – 17 ", Night(540, 1020)),
        ("0-24", Night(0, 1440)),
        ("24-6", Night(0, 360)),
        ("20-24", Night(1200, 1440)),
    ],
)
def test_nights(text: str, night: Night) -> None:
    """Two times of day, of hours or of hours and minutes, the later one first or last; ``0-24`` is always."""
    assert wall_asked({"dim": text}).night == night


@pytest.mark.parametrize(
    "text", ["night", "22", "22-", "25-7", "22-7-9", "22:61-7", "7-7", "24:30-7", "24-24", "-1-5", "٢٢-٧", HOSTILE]
)
def test_what_is_no_night_is_said(text: str) -> None:
    """What cannot be understood does not dim, and the wall says what it was and what would be one."""
    asked = wall_asked({"dim": text})

    assert asked.night is None
    assert "such as 22-7" in asked.problem
    assert "\x1b" not in asked.problem
    assert len(asked.problem) < 120


def test_nothing_asked_for() -> None:
    """A plain address dims nothing, hides nothing, complains of nothing."""
    assert wall_asked({}) == wall_asked({"dim": " ", "titles": "show"})
    assert (wall_asked({}).night, wall_asked({}).hide, wall_asked({}).problem) == (None, False, "")


@pytest.mark.parametrize(
    ("value", "hidden"), [("hide", True), ("HIDE", True), ("hidden", True), ("no", True), ("show", False), ("", False)]
)
def test_an_unknown_word_hides(value: str, hidden: bool) -> None:
    """Who writes something else than show wants something else than titles on a wall."""
    assert hides_titles({"titles": value}) is hidden
