"""What may happen to the log folder as a whole while Seatwatch follows it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

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
