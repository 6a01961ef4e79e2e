"""The whole folder: all three logs, a folder that comes and goes, and nothing ever changed in it."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

import pytest

from app.core.lines import MAX_LINE
from app.core.tally import Tally
from app.ingest import tailer
from app.ingest.files import look
from tests.ingest.logs import Follower, line, lines, names


def test_all_three_logs(logs: Follower) -> None:
    """Each family is a source of its own with its own lines; the native side's tag is understood in its log alone."""
    logs.write("main.log", lines(1))
    logs.write("cowork_vm_node.log", lines(2))
    logs.write("cowork_vm_swift.log", b"[VM] " + line(3))
    logs.write("cowork_vm_swift1.log", line(4))
    logs.write("mcp.log", line(5))
    assert logs.look() == names([1, 2, 4, 3])
    assert {c.family for c in logs.checkpoints.values()} == {"main.log", "cowork_vm_node.log", "cowork_vm_swift.log"}
    readings = logs.tailer.readings()
    assert [(Path(r.path).name, r.size == r.read, r.lines) for r in readings] == [
        ("main.log", True, 1), ("cowork_vm_node.log", True, 1),
        ("cowork_vm_swift1.log", True, 1), ("cowork_vm_swift.log", True, 1),
    ]  # fmt: skip


def test_the_limit_holds_for_all_together(logs: Follower) -> None:
    """What one log has used of the limit the next one lacks."""
    logs.write("main.log", lines(1, 2, 3))
    logs.write("cowork_vm_node.log", lines(4))
    assert logs.look(len(lines(1, 2, 3))) == names([1, 2, 3])
    assert logs.tailer.behind
    assert logs.look() == names([4])
    assert not logs.tailer.behind


def test_a_folder_that_goes_and_comes_back(logs: Follower, tmp_path: Path) -> None:
    """While it is away the reason is said; after that reading goes on where it was, also in a copy of the folder."""
    logs.write("main.log", lines(1))
    logs.look()
    assert logs.tailer.problem is None
    logs.folder.rename(tmp_path / "away")
    assert logs.look() == []
    assert logs.tailer.problem == f"The log folder {logs.folder} cannot be read: No such file or directory."
    shutil.copytree(tmp_path / "away", logs.folder)
    logs.write("main.log", lines(2))
    assert logs.look() == names([2])
    assert logs.tailer.problem is None
    assert len(logs.checkpoints) == 1


def test_a_move_to_another_folder(logs: Follower, tmp_path: Path) -> None:
    """What is unread in the old folder comes first; a file that was copied to the new one goes on there."""
    logs.write("main.log", lines(1, 2))
    logs.look()
    shutil.copytree(logs.folder, tmp_path / "new")
    logs.folder = tmp_path / "new"
    logs.write("main.log", lines(3))
    logs.tailer.move(tmp_path / "new")
    copied = logs.look()
    logs.write("main.log", lines(4))
    (tmp_path / "newest").mkdir()
    logs.folder = tmp_path / "newest"
    logs.write("main.log", lines(5))
    logs.tailer.move(tmp_path / "newest")

    assert copied == names([3])
    assert logs.look() == names([4, 5])
    assert [reading.path for reading in logs.tailer.readings()] == [str(tmp_path / "newest" / "main.log")]


def test_starting_over(logs: Follower) -> None:
    """Everything is read again, under the same names of sources."""
    logs.write("main.log", lines(1, 2))
    first, known = logs.look(), dict(logs.checkpoints)
    logs.tailer.start_over()

    assert logs.look() == first
    assert logs.checkpoints == known


def test_no_log_at_all(logs: Follower) -> None:
    """An empty folder is no problem: logs may come later."""
    assert logs.look() == []
    assert logs.tailer.readings() == ()
    logs.write("main.log", lines(1))
    assert logs.look() == names([1])


def test_reading_changes_nothing(logs: Follower) -> None:
    """A folder without the right to write is followed, and no file in it has changed: content, rights, times."""
    logs.write("main1.log", lines(1, 2))
    logs.write("main.log", lines(2, 3) + line(4)[:10])
    logs.write("cowork_vm_node.log", b"")
    for path in (*logs.folder.iterdir(), logs.folder):
        path.chmod(stat.S_IRUSR | (stat.S_IXUSR if path.is_dir() else 0))
    before = _facts(logs.folder)
    logs.look(20)
    logs.restart()
    logs.look()
    logs.look()
    assert _facts(logs.folder) == before
    logs.folder.chmod(stat.S_IRWXU)


def _facts(folder: Path) -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    for path in (*folder.iterdir(), folder):
        seen = os.stat(path)  # noqa: PTH116
        found[path.name] = (seen.st_mode, seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino, seen.st_nlink)
    return found


def test_a_hundred_thousand_lines_at_once(logs: Follower) -> None:
    """A flood is read within limits, every line counted, nobody's lines not kept."""
    flood = b"".join(b"2026-10-02 09:00:01 [info] [Noise] %d\n" % number for number in range(100_000))
    logs.write("main.log", flood + line(2))
    looks = 1
    found = logs.look(1_000_000)
    while logs.tailer.behind:
        looks += 1
        found += logs.look(1_000_000)
    assert found == ["n2"]
    assert looks == -(-len(flood + line(2)) // 1_000_000)
    assert logs.tally().counts == {("info", "Noise"): 100_000, ("info", "CCD"): 1}


def test_hostile_bytes(logs: Follower) -> None:
    """A huge line, NUL, bad UTF-8 and mixed line ends are counted and passed, and the lines around them stand."""
    huge = b"z" * (3 * 1024 * 1024) + b"\n"
    logs.write("main.log", line(1) + huge + b"\x00\xff\xfe\n" + line(2)[:-1] + b"\r\n" + line(3, "\x00"))
    assert logs.look() == names([1, 2, 3])
    counted = logs.tally()
    assert (counted.lines, counted.cut, counted.continued) == (5, 1, 2)
    assert len(huge) > MAX_LINE


def test_looking_at_nothing_new_costs_nothing(logs: Follower) -> None:
    """A look at an unchanged folder gives no batch."""
    logs.write("main.log", lines(1))
    logs.look()
    assert logs.tailer.poll() == []
    assert sum((batch.tally for batch in logs.tailer.poll()), Tally()) == Tally()


def test_a_listing_taken_amid_renames_does_not_count(logs: Follower, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that is missing from one listing because it was just renamed is still read before newer ones."""
    logs.write("main1.log", lines(1))
    logs.write("main.log", lines(2))
    listings = [look(logs.folder)[1:], look(logs.folder), look(logs.folder)]
    monkeypatch.setattr(tailer, "look", lambda _: listings.pop(0))
    assert logs.look() == names([1, 2])
    assert listings == []


def test_a_listing_that_never_settles(logs: Follower, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that changes at every glance is read all the same after a few."""
    logs.write("main.log", lines(1))
    logs.write("cowork_vm_node.log", lines(2))
    found = look(logs.folder)
    glances = [found if number % 2 else found[:1] for number in range(6)]
    monkeypatch.setattr(tailer, "look", lambda _: glances.pop(0))
    assert logs.look() == names([1, 2])
