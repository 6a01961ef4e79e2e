"""The log files of a folder: which there are, and plain reads from them."""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from functools import lru_cache
from io import FileIO
from pathlib import Path
from typing import get_args

from app.core.checkpoint import Family, FileFacts

FAMILIES: tuple[Family, ...] = get_args(Family)
"""The logs that are read. Each is followed through its archives: ``main1.log`` is newer than ``main2.log``."""

_NAME = re.compile(r"(main|cowork_vm_node|cowork_vm_swift|cowork-service|coworkd-user|coworkd)([1-9]\d{0,3})?\.log")
_GUEST_OF_USER = re.compile(r"user-S(?:-\d{1,20}){1,16}\.log")
"""The guest's log as Windows names it where it is written; ``coworkd-user.log`` is a copy of its end."""
# O_NONBLOCK: a FIFO of that name must not hang us. O_BINARY: Windows would translate line ends.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


@dataclass(frozen=True, slots=True)
class FoundFile:
    """One log file as the folder shows it now. ``archive`` is its number, 0 for the one that the app writes.

    ``changed_ns`` moves with the content and with the rights.
    """

    path: str
    family: Family
    archive: int
    facts: FileFacts
    changed_ns: int

    @property
    def identity(self) -> tuple[int, int]:
        """Device and inode."""
        return (self.facts.device, self.facts.inode)


@lru_cache(maxsize=256)  # it is asked every second of the same few names
def name_of(name: str) -> tuple[Family, int] | None:
    """The family and archive number that a file name stands for; None for any other file."""
    match = _NAME.fullmatch(name)
    if match is None:
        return ("coworkd-user.log", 0) if _GUEST_OF_USER.fullmatch(name) else None
    family = next(family for family in FAMILIES if family == f"{match[1]}.log")
    return family, int(match[2] or 0)


def look(folder: Path) -> list[FoundFile]:
    """The log files in ``folder``, each family from its oldest to its live file.

    Raises OSError when the folder is not there or may not be read. A file that goes away meanwhile is left out.
    """
    found = []
    for name in os.listdir(folder):  # noqa: PTH208 - a name is all we need, and this runs every second
        kind = name_of(name)
        if kind is None:
            continue
        path = os.path.join(folder, name)  # noqa: PTH118
        try:
            seen = os.stat(path)  # noqa: PTH116
        except OSError:
            continue
        if stat.S_ISREG(seen.st_mode):
            facts = FileFacts(seen.st_size, seen.st_mtime_ns, seen.st_dev, seen.st_ino)
            found.append(FoundFile(path, *kind, facts, seen.st_ctime_ns))
    found = _without_twins(found)
    return sorted(found, key=lambda file: (FAMILIES.index(file.family), -file.archive))


def _without_twins(files: list[FoundFile]) -> list[FoundFile]:
    """Of several names for one place in a family, the one last written: the others are copies, or other users'."""
    newest: dict[tuple[Family, int], FoundFile] = {}
    for file in files:
        place = (file.family, file.archive)
        other = newest.get(place)
        if other is None or (file.facts.mtime_ns, file.path) > (other.facts.mtime_ns, other.path):
            newest[place] = file
    return list(newest.values())


class LookOutdated(Exception):
    """The folder changed since it was listed: another file lies at the path, or none. Looking again will tell."""


def open_log(file: FoundFile) -> FileIO:
    """``file`` opened for plain unbuffered reads.

    Raises OSError when it cannot be read, `LookOutdated` when its path leads to another file by now: what is read
    under a name must be the file that was seen under it, or a rotation at this moment mixes up two sources.
    """
    try:
        handle = FileIO(os.open(file.path, _FLAGS), "rb")
    except FileNotFoundError as error:
        raise LookOutdated(file.path) from error
    if os.fstat(handle.fileno()).st_ino != file.facts.inode:
        handle.close()
        raise LookOutdated(file.path)
    return handle


def read_at(handle: FileIO, offset: int, size: int) -> bytes:
    """Up to ``size`` bytes from ``offset``; fewer at the end of the file."""
    handle.seek(offset)
    return handle.read(size) or b""
