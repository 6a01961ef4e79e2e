"""When to look again: after changes, at every sweep, and whatever happens to the folder."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any

import pytest

from app.ingest import watcher
from app.ingest.watcher import POLL_SECONDS, changes

LONG = 30.0  # a sweep that never comes within a test


@pytest.fixture
def _unglanced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Glances never come within a test: what comes, comes from watching."""
    monkeypatch.setattr(watcher, "GLANCE_SECONDS", LONG)


@pytest.fixture
def unwatched(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The system tells of no changes; how often it was asked to."""
    tries: list[object] = []

    def fail(*paths: object) -> Any:
        tries.append(paths)
        raise OSError(28, "inotify watch limit reached")

    monkeypatch.setattr(watcher, "RustNotify", fail)
    return tries


class Looks:
    """Counts the looks that a watched folder asks for."""

    def __init__(
        self, folder: Path, sweep: float, *, poll: bool = False, waits: Callable[[], bool] = lambda: False
    ) -> None:
        self.stop = asyncio.Event()
        self.count = 0
        self._more = asyncio.Event()
        self._task = asyncio.create_task(self._run(changes(folder, self.stop, sweep, poll=poll, waits=waits)))

    async def _run(self, looks: AsyncGenerator[None, None]) -> None:
        async for _ in looks:
            self.count += 1
            self._more.set()

    async def after(self, count: int) -> int:
        """The count once it is above ``count``; fails when that takes seconds."""
        async with asyncio.timeout(10):
            while self.count <= count:
                self._more.clear()
                await self._more.wait()
        return self.count

    async def end(self) -> None:
        self.stop.set()
        async with asyncio.timeout(5):
            await self._task


async def settled(looks: Looks) -> int:
    """The count once the watch has begun and its first events are over."""
    await looks.after(0)
    await asyncio.sleep(0.2)
    return looks.count


@pytest.mark.usefixtures("_unglanced")
def test_a_change_is_told_and_noise_is_not(tmp_path: Path) -> None:
    """Lines in our logs and renames are told without a sweep, below a hidden folder too; other files are not."""

    async def scenario() -> None:
        folder = tmp_path / ".git" / "node_modules"
        folder.mkdir(parents=True)
        looks = Looks(folder, LONG)
        before = await settled(looks)
        (folder / "mcp.log").write_bytes(b"x\n")
        (folder / "main.log.swp").write_bytes(b"x\n")
        await asyncio.sleep(0.2)
        assert looks.count == before
        (folder / "main.log").write_bytes(b"x\n")
        before = await looks.after(before)
        (folder / "main.log").rename(folder / "main1.log")
        await looks.after(before)
        await looks.end()

    asyncio.run(scenario())


def test_the_sweep_comes_without_changes(tmp_path: Path) -> None:
    """A look is asked for at every sweep, also while there is no folder."""

    async def scenario() -> None:
        for folder in (tmp_path, tmp_path / "none"):
            looks = Looks(folder, 0.01)
            await looks.after(5)
            assert looks.count > 5
            await looks.end()

    asyncio.run(scenario())


@pytest.mark.usefixtures("_unglanced")
def test_a_folder_that_is_made_anew(tmp_path: Path) -> None:
    """A folder that was deleted and made again, at once or after a while, is watched like the first one."""

    async def scenario() -> None:
        folder = tmp_path / "logs"
        folder.mkdir()
        looks = Looks(folder, LONG)
        await settled(looks)
        folder.rmdir()
        folder.mkdir()
        await settled(looks)
        (folder / "main.log").write_bytes(b"x\n")
        await looks.after(looks.count)
        await looks.end()
        looks = Looks(folder, 0.05)
        await settled(looks)
        folder.rename(tmp_path / "away")
        await looks.after(looks.count + 2)
        folder.mkdir()
        await looks.after(looks.count + 2)
        before = looks.count
        (folder / "main.log").write_bytes(b"x\n")
        await looks.after(before)
        assert looks.count > before
        await looks.end()

    asyncio.run(scenario())


def test_lines_that_come_between_two_steps_are_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A burst wakes whoever follows once a step, however many lines it has, and the last of them is not missed."""
    monkeypatch.setattr(watcher, "GLANCE_SECONDS", LONG)

    async def scenario() -> int:
        looks = Looks(tmp_path, LONG)
        before = await settled(looks)
        with (tmp_path / "main.log").open("ab", buffering=0) as log:
            for _ in range(50):
                log.write(b"x\n")
        after = await looks.after(before)
        await asyncio.sleep(3 * watcher.STEP_SECONDS)
        (tmp_path / "main.log").write_bytes(b"last\n")
        await looks.after(looks.count)
        await looks.end()
        return after - before

    assert asyncio.run(scenario()) <= 2


@pytest.mark.usefixtures("unwatched")
def test_a_glance_that_sees_nothing_wakes_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder is compared with what it was, and only what differs is told: noise beside the logs is not."""
    monkeypatch.setattr(watcher, "GLANCE_SECONDS", 0.01)
    (tmp_path / "main.log").write_bytes(b"x\n")

    async def scenario() -> None:
        looks = Looks(tmp_path, LONG)
        assert await settled(looks) == 2  # at once, and after the first glance
        (tmp_path / "mcp.log").write_bytes(b"x\n")
        await asyncio.sleep(0.2)
        assert looks.count == 2
        (tmp_path / "main.log").write_bytes(b"xy\n")
        assert await looks.after(2) == 3
        await looks.end()

    asyncio.run(scenario())


@pytest.mark.usefixtures("unwatched")
def test_what_waits_is_looked_at_with_each_glance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While something waits for a look it comes with every glance, though nothing has changed."""
    monkeypatch.setattr(watcher, "GLANCE_SECONDS", 0.01)
    waiting = [True]

    async def scenario() -> None:
        looks = Looks(tmp_path, LONG, waits=lambda: bool(waiting))
        await looks.after(5)
        waiting.clear()
        await asyncio.sleep(0.1)
        before = looks.count
        await asyncio.sleep(0.1)
        assert looks.count == before
        await looks.end()

    asyncio.run(scenario())


def test_without_a_watch_the_sweep_is_left(tmp_path: Path, unwatched: list[object]) -> None:
    """When watching fails it is tried again with each glance, and the looks go on."""

    async def scenario() -> None:
        looks = Looks(tmp_path, 0.01)
        await looks.after(5)
        await looks.end()

    asyncio.run(scenario())
    assert len(unwatched) >= 3


def test_stopping_and_leaving_end_at_once(tmp_path: Path) -> None:
    """A stop, and a reader that goes away, leave no task behind; many times over."""

    async def scenario() -> None:
        for _ in range(10):
            looks = Looks(tmp_path, LONG)
            await looks.after(0)
            await looks.end()
            stop = asyncio.Event()
            left = changes(tmp_path, stop, LONG)
            await anext(left)
            await left.aclose()
        await asyncio.sleep(0.1)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(scenario())


def test_polling_asks_nobody(tmp_path: Path, unwatched: list[object]) -> None:
    """On a mount without change events the folder is looked at several times a second, and nothing is watched."""

    async def scenario() -> float:
        looks = Looks(tmp_path, LONG, poll=True)
        await looks.after(0)
        begun = asyncio.get_running_loop().time()
        for number in range(3):
            (tmp_path / "main.log").write_bytes(b"x\n" * number)
            await looks.after(looks.count)
        taken = asyncio.get_running_loop().time() - begun
        await looks.end()
        return taken

    assert 3 * POLL_SECONDS - 0.1 <= asyncio.run(scenario()) < LONG
    assert unwatched == []
