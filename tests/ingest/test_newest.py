"""The newest part of a folder, read by itself, says what the whole would have said of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.ingest.newest import newest
from tests.ingest.logs import READING, Follower, line, lines


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of logs."""
    (tmp_path / "logs").mkdir()
    return tmp_path / "logs"


def told(folder: Path, budget: int) -> list[str]:
    """The bodies of the newest records of main.log, without their tag."""
    found = dict(newest(folder, READING, budget))
    return [record.body.removeprefix("[CCD] ") for record in found.get("main.log", [])]


def test_a_small_log_is_read_whole(folder: Path) -> None:
    """From its first line."""
    (folder / "main.log").write_bytes(lines(1, 2, 3))

    assert told(folder, 10_000) == ["n1", "n2", "n3"]


def test_it_begins_with_a_whole_line(folder: Path) -> None:
    """The rest of a line that is cut in two says nothing, however it is cut."""
    (folder / "main.log").write_bytes(lines(*range(1, 10)))
    size = len(line(9))

    for budget in range(size, 2 * size + 1):
        assert told(folder, budget)[-1:] == (["n9"] if budget > size else [])
        assert len(told(folder, budget)) < 2


def test_it_reaches_back_into_the_archives(folder: Path) -> None:
    """Just after a rotation the live file says next to nothing."""
    (folder / "main2.log").write_bytes(lines(1, 2))
    (folder / "main1.log").write_bytes(lines(3, 4))
    (folder / "main.log").write_bytes(lines(5))

    assert told(folder, 10_000) == ["n1", "n2", "n3", "n4", "n5"]
    assert told(folder, 3 * len(line(1)) + 5) == ["n3", "n4", "n5"]


def test_rows_that_a_rotation_wrote_twice_count_once(folder: Path) -> None:
    """As for the tailer."""
    (folder / "main1.log").write_bytes(lines(1, 2, 3, 4))
    (folder / "main.log").write_bytes(lines(3, 4, 5))

    assert told(folder, 10_000) == ["n1", "n2", "n3", "n4", "n5"]


def test_half_a_line_at_the_end_is_no_fact(folder: Path) -> None:
    """It may grow; that of an archive does not."""
    (folder / "main1.log").write_bytes(lines(1) + line(2).rstrip(b"\n"))
    (folder / "main.log").write_bytes(lines(3) + line(4)[:-3])

    assert told(folder, 10_000) == ["n1", "n2", "n3"]


def test_what_cannot_be_read_is_left_out(folder: Path) -> None:
    """A folder that is not there, and a file that is a folder."""
    assert newest(folder / "elsewhere", READING) == []
    (folder / "main.log").mkdir()
    assert newest(folder, READING) == []


def test_what_is_unread_is_known_before_anything_is_read(folder: Path) -> None:
    """All of a new folder; what was appended, after a restart."""
    (folder / "main.log").write_bytes(lines(1, 2))
    follower = Follower(folder)

    assert follower.tailer.unread() == 2 * len(line(1))
    follower.look()
    assert follower.tailer.unread() == 0
    follower.restart()
    follower.write("main.log", line(3))
    assert follower.tailer.unread() == len(line(3))


def test_the_tailer_gives_the_newest_of_its_folder(folder: Path) -> None:
    """And reads on from where it was as if nobody had asked."""
    (folder / "main.log").write_bytes(lines(1, 2))
    follower = Follower(folder)

    assert [(family, len(records)) for family, records in follower.tailer.newest()] == [("main.log", 2)]
    assert follower.look() == ["n1", "n2"]
    follower.tailer.close()
