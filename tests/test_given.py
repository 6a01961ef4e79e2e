"""Where settings are given: the order of the places, and what is told of a wrong value."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.core.preferences import addresses
from app.errors import WrongUsage
from app.given import Given

NAMES = ("notify_to", "port")


def test_first_place_wins_and_is_remembered(tmp_path: Path) -> None:
    """A flag comes before a variable, that before the file, and nothing set is no value."""
    config = tmp_path / "config.toml"
    config.write_text("port = 3\n", "utf-8")
    by_file = Given(NAMES, {"port": None}, {"SEATWATCH_PORT": ""}, config)
    by_variable = Given(NAMES, {}, {"SEATWATCH_PORT": "2"}, config)
    by_flag = Given(NAMES, {"port": 1}, {"SEATWATCH_PORT": "2"}, config)

    assert [one.read("port", int, lambda: 0) for one in (by_file, by_variable, by_flag)] == [3, 2, 1]
    assert [one.origins["port"] for one in (by_file, by_variable, by_flag)] == [str(config), "SEATWATCH_PORT", "--port"]


def test_nothing_given_is_the_default(tmp_path: Path) -> None:
    """Without any value the default holds and says so."""
    given = Given(NAMES, {}, {}, tmp_path / "config.toml")

    assert given.read("port", int, lambda: 7) == 7
    assert given.origins == {"port": "default"}


def test_a_secret_is_not_shown(tmp_path: Path) -> None:
    """A wrong notification address is named by its place, never by itself: it may hold a password."""
    given = Given(NAMES, {}, {"SEATWATCH_NOTIFY_TO": "hunter2"}, tmp_path / "config.toml")

    with pytest.raises(WrongUsage) as caught:
        given.read("notify_to", addresses, tuple)

    assert "SEATWATCH_NOTIFY_TO" in str(caught.value)
    assert "hunter2" not in str(caught.value)


def test_flag_without_a_setting_is_our_mistake(tmp_path: Path) -> None:
    """A flag that no setting has is refused."""
    with pytest.raises(TypeError, match="colour"):
        Given(NAMES, {"colour": 1}, {}, tmp_path / "config.toml")
