"""Says when to look at the log folder again.

Change events come late, together, or not at all (a file held open on macOS, a network mount, a container), so they only
make a look come sooner: every second the folder itself is compared with what it was. All of that is done by one thread
that wakes the event loop only when there is something to read, since a loop that is woken costs more than a glance.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncGenerator, Callable
from functools import partial
from itertools import cycle
from pathlib import Path
from time import monotonic, sleep

import watchfiles
from watchfiles._rust_notify import RustNotify

from app.ingest.files import FoundFile, look, name_of

GLANCE_SECONDS = 1.0
"""How often the folder is compared with what it was."""

SWEEP_SECONDS = 10.0
"""How often it is looked at whatever it seems to be."""

STEP_SECONDS = 0.06
"""How often it is asked what has changed. Each time a thread is woken: idle, every 20 ms takes 0.22 % of a core, every
60 ms 0.11 %, and a line has 60 ms to the screen, of which two pictures of the browser take half."""

POLL_SECONDS = 0.25
"""How often the folder is compared where the system tells of no changes. The polling of watchfiles would not do: it
compares times in whole seconds, and a second line within one is not seen."""


async def changes(
    folder: Path,
    stop: asyncio.Event,
    sweep_seconds: float = SWEEP_SECONDS,
    *,
    poll: bool = False,
    waits: Callable[[], bool] = lambda: False,
) -> AsyncGenerator[None, None]:
    """Yield whenever ``folder`` should be looked at: at once, after a change, and every ``sweep_seconds``.

    While something ``waits`` that only a look brings on, it is looked at each second. Ends soon after ``stop`` is set.
    The folder may be missing, go away and come back; where watching does not work the glances are left. With ``poll``
    nothing is watched, and they come every `POLL_SECONDS` instead.
    """
    told = asyncio.Event()
    watch = _Watch(folder, partial(asyncio.get_running_loop().call_soon_threadsafe, told.set), waits)
    watching = asyncio.create_task(asyncio.to_thread(watch.run, sweep_seconds, poll=poll))
    stopping = asyncio.create_task(_wake_on(stop, told))
    try:
        while not stop.is_set():
            yield
            await told.wait()
            told.clear()
    finally:
        stopping.cancel()
        watch.end()
        await watching


async def _wake_on(stop: asyncio.Event, told: asyncio.Event) -> None:
    await stop.wait()
    told.set()


class _Answers:
    """What watchfiles is told when it asks whether to stop: no, no, yes, and so on.

    It asks before each comparison, and hands out what two of them have found alike; at the third question there was
    nothing to hand out. What comes in just that moment it forgets, and the next glance finds it.
    """

    def __init__(self) -> None:
        self.is_set = cycle((False, False, True)).__next__


class _Watch:
    """Watches the folder itself, never a file: a rename would end that. Begins anew when the folder is another one."""

    def __init__(self, folder: Path, tell: Callable[[], object], waits: Callable[[], bool]) -> None:
        self._folder = folder
        self._tell = tell
        self._waits = waits
        self._ended = threading.Event()
        self._seen: list[FoundFile] | str = []  # so that the first glance is told: who follows looked before the watch
        self._notify: RustNotify | None = None
        self._answers = _Answers()
        self._watched: tuple[int, int] | None = None

    def run(self, sweep_seconds: float, *, poll: bool) -> None:
        """Tell of what changes until the `end`, in a thread."""
        every = min(POLL_SECONDS if poll else GLANCE_SECONDS, sweep_seconds)
        glanced = swept = monotonic()
        if not poll:
            self._watch()
        step = min(STEP_SECONDS, every)
        while not self._ended.is_set():
            if self._notify is None:
                self._ended.wait(every)
            else:
                sleep(step)  # an event that is waited for costs twice as much
            went, now = self._ask(), monotonic()
            if not went and now - glanced < every:
                continue
            glanced = now
            if not poll:
                self._watch()
            before, self._seen = self._seen, self._glance()
            if went or self._seen != before or self._waits() or now - swept >= sweep_seconds:
                swept = now
                self._tell()
        self._let_go()

    def end(self) -> None:
        """Let the thread end, within a step."""
        self._ended.set()

    def _watch(self) -> None:
        """Have the folder watched that is there now."""
        # Any failure of the watch (no inotify left, no such file system) leaves the glances; it is tried again.
        try:
            seen = self._folder.stat()
            if self._notify is None or (seen.st_dev, seen.st_ino) != self._watched:
                self._let_go()
                self._notify = RustNotify([str(self._folder)], False, False, 0, False, False)
                self._answers = _Answers()
                self._watched = seen.st_dev, seen.st_ino
        except (OSError, RuntimeError):
            self._let_go()

    def _ask(self) -> bool:
        """Tell of what has changed since; whether the folder itself went, which ends its watch."""
        if self._notify is None:
            return False
        try:
            # No time to wait: by itself it tells a change only when a whole step has brought no other, which makes each
            # twice as old.
            found = self._notify.watch(0, 0, 0, self._answers)
        except (OSError, RuntimeError):
            self._let_go()
            return False
        if isinstance(found, str):
            return False
        self._answers = _Answers()
        if any(_concerns(path) for _, path in found):
            self._tell()
        # Another folder of the same name, perhaps of the same inode, needs a watch of its own.
        went = (watchfiles.Change.deleted, str(self._folder)) in found
        if went:
            self._let_go()
        return went

    def _let_go(self) -> None:
        notify, self._notify = self._notify, None
        if notify is not None:
            notify.close()

    def _glance(self) -> list[FoundFile] | str:
        """The logs as the folder shows them, or why it does not."""
        try:
            return look(self._folder)
        except OSError as error:
            return str(error)


def _concerns(path: str) -> bool:
    return name_of(os.path.basename(path)) is not None  # noqa: PTH119 - a name is all we need
