"""The notification centre of this machine's desktop."""

from __future__ import annotations

import asyncio
import logging
import sys
from typing import TYPE_CHECKING

from app.core.notices import Letter
from app.errors import Undelivered

if TYPE_CHECKING:
    from desktop_notifier import DesktopNotifier

APP = "Seatwatch"
_SCRIPT = (
    "on run argv",
    "display notification (item 2 of argv) with title (item 1 of argv)",
    "end run",
)


class Desktop:
    """Shows letters on the desktop; the connection to it is made with the first one and again after a failure."""

    def __init__(self) -> None:
        self._notifier: DesktopNotifier | None = None

    async def send(self, letter: Letter) -> None:
        """Show it. Raises `Undelivered` where there is no desktop, as on a server or when nobody is logged in."""
        try:
            notifier = self._notifier
            if notifier is None:
                notifier = await asyncio.to_thread(_notifier)
            if await notifier.get_capabilities():
                self._notifier = notifier
                await _show(notifier, letter)
                return
        except Undelivered:
            self._notifier = None
            raise
        except Exception as error:  # each system and each library under it fails in its own way
            self._notifier = None
            raise Undelivered("no_desktop") from error
        if sys.platform != "darwin":
            raise Undelivered("no_desktop")
        await show_by_script(letter)


def _notifier() -> DesktopNotifier:
    """The library is imported only now: most people never ask for notifications."""
    from desktop_notifier import DesktopNotifier  # noqa: PLC0415

    log = logging.getLogger("desktop_notifier")  # it logs failures with a traceback; ours are told on the page
    log.addHandler(logging.NullHandler())
    log.propagate = False
    return DesktopNotifier(APP, app_icon=None)


async def _show(notifier: DesktopNotifier, letter: Letter) -> None:
    arrived: list[bool] = []
    await notifier.send(letter.title, letter.body, on_dispatched=lambda: arrived.append(True))
    if not arrived:  # the library swallows its errors
        raise Undelivered("no_desktop")


async def show_by_script(letter: Letter, command: str = "osascript") -> None:
    """On macOS a Python outside of an application bundle may show nothing itself, but the system's script runner may.

    The texts are arguments and never part of the script. Raises `Undelivered`. Who is cancelled in it, as by a time
    limit, ends the runner too.
    """
    lines = [part for line in _SCRIPT for part in ("-e", line)]
    quiet = asyncio.subprocess.DEVNULL
    try:
        process = await asyncio.create_subprocess_exec(
            command, *lines, letter.title, letter.body, stdin=quiet, stdout=quiet, stderr=quiet
        )
    except OSError as error:
        raise Undelivered("no_desktop") from error
    try:
        ended_with = await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if ended_with != 0:
        raise Undelivered("no_desktop")
