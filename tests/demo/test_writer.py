"""Log folders on disk."""

import threading
from datetime import timedelta
from pathlib import Path

import pytest

from app.demo.cases import demo_config, random_config
from app.demo.simulation import Simulation
from app.demo.world import MAIN, Line
from app.demo.writer import MARK, DemoWriter, LogFolder, write_history
from app.errors import WrongUsage
from tests.demo.worlds import START, told


def _whole(folder: Path) -> bytes:
    archives = sorted(folder.glob("main[0-9]*.log"), key=lambda path: int(path.stem[4:]), reverse=True)
    return b"".join(path.read_bytes() for path in [*archives, folder / MAIN])


def test_rotated_files_join_to_the_whole_story(tmp_path: Path) -> None:
    """Oldest archive first, nothing lost and nothing doubled."""
    config = random_config(0)
    _, lines = told(config, 0, 120)
    write_history(tmp_path / "logs", Simulation(0, config), config.start + timedelta(minutes=120), rotate_at=60_000)

    assert len(list((tmp_path / "logs").glob("main*.log"))) > 3
    assert _whole(tmp_path / "logs") == "".join(line.text for line in lines if line.file == MAIN).encode()


def test_an_overlap_repeats_the_last_records_after_a_rotation(tmp_path: Path) -> None:
    """The new file begins with the end of the one before."""
    config = demo_config(START)
    folder = tmp_path / "logs"
    write_history(folder, Simulation(1, config), START + timedelta(hours=1), rotate_at=80_000, overlap_lines=12)
    head = b"".join((folder / MAIN).read_bytes().splitlines(keepends=True)[:12])

    assert head in (folder / "main1.log").read_bytes()


def test_a_history_tells_where_it_ends_and_leaves_session_files(tmp_path: Path) -> None:
    """The truth can be asked for that very moment."""
    simulation = Simulation(1, demo_config(START))
    end = write_history(tmp_path / "logs", simulation, START + timedelta(minutes=30))
    truth = simulation.truth(end)
    files = {path.stem for path in tmp_path.glob("claude-code-sessions/*/*/local_*.json")}

    assert end == START + timedelta(minutes=30)
    assert files == {sid for sid, session in truth["sessions"].items() if session["kind"] == "code"}


def test_real_logs_are_never_written_over(tmp_path: Path) -> None:
    """A folder with logs and without the demo's mark is refused and left as it is."""
    (tmp_path / MAIN).write_text("somebody's\n")
    with pytest.raises(WrongUsage, match="no demo wrote"):
        LogFolder(tmp_path)

    assert (tmp_path / MAIN).read_text() == "somebody's\n"


def test_a_demo_folder_is_begun_anew(tmp_path: Path) -> None:
    """Earlier logs of a demo go."""
    for _ in range(2):
        log = LogFolder(tmp_path)
        (tmp_path / "main1.log").write_text("old\n")
        log.close()
    LogFolder(tmp_path).close()

    assert [path.name for path in tmp_path.iterdir()] == [MARK]


def test_the_live_folder_starts_with_history_and_goes_on(tmp_path: Path) -> None:
    """Two hours that end now; then each step appends what happened in it, and going back appends nothing."""
    with DemoWriter(tmp_path / "logs", 3, now=START) as writer:
        main = tmp_path / "logs" / MAIN
        before = main.read_bytes()
        lines = writer.advance(START + timedelta(minutes=5))
        again = writer.advance(START + timedelta(minutes=4))

        assert before.startswith(b"2026-10-02 07:00:00 [info] Starting app {")
        assert lines
        assert again == []
        assert main.read_bytes() == before + "".join(line.text for line in lines if line.file == MAIN).encode()
        assert writer.simulation.truth()["seats"] > 0


def test_the_live_folder_rotates(tmp_path: Path) -> None:
    """A full main.log is renamed and a new one begun."""
    with DemoWriter(tmp_path / "logs", 3, now=START, rotate_at=100_000) as writer:
        writer.advance(START + timedelta(hours=1))

    assert (tmp_path / "logs" / "main1.log").stat().st_size >= 100_000


def test_the_thread_goes_on_by_itself_and_stops_when_told(tmp_path: Path) -> None:
    """At a high speed a moment of real time is minutes of story; stopping twice does no harm."""
    writer = DemoWriter(tmp_path / "logs", 3, speed=5000.0, now=START)
    grown = threading.Event()
    writer.simulation.world.later(60, grown.set)
    writer.start()
    writer.start()
    reached = grown.wait(10)
    writer.stop()
    writer.stop()

    assert reached
    assert writer.simulation.now > START


def test_a_disk_that_fails_ends_the_thread_and_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The writer keeps the reason for whoever asks; stopping it still works."""
    writer = DemoWriter(tmp_path / "logs", 3, speed=5000.0, now=START)
    tried = threading.Event()

    def fail(_: LogFolder, __: list[Line]) -> None:
        tried.set()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(LogFolder, "append", fail)
    writer.start()
    reached = tried.wait(10)
    writer.stop()

    assert reached
    assert writer.failure is not None
    assert writer.failure.errno == 28


@pytest.mark.parametrize("speed", [0.0, -1.0, float("nan")])
def test_a_clock_that_would_stand_is_refused(tmp_path: Path, speed: float) -> None:
    """The error says what to give instead."""
    with pytest.raises(WrongUsage, match="above 0"):
        DemoWriter(tmp_path, 1, speed=speed)
