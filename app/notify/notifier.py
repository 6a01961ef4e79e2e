"""Watches the snapshots and tells what a person asked to be told; it never holds up those who make the snapshots."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, tzinfo

from app.core.notices import Causes, Letter, Notice, judge
from app.core.preferences import Preferences, masked
from app.live import Delivery, Live, Snapshot
from app.notify.courier import Courier, Place
from app.notify.desktop import Desktop
from app.notify.services import Service
from app.web.language import DEFAULT, LANGUAGES, speaking
from app.web.telling import by_letter, by_title, letter_of, trial

DESKTOP = "desktop"
AT_MOST_EVERY = 1.0
"""Seconds between two looks: a log that pours is judged no more often."""
WITHOUT_NEWS = 15.0
"""Seconds after which time alone may have changed something: a level that fades, a start that takes too long."""


def place_named(name: str) -> Place:
    """The desktop, or the service at an address."""
    return Desktop() if name == DESKTOP else Service(name)


class Notifier:
    """Tells. ``zone`` is the reader's, whose clock the quiet hours are of; ``place_of`` opens a place by its name."""

    def __init__(
        self,
        live: Live,
        clock: Callable[[], datetime],
        zone: tzinfo,
        place_of: Callable[[str], Place] = place_named,
    ) -> None:
        self._live = live
        self._clock = clock
        self._zone = zone
        self._place_of = place_of
        self._couriers: dict[str, tuple[Courier, asyncio.Task[None]]] = {}
        self._causes: Causes | None = None
        self._begun = clock()

    async def run(self, stop: asyncio.Event) -> None:
        """Watch and tell until ``stop``, or until the pages are closed."""
        version, patience = -1, WITHOUT_NEWS
        try:
            while not stop.is_set() and not self._live.closing:
                snapshot = await self._live.after(version, patience) or self._live.current
                version = snapshot.version
                try:
                    patience = AT_MOST_EVERY if self.look(snapshot) else WITHOUT_NEWS
                except Exception:  # whatever it is, the next notice may yet be told
                    logging.getLogger(__name__).exception("notices could not be judged")
                with suppress(TimeoutError):
                    async with asyncio.timeout(AT_MOST_EVERY):
                        await stop.wait()
        finally:
            tasks = [task for _courier, task in self._couriers.values()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def look(self, snapshot: Snapshot) -> bool:
        """Judge a snapshot and post what is to be told; whether something more may be told within seconds.

        Made-up sessions are nobody's news, and nothing is while the logs are read for the first time.
        """
        preferences = self._live.preferences
        places = places_of(preferences)
        self._dismiss(places)
        if not snapshot.ready or snapshot.demo or not preferences.notify or not places:
            self._causes = None
            if snapshot.ready:
                self._begun = self._clock()
            return False
        self._live.aliases.meet(snapshot.state)
        at = self._clock()
        judged = judge(self._causes, snapshot.state, at, preferences, self._zone, begun=self._begun)
        self._causes = judged.causes
        for notice in judged.notices:
            for name in places:
                self._courier(name).post(self._letter(notice, snapshot, at, preferences, name))
        return judged.pending

    async def test(self) -> tuple[Delivery, ...]:
        """Send a test to every place at once, whatever the kinds and the hours; how it fared at each."""
        preferences = self._live.preferences
        with speaking(language_of(preferences)):
            letter = trial()
        couriers = [self._courier(name) for name in places_of(preferences)]
        await asyncio.gather(*(courier.bring(letter) for courier in couriers))
        return tuple(courier.delivery for courier in couriers if courier.delivery is not None)

    def _letter(self, notice: Notice, snapshot: Snapshot, at: datetime, preferences: Preferences, place: str) -> Letter:
        titles = place == DESKTOP or preferences.notify_titles
        with speaking(language_of(preferences)):
            named = by_title(snapshot.state) if titles else by_letter(self._live.aliases)
            return letter_of(notice, snapshot.state, at, self._zone, named)

    def _courier(self, name: str) -> Courier:
        if name not in self._couriers:
            shown = DESKTOP if name == DESKTOP else masked(name)
            courier = Courier(shown, self._place_of(name), self._clock, self._tell)
            self._couriers[name] = (courier, asyncio.create_task(courier.run()))
        return self._couriers[name][0]

    def _dismiss(self, wanted: tuple[str, ...]) -> None:
        """Let go of the couriers to places that are wanted no more."""
        gone = [name for name in self._couriers if name not in wanted]
        for name in gone:
            self._couriers.pop(name)[1].cancel()
        if gone:
            self._tell()

    def _tell(self) -> None:
        """Tell the pages how deliveries fare, where that is news."""
        now = tuple(courier.delivery for courier, _task in self._couriers.values() if courier.delivery is not None)
        current = self._live.current
        if now != current.deliveries:
            self._live.publish(replace(current, version=current.version + 1, deliveries=now))


def places_of(preferences: Preferences) -> tuple[str, ...]:
    """The names of the places that are to be told, each address being its own name."""
    return ((DESKTOP,) if preferences.notify_desktop else ()) + preferences.notify_to


def language_of(preferences: Preferences) -> str:
    """The language of notifications: the preferred one; no browser is there to ask."""
    return preferences.language if preferences.language in LANGUAGES else DEFAULT
