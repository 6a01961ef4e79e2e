"""One source: where it stands, and the checkpoint that goes with what it gave out."""

from __future__ import annotations

from io import BytesIO, FileIO
from pathlib import Path
from typing import cast

from app.core.checkpoint import Checkpoint, FileFacts, Fingerprint, judge
from app.ingest.files import FoundFile, look, open_log
from app.ingest.source import Followed
from tests.ingest.logs import READING, line, lines

BLOCK = b"2026-10-02 09:00:01 [info] Starting app {\n  a\n"


def followed() -> Followed:
    """A source at the start of its file."""
    return Followed.start(Checkpoint("id", "main.log", "main.log", 1, 7), READING)


def test_the_checkpoint_goes_with_what_was_given_out(tmp_path: Path) -> None:
    """It lies before what waits, and its fingerprint is true there."""
    (tmp_path / "main.log").write_bytes(lines(*range(60)) + BLOCK + b"  hal")
    source = followed()
    with open_log(look(tmp_path)[0]) as handle:
        assert source.read(handle, 10**6) == len(lines(*range(60)) + BLOCK) + 5
        batch = source.take(handle)
        assert source.take(handle) is None
    assert batch is not None
    done = len(lines(*range(60)))
    assert (batch.checkpoint.offset, batch.checkpoint.line) == (done, 61)
    data = (tmp_path / "main.log").read_bytes()
    facts = FileFacts(len(data), 0, 1, 7)
    assert judge(batch.checkpoint, facts, data[:1024], data[:done][-256:]) == "continue"
    assert judge(source.mark, facts, data[:1024], data[-256:]) == "continue"
    assert len(batch.records) == batch.tally.lines == 60
    assert (batch.reading.read, batch.reading.size) == (len(data), len(data))


def test_a_rename_alone_is_told() -> None:
    """A new name gives a batch without records, so that the store knows it."""
    source = followed()
    handle = cast("FileIO", BytesIO(line(1)))
    source.read(handle, 100)
    assert source.take(handle) is not None
    source.place(FoundFile("main1.log", "main.log", 1, FileFacts(len(line(1)), 0, 1, 7), 0))
    moved = source.take(None)
    assert moved is not None
    assert (moved.checkpoint.path, moved.records, moved.tally.lines) == ("main1.log", (), 0)
    assert moved.checkpoint.fingerprint == Fingerprint.of(line(1), line(1), len(line(1)))


def test_nothing_is_told_before_the_first_line() -> None:
    """A source of which nothing was given out has no checkpoint to keep."""
    source = followed()
    handle = cast("FileIO", BytesIO(BLOCK))
    source.read(handle, 100)
    assert source.take(handle) is None


def test_letting_go(tmp_path: Path) -> None:
    """A file is let go of once, and another inode means another file to open."""
    (tmp_path / "main.log").write_bytes(line(1))
    source = followed()
    source.handle = open_log(look(tmp_path)[0])
    held = source.handle
    source.place(FoundFile("main.log", "main.log", 0, FileFacts(1, 0, 1, 8), 0))
    assert held.closed
    source.close()
    assert source.handle is None


def test_times_of_the_guest_are_not_believed() -> None:
    """Its lines are counted; how late it is by them, nobody says."""
    source = Followed.start(Checkpoint("id", "coworkd.log", "coworkd.log", 1, 7), READING)
    handle = cast("FileIO", BytesIO(lines(1, 2)))
    source.read(handle, 1000)
    batch = source.take(handle)

    assert batch is not None
    assert (batch.tally.lines, batch.tally.last_at) == (2, None)
