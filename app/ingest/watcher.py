"""Says when to look at the log folder again.

Change events come late, together, or not at all (a file held open on macOS, a network mount, a container), so they only
make a look come sooner. The sweep comes in any case.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from pathlib import Path

import watchfiles

from app.ingest.files import name_of

SWEEP_SECONDS = 1.0

DEBOUNCE_MS = 20
"""How long changes are collected at most; the page has 60 ms from the log line to the screen."""

STEP_MS = 20
"""How long it must be quiet before they are told. Each step wakes a thread: idle, a step of 5 ms took 0.9 % of a core
(a change was told after 8 ms), 10 ms 0.6 % (15 ms), 20 ms 0.3 % (31 ms)."""

POLL_SECONDS = 0.25
"""How often the folder is looked at where the system tells of no changes. The polling of watchfiles would not do: it
compares times in whole seconds, and a second line within one is not seen."""


async def changes(
    folder: Path, stop: asyncio.Event, sweep_seconds: float = SWEEP_SECONDS, *, poll: bool = False
) -> AsyncGenerator[None, None]:
    """Yield whenever ``folder`` should be looked at: at once, after a change, and every ``sweep_seconds``.

    Ends soon after ``stop`` is set. The folder may be missing, go away and come back; where watching does not work the
    sweep alone is left. With ``poll`` nothing is watched and the sweep comes every `POLL_SECONDS` instead.
    """
    look = asyncio.Event()
    watch = _Watch(folder, look)
    sweep_seconds = POLL_SECONDS if poll else sweep_seconds
    stopping = asyncio.create_task(_wake_on(stop, look))
    try:
        while not stop.is_set():
            if not poll:
                watch.keep()
            yield
            with suppress(TimeoutError):
                async with asyncio.timeout(sweep_seconds):
                    await look.wait()
            look.clear()
    finally:
        stopping.cancel()
        await watch.close()


async def _wake_on(stop: asyncio.Event, look: asyncio.Event) -> None:
    await stop.wait()
    look.set()


class _Watch:
    """Watches the folder itself, never a file: a rename would end that. Begins anew when the folder is another one."""

    def __init__(self, folder: Path, look: asyncio.Event) -> None:
        self._folder = folder
        self._look = look
        self._identity: tuple[int, int] | None = None
        self._stop = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def keep(self) -> None:
        """See to it that the folder that is there now is the one that is watched."""
        identity = self._identify()
        if identity == self._identity and (self._task is None or not self._task.done()):
            return
        self._stop.set()  # the former watch ends by itself
        self._identity = identity
        self._task = None
        if identity is not None:
            self._stop = asyncio.Event()
            self._task = asyncio.create_task(self._run(self._stop))

    async def close(self) -> None:
        """End the watch and wait for it."""
        self._stop.set()
        if self._task is not None:
            await self._task

    async def _run(self, stop: asyncio.Event) -> None:
        # Any failure of the watch (no inotify left, no such file system) leaves the sweep; `keep` tries again with it.
        with suppress(OSError, RuntimeError):
            events = watchfiles.awatch(
                self._folder,
                watch_filter=self._concerns,
                debounce=DEBOUNCE_MS,
                step=STEP_MS,
                stop_event=stop,
                recursive=False,
            )
            async with aclosing(events):
                async for found in events:
                    self._look.set()
                    if (watchfiles.Change.deleted, str(self._folder)) in found:
                        return  # another folder of the same name, perhaps the same inode, needs a watch of its own

    def _concerns(self, _: watchfiles.Change, path: str) -> bool:
        return name_of(os.path.basename(path)) is not None or path == str(self._folder)  # noqa: PTH119

    def _identify(self) -> tuple[int, int] | None:
        try:
            seen = self._folder.stat()
        except OSError:
            return None
        return seen.st_dev, seen.st_ino
