"""What the app keeps on disk about each session and never logs: its title, folder, whether archived or scheduled.

The files are large and many: 253 of up to 770 KB took 520 ms to read and under 1 ms to stat. So a look stats first
and opens only what has changed, of the sessions that are wanted. Titles are the user's own words and stay on the
local page. Nothing is ever written, and no link within the app's folder is followed.
"""

from __future__ import annotations

import json
import os
import re
import stat
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from app.core.records import plain_text
from app.core.state import Kind
from app.ingest.identity import reason

MAX_BYTES = 4 * 1024 * 1024
"""A larger file is skipped: five times the largest that was seen."""
MAX_TITLE = 200
"""Characters kept of a title."""
MAX_PATH = 4096
"""Characters kept of a folder's path: the longest that Linux takes."""
MAX_LOOKS = 5
"""How often an unchanged file that makes no sense is read again: its writer may finish within the clock's step."""

KINDS: Mapping[str, Kind] = MappingProxyType({"claude-code-sessions": "code", "local-agent-mode-sessions": "cowork"})
"""The folders of session files, ``<kind>/<account>/<organisation>/<session>.json``, and what lies in them."""

Opener: TypeAlias = Callable[[str], FileIO]

_NAME = re.compile(r"(local_[0-9A-Za-z_-]{1,120})\.json")
_DISPATCH = "local_ditto_"
_JOINERS = frozenset("\u200c\u200d")  # Persian words and many emoji fall apart without them
# O_NOFOLLOW and O_NONBLOCK: a link or a FIFO that takes the file's place after the stat must not lead away or hang us.
_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


@dataclass(frozen=True, slots=True)
class SessionFile:
    """What its file says of one session. ``scheduled`` tells that a scheduled task started it."""

    id: str
    kind: Kind
    title: str | None
    cwd: str | None
    archived: bool
    scheduled: bool


class Signature(NamedTuple):
    """By what a changed file is told from an unchanged one, the times in nanoseconds."""

    device: int
    inode: int
    size: int
    changed: int
    touched: int

    @classmethod
    def of(cls, seen: os.stat_result) -> Signature:
        """The signature of a file that was stat'ed."""
        return cls(seen.st_dev, seen.st_ino, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns)


@dataclass(slots=True)
class _Seen:
    """What the last look knew: ``session`` is the newest value that made sense, ``looks`` how often none was found."""

    path: str
    signature: Signature | None = None
    session: SessionFile | None = None
    looks: int = 0
    problem: str | None = None


def open_plain(path: str) -> FileIO:
    """``path`` opened for reading unless it is a link. Raises OSError."""
    return FileIO(os.open(path, _FLAGS), "rb")


def clean(value: object, limit: int) -> str | None:
    """``value`` in one line of at most ``limit`` characters; None when it is no text or nothing of it can be seen.

    Terminal escapes, controls, direction overrides and other invisible characters go; line ends become spaces.
    """
    if not isinstance(value, str):
        return None
    # Spaces first: line ends are among what is taken away as invisible, and words must not run together.
    spaced = "".join(" " if c.isspace() else c for c in value[: limit * 8])
    text = plain_text(spaced.encode("utf-8", "ignore"))
    seen = "".join(c for c in text if c in _JOINERS or not _is_hidden(c))
    return " ".join(seen.split())[:limit].strip("".join(_JOINERS) + " ") or None


def _is_hidden(char: str) -> bool:
    return unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co")


def read_object(handle: FileIO, limit: int) -> dict[str, object] | None:
    """The JSON object in ``handle``; None when it holds anything else. Raises OSError.

    At most ``limit`` bytes are read, so that a file that grows meanwhile is cut, and so makes no sense.
    """
    chunks, left = [], limit
    while left > 0 and (chunk := handle.read(left)):
        chunks.append(chunk)
        left -= len(chunk)
    try:
        found = json.loads(b"".join(chunks).decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def list_folder(path: str) -> list[os.DirEntry[str]]:
    """What lies in a folder, nothing when it is absent. Raises OSError when it may not be read."""
    try:
        with os.scandir(path) as entries:
            return list(entries)
    except (FileNotFoundError, NotADirectoryError):
        return []


class SessionFiles:
    """The session files below ``places``, the folders in which an app keeps its data.

    `refresh` blocks for a millisecond or so, longer when much has changed; `known` may be read from another thread
    meanwhile. ``problems`` says by path what could not be read, and why.
    """

    def __init__(self, places: Sequence[Path], opener: Opener = open_plain) -> None:
        self.places = tuple(places)
        self.known: Mapping[str, SessionFile] = MappingProxyType({})
        self.problems: Mapping[str, str] = MappingProxyType({})
        self._open = opener
        self._seen: dict[str, _Seen] = {}

    def refresh(self, wanted: Collection[str] | None = None) -> bool:
        """Look once, at the sessions ``wanted`` or, for None, at all; whether `known` is another than before.

        What is known of the others stays as it is for as long as their files exist.
        """
        asked = None if wanted is None else frozenset(wanted)
        unreadable: dict[str, str] = {}
        found: dict[str, list[tuple[str, Kind]]] = {}
        for session_id, path, kind in self._list(unreadable):
            found.setdefault(session_id, []).append((path, kind))
        for session_id, files in found.items():
            if asked is None or session_id in asked:
                self._look(session_id, files)
        # A folder that cannot be listed now says nothing about its files: what they said stays.
        kept = tuple(os.path.join(folder, "") for folder in unreadable)  # noqa: PTH118 - a separator at the end
        self._seen = {key: seen for key, seen in self._seen.items() if key in found or seen.path.startswith(kept)}
        problems = {seen.path: seen.problem for seen in self._seen.values() if seen.problem is not None}
        self.problems = MappingProxyType(unreadable | problems)
        known = {key: seen.session for key, seen in self._seen.items() if seen.session is not None}
        if known == self.known:
            return False
        self.known = MappingProxyType(known)
        return True

    def _list(self, unreadable: dict[str, str]) -> Iterator[tuple[str, str, Kind]]:
        """Id, path and kind of every session file, by names alone; why a folder cannot be read goes to the argument."""
        for place in self.places:
            for folder, kind in KINDS.items():
                root = str(place / folder)
                accounts = _folders(root, unreadable) if _is_folder(root, unreadable) else ()
                for organisation in [one for account in accounts for one in _folders(account, unreadable)]:
                    for entry in _entries(organisation, unreadable):
                        if name := _NAME.fullmatch(entry.name):
                            yield name[1], entry.path, "dispatch" if name[1].startswith(_DISPATCH) else kind

    def _look(self, session_id: str, files: list[tuple[str, Kind]]) -> None:
        """Stat one session's files, of which a change of account leaves several, and read the newest if it changed."""
        newest: tuple[Signature, str, Kind] | None = None
        for path, kind in files:
            try:
                here = os.lstat(path)  # a folder's listing has stale sizes and times on Windows
            except FileNotFoundError:
                continue
            except OSError as error:
                self._fail(session_id, path, error)
                return
            signature = Signature.of(here)
            if stat.S_ISREG(here.st_mode) and (newest is None or signature.changed > newest[0].changed):
                newest = (signature, path, kind)
        if newest is None:
            self._seen.pop(session_id, None)
            return
        signature, path, kind = newest
        seen = self._seen.setdefault(session_id, _Seen(path))
        if (seen.path, seen.signature) != (path, signature):
            seen.path, seen.looks, seen.problem = path, 0, None
            self._read(session_id, kind, seen)
        elif 0 < seen.looks < MAX_LOOKS:
            self._read(session_id, kind, seen)

    def _read(self, session_id: str, kind: Kind, seen: _Seen) -> None:
        """Take what the file says; where that makes no sense, the old value stays."""
        try:
            with self._open(seen.path) as handle:
                # Of the open file and before the read: what is written from here on has another signature.
                here = os.fstat(handle.fileno())
                fields = read_object(handle, MAX_BYTES) if _is_readable(here) else None
        except OSError as error:
            self._fail(session_id, seen.path, error)
            return
        seen.signature = Signature.of(here)
        if here.st_size > MAX_BYTES:
            seen.looks = 0
            seen.problem = f"It has {here.st_size:,} bytes; more than {MAX_BYTES:,} are not read."
        elif fields is None:
            seen.looks += 1
            seen.problem = "It holds no JSON object: half-written, or not the app's."
        else:
            seen.session, seen.looks, seen.problem = _session(session_id, kind, fields), 0, None

    def _fail(self, session_id: str, path: str, error: OSError) -> None:
        """Keep the old value, without a signature: another program may hold the file for a moment, so look again."""
        seen = self._seen.setdefault(session_id, _Seen(path))
        seen.path, seen.signature, seen.problem = path, None, f"The system says: {reason(error)}."


def _is_readable(seen: os.stat_result) -> bool:
    return stat.S_ISREG(seen.st_mode) and seen.st_size <= MAX_BYTES


def _session(session_id: str, kind: Kind, fields: Mapping[str, object]) -> SessionFile:
    return SessionFile(
        id=session_id,
        kind=kind,
        title=clean(fields.get("title"), MAX_TITLE),
        cwd=clean(fields.get("cwd"), MAX_PATH),
        archived=fields.get("isArchived") is True,
        scheduled=bool(clean(fields.get("scheduledTaskId"), MAX_TITLE)),
    )


def _entries(folder: str, unreadable: dict[str, str]) -> list[os.DirEntry[str]]:
    try:
        return list_folder(folder)
    except OSError as error:
        unreadable[folder] = f"The system says: {reason(error)}."
        return []


def _folders(folder: str, unreadable: dict[str, str]) -> list[str]:
    return [one.path for one in _entries(folder, unreadable) if _is_folder(one.path, unreadable)]


def _is_folder(path: str, unreadable: dict[str, str]) -> bool:
    """Whether ``path`` is a folder and no link to one, of which Windows has several kinds."""
    try:
        seen = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        unreadable[path] = f"The system says: {reason(error)}."
        return False
    is_link = bool(getattr(seen, "st_file_attributes", 0) & stat.FILE_ATTRIBUTE_REPARSE_POINT)
    return stat.S_ISDIR(seen.st_mode) and not is_link
