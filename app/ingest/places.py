"""Where the app keeps its session files, told from where it writes its logs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from app.ingest.discovery import PACKAGE
from app.ingest.titles import KINDS

_APP = "claude"


def user_data_places(log_folder: Path, platform: str, home: Path, env: Mapping[str, str]) -> list[Path]:
    """Where the session files of the app that writes ``log_folder`` lie, each place once, existing or not.

    ``platform`` is as `sys.platform` says it. A folder in which no app writes its logs belongs to nobody's sessions
    but those beside it: its parent, if that holds session files.
    """
    known = _known_places(platform, home, env)
    # As it is named and as it resolves: the log folder or one above it may be a link to another disk.
    for whole in (os.path.abspath, os.path.realpath):
        folder = Path(whole(log_folder))
        name, logs_name = (folder.parent.name, folder.name) if platform != "darwin" else (folder.name, None)
        if not _is_app_name(name, platform) or (logs_name is not None and logs_name.lower() != "logs"):
            continue
        above = folder.parent if logs_name is None else folder.parent.parent
        for logs_in, data_in in known:
            if os.path.normcase(above) == os.path.normcase(whole(logs_in)):
                return [place / name for place in data_in]
    parent = Path(os.path.abspath(log_folder)).parent  # noqa: PTH100 - as it is named, links and all
    return [parent] if any(map(os.path.isdir, (parent / kind for kind in KINDS))) else []


def _known_places(platform: str, home: Path, env: Mapping[str, str]) -> list[tuple[Path, list[Path]]]:
    """What log folders lie in, and what the data folders of the same names lie in, the likeliest first."""
    if platform == "darwin":
        return [(home / "Library/Logs", [home / "Library/Application Support"])]
    if platform != "win32":
        config = Path(env.get("XDG_CONFIG_HOME") or home / ".config")
        return [(config, [config])]
    local = Path(env.get("LOCALAPPDATA") or home / "AppData/Local")
    roaming = Path(env.get("APPDATA") or home / "AppData/Roaming")
    package = local / PACKAGE
    # A packaged app sees the package's folders under the names of the real ones, so either may hold what it writes.
    own, packaged = [roaming, package / "Roaming"], [package / "Roaming", roaming]
    return [(local, own), (roaming, own), (package / "Local", packaged), (package / "Roaming", packaged)]


def _is_app_name(name: str, platform: str) -> bool:
    """Whether the app, with third-party inference (`Claude-3p`) or a profile (`Claude-<Name>`), names folders so."""
    if platform not in ("darwin", "win32") and not name.startswith("Claude"):
        return False  # claude and Claude are two folders here
    return name.lower() == _APP or name.lower().startswith(f"{_APP}-")
