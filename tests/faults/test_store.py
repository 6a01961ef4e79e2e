"""What may happen to the database while Seatwatch follows: nothing is missing once it is over, and it is told."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from app import keeper
from app.core.reducer import fold
from app.core.state import State
from app.errors import DatabaseDamaged
from app.storage import database as module
from app.storage import retention
from app.storage.retention import Limits
from tests.faults.truth import judge
from tests.faults.writer import LogWriter
from tests.following import Followed

HOLDER = """
import sqlite3, sys
held = sqlite3.connect(sys.argv[1], isolation_level=None)
held.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
"""


class Story:
    """A writer, a Seatwatch that follows it, and what must be true in the end."""

    def __init__(self, place: Path) -> None:
        (place / "logs").mkdir()
        self.writer = LogWriter(place / "logs")
        self.database = place / "data" / "seatwatch.sqlite"
        self.writer.lines(400)
        self.followed = Followed(place / "logs", self.database)
        self.followed.catch_up()

    @property
    def problem(self) -> str | None:
        """What the pages say."""
        return self.followed.live.current.problem

    def goes_on(self, lines: int = 80) -> str | None:
        """The app writes, Seatwatch looks, and looks again; what the pages then say."""
        self.writer.lines(lines)
        self.followed.look()
        self.followed.look()
        return self.problem

    def ask(self, pragma: str) -> None:
        """A pragma on the connection that the store writes with."""
        with self.followed.store._database.reading() as connection:
            driver = connection.connection.driver_connection
            assert driver is not None
            driver.execute(f"PRAGMA {pragma}").fetchall()

    def asides(self) -> list[str]:
        """The names of the damaged databases that were set aside."""
        return sorted(one.name for one in self.database.parent.glob("*-damaged-*.sqlite"))

    def restart(self) -> None:
        """A new process's beginning."""
        self.followed.close()
        self.followed.open()
        self.followed.catch_up()

    def is_whole(self) -> bool:
        """Whether each event is kept once and in its place, and the state is their fold; ends the writer."""
        self.followed.settle()
        verdict = judge(self.writer.close(), self.followed.stored())
        assert verdict.faultless, str(verdict)
        return self.followed.state == fold(State(), verdict.expected)


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Story]:
    """A Seatwatch that has read the first lines."""
    one = Story(tmp_path)
    yield one
    one.followed.close()


def test_a_full_disk(story: Story) -> None:
    """What finds no room waits, the pages say so and go on; with room again it is kept."""
    story.ask("max_page_count = 1")  # SQLite takes the present size for it

    for _ in range(10):
        story.goes_on()
    told, shown, kept = story.problem, story.followed.state, len(story.followed.stored())
    story.ask("max_page_count = 1000000")

    assert told is not None
    assert "database or disk is full" in told
    assert shown != fold(State(), (one.event for one in story.followed.stored()))
    assert story.goes_on() is None
    assert len(story.followed.stored()) > kept
    assert story.is_whole()


def test_a_disk_that_stays_full(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    """So much may wait in memory and no more: then the logs are read later, and nothing of them is missed."""
    monkeypatch.setattr(keeper, "MAX_WAITING", 100)
    story.followed.store.failures = 1_000

    for _ in range(5):
        story.goes_on()
        story.writer.rotate()
    assert story.followed.pipeline.keeper._size < 100 + 81
    story.followed.store.failures = 0

    assert story.goes_on() is None
    assert story.is_whole()


def test_locked_by_another_program(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody looks into the database with another tool and holds it: what comes meanwhile waits."""
    story.ask("busy_timeout = 20")
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(story.database)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        told = story.goes_on()
    finally:
        holder.communicate("", timeout=10)

    assert told is not None
    assert "database is locked" in told
    assert story.goes_on() is None
    assert story.is_whole()


def test_a_folder_that_became_read_only(story: Story) -> None:
    """A database that may not be written any more is told, and the pages go on."""
    story.ask("query_only = ON")
    told = story.goes_on()
    story.ask("query_only = OFF")

    assert told is not None
    assert "readonly database" in told
    assert story.goes_on() is None
    assert story.is_whole()


def spoilt(path: Path) -> None:
    """Every page but the first is overwritten."""
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\x5a" * (path.stat().st_size - 4096))


def halved(path: Path) -> None:
    """The second half is gone."""
    os.truncate(path, path.stat().st_size // 2 // 4096 * 4096)


def no_database(path: Path) -> None:
    """Something else was written over it."""
    path.write_bytes(b"no database at all" * 4096)


@pytest.mark.parametrize("harm", [spoilt, halved, no_database])
def test_damage_while_running(story: Story, harm: Callable[[Path], None], capsys: pytest.CaptureFixture[str]) -> None:
    """The damaged file is set aside and a new one filled from the logs; the terminal and the pages say so."""
    story.followed.store._database.checkpoint()
    story.ask("shrink_memory")
    harm(story.database)

    told = story.goes_on()

    assert told is not None
    assert story.asides()[0] in told
    assert told in capsys.readouterr().out
    assert len(story.asides()) == 1
    assert story.is_whole()


@pytest.mark.parametrize("harm", [spoilt, halved, no_database])
def test_damage_before_a_start(story: Story, harm: Callable[[Path], None]) -> None:
    """The same when it is met at a start."""
    story.followed.close()
    harm(story.database)
    story.followed.open()
    story.followed.catch_up()

    told = story.goes_on()

    assert told is not None
    assert story.asides()[0] in told
    assert len(story.asides()) == 1
    assert story.is_whole()


def test_a_disk_that_spoils_each_new_database(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is made anew once, not again and again: the second damage ends the following and is told."""

    def damaged(*_: object) -> int:
        raise DatabaseDamaged(story.database, "malformed")

    monkeypatch.setattr(story.followed.store, "commit", damaged)
    story.writer.lines(80)

    with pytest.raises(DatabaseDamaged):
        story.followed.look()
    assert len(story.asides()) == 1


def test_old_damaged_databases_are_dropped(story: Story) -> None:
    """A disk that fails for weeks is not filled with what was set aside: the newest two stay."""
    for _ in range(5):
        story.followed.store.renew()
        story.ask("user_version = 1")

    assert len(story.asides()) == module.KEPT_ASIDE


def test_a_write_ahead_file_that_is_lost(story: Story, tmp_path: Path) -> None:
    """What lay in it is read again from the logs: the checkpoint went with it."""
    story.goes_on()
    crashed = tmp_path / "crashed"
    crashed.mkdir()
    shutil.copy(story.database, crashed)  # as a kill and a lost journal leave it
    story.followed.close()
    story.followed.path = crashed / story.database.name
    story.followed.open()
    before = len(story.followed.stored())
    story.followed.catch_up()

    assert story.goes_on() is None
    assert before < len(story.followed.stored())
    assert story.is_whole()


@pytest.mark.parametrize("whole_folder", [True, False])
def test_deleted_while_running(story: Story, whole_folder: bool, capsys: pytest.CaptureFixture[str]) -> None:
    """A deleted database would take events as before and lose them all: a new one takes its place."""
    if whole_folder:
        shutil.rmtree(story.database.parent)
    else:
        story.database.unlink()

    told = story.goes_on()

    assert told is not None
    assert "it was deleted or replaced" in told
    assert told in capsys.readouterr().out
    assert story.database.exists()
    story.restart()
    assert story.goes_on() is None
    assert story.is_whole()


def test_replaced_while_running(story: Story) -> None:
    """Another file under its name is set aside, whatever it holds, and not written to."""
    other = story.database.with_name("other")
    other.write_bytes(b"somebody's letter")
    other.replace(story.database)

    told = story.goes_on()

    assert told is not None
    aside = story.database.with_name(story.asides()[0])
    assert aside.read_bytes() == b"somebody's letter"
    assert story.is_whole()


def test_no_place_for_a_new_database(story: Story) -> None:
    """Where none can be made for now, everything waits until one can."""
    shutil.rmtree(story.database.parent)
    story.database.parent.write_text("in the way")
    told = story.goes_on()
    shown = len(story.followed.state.sessions)
    story.database.parent.unlink()

    assert told is not None
    assert "it was deleted" in told
    assert shown > 0
    assert "What the logs still hold" in str(story.goes_on())
    assert story.is_whole()


def test_limits_are_kept_while_following(story: Story, monkeypatch: pytest.MonkeyPatch) -> None:
    """Old events go between two lines, a step at a time; a restart still knows who lives, the cap and the pressure."""
    monkeypatch.setattr(retention, "STEP_EVENTS", 50)
    monkeypatch.setattr(keeper, "TRIM_SECONDS", 0.0)
    story.followed.pipeline.keeper.limits = Limits(age=timedelta(hours=2))
    for _ in range(5):
        story.writer.forward(3600)
        story.goes_on()
    story.followed.settle()
    for _ in range(20):
        story.followed.look()
    before, kept = story.followed.state, story.followed.stored()
    story.restart()
    after = story.followed.state

    assert before.at is not None
    old = [one for one in kept if one.event.at < before.at - timedelta(hours=2)]
    assert len(old) < 50 < len(kept) < 300  # the newest of each kind, of each of twelve sessions that live
    assert after.sessions.keys() == before.sessions.keys()
    assert [one.phase for one in after.sessions.values()] == [before.sessions[key].phase for key in after.sessions]
    assert (after.cap, after.pressure, after.at) == (before.cap, before.pressure, before.at)
    assert story.goes_on() is None
    assert len(story.followed.stored()) > len(kept)
