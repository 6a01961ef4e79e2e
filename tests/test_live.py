"""Where the pipeline and the pages meet: nobody misses the newest version, nobody waits for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, TypeVar

import pytest

from app.core.machine import Machine
from app.core.recorder import Recorder
from app.core.samples import HostSample
from app.core.state import State
from app.live import Live, Snapshot, SourceStatus

PATIENCE = 10.0
T = TypeVar("T")


def snapshot(version: int) -> Snapshot:
    """A snapshot with nothing in it but its version."""
    return Snapshot(version, State(), Recorder())


def run(story: Coroutine[Any, Any, T]) -> T:
    """Let the story happen, within a limit: a wait that is never woken fails."""

    async def limited() -> T:
        return await asyncio.wait_for(story, PATIENCE)

    return asyncio.run(limited())


async def waiting(live: Live, version: int, patience: float = 60.0) -> asyncio.Task[Snapshot | None]:
    """Somebody who waits for what is newer than ``version``, and has begun to."""
    task = asyncio.create_task(live.after(version, patience))
    await asyncio.sleep(0)
    assert not task.done()
    return task


def test_what_is_newer_already_comes_at_once() -> None:
    """Who is behind does not wait, even without patience."""
    live = Live(snapshot(3))

    assert run(live.after(2, 0)) is live.current


def test_a_publish_wakes_everybody() -> None:
    """All who wait get the one snapshot."""

    async def story() -> None:
        live = Live(snapshot(1))
        tasks = [await waiting(live, 1) for _ in range(5)]
        live.publish(snapshot(2))
        assert await asyncio.gather(*tasks) == [live.current] * 5

    run(story())


def test_only_the_newest_counts() -> None:
    """Who slept through several versions gets the last one: versions, not a queue."""

    async def story() -> None:
        live = Live(snapshot(1))
        task = await waiting(live, 1)
        for version in range(2, 100):
            live.publish(snapshot(version))
        found = await task
        assert found is not None
        assert found.version == 99

    run(story())


def test_a_publish_that_is_not_newer_is_waited_through() -> None:
    """A wake-up for a version that is known already is no answer."""

    async def story() -> None:
        live = Live(snapshot(5))
        task = await waiting(live, 5)
        live.publish(snapshot(5))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert not task.done()
        live.publish(snapshot(6))
        assert await task is live.current

    run(story())


@pytest.mark.parametrize("patience", [0, 0.01])
def test_patience_ends(patience: float) -> None:
    """With nothing new in time the answer is None, which is when a stream sends its heartbeat."""
    assert run(Live(snapshot(1)).after(1, patience)) is None


def test_patience_is_for_all_of_the_wait() -> None:
    """Wake-ups that bring nothing new do not make it longer."""

    async def story() -> None:
        live = Live(snapshot(1))
        task = await waiting(live, 1, 0.05)
        while not task.done():
            live.publish(snapshot(1))
            await asyncio.sleep(0.001)
        assert await task is None

    run(story())


def test_closing_ends_every_wait() -> None:
    """Those who wait and those who come later are told that nothing comes any more, news or not."""

    async def story() -> None:
        live = Live(snapshot(1))
        tasks = [await waiting(live, 1) for _ in range(3)]
        live.publish(snapshot(2))
        live.close()
        assert await asyncio.gather(*tasks) == [None] * 3
        assert await live.after(0, 60) is None

    run(story())


def test_no_version_is_missed() -> None:
    """A reader that takes each version as it comes sees the last one, however publishing and reading interleave."""

    async def story() -> None:
        live = Live(snapshot(0))

        async def read(pauses: int) -> int:
            seen = 0
            while seen < 300:
                found = await live.after(seen, PATIENCE)
                assert found is not None
                assert found.version > seen
                seen = found.version
                for _ in range(pauses):
                    await asyncio.sleep(0)
            return seen

        readers = [asyncio.create_task(read(pauses)) for pauses in range(7)]
        for version in range(1, 301):
            live.publish(snapshot(version))
            if version % 3:
                await asyncio.sleep(0)
        assert await asyncio.gather(*readers) == [300] * 7

    run(story())


def test_a_wait_that_is_given_up_leaves_nothing() -> None:
    """A page that closes its stream does not disturb the others."""

    async def story() -> None:
        live = Live(snapshot(1))
        gone, stays = await waiting(live, 1), await waiting(live, 1)
        gone.cancel()
        with pytest.raises(asyncio.CancelledError):
            await gone
        live.publish(snapshot(2))
        assert await stays is live.current

    run(story())


def test_what_is_noted_wakes_nobody() -> None:
    """What a page would show alike is there for who asks, under the same version, and nobody is woken for it."""

    async def story() -> None:
        live = Live(snapshot(3))
        task = await waiting(live, 3)
        live.note(replace(snapshot(4), last_line_at=datetime(2026, 10, 2, tzinfo=UTC)))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert not task.done()
        assert (live.current.version, live.current.last_line_at) == (3, datetime(2026, 10, 2, tzinfo=UTC))
        live.close()
        assert await task is None

    run(story())


def test_a_look_at_the_machine_is_a_version_of_its_own() -> None:
    """Pages hear of it, and what they draw of the history holds: the logs have told nothing new."""
    live = Live(snapshot(3))
    live.observe(Machine(HostSample(datetime(2026, 10, 2, tzinfo=UTC), 24_000, 9_000)))

    assert (live.current.version, live.current.told) == (4, 3)
    live.publish(replace(live.current, version=5))
    assert live.current.told == 4


def test_quiet_log_is_not_one_that_is_lagged_behind() -> None:
    """How far each file has been read is as of the last look, even when that look found nothing new."""
    then, now = datetime(2026, 10, 2, 9, 0, tzinfo=UTC), datetime(2026, 10, 2, 9, 5, tzinfo=UTC)
    live = Live(replace(snapshot(1), sources=(SourceStatus("main.log", 9, 1, then),)))
    assert live.sources()[0].read_at == then

    live.looked_at = now
    assert live.sources()[0].read_at == now
