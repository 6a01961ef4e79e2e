"""Services that Apprise knows: Slack, Discord, ntfy, mail and many more, each by an address that is a secret."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping
from pathlib import Path

from app.core.notices import Letter
from app.errors import UNDELIVERED, Undelivered

SENDER = Path(__file__).with_name("send.py")
LIMIT = 15.0
"""Seconds that an address is looked at; for letters the courier has a limit."""


class Service:
    """Sends letters to one address."""

    def __init__(self, address: str) -> None:
        self._address = address

    async def send(self, letter: Letter) -> None:
        """Send it. Raises `Undelivered`. Who is cancelled in it, as by a time limit, ends the sending too."""
        problem = await ask({"address": self._address, "title": letter.title, "body": letter.body})
        if problem:
            raise Undelivered(problem)


async def problem_of(address: str) -> str:
    """What is wrong with an address, as the name of a reason; "" when a letter may be sent to it."""
    try:
        async with asyncio.timeout(LIMIT):
            return await ask({"address": address})
    except TimeoutError:
        return "late"


async def ask(question: Mapping[str, str], sender: Path = SENDER) -> str:
    """What `app.notify.send` answers in a process of its own, which ends with this call however it ends.

    The address goes by the standard input: everybody on the machine can read what a process is called with.
    """
    pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    try:
        # -P: modules that lie in the sender's folder, or in ours, must not stand in for those it means.
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", str(sender), stdin=pipe, stdout=pipe, stderr=nothing
        )
    except OSError:
        return "refused"
    try:
        said, _nothing = await process.communicate(json.dumps(question).encode())
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    reason = said.decode("utf-8", "replace")
    return reason if process.returncode == 0 and (not reason or reason in UNDELIVERED) else "refused"
