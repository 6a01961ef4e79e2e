"""What may happen to the log folder as a whole while Seatwatch follows it."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app import pipeline
from app.settings import load_settings, watch_logs
from tests.faults.truth import judge
from tests.faults.writer import LogWriter, Segment
from tests.following import Followed


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A place with an empty log folder."""
    (tmp_path / "logs").mkdir()
    return tmp_path


@pytest.fixture
def followed(place: Path) -> Iterator[Followed]:
    """A Seatwatch on that folder."""
    one = Followed(place / "logs", place / "seatwatch.sqlite")
    one.catch_up()
    yield one
    one.close()


def faultless(followed: Followed, *segments: Segment) -> bool:
    """Whether the store has each event once and in its place."""
    followed.settle()
    verdict = judge(segments, followed.stored())
    assert verdict.faultless, str(verdict)
    return verdict.events > 0


def test_deleted_and_back(place: Path, followed: Followed) -> None:
    """The folder goes, the pages say so; it comes back with new files, which are read."""
    first = LogWriter(place / "logs")
    first.lines(100)
    followed.look()
    first.lines(100)  # unread when the folder goes, yet behind the open handle
    shutil.rmtree(place / "logs")
    followed.look()
    told = followed.live.current.problem
    (place / "logs").mkdir()
    second = LogWriter(place / "logs")
    second.number, second.now = first.number, first.now
    second.lines(100)
    followed.look()

    assert told is not None
    assert "No such file or directory" in told
    assert followed.live.current.problem is None
    assert faultless(followed, *first.close(), *second.close())


@pytest.mark.parametrize("restart", [True, False])
def test_moved_away_and_put_back(place: Path, followed: Followed, restart: bool) -> None:
    """The same files, in the same folder or in a copy of it, are not read again."""
    writer = LogWriter(place / "logs")
    writer.lines(100)
    writer.rotate()
    writer.lines(100)
    followed.look()
    shutil.copytree(place / "logs", place / "copy")
    (place / "logs").rename(place / "gone")
    followed.look()
    (place / "copy").rename(place / "logs")
    if restart:
        followed.close()
        followed.open()
        followed.catch_up()
    segments = writer.close()

    assert faultless(followed, *segments)


def test_replaced_by_another(place: Path, followed: Followed) -> None:
    """Another folder of the same name: its files are sources of their own, the old ones are read to their end."""
    first = LogWriter(place / "logs")
    first.lines(100)
    followed.look()
    first.lines(40)
    (place / "other").mkdir()
    second = LogWriter(place / "other")
    second.number, second.now = first.number, first.now
    second.lines(100)
    (place / "logs").rename(place / "old")
    (place / "other").rename(place / "logs")
    second.folder = place / "logs"
    followed.look()
    second.lines(20)

    assert faultless(followed, *first.close(), *second.close())


def test_moved_by_an_update(place: Path, followed: Followed, monkeypatch: pytest.MonkeyPatch) -> None:
    """The app writes elsewhere since its update: Seatwatch goes there, the pages say where, and nothing is missed."""
    monkeypatch.setattr(pipeline, "MOVED_SECONDS", 0.0)
    (place / "new").mkdir()
    first = LogWriter(place / "logs")
    first.lines(100)
    places: list[Path] = []
    followed.pipeline.moved_to = lambda: places.pop() if places else None

    async def story() -> LogWriter:
        stop = asyncio.Event()
        running = asyncio.create_task(followed.pipeline.run(stop))
        await _until(followed, lambda: len(followed.state.sessions) > 0)
        first.lines(40)
        second = LogWriter(place / "new")
        second.number, second.now = first.number, first.now
        second.lines(100)
        places.append(place / "new")
        await _until(followed, lambda: followed.live.current.folder == str(place / "new"))
        second.lines(40)
        size = (place / "new" / "main.log").stat().st_size
        await _until(followed, lambda: [one.bytes for one in followed.live.current.sources] == [size])
        stop.set()
        await asyncio.wait_for(running, 10)
        return second

    second = asyncio.run(story())

    assert followed.pipeline.failure is None
    assert faultless(followed, *first.close(), *second.close())


async def _until(followed: Followed, true: Callable[[], bool], seconds: float = 10) -> None:
    """Wait for a snapshot after which it is true."""
    async with asyncio.timeout(seconds):
        while not true():
            await followed.live.after(followed.live.current.version, 0.05)


def test_a_named_folder_is_never_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who names a folder means it; without a name the known places are watched."""
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("HOME", str(tmp_path))
    new = tmp_path / "config" / "Claude" / "logs"
    new.mkdir(parents=True)
    (new / "main.log").write_text("x")
    env = {"XDG_CONFIG_HOME": str(tmp_path / "config")}
    found, named = load_settings(env=env), load_settings({"logs": str(tmp_path)}, env=env)

    assert watch_logs(found, tmp_path / "gone", env)() == new
    assert watch_logs(named, tmp_path / "gone", env)() is None
