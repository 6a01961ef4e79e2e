"""Where the desktop app writes its logs on this machine.

The app has moved its logs more than once and leaves the old ones lying, sometimes larger than the live ones. So every
known place is looked at, and the one whose ``main.log`` was written last is taken.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from app.errors import LogFolderMissing, LogFolderUnreadable, NoLogsFound
from app.ingest.files import look

_APP = "Claude"
PACKAGE = "Packages/Claude_pzs8sxrjxfjjc/LocalCache"
"""Where Windows keeps what a packaged app believes to write elsewhere, within the local data folder."""
# The app itself, the same with third-party inference, and named profiles (`Claude-<Name>`).
_OWN_NAMES = (_APP, f"{_APP}-3p")


MOVED_NS = 180 * 10**9
"""Nanoseconds without a line in one place, while another is written, after which the app has moved. Where it runs it
writes something at least every minute or two; two apps that run beside each other are thus left alone."""


@dataclass(frozen=True, slots=True)
class LogFolder:
    """The folder to read, and every place that was looked in, in order."""

    folder: Path
    looked_in: tuple[str, ...]


def discover(platform: str, home: Path, env: Mapping[str, str], explicit: Path | None = None) -> LogFolder:
    """The log folder: ``explicit`` when given, else the known place with the newest ``main.log``.

    ``platform`` is as `sys.platform` says it. Raises `LogFolderMissing` and `LogFolderUnreadable` for an explicit
    folder, `NoLogsFound` when no place has logs.
    """
    if explicit is not None:
        return LogFolder(_checked(explicit.expanduser()), (str(explicit),))
    places = candidates(platform, home, env)
    written = [(at, place) for place in places if (at := _written_at(place)) is not None]
    if not written:
        raise NoLogsFound(tuple(str(place) for place in places))
    newest = max(written, key=lambda pair: pair[0])[1]
    return LogFolder(newest, tuple(str(place) for place in places))


class Whereabouts:
    """Watches whether the app goes on writing where it did: an update may move its logs while they are followed."""

    def __init__(self, folder: Path, platform: str, home: Path, env: Mapping[str, str]) -> None:
        self._folder = folder
        self._known = (platform, home, env)
        self._last = _written_at(folder) or 0

    def moved_to(self) -> Path | None:
        """The known place that the app writes to by now, told once; None while that is where it was.

        The folder's own last line is remembered: amid a rotation, or when the folder is gone for a moment, an old place
        must not seem new.
        """
        self._last = max(self._last, _written_at(self._folder) or 0)
        written = {place: at for place in candidates(*self._known) if (at := _written_at(place)) is not None}
        newest = max(written, key=written.__getitem__, default=self._folder)
        if newest == self._folder or written[newest] - self._last < MOVED_NS:
            return None
        self._folder, self._last = newest, written[newest]
        return newest


def candidates(platform: str, home: Path, env: Mapping[str, str]) -> list[Path]:
    """Every folder in which the app may write its logs on ``platform``, each once."""
    if platform == "darwin":
        places = [home / "Library/Logs" / name for name in _names(home / "Library/Logs")]
    elif platform == "win32":
        places = _windows(home, env)
    else:
        config = Path(env.get("XDG_CONFIG_HOME") or home / ".config")
        places = [config / name / "logs" for name in _names(config)]
    return list(dict.fromkeys(places))


def _windows(home: Path, env: Mapping[str, str]) -> list[Path]:
    local = Path(env.get("LOCALAPPDATA") or home / "AppData/Local")
    roaming = Path(env.get("APPDATA") or home / "AppData/Roaming")
    package = local / PACKAGE
    return [
        place
        for parent, logs in (
            (local, "Logs"),  # since about August 2026
            (roaming, "logs"),
            (package / "Roaming", "logs"),
            (package / "Local", "Logs"),
        )
        for name in _names(parent)
        for place in _either_case(parent / name, logs)
    ]


def _either_case(folder: Path, logs: str) -> Iterable[Path]:
    """``folder``'s log folder under the name that it really has: builds differ in its case."""
    try:
        found = sorted(entry.name for entry in folder.iterdir() if entry.name.lower() == "logs")
    except OSError:
        found = []
    return [folder / name for name in found or [logs]]


def _names(parent: Path) -> list[str]:
    """The app's own folder names and those of the profiles found in ``parent``."""
    try:
        profiles = sorted(entry.name for entry in parent.iterdir() if entry.name.startswith(f"{_APP}-"))
    except OSError:
        profiles = []
    return [*_OWN_NAMES, *(name for name in profiles if name not in _OWN_NAMES)]


def _written_at(place: Path) -> int | None:
    """When ``main.log`` in ``place`` was last written, in nanoseconds; None when there is none to be read."""
    log = place / "main.log"
    try:
        seen = log.stat()
    except OSError:
        return None
    return seen.st_mtime_ns if log.is_file() and os.access(log, os.R_OK) else None


def _checked(folder: Path) -> Path:
    """``folder`` if it can be read and holds a log."""
    try:
        if not folder.is_dir():
            raise LogFolderMissing(folder)
        files = look(folder)
    except OSError as error:
        raise LogFolderUnreadable(folder, error.strerror or type(error).__name__) from error
    if not files:
        raise NoLogsFound((str(folder),))
    return folder
