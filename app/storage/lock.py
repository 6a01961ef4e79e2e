"""One Seatwatch per database: a lock of the operating system on a file beside it.

The system drops the lock when the process ends, however it ends, so a crash leaves nothing to clean up; that is why
this is not a file with a process id in it. The empty file stays: removing it would race with the next start.
SQLite's own locks would not do: they are held for the length of a transaction.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from app.errors import DatabaseHeld


class DatabaseLock:
    """Held from construction until `release`. Raises `DatabaseHeld` when another process, or this one, has it."""

    def __init__(self, database: Path) -> None:
        self._fd = os.open(database.with_name(database.name + "-lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _take(self._fd)
        except OSError as error:
            os.close(self._fd)
            raise DatabaseHeld(database) from error

    def release(self) -> None:
        """Let go; closing the file drops the lock on every system. Calling it again does nothing."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


if sys.platform == "win32":
    import msvcrt

    def _take(fd: int) -> None:
        msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(fd: int) -> None:
        # flock and not lockf: a lock of lockf is lost as soon as this process closes any handle of the file.
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
