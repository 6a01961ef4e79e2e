"""config.toml: reading it, and changing a line of it without touching the others."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from app.config_file import change_config, read_config
from app.errors import ConfigUnusable, WrongUsage

NAMES = ("notify", "port", "theme")
WRITTEN = """# my own words
port = 9000  # as at work

theme = "dark"
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A config.toml with comments."""
    path = tmp_path / "config.toml"
    path.write_text(WRITTEN, "utf-8")
    return path


def test_a_change_keeps_the_rest(config: Path) -> None:
    """Comments, order and blank lines stay; a list is written as one."""
    change_config(config, {"theme": "light", "notify": ("evicted", "critical")})

    expected = WRITTEN.replace("dark", "light") + 'notify = ["evicted", "critical"]\n'
    assert config.read_text("utf-8") == expected
    assert read_config(config, NAMES) == {"port": 9000, "theme": "light", "notify": ["evicted", "critical"]}


def test_none_takes_a_line_out(config: Path) -> None:
    """What goes back to the default leaves the file; leaving out what is not there is no fault."""
    change_config(config, {"theme": None, "notify": None})

    assert read_config(config, NAMES) == {"port": 9000}
    assert "# as at work" in config.read_text("utf-8")


def test_the_file_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    """A new file, its new folder, and a file that others could read before: only the owner may read them."""
    path = tmp_path / "new" / "config.toml"
    change_config(path, {"port": 1})
    path.chmod(0o644)
    change_config(path, {"port": 2})

    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert [one.name for one in path.parent.iterdir()] == ["config.toml"]


def test_a_link_stays_a_link(config: Path, tmp_path: Path) -> None:
    """Who keeps the file in another folder and links to it still does after a change."""
    link = tmp_path / "link.toml"
    link.symlink_to(config)
    change_config(link, {"port": 1})

    assert link.is_symlink()
    assert read_config(config, NAMES)["port"] == 1


def test_a_failed_replacement_leaves_the_old_file(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the new file cannot be written, the old one is whole, nothing lies beside it, and the reason is told."""

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)

    with pytest.raises(WrongUsage, match="No space left"):
        change_config(config, {"port": 1})
    assert config.read_text("utf-8") == WRITTEN
    assert [one.name for one in config.parent.iterdir()] == ["config.toml"]


def test_a_broken_file_is_not_overwritten(config: Path) -> None:
    """A file that is no TOML is told and left as it is."""
    config.write_text("port = ", "utf-8")

    with pytest.raises(WrongUsage, match=r"config\.toml cannot be read"):
        change_config(config, {"port": 1})
    assert config.read_text("utf-8") == "port = "


def test_no_file_says_nothing(tmp_path: Path) -> None:
    """Neither a file nor a folder need exist."""
    assert read_config(tmp_path / "none" / "config.toml", NAMES) == {}


@pytest.mark.parametrize(
    ("content", "told"), [(b"port = ", "cannot be read"), (b"\xff\xfe", "cannot be read"), (b"prot = 1", "prot.*port")]
)
def test_what_cannot_be_understood_is_told(config: Path, content: bytes, told: str) -> None:
    """A file that is no TOML, or has a name that no setting has, is told with its path."""
    config.write_bytes(content)

    with pytest.raises(WrongUsage, match=told) as caught:
        read_config(config, NAMES)
    assert str(config) in caught.value.what


@pytest.mark.parametrize("use", [lambda path: read_config(path, NAMES), lambda path: change_config(path, {"port": 1})])
def test_a_malformed_line_is_named(config: Path, use: Callable[[Path], object]) -> None:
    """Who reads the file and who changes it both tell the line at which it is no TOML."""
    config.write_text("port = 9000\n\ntheme = = dark\n", "utf-8")

    with pytest.raises(ConfigUnusable) as caught:
        use(config)
    assert (caught.value.fault, caught.value.line) == ("malformed", 3)


def test_a_folder_in_its_place_is_not_malformed(tmp_path: Path) -> None:
    """What the system refuses is told as the system's reason, without a line."""
    with pytest.raises(ConfigUnusable) as caught:
        read_config(tmp_path, NAMES)
    assert (caught.value.fault, caught.value.line) == ("unreadable", None)
