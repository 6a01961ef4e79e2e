"""A folder read once: all that it says, judged at any moment."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app import reading
from app.core.vm import vm_at
from app.demo.writer import write_history
from app.errors import NotALog
from app.reading import FolderReading, read_folder, reading_for
from tests.following import ONE, TWO, begun, line, log_folder, told


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A folder with a main.log of one session."""
    return log_folder(tmp_path)


def test_a_folder_read_once_is_judged_at_any_moment(logs: Path) -> None:
    """The state at a time is the fold of what was said by then; lines, files and the last time are told."""
    with (logs / "main.log").open("a") as log:
        log.write(begun(TWO, 9))
    told_once = read_folder(logs, UTC)

    assert (told_once.first_at, told_once.last_at) == (
        datetime(2026, 10, 2, 9, 0, 1, tzinfo=UTC),
        datetime(2026, 10, 2, 9, 0, 9, tzinfo=UTC),
    )
    assert set(told_once.state_at(told_once.last_at).sessions) == {ONE, TWO}
    assert set(told_once.state_at(told_once.last_at - timedelta(seconds=1)).sessions) == {ONE}
    assert told_once.tally.lines == 3
    assert list(told_once.names.values()) == ["main.log"]
    assert [(one.path, one.lines) for one in told_once.sources] == [(str(logs / "main.log"), 3)]
    assert told_once.processes is None


def test_a_reading_needs_nothing_beside_it(logs: Path) -> None:
    """Events alone make a reading as well: no titles, no count of processes, no first instant where there is none."""
    whole = read_folder(logs, UTC)
    bare = FolderReading((), whole.tally, (), {}, whole.last_at)

    assert bare.first_at is None
    assert bare.processes is None
    assert bare.state_at(bare.last_at).sessions == {}


def test_a_large_folder_is_read_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pieces of any size give the same events and the same counts."""
    simulation, _, _ = told(4, 0)
    write_history(tmp_path / "logs", simulation, simulation.now + timedelta(minutes=20), rotate_at=9000)
    whole = read_folder(tmp_path / "logs", UTC)
    monkeypatch.setattr(reading, "PIECE_BYTES", 777)

    pieces = read_folder(tmp_path / "logs", UTC)

    assert pieces.observed == whole.observed
    assert pieces.tally == whole.tally
    assert pieces.state_at(pieces.last_at) == whole.state_at(whole.last_at)


def test_files_that_hold_no_log_are_named(tmp_path: Path) -> None:
    """Without one line of the log's form there is nothing to judge."""
    (tmp_path / "main.log").write_text("no stamp\n")

    with pytest.raises(NotALog, match=r"main\.log: no line of the form"):
        read_folder(tmp_path, UTC)


def test_only_lines_that_some_format_may_know_are_decoded() -> None:
    """The noise of other scopes is counted without being read."""
    how = reading_for(UTC)

    assert callable(how.wanted)
    assert how.wanted(b"[CliGovernor]")
    assert not how.wanted(b"[Noise]")
    assert how.needles


def test_service_of_windows_tells_of_the_vm_and_its_guest_is_only_counted(logs: Path) -> None:
    """A VM that the service saw end and then calls running is suspect; lines without a known prefix have no time."""
    exited = '[HCS] Exit {"Id":"cowork-vm-7","Stopped":true,"ExitType":"ForcedExit"}'
    (logs / "cowork_vm_node.log").write_text(line(3, "[VM:start] Startup complete, total time: 5802ms"))
    (logs / "cowork-service.log").write_text("service 1.2 began\n" + line(5, exited))
    (logs / "coworkd-user.log").write_text(
        "2026-10-02T18:00:01Z INFO starting coworkd\n2026-10-02 18:00:01 [info] connected, waiting for commands\n"
    )
    down = read_folder(logs, UTC)
    with (logs / "cowork-service.log").open("a") as log:
        log.write(line(8, "[Server] startVM: VM already running, reusing existing session"))
    suspect = read_folder(logs, UTC)

    assert vm_at(down.state_at(down.last_at).vm, down.last_at).phase == "down"
    assert vm_at(suspect.state_at(suspect.last_at).vm, suspect.last_at).phase == "orphan_suspect"
    assert suspect.last_at == datetime(2026, 10, 2, 9, 0, 8, tzinfo=UTC)
    assert sorted(suspect.names.values()) == [
        "cowork-service.log", "cowork_vm_node.log", "coworkd-user.log", "main.log",
    ]  # fmt: skip
    assert (suspect.tally.lines, suspect.tally.unprefixed) == (8, 2)
