"""The chain as a whole: what the pages hear of, what is stored, and how it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app import pipeline
from app.core.events import PortsCrossed
from app.core.probed import Probed
from app.demo.titles import SessionFiles as MadeUpFiles
from app.demo.writer import LogFolder, write_history
from app.errors import DatabaseDamaged
from app.live import Live, Snapshot
from tests.e2e.served import SESSION
from tests.following import FAR_OFF, LONG_AGO, Followed, told

ONE, TWO = (SESSION.format(number) for number in (1, 2))
PATIENCE = 10.0


def line(second: int, body: str) -> str:
    """A line of main.log."""
    return f"2026-10-02 09:{second // 60:02}:{second % 60:02} [info] {body}\n"


def begun(session: str, second: int) -> str:
    """A session gets its process."""
    return line(second, f"Starting local session {session} in /Users/someone/alpha")


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A folder with a main.log of one session."""
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "main.log").write_text(begun(ONE, 1) + line(2, "[CCD] nothing"))
    return folder


@pytest.fixture
def followed(logs: Path, tmp_path: Path) -> Iterator[Followed]:
    """A pipeline on that folder."""
    one = Followed(logs, tmp_path / "seatwatch.sqlite")
    yield one
    one.close()


def append(logs: Path, text: str) -> None:
    """Append to main.log as the app does."""
    with (logs / "main.log").open("a") as file:
        file.write(text)


def test_a_restart_replays_what_was_shown(logs: Path, followed: Followed) -> None:
    """With nothing new in the files, state and history come from the database alone, as they were."""
    followed.catch_up()
    followed.settle()
    state, window = followed.state, followed.window()
    followed.close()

    followed.open()
    followed.catch_up()

    assert (followed.state, followed.window()) == (state, window)
    assert ONE in state.sessions


def test_pages_hear_of_what_a_look_finds(logs: Path, followed: Followed) -> None:
    """One new version for each look that found something, with the state, the files and the time they were read."""
    followed.catch_up()
    followed.settle()
    before = followed.live.current
    followed.settle()
    assert followed.live.current is before

    append(logs, begun(TWO, 9) + line(9, "[CCD] nothing"))
    followed.look()

    now = followed.live.current
    assert now.version == before.version + 1
    assert now.ready
    assert set(now.state.sessions) == {ONE, TWO}
    assert [(one.path, one.read_at) for one in now.sources] == [(str(logs / "main.log"), FAR_OFF)]


def test_a_burst_is_read_in_pieces(logs: Path, followed: Followed, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is more than one look's share reaches the pages in several versions, none of it twice."""
    monkeypatch.setattr(pipeline, "LIVE_BYTES", 500)
    append(logs, "".join(begun(SESSION.format(number), number) for number in range(2, 40)))

    followed.settle()

    assert followed.live.current.version > 5
    assert len(followed.state.sessions) == 39
    assert len(followed.stored()) == 39


def test_stop_ends_the_catch_up_between_two_pieces(
    logs: Path, followed: Followed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was read by then is kept, and the next start goes on from there."""
    monkeypatch.setattr(pipeline, "CATCH_UP_BYTES", 500)
    append(logs, "".join(begun(SESSION.format(number), number) for number in range(2, 40)))

    followed.catch_up(followed.stop.set)
    kept = len(followed.stored())
    followed.close()
    followed.stop.clear()
    followed.open()
    followed.catch_up()
    followed.settle()

    assert 0 < kept < 10
    assert len(followed.stored()) == len(followed.state.sessions) == 39


def test_a_stop_before_the_start_reads_nothing(followed: Followed) -> None:
    """A pipeline that is stopped at once ends at once."""
    followed.stop.set()
    followed.catch_up()
    followed.look()

    assert followed.stored() == []


def test_a_full_disk_loses_nothing(logs: Path, followed: Followed) -> None:
    """While nothing can be stored the page goes on and says why; then all of it is stored, in the fold's order."""
    followed.store.failures = 5
    followed.catch_up()
    followed.settle()
    append(logs, begun(TWO, 9) + line(9, "[CCD] nothing"))
    followed.look()
    assert set(followed.state.sessions) == {ONE, TWO}
    followed.look()
    problem = followed.live.current.problem
    assert problem is not None
    assert "cannot be used" in problem
    assert "database or disk is full" in problem
    assert followed.stored() == []

    append(logs, line(10, f"[CCD] Pausing session {ONE} (idle_timeout)") + line(10, "[CCD] nothing"))
    followed.settle()

    assert followed.live.current.problem is None
    assert [type(one.event).__name__ for one in followed.stored()] == [
        "SessionStarted",
        "SessionStarted",
        "SessionPaused",
    ]
    state = followed.state
    followed.close()
    followed.open()
    followed.catch_up()
    assert followed.state == state


def test_a_quiet_log_still_gets_stored_when_the_disk_has_room_again(logs: Path, followed: Followed) -> None:
    """Storing is tried again without a new line, and the page hears that the trouble is over."""
    followed.catch_up()
    followed.settle()
    append(logs, begun(TWO, 9) + line(9, "[CCD] nothing"))
    followed.store.failures = 3
    followed.look()

    for _ in range(3):
        followed.look()
        assert followed.live.current.problem is not None
    followed.look()

    assert len(followed.stored()) == 2
    assert followed.live.current.problem is None


def test_a_folder_that_goes_away_and_comes_back(logs: Path, followed: Followed) -> None:
    """The page says what cannot be read, keeps what it knows, and goes on when the folder is back."""
    followed.catch_up()
    followed.settle()
    logs.rename(logs.with_name("elsewhere"))
    followed.look()
    problem = followed.live.current.problem
    assert problem is not None
    assert f"The log folder {logs} cannot be read" in problem
    assert set(followed.live.current.state.sessions) == {ONE}

    logs.with_name("elsewhere").rename(logs)
    append(logs, begun(TWO, 9) + line(9, "[CCD] nothing"))
    followed.look()

    assert followed.live.current.problem is None
    assert set(followed.live.current.state.sessions) == {ONE, TWO}


async def _until(live: Live, true: Callable[[Snapshot], bool]) -> Snapshot:
    """The first snapshot that is so."""
    while not true(live.current):
        assert await live.after(live.current.version, PATIENCE) is not None
    return live.current


def _knows(session: str) -> Callable[[Snapshot], bool]:
    return lambda now: session in now.state.sessions


def test_run_follows_until_it_is_stopped(logs: Path, followed: Followed) -> None:
    """Progress while it reads, ready once it has, new lines as they come, and an end when it is told to."""

    async def story() -> None:
        stop = asyncio.Event()
        running = asyncio.create_task(followed.pipeline.run(stop))
        first = await _until(followed.live, lambda now: now.version > 0)
        ready = await _until(followed.live, lambda now: now.ready)
        append(logs, begun(TWO, 9) + line(9, "[CCD] nothing"))
        await _until(followed.live, _knows(TWO))
        stop.set()
        await asyncio.wait_for(running, PATIENCE)
        assert first.version <= ready.version

    asyncio.run(story())

    assert len(followed.stored()) == 2


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (DatabaseDamaged("seatwatch.sqlite", "malformed"), "The database seatwatch.sqlite is damaged."),
        (ZeroDivisionError("of ours"), "ZeroDivisionError."),
    ],
)
def test_what_breaks_the_pipeline_is_told(
    followed: Followed, monkeypatch: pytest.MonkeyPatch, error: Exception, words: str
) -> None:
    """Whatever ends it early, the pages say that they stand still, and who runs Seatwatch gets the cause."""

    def broken(**_asked: object) -> None:
        raise error

    monkeypatch.setattr(followed.store, "replay", broken)

    asyncio.run(followed.pipeline.run(asyncio.Event()))

    assert followed.pipeline.failure is error
    assert followed.live.current.problem == f"Seatwatch follows the logs no more: {words} Start it again."
    assert not followed.live.current.ready


def test_titles_come_when_a_session_file_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The app writes its session files later than its log: the page gets the title without a new line."""
    monkeypatch.setattr(pipeline, "BESIDE_SECONDS", 0.0)
    simulation, _, _ = told(5, 5)
    data = tmp_path / "data"
    write_history(tmp_path / "logs", simulation, simulation.now, sessions_root=tmp_path / "elsewhere")
    append(tmp_path / "logs", "".join(begun(one, 1) for one in simulation.world.sessions))
    (data / "claude-code-sessions").mkdir(parents=True)
    followed = Followed(tmp_path / "logs", tmp_path / "seatwatch.sqlite", places=(data,))
    titles = {one.id: one.title for one in simulation.world.sessions.values()}

    async def story() -> None:
        stop = asyncio.Event()
        running = asyncio.create_task(followed.pipeline.run(stop))
        ready = await _until(followed.live, lambda now: now.ready)
        assert {one.title for one in ready.state.sessions.values()} == {None}
        for session in (ONE, TWO):
            append(tmp_path / "logs", begun(session, 2) + line(2, "[CCD] nothing"))
            await _until(followed.live, _knows(session))
        MadeUpFiles(data).write(simulation.world)
        named = await _until(followed.live, lambda now: any(one.title for one in now.state.sessions.values()))
        stop.set()
        await asyncio.wait_for(running, PATIENCE)
        found = {one.id: one.title for one in named.state.sessions.values() if one.title}
        assert found.items() <= titles.items()

    asyncio.run(story())
    followed.close()


def test_looks_for_the_files_of_the_living_first(
    logs: Path, followed: Followed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A machine with thousands of old sessions costs no more than its newest."""
    monkeypatch.setattr(pipeline, "BESIDE_SESSIONS", 2)
    append(logs, begun(TWO, 5) + line(6, f"[CCD] Pausing session {TWO} (idle_timeout)") + begun(SESSION.format(3), 7))
    followed.catch_up()
    followed.settle()

    assert pipeline._spoken_of(followed.state) == [SESSION.format(3), ONE]


def test_the_newest_line_is_told_whether_it_means_anything_or_not(followed: Followed, logs: Path) -> None:
    """Most lines are no events: the newest line of any sort says how fresh the log is, and the store does later."""
    followed.catch_up()
    followed.pipeline._publish(True)
    first = followed.live.current.last_line_at
    with (logs / "main.log").open("a") as log:
        log.write(line(9, "[nobody] knows this"))
    followed.settle()

    assert first == datetime(2026, 10, 2, 9, 0, 2, tzinfo=UTC)
    assert followed.live.current.last_line_at == datetime(2026, 10, 2, 9, 0, 9, tzinfo=UTC)


def test_a_log_that_never_rests_puts_nothing_off(followed: Followed, logs: Path) -> None:
    """With something new at each look the fold is saved and the limits are looked at all the same."""
    followed.catch_up()
    append(logs, begun(TWO, 5))

    followed.look()

    assert followed.path.with_name(followed.path.name + "-fold").is_file()
    assert not followed.pipeline.keeper.is_due
    assert not followed.pipeline.saver.is_due


def watched(followed: Followed, monkeypatch: pytest.MonkeyPatch) -> list[Snapshot]:
    """What is published from now on; the pipeline is to stop once everything was read."""
    seen: list[Snapshot] = []
    publish = Live.publish

    def publish_and_keep(live: Live, snapshot: Snapshot) -> None:
        seen.append(snapshot)
        publish(live, snapshot)
        if snapshot.ready:
            followed.stop.set()

    monkeypatch.setattr(Live, "publish", publish_and_keep)
    return seen


def test_the_newest_part_is_shown_while_a_long_history_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who opens the page at once sees who lives now, and then the same with all that came before it."""
    monkeypatch.setattr(pipeline, "SHOWN_AT_ONCE", 1000)
    _, lines, _ = told(5, 60)
    folder = LogFolder(tmp_path / "logs")
    folder.append(lines)
    folder.close()
    followed = Followed(tmp_path / "logs", tmp_path / "seatwatch.sqlite")
    seen = watched(followed, monkeypatch)

    asyncio.run(followed.pipeline.run(followed.stop))
    followed.close()

    assert followed.pipeline.failure is None
    assert [one.filling for one in seen] == [not one.ready for one in seen]
    assert seen[0].filling
    assert seen[0].known
    assert seen[-1].to_read == sum(file.stat().st_size for file in (tmp_path / "logs").glob("*.log"))
    alive = [{one.id for one in shown.state.sessions.values() if one.alive} for shown in (seen[0], seen[-1])]
    assert alive[0] == alive[1] != set()


def test_a_short_history_is_not_shown_in_parts(followed: Followed, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read sooner than anybody looks."""
    seen = watched(followed, monkeypatch)

    asyncio.run(followed.pipeline.run(followed.stop))

    assert [one.filling for one in seen] == [False] * len(seen) != []


def test_what_the_probes_found_goes_through_the_same_chain(logs: Path, followed: Followed) -> None:
    """It is folded, stored and there after a restart; its source is no file, so nobody looks for one."""
    followed.catch_up()
    probed = Probed()
    followed.pipeline.probed = probed.take
    probed.add([PortsCrossed(LONG_AGO, 95, 230, 240, 190, 1)])
    followed.look()
    followed.look()

    kept = [one for one in followed.stored() if one.source == "probe"]
    assert [one.text for one in kept] == ["230 of 240 IPv4 ports of the home line are in use, 190 by Claude (95 %)."]
    before, checkpoints = followed.state, followed.store.checkpoints()
    assert before.ports == PortsCrossed(LONG_AGO, 95, 230, 240, 190, 1)
    assert checkpoints["probe"].offset == 1
    assert {reading.path for reading in followed.tailer.readings()} == {str(logs / "main.log")}


def test_the_log_tells_when_trouble_began_and_ended(
    logs: Path, followed: Followed, caplog: pytest.LogCaptureFixture
) -> None:
    """Where it lies is told; what the pages say has paths in it and is not."""
    caplog.set_level("INFO")
    followed.catch_up()
    followed.settle()
    away = logs.with_name("away")
    logs.rename(away)
    followed.settle()
    away.rename(logs)
    followed.settle()

    told = [(record.msg, vars(record)["facts"]) for record in caplog.records if "trouble" in str(record.msg)]
    assert told == [
        ("trouble began", {"logs": True, "store": False}),
        ("trouble is over", {"logs": False, "store": False}),
    ]
