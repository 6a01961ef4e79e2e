"""Where the session files lie, told from where the logs lie."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.ingest.places import user_data_places
from app.ingest.titles import SessionFiles
from tests.ingest.session_files import CODE, COWORK, ONE, title_in, write


@pytest.mark.parametrize("name", ["Claude", "Claude-3p", "Claude-Work"])
def test_places_on_macos(tmp_path: Path, name: str) -> None:
    """Logs and data lie in two parts of the Library, under the same name."""
    found = user_data_places(tmp_path / "Library/Logs" / name, "darwin", tmp_path, {})

    assert found == [tmp_path / "Library/Application Support" / name]


@pytest.mark.parametrize("name", ["Claude", "Claude-3p", "Claude-Work"])
@pytest.mark.parametrize("config", [".config", "elsewhere"])
def test_places_on_linux(tmp_path: Path, name: str, config: str) -> None:
    """The logs lie within the data, below the configuration folder of the system or of the user's choice."""
    env = {} if config == ".config" else {"XDG_CONFIG_HOME": str(tmp_path / config)}

    assert user_data_places(tmp_path / config / name / "logs", "linux", tmp_path, env) == [tmp_path / config / name]


@pytest.mark.parametrize("name", ["Claude", "Claude-3p", "Claude-Work"])
@pytest.mark.parametrize(
    ("logs_in", "is_packaged"),
    [
        ("Local/{}/Logs", False),
        ("Local/{}/logs", False),
        ("Roaming/{}/logs", False),
        ("Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/{}/logs", True),
        ("Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Local/{}/Logs", True),
    ],
)
@pytest.mark.parametrize("by_env", [True, False])
def test_places_on_windows(tmp_path: Path, name: str, logs_in: str, is_packaged: bool, by_env: bool) -> None:
    """Data lies in the roaming folder or in the package's; the likelier of the two comes first."""
    data = tmp_path / ("Moved" if by_env else "AppData")
    env = {"LOCALAPPDATA": str(data / "Local"), "APPDATA": str(data / "Roaming")} if by_env else {}
    own = data / "Roaming" / name
    package = data / "Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming" / name

    found = user_data_places(data / logs_in.format(name), "win32", tmp_path, env)

    assert found == ([package, own] if is_packaged else [own, package])


@pytest.mark.parametrize("kind", [CODE, COWORK])
@pytest.mark.parametrize("platform", ["darwin", "linux", "win32"])
def test_parent_of_any_other_folder(tmp_path: Path, platform: str, kind: str) -> None:
    """A folder of the user's own has its sessions beside it, if there are any."""
    assert user_data_places(tmp_path / "copy/logs", platform, tmp_path / "home", {}) == []

    (tmp_path / "copy" / kind).mkdir(parents=True)

    assert user_data_places(tmp_path / "copy/logs", platform, tmp_path / "home", {}) == [tmp_path / "copy"]


@pytest.mark.parametrize(
    ("platform", "folder"),
    [
        ("darwin", "Library/Logs/Claudette"),
        ("darwin", "Library/Logs/Claude/logs"),
        ("linux", ".config/claude/logs"),
        ("linux", ".config/Claude/archive"),
        ("linux", ".config/Other/logs"),
        ("win32", "AppData/Roaming/Other/logs"),
    ],
)
def test_other_folders_have_no_known_place(tmp_path: Path, platform: str, folder: str) -> None:
    """Another program's folder, or one within the app's, is not the app's log folder."""
    assert user_data_places(tmp_path / folder, platform, tmp_path, {}) == []


def test_linked_home_is_the_same_home(tmp_path: Path) -> None:
    """A log folder named by what a link leads to still belongs to the app."""
    real = tmp_path / "disk"
    (real / ".config/Claude/logs").mkdir(parents=True)
    (tmp_path / "home").symlink_to(real)

    found = user_data_places(real / ".config/Claude/logs", "linux", tmp_path / "home", {})

    assert found == [tmp_path / "home/.config/Claude"]


def test_linked_log_folder_is_the_apps(tmp_path: Path) -> None:
    """A log folder that was moved to another disk, with a link in its place, still belongs to the app."""
    (tmp_path / "disk").mkdir()
    (tmp_path / ".config/Claude").mkdir(parents=True)
    (tmp_path / ".config/Claude/logs").symlink_to(tmp_path / "disk")

    found = user_data_places(tmp_path / ".config/Claude/logs", "linux", tmp_path, {})

    assert found == [tmp_path / ".config/Claude"]


def test_places_and_files_fit_together(tmp_path: Path) -> None:
    """From a log folder to a title, as the program goes."""
    write(tmp_path / ".config/Claude", ONE, "Whole way")
    files = SessionFiles(user_data_places(tmp_path / ".config/Claude/logs", "linux", tmp_path, {}))

    assert files.refresh({ONE})
    assert title_in(files) == "Whole way"
