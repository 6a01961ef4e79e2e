"""Brings letters to one place: one after the other, each with a time limit, more slowly while the place fails."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Protocol

from app.core.notices import Letter
from app.errors import Undelivered
from app.live import Delivery

LIMIT = 15.0
"""Seconds that one delivery may take."""
BACK_OFF = (5.0, 20.0, 60.0, 300.0)
"""Seconds to wait after the first failure in a row, the second, and so on; the last for all that follow."""
MOST_WAITING = 20
"""So many letters wait for a place at most; the oldest give way."""
TOO_OLD = timedelta(minutes=10)
"""A letter that could not be brought for so long is news no more."""


class Place(Protocol):
    """Where letters go."""

    async def send(self, letter: Letter) -> None:
        """Bring one. Raises `Undelivered`."""


class Courier:
    """The letters for one place. ``told`` is called whenever `delivery` has changed; ``name`` shows no secret."""

    def __init__(
        self,
        name: str,
        place: Place,
        clock: Callable[[], datetime],
        told: Callable[[], None],
        *,
        limit: float = LIMIT,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.name = name
        self.delivery: Delivery | None = None
        self._place = place
        self._clock = clock
        self._told = told
        self._limit = limit
        self._sleep = sleep
        self._waiting: deque[tuple[datetime, Letter]] = deque(maxlen=MOST_WAITING)
        self._posted = asyncio.Event()
        self._one_at_a_time = asyncio.Lock()

    def post(self, letter: Letter) -> None:
        """Take a letter; it is brought when its turn comes."""
        self._waiting.append((self._clock(), letter))
        self._posted.set()

    async def run(self) -> None:
        """Bring what is posted, until cancelled."""
        failures = 0
        while True:
            await self._posted.wait()
            while self._waiting:
                entry = self._waiting[0]
                if self._clock() - entry[0] <= TOO_OLD:
                    arrived = await self.bring(entry[1])
                    failures = 0 if arrived else failures + 1
                    if not arrived:
                        await self._sleep(BACK_OFF[min(failures, len(BACK_OFF)) - 1])
                        continue
                if self._waiting and self._waiting[0] is entry:  # the oldest may have given way meanwhile
                    self._waiting.popleft()
            self._posted.clear()

    async def bring(self, letter: Letter) -> bool:
        """Bring one letter now; whether it arrived. `delivery` says how it fared."""
        failure = ""
        async with self._one_at_a_time:
            try:
                async with asyncio.timeout(self._limit):
                    await self._place.send(letter)
            except TimeoutError:
                failure = "late"
            except Undelivered as undelivered:
                failure = undelivered.reason
            except Exception:  # a fault in one delivery must not end those that follow
                logging.getLogger(__name__).exception("a notification could not be delivered")
                failure = "refused"
        self.delivery = Delivery(self.name, self._clock(), failure)
        self._told()
        return not failure
