"""Checks of settings: what a value means, and the reason why it means nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from app import checks
from app.settings import NAMES


def test_values_that_make_sense() -> None:
    """Text becomes what the rest of Seatwatch works with."""
    assert checks.path("~/logs") == Path.home() / "logs"
    assert checks.host("[::1]") == "::1"
    assert checks.host(" mac.example ") == "mac.example"
    assert checks.port("65535") == 65_535
    assert checks.zone("Asia/Tokyo") == ZoneInfo("Asia/Tokyo")


@pytest.mark.parametrize(
    ("check", "value", "reason"),
    [
        (checks.path, 5, "text"), (checks.path, "a\0b", "NUL"), (checks.host, "999.1.1.1", "neither"),
        (checks.port, 80.5, "whole"), (checks.port, "70000", "65535"), (checks.zone, "Mars/Olympus", "Mars"),
    ],
)  # fmt: skip
def test_values_that_make_none(check: Any, value: Any, reason: str) -> None:
    """A wrong value is told why it is wrong."""
    with pytest.raises((ValueError, TypeError), match=reason):
        check(value)


def test_every_setting_has_a_hint() -> None:
    """Whatever setting is wrong, there is a word on what it may be."""
    assert set(checks.HINTS) == set(NAMES)


def test_values_of_the_server_and_the_history() -> None:
    """A token stays as it is; names of hosts are known by one spelling; numbers come as text or as numbers."""
    assert checks.token("a" * 32) == "a" * 32
    assert checks.host_names("wall.local, ::1 ,[::1]:80,10.0.0.7:443,") == (
        "wall.local", "[::1]", "[::1]:80", "10.0.0.7:443"
    )  # fmt: skip
    assert checks.host_names(["wall.local", "wall.local"]) == ("wall.local",)
    assert (checks.days("30"), checks.megabytes(500)) == (30, 500)


@pytest.mark.parametrize(
    ("check", "value", "reason"),
    [
        (checks.token, "short", "32 to 200"), (checks.token, "x" * 31 + "&", "letters"), (checks.days, 0, "3650"),
        (checks.days, True, "whole"), (checks.megabytes, "9", "between 10"), (checks.host_names, 5, "list"),
        (checks.host_names, "a b", "neither"), (checks.host_names, "wall:99999", "65535"),
    ],
)  # fmt: skip
def test_values_of_the_server_that_make_none(check: Any, value: Any, reason: str) -> None:
    """A wrong one is told why, and a token is not repeated."""
    with pytest.raises((ValueError, TypeError), match=reason) as caught:
        check(value)

    assert "short" not in str(caught.value)
