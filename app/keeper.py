"""Keeps what was read in the store, in its order, through whatever happens to the store meanwhile.

What cannot be kept now (a full disk, another program's lock) waits and is tried again. A database that is damaged or
was deleted is set aside, and a new one is filled from the logs.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime, timedelta

from app.core.batch import Batch
from app.core.trouble import Trouble
from app.errors import DatabaseDamaged, SeatwatchError
from app.storage.retention import Limits
from app.storage.store import Store

LOG = logging.getLogger("seatwatch.keeper")
MAX_WAITING = 20_000
"""Events and batches that may wait in memory, about 20 MB. Beyond it nothing is read: the logs keep the rest better."""

RENEWAL_SECONDS = 3600.0
"""A second damage within this time is a disk that fails: making yet another database would only go round in circles."""

NOTICE = timedelta(hours=1)
"""How long the pages say that the database was made anew."""

PUT_OFF_SECONDS = 5.0
"""So long lines that are no events may wait to be kept together with more: a transaction for each of them costs more
than to read them, and after a kill they are read again."""

TRIM_SECONDS = 3600.0
"""How often the limits are looked at."""


class Keeper:
    """Keeps batches in ``store``; ``say`` tells the terminal, ``seconds`` only grow. ``trouble`` is why some wait."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], datetime],
        *,
        limits: Limits | None = None,
        say: Callable[[str], object] = print,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self.store = store
        self.trouble: str | None = None
        self._clock = clock
        self.limits = limits or Limits()
        self._say = say
        self._seconds = seconds
        self._waiting: list[Sequence[Batch]] = []
        self._size = 0
        self._put_off_at: float | None = None
        self._renewed_at: float | None = None
        self._notice: tuple[str, datetime] | None = None
        self._trimmed_at: float | None = None
        if store.set_aside is not None:
            self._note("The database was damaged.")

    @property
    def waits(self) -> bool:
        """Whether something is to be kept now."""
        at = self._put_off_at
        return bool(self._waiting) and (at is None or self._seconds() - at >= PUT_OFF_SECONDS)

    @property
    def waiting(self) -> int:
        """How many events and batches are still to be kept."""
        return self._size

    @property
    def is_due(self) -> bool:
        """Whether it is time to look at the limits."""
        return self._trimmed_at is None or self._seconds() - self._trimmed_at >= TRIM_SECONDS

    @property
    def is_full(self) -> bool:
        """Whether so much waits that nothing more should be read."""
        return self._size >= MAX_WAITING

    @property
    def told(self) -> str | None:
        """What is to be said of the store: its trouble, or that it was made anew a while ago."""
        if self.trouble is None and self._notice is not None and self._clock() < self._notice[1]:
            return self._notice[0]
        return self.trouble

    def keep(self, batches: Sequence[Batch]) -> None:
        """Store the batches behind those that wait: that is the order of the fold. Raises `DatabaseDamaged`."""
        if batches:
            self._append([*self._company(), *batches])
        self._put_off_at = None
        try:
            while self._waiting:
                self.store.commit(*self._waiting[0])
                self._size -= _size(self._waiting.pop(0))
        except DatabaseDamaged:
            raise
        except SeatwatchError as error:
            if self.trouble is None:
                LOG.warning("storing failed", extra={"facts": {"waiting": self._size}}, exc_info=error)
            self.trouble = Trouble.of("not_stored", f"{error.what} {error.why}", reason=_reason(error))
        else:
            self.trouble = None

    def put_off(self, batches: Sequence[Batch]) -> None:
        """Let batches without an event wait a while, to be kept with the next that has one, or with each other."""
        if self._waiting and self._put_off_at is None:
            self._append(batches)  # what waits here could not be kept, and is tried again with each look
            return
        before = self._company()
        if not before:
            self._put_off_at = self._seconds()
        self._append(_together([*before, *batches]))

    def _company(self) -> Sequence[Batch]:
        """What was put off, which waits no more by itself."""
        if self._put_off_at is None or not self._waiting:
            return ()
        found = self._waiting.pop()
        self._size -= _size(found)
        return found

    def _append(self, batches: Sequence[Batch]) -> None:
        self._waiting.append(batches)
        self._size += _size(batches)

    def renew(self, damage: DatabaseDamaged) -> bool:
        """Go on in a new database, which the logs are then to be read into; False when none can be made now.

        Raises ``damage`` again when the last renewal was a short while ago.
        """
        if self._renewed_at is not None and self._seconds() - self._renewed_at < RENEWAL_SECONDS:
            raise damage
        try:
            self.store.renew()
        except SeatwatchError as error:
            told = f"{damage.what} {damage.why} {error.what} {error.why}"
            self.trouble = Trouble.of("not_made_anew", told, reason=_reason(error))
            return False
        self._renewed_at = self._seconds()
        self._waiting, self._size, self._put_off_at, self.trouble = [], 0, None, None
        self._note(f"{damage.what} {damage.why}")
        LOG.warning("the database was set aside and made anew")
        self._say(self.told or damage.what)
        return True

    def trim(self, newest: datetime | None, needed: Collection[str]) -> None:
        """One step of retention, if it is due: ages count from ``newest``, the last thing that the logs told.

        A host whose clock runs ahead by years must not lose its history, so the earlier of the two counts.
        """
        if newest is None or self.waits or not self.is_due:
            return
        try:
            has_more = self.store.trim(self.limits, min(newest, self._clock()), needed)
            has_more = self.store.samples.trim(self._clock()) or has_more
        except DatabaseDamaged:
            raise
        except SeatwatchError as error:
            self.trouble = Trouble.of("not_stored", f"{error.what} {error.why}", reason=_reason(error))
            has_more = False
        if not has_more:
            self._trimmed_at = self._seconds()

    def _note(self, what: str) -> None:
        place = "" if self.store.set_aside is None else str(self.store.set_aside)
        aside = f"It is kept as {place}. " if place else ""
        told = f"{what} {aside}What the logs still hold was read into a new one."
        self._notice = (Trouble.of("made_anew", told, aside=place), self._clock() + NOTICE)


def _reason(error: SeatwatchError) -> str:
    """The words of the system or of SQLite where the error carries them, else its own."""
    found = getattr(error, "reason", None)
    return found if isinstance(found, str) else error.why


def _together(batches: Iterable[Batch]) -> list[Batch]:
    """Batches without an event as one for each source: what they counted, and where the last of them ends."""
    found: dict[str, Batch] = {}
    for one in batches:
        before = found.get(one.checkpoint.source)
        found[one.checkpoint.source] = one if before is None else Batch(one.checkpoint, (), before.tally + one.tally)
    return list(found.values())


def _size(batches: Sequence[Batch]) -> int:
    return sum(1 + len(batch.events) for batch in batches)
