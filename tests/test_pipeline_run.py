"""The chain from its start to its end: what is shown while a history is read, and following until it is stopped."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from app import pipeline
from app.core.batch import Batch
from app.demo.titles import SessionFiles as MadeUpFiles
from app.demo.writer import LogFolder, write_history
from app.keeper import Keeper
from app.live import Live, Snapshot
from tests.following import ONE, TWO, Followed, append, begun, line, told

PATIENCE = 10.0


async def _until(live: Live, true: Callable[[Snapshot], bool]) -> Snapshot:
    """The first snapshot that is so."""
    while not true(live.current):
        assert await live.after(live.current.version, PATIENCE) is not None
    return live.current


def _knows(session: str) -> Callable[[Snapshot], bool]:
    return lambda now: session in now.state.sessions


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


def test_lines_that_are_put_off_are_kept_at_the_end(
    logs: Path, followed: Followed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was only counted need not be counted again after a stop."""
    before: list[int] = []
    keeper = followed.pipeline.keeper

    async def story() -> None:
        stop, put_off = asyncio.Event(), asyncio.Event()

        def noted(batches: Sequence[Batch]) -> None:
            Keeper.put_off(keeper, batches)
            put_off.set()

        monkeypatch.setattr(keeper, "put_off", noted)
        running = asyncio.create_task(followed.pipeline.run(stop))
        await _until(followed.live, lambda now: now.ready)
        before.append(sum(followed.store.line_counts().values()))
        append(logs, line(8, "[nobody] knows this") * 3)
        await put_off.wait()
        stop.set()
        await asyncio.wait_for(running, PATIENCE)

    asyncio.run(asyncio.wait_for(story(), PATIENCE))

    assert sum(followed.store.line_counts().values()) == before[0] + 3


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
