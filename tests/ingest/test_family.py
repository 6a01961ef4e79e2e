"""One log through its files: every way in which a file can end, change or come back."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace

import pytest

from app.ingest import family, identity, source
from app.ingest.family import KEPT_ABSENT, PATIENCE
from app.ingest.files import FoundFile
from tests.ingest.logs import Follower, line, lines, names


def refuse(file: FoundFile) -> object:
    """Open nothing, as a file without rights does."""
    raise PermissionError(13, "Permission denied", file.path)


def test_growth(logs: Follower) -> None:
    """What is appended comes once, a half line when it is whole."""
    logs.write("main.log", lines(1, 2) + line(3)[:20])
    assert logs.look() == names([1, 2])
    assert logs.look() == []
    logs.write("main.log", line(3)[20:])
    assert logs.look() == names([3])
    assert logs.tally().lines == 3


@pytest.mark.parametrize("restart", [False, True])
@pytest.mark.parametrize("cut", [0, 1, 25, len(line(2)) - 1, len(line(2))])
def test_rotation_at_any_byte(logs: Follower, cut: int, restart: bool) -> None:
    """The old file is read to its end, its half line too, and then the new one from its start."""
    logs.write("main.log", line(1) + line(2)[:cut])
    assert logs.look() == names([1] if cut < len(line(2)) else [1, 2])
    logs.write("main.log", line(2)[cut:] + line(3)[:-1])
    logs.move("main.log", "main1.log")
    logs.write("main.log", lines(4))
    if restart:
        logs.restart()
    assert logs.look() == names([2, 3, 4] if cut < len(line(2)) else [3, 4])
    assert logs.look() == []
    assert logs.tally().lines == 4


@pytest.mark.parametrize("limit", [1, 15, len(line(1)) - 1, len(line(1)), len(lines(1, 2)) + 15, 200])
def test_a_look_may_end_within_the_first_bytes_of_a_file(logs: Follower, limit: int) -> None:
    """Files of one minute begin alike: one that is barely begun must not make the next ones look like its copies."""
    for number, name in enumerate(("main3.log", "main2.log", "main1.log", "main.log")):
        logs.write(name, lines(2 * number + 1, 2 * number + 2))

    came = logs.look(limit) + logs.look()

    assert came == names(range(1, 9))
    assert logs.look() == []
    assert logs.tally().lines == 8


@pytest.mark.parametrize("restart", [False, True])
def test_an_archive_that_is_half_a_line_is_nobodys_original(logs: Follower, restart: bool) -> None:
    """What was rotated within its first line begins as the next file does, which is read all the same."""
    logs.write("main1.log", line(1)[:15])
    logs.look()
    logs.write("main.log", lines(2, 3))
    if restart:
        logs.restart()

    assert logs.look() == names([2, 3])
    assert logs.look() == []


@pytest.mark.parametrize("restart", [False, True])
def test_rotation_twice_between_two_looks(logs: Follower, restart: bool) -> None:
    """A file that came and went between two looks is read as well, in order."""
    logs.write("main.log", lines(1))
    logs.look()
    logs.write("main.log", lines(2))
    logs.move("main.log", "main2.log")
    logs.write("main1.log", lines(3))
    logs.write("main.log", lines(4))
    if restart:
        logs.restart()
    assert logs.look() == names([2, 3, 4])
    logs.move("main2.log", "main3.log")
    logs.move("main1.log", "main2.log")
    logs.move("main.log", "main1.log")
    assert logs.look() == []
    assert {c.path.rsplit(os.sep)[-1] for c in logs.checkpoints.values()} == {"main1.log", "main2.log", "main3.log"}
    assert len(logs.checkpoints) == 3


def test_an_archive_that_is_overwritten_at_once(logs: Follower) -> None:
    """A file that was renamed and then replaced between two looks is read to its end all the same."""
    logs.write("main.log", lines(1))
    logs.look()
    logs.write("main.log", lines(2) + line(3)[:-1])
    logs.move("main.log", "main1.log")
    logs.write("main.log", lines(4))
    logs.move("main.log", "main1.log")
    logs.write("main.log", lines(5))
    assert logs.look() == names([2, 3, 4, 5])


def test_emptied_in_place(logs: Follower) -> None:
    """A file that was emptied begins anew, as another source; what waited of the old one comes first."""
    logs.write("main.log", lines(1, 2) + line(3)[:-1])
    assert logs.look() == names([1, 2])
    (logs.folder / "main.log").write_bytes(lines(4))
    assert logs.look() == names([3, 4])
    assert len(logs.checkpoints) == 2
    (logs.folder / "main.log").write_bytes(b"")
    assert logs.look() == []
    assert logs.look() == []
    logs.write("main.log", lines(5))
    assert logs.look() == names([5])


def test_emptied_to_the_middle_of_what_waits(logs: Follower) -> None:
    """A file cut back within its half line is noticed though all whole lines still stand."""
    logs.write("main.log", lines(1) + line(2)[:30])
    logs.look()
    os.truncate(logs.folder / "main.log", len(line(1)) + 10)
    logs.look()
    logs.write("main.log", line(2)[10:])
    assert logs.look()[-1] == "n2"


@pytest.mark.parametrize("restart", [False, True])
def test_rewritten_at_the_same_size(logs: Follower, restart: bool) -> None:
    """Other bytes in the same place and of the same number are read from the start."""
    logs.write("main.log", lines(1, 2))
    assert logs.look() == names([1, 2])
    (logs.folder / "main.log").write_bytes(lines(3, 4))
    if restart:
        logs.restart()
    assert logs.look() == names([3, 4])


def test_the_same_again_in_place(logs: Follower) -> None:
    """A file that was emptied and filled with an equal first line gets an id of its own."""
    logs.write("main.log", lines(1, 2))
    logs.look()
    (logs.folder / "main.log").write_bytes(lines(1))
    assert logs.look() == names([1])
    assert len(logs.checkpoints) == 2


def test_deleted_and_another_in_its_place(logs: Follower) -> None:
    """The half line of a deleted file comes when another file is there."""
    logs.write("main.log", lines(1) + line(2)[:-1])
    logs.look()
    (logs.folder / "main.log").unlink()
    assert logs.look() == []
    logs.write("main.log", lines(3))
    assert logs.look() == names([2, 3])


def test_put_back(logs: Follower) -> None:
    """A file that was taken away and put back, as a copy with another inode, goes on where it was."""
    logs.write("main.log", lines(1, 2))
    logs.look()
    shutil.copy(logs.folder / "main.log", logs.folder / "saved")
    (logs.folder / "main.log").unlink()
    assert logs.look() == []
    logs.move("saved", "main.log")
    logs.write("main.log", lines(3))
    assert logs.look() == names([3])
    assert len(logs.checkpoints) == 1


def test_copied_and_emptied(logs: Follower) -> None:
    """A log that is copied to its archive and then emptied is counted once, whichever moment we look at."""
    logs.write("main.log", lines(1, 2))
    logs.look()
    logs.write("main.log", lines(3))
    shutil.copy(logs.folder / "main.log", logs.folder / "main1.log")
    assert logs.look() == names([3])
    (logs.folder / "main.log").write_bytes(lines(4))
    assert logs.look() == names([4])
    logs.write("main.log", lines(5))
    shutil.copy(logs.folder / "main.log", logs.folder / "main2.log")
    (logs.folder / "main.log").write_bytes(lines(6))
    assert logs.look() == names([5, 6])


def test_an_inode_used_again(logs: Follower) -> None:
    """Another file under the inode of one that we know is another source."""
    logs.write("main.log", lines(1, 2))
    logs.look()
    known = next(iter(logs.checkpoints.values()))
    logs.tailer.close()
    (logs.folder / "main.log").unlink()
    logs.write("main.log", lines(3, 4, 5))
    seen = (logs.folder / "main.log").stat()
    logs.checkpoints = {known.source: replace(known, inode=seen.st_ino)}
    logs.restart()
    assert logs.look() == names([3, 4, 5])
    assert len(logs.checkpoints) == 2


@pytest.mark.parametrize("known", [False, True])
def test_unreadable_and_back(logs: Follower, known: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file without the right to read is named with the reason, and read on once the right is back."""
    if known:
        logs.write("main.log", lines(1))
        logs.look()
    logs.write("main.log", lines(2))
    with monkeypatch.context() as patch:
        for module in (identity, family):
            patch.setattr(module, "open_log", refuse)
        assert logs.look() == []
        assert logs.problems() == [f"{logs.folder / 'main.log'} cannot be read: Permission denied."]
    assert logs.look() == names([2])
    assert logs.problems() == []


def test_a_copy_that_cannot_be_read(logs: Follower, monkeypatch: pytest.MonkeyPatch) -> None:
    """An archive that appears without rights is named and does not stop the live file."""
    logs.write("main.log", lines(1))
    logs.look()
    logs.write("main1.log", lines(2))
    monkeypatch.setattr(identity, "open_log", refuse)
    assert logs.look() == []
    assert logs.problems() == [f"{logs.folder / 'main1.log'} cannot be read: Permission denied."]


def test_reads_that_fail(logs: Follower, monkeypatch: pytest.MonkeyPatch) -> None:
    """A read that fails half way is a problem of that file, and nothing is lost once it works."""

    def fail(*_: object) -> bytes:
        raise OSError(5, "Input/output error")

    logs.write("main.log", lines(1))
    logs.look()
    logs.write("main.log", lines(2))
    with monkeypatch.context() as patch:
        patch.setattr(source, "read_at", fail)
        assert logs.look() == []
        assert "Input/output error" in logs.problems()[0]
        logs.look()
        (logs.folder / "main.log").rename(logs.folder / "away")
        assert logs.look() == []
    logs.move("away", "main.log")
    assert logs.look() == names([2])


def test_a_deleted_file_that_cannot_be_read_any_more(logs: Follower, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the last bytes of a deleted file fail to come, the next file is read all the same."""

    def fail(*_: object) -> bytes:
        raise OSError(116, "Stale file handle")

    logs.write("main.log", lines(1))
    logs.look()
    (logs.folder / "main.log").unlink()
    with monkeypatch.context() as patch:
        patch.setattr(source, "read_at", fail)
        assert logs.look() == []
    logs.write("main.log", lines(2))
    assert logs.look() == names([2])


def test_rows_that_stand_in_two_files(logs: Follower) -> None:
    """A block at the end of the archive and the start of the live file counts once, equal rows within a file each."""
    logs.write("main1.log", lines(1, 2, 2, 3, 4))
    logs.write("main.log", lines(3, 4, 5, 5))
    assert logs.look() == names([1, 2, 2, 3, 4, 5, 5])
    places = [(record.line, record.offset) for record in logs.batches[1].records]
    assert places == [(3, 2 * len(line(1))), (4, 3 * len(line(1)))]
    logs.restart()
    assert logs.look() == []


def test_a_live_file_without_a_whole_line(logs: Follower) -> None:
    """It is shown with its size, and becomes a source with its first line end."""
    logs.write("main.log", line(1)[:-1])
    assert logs.look() == []
    (reading,) = logs.tailer.readings()
    assert (reading.size, reading.read, reading.problem) == (len(line(1)) - 1, 0, None)
    logs.write("main.log", b"\n")
    assert logs.look() == names([1])


def test_a_first_line_longer_than_the_fingerprint(logs: Follower) -> None:
    """A file whose first line is still growing beyond the fingerprint is a source already."""
    logs.write("main.log", line(1)[:-1] + b"x" * 2000)
    assert logs.look() == []
    logs.write("main.log", b"\n")
    assert len(logs.look()) == 1


def test_a_block_waits_for_its_lines_and_no_longer(logs: Follower) -> None:
    """An open record comes with its lines, or as it is after five seconds; until then the checkpoint lies before it."""
    block = b"2026-10-02 09:00:01 [info] Starting app {\n"
    logs.write("main.log", lines(0) + block)
    assert logs.look() == names([0])
    assert next(iter(logs.checkpoints.values())).offset == len(line(0))
    assert logs.tailer.waits
    logs.time = PATIENCE - 1
    logs.write("main.log", b"  a\n")
    assert logs.look() == []
    logs.restart()
    assert logs.look() == []
    logs.time += PATIENCE
    assert logs.look() == ["Starting app {"]
    assert logs.batches[-1].records[0].more == ("  a",)
    assert not logs.tailer.waits
    assert logs.look() == []
    logs.write("main.log", block + b"  b\n")
    logs.look()
    logs.write("main.log", b"}\n" + block)
    assert logs.look() == ["Starting app {"]
    logs.time += PATIENCE - 1
    assert logs.look() == []
    assert logs.tally().lines == 6


def test_the_limit_of_a_look(logs: Follower) -> None:
    """A look reads no more than it may; a newer file waits until the older one is read."""
    logs.write("main1.log", lines(*range(10)))
    logs.write("main.log", lines(10, 11))
    assert logs.look(100) == names([0, 1])
    assert logs.tailer.behind
    found = []
    while logs.tailer.behind:
        found += logs.look(100)
    assert found == names(range(2, 12))


def test_the_limit_in_a_file_that_is_gone(logs: Follower) -> None:
    """What is left of a deleted file is read within the limit too, before the file after it."""
    logs.write("main.log", lines(0))
    logs.look()
    logs.write("main.log", lines(*range(1, 8)))
    (logs.folder / "main.log").unlink()
    logs.write("main.log", lines(8))
    found = logs.look(100)
    assert found == names([1, 2])
    while logs.tailer.behind:
        found += logs.look(100)
    assert found == names(range(1, 9))


def test_old_sources_are_forgotten(logs: Follower) -> None:
    """Sources without a file are remembered up to a bound."""
    for number in range(2 * KEPT_ABSENT):
        (logs.folder / "main.log").write_bytes(lines(number))
        assert logs.look() == names([number])
    assert len(logs.tailer._families["main.log"]._sources) == KEPT_ABSENT + 1


def test_the_repeated_hour_over_a_rotation(logs: Follower) -> None:
    """The clock goes on from the archive to the live file and over a restart."""
    logs.write("main1.log", lines(1))
    logs.write("main.log", lines(2))
    logs.look()
    states = [checkpoint.clock.last for checkpoint in logs.checkpoints.values()]
    assert states == ["2026-10-02 09:00:01", "2026-10-02 09:00:02"]
    logs.restart()
    (logs.folder / "main.log").write_bytes(b"no prefix\n")
    logs.look()
    assert logs.batches[-1].tally.continued == 1


def test_without_holding_files_open(logs: Follower, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where an open file would hinder the app's rename none is held, and rotation is followed all the same."""
    monkeypatch.setattr(family, "_HOLDS_OPEN", False)
    logs.write("main.log", lines(1) + line(2)[:-1])
    logs.look()
    assert all(s.handle is None for s in logs.tailer._families["main.log"]._sources)
    logs.move("main.log", "main1.log")
    logs.write("main.log", lines(3))
    assert logs.look() == names([2, 3])
