"""A process that never ends by itself, and a wait for it that is cancelled."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any


def hangs(told: Path) -> str:
    """The code of a program that writes its process's number into ``told`` and then waits for ever."""
    return f"import os, threading\nopen({str(told)!r}, 'w').write(str(os.getpid()))\nthreading.Event().wait()\n"


def is_ended_by_cancelling(wait: Callable[[], Coroutine[Any, Any, object]], told: Path) -> bool:
    """Whether the process that ``wait`` started is gone when the wait is cancelled."""

    def number() -> str:
        return told.read_text("utf-8") if told.exists() else ""

    async def cancelled() -> None:
        task = asyncio.create_task(wait())
        async with asyncio.timeout(20):
            while not number():
                await asyncio.sleep(0.01)
                assert not task.done()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(cancelled())
    try:
        os.kill(int(number()), 0)
    except ProcessLookupError:
        return True
    return False
