"""One Seatwatch per database."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from app.errors import DatabaseHeld
from app.storage.lock import DatabaseLock

HOLD = """
import sys
from pathlib import Path
from app.storage.lock import DatabaseLock
lock = DatabaseLock(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


def test_second_holder_is_refused(tmp_path: Path) -> None:
    """Who comes second is told whose database it is, even within one process."""
    lock = DatabaseLock(tmp_path / "a.sqlite")

    with pytest.raises(DatabaseHeld, match=r"a\.sqlite"):
        DatabaseLock(tmp_path / "a.sqlite")
    lock.release()


def test_lock_is_free_after_release(tmp_path: Path) -> None:
    """A released lock can be taken again; releasing twice is nothing."""
    lock = DatabaseLock(tmp_path / "a.sqlite")
    lock.release()
    lock.release()

    second = DatabaseLock(tmp_path / "a.sqlite")

    assert (tmp_path / "a.sqlite-lock").exists()
    second.release()


def test_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    """A process that is killed takes its lock with it."""
    database = tmp_path / "a.sqlite"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(database)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(DatabaseHeld):
            DatabaseLock(database)
        holder.kill()
        holder.wait()

        lock = DatabaseLock(database)
        lock.release()
