"""Finding the log folder on any platform."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from app.errors import LogFolderMissing, LogFolderUnreadable, NoLogsFound
from app.ingest import discovery
from app.ingest.discovery import MOVED_NS, Whereabouts, candidates, discover

NO_ENV: Mapping[str, str] = {}


def log(folder: Path, at: int, size: int = 1) -> Path:
    """A ``main.log`` in ``folder``, last written ``at`` seconds after 1970."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "main.log").write_bytes(b"x" * size)
    os.utime(folder / "main.log", (at, at))
    return folder


@pytest.mark.parametrize(
    ("platform", "place"),
    [
        ("darwin", "Library/Logs/Claude"),
        ("darwin", "Library/Logs/Claude-3p"),
        ("darwin", "Library/Logs/Claude-Work"),
        ("win32", "AppData/Local/Claude/Logs"),
        ("win32", "AppData/Local/Claude/logs"),
        ("win32", "AppData/Roaming/Claude/logs"),
        ("win32", "AppData/Roaming/Claude-3p/logs"),
        ("win32", "AppData/Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude/logs"),
        ("win32", "AppData/Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Local/Claude/Logs"),
        ("linux", ".config/Claude/logs"),
        ("linux", ".config/Claude-Home/logs"),
    ],
)
def test_every_place_is_known(tmp_path: Path, platform: str, place: str) -> None:
    """Logs in each known place of each platform are found."""
    folder = log(tmp_path / place, 1000)
    assert discover(platform, tmp_path, NO_ENV).folder == folder


def test_the_newest_wins(tmp_path: Path) -> None:
    """The log that was written last is the live one, however large an old one is."""
    old = log(tmp_path / "AppData/Roaming/Claude/logs", 1000, size=5000)
    new = log(tmp_path / "AppData/Local/Claude/Logs", 2000)
    choice = discover("win32", tmp_path, NO_ENV)
    assert choice.folder == new
    assert {str(old), str(new)} <= set(choice.looked_in)


def test_the_environment_moves_the_places(tmp_path: Path) -> None:
    """The folders that the system names are used instead of their usual places."""
    env = {"LOCALAPPDATA": str(tmp_path / "L"), "APPDATA": str(tmp_path / "R"), "XDG_CONFIG_HOME": str(tmp_path / "X")}
    assert tmp_path / "L/Claude/Logs" in candidates("win32", tmp_path, env)
    assert tmp_path / "R/Claude/logs" in candidates("win32", tmp_path, env)
    assert candidates("linux", tmp_path, env) == [tmp_path / "X/Claude/logs", tmp_path / "X/Claude-3p/logs"]


def test_no_logs_anywhere(tmp_path: Path) -> None:
    """The error lists every place that was looked in."""
    with pytest.raises(NoLogsFound) as caught:
        discover("darwin", tmp_path, NO_ENV)
    assert caught.value.looked_in == (str(tmp_path / "Library/Logs/Claude"), str(tmp_path / "Library/Logs/Claude-3p"))


def test_a_named_folder_wins(tmp_path: Path) -> None:
    """A folder that was asked for is taken even if another is newer, with archives alone too."""
    log(tmp_path / ".config/Claude/logs", 5000)
    named = tmp_path / "saved"
    named.mkdir()
    (named / "main1.log").write_bytes(b"x")
    assert discover("linux", tmp_path, NO_ENV, named).folder == named


def test_a_named_folder_that_is_none(tmp_path: Path) -> None:
    """A missing folder and a file in its place are told apart from a folder without logs."""
    (tmp_path / "main.log").write_bytes(b"x")
    for wrong in (tmp_path / "none", tmp_path / "main.log"):
        with pytest.raises(LogFolderMissing):
            discover("linux", tmp_path, NO_ENV, wrong)
    (tmp_path / "empty").mkdir()
    with pytest.raises(NoLogsFound):
        discover("linux", tmp_path, NO_ENV, tmp_path / "empty")


def test_a_named_folder_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error carries the system's reason."""

    def refuse(folder: Path) -> list[object]:
        raise PermissionError(13, "Permission denied", str(folder))

    monkeypatch.setattr(discovery, "look", refuse)
    with pytest.raises(LogFolderUnreadable) as caught:
        discover("linux", tmp_path, NO_ENV, tmp_path)
    assert "Permission denied" in caught.value.why


MOVED = MOVED_NS // 10**9


def test_an_update_moves_the_logs(tmp_path: Path) -> None:
    """Once another place is written and ours has been silent for long, it is told; once, and from there on again."""
    old = log(tmp_path / "AppData/Roaming/Claude/logs", 1000)
    where = Whereabouts(old, "win32", tmp_path, NO_ENV)
    new = log(tmp_path / "AppData/Local/Claude/Logs", 1000 + MOVED - 1)
    too_soon = where.moved_to()
    log(new, 1000 + MOVED)

    assert too_soon is None
    assert where.moved_to() == new
    assert where.moved_to() is None
    log(old, 1000 + 2 * MOVED)
    assert where.moved_to() == old


def test_two_apps_beside_each_other_are_no_move(tmp_path: Path) -> None:
    """While our place is written as well, the other one is another app's."""
    ours, other = (log(tmp_path / "Library/Logs" / name, 1000) for name in ("Claude", "Claude-3p"))
    where = Whereabouts(ours, "darwin", tmp_path, NO_ENV)
    found = []
    for minute in range(1, 10):
        log(other, 1000 + 60 * minute)
        found.append(where.moved_to())
        log(ours, 1000 + 60 * minute)

    assert found == [None] * 9


def test_an_old_place_is_not_new_while_ours_is_away(tmp_path: Path) -> None:
    """Amid a rotation, or with our folder gone for a moment, what was left lying long ago stays what it is."""
    ours = log(tmp_path / "Library/Logs/Claude", 9000)
    log(tmp_path / "Library/Logs/Claude-3p", 1000)
    where = Whereabouts(ours, "darwin", tmp_path, NO_ENV)
    (ours / "main.log").unlink()

    assert where.moved_to() is None
