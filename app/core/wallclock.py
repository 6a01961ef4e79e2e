"""Local wall time of log lines to instants in UTC.

A log line carries neither zone nor offset. In the hour that an autumn change repeats the same stamps come twice, and
only their order tells the passes apart: a step back of more than five minutes there is the change, a smaller one is a
clock that was set right. On every other day a step back is simply an earlier time.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

STEP_BACK = timedelta(minutes=5)
"""More than any time server corrects at once, less than the smallest change there is (30 minutes on Lord Howe)."""

AFTERMATH = timedelta(hours=2)
"""How long after the repeated hour a step back into it still means its second pass."""

MAX_HOURS = 1000
"""So many hours are remembered; a hostile log can name as many as it has lines."""

# The years keep clear of both ends of the calendar, where an offset would lead out of it.
_STAMP = re.compile(rb"(?:19[89]|20\d|21\d)\d-\d\d-\d\d \d\d:\d\d:\d\d")
_WITHIN_HOUR = {
    f":{minute:02}:{second:02}".encode(): minute * 60 + second for minute in range(60) for second in range(60)
}


@dataclass(frozen=True, slots=True)
class ClockState:
    """What a `WallClock` must remember over a restart.

    ``last`` is the newest stamp that was read ("" before the first), ``repeating`` the local start of the repeated hour
    whose second pass has begun ("" when none has), both as ``YYYY-MM-DD HH:MM:SS``.
    """

    last: str = ""
    repeating: str = ""


@dataclass(frozen=True, slots=True)
class _Repeated:
    """A stretch of local time that comes twice; ``end`` is exclusive."""

    start: datetime
    end: datetime

    def has(self, local: datetime) -> bool:
        return self.start <= local < self.end


class WallClock:
    """Reads the stamps of one log, in file order. Times come out as seconds since 1970 or as aware UTC datetimes."""

    def __init__(self, zone: tzinfo, state: ClockState | None = None) -> None:
        self._zone = zone
        state = state or ClockState()
        self._last = state.last.encode()
        self._repeating = state.repeating
        self._epoch: int | None = None
        self._stretch: _Repeated | None = None
        # Where hours begin that have one offset throughout: all but a few in a year. Within them a stamp needs no
        # calendar. None for all others.
        self._starts: dict[bytes, int | None] = {}

    @property
    def state(self) -> ClockState:
        """Where the clock stands; a clock made from it goes on as this one would."""
        return ClockState(self._last.decode(), self._repeating)

    @property
    def started(self) -> bool:
        """Whether any stamp was read yet."""
        return bool(self._last)

    @property
    def newest(self) -> datetime | None:
        """The instant of the stamp that was read last; None before the first one, over restarts too."""
        return self.utc(self._last) if self._last else None

    def utc(self, stamp: bytes) -> datetime | None:
        """The instant of ``stamp`` (``YYYY-MM-DD HH:MM:SS``), None when there is no such date or time."""
        epoch = self.epoch(stamp)
        return None if epoch is None else datetime.fromtimestamp(epoch, UTC)

    def epoch(self, stamp: bytes) -> int | None:
        """The same in seconds since 1970."""
        if stamp == self._last and self._epoch is not None:
            return self._epoch
        within = _WITHIN_HOUR.get(stamp[13:])
        if within is None:
            return None
        start = self._start_of(stamp[:13])
        if start is not None:
            self._epoch = start + within
        elif (local := _calendar(stamp)) is not None:
            self._epoch = self._changing(local)
        else:
            return None
        self._last = stamp
        return self._epoch

    def is_plain(self, stamps: Collection[bytes]) -> bool:
        """Whether each of ``stamps`` is a time in an hour that has one offset: their order then tells nothing."""
        if not {stamp[13:] for stamp in stamps} <= _WITHIN_HOUR.keys():
            return False
        return all(self._start_of(hour) is not None for hour in {stamp[:13] for stamp in stamps})

    def _start_of(self, hour: bytes) -> int | None:
        """Seconds since 1970 at the start of ``hour`` (``YYYY-MM-DD HH``); None where its offset changes."""
        try:
            return self._starts[hour]
        except KeyError:
            if len(self._starts) >= MAX_HOURS:
                self._starts.clear()
            self._starts[hour] = start = self._plain_start(_calendar(hour + b":00:00"))
            return start

    def _plain_start(self, start: datetime | None) -> int | None:
        if start is None:
            return None
        end = start + timedelta(seconds=3599)
        offset = self._offset(start)
        if any(self._offset(time) != offset for time in (end, start.replace(fold=1), end.replace(fold=1))):
            return None
        return _seconds(start - offset)

    def _changing(self, local: datetime) -> int:
        """Seconds since 1970 of ``local`` in an hour in which the offset changes."""
        before, after = self._offset(local), self._offset(local.replace(fold=1))
        if before <= after:  # a gap, or the part of the hour that comes once
            return _seconds(local - before)
        stretch = self._stretch_of(local, before, after)
        name = str(stretch.start)
        if self._repeating != name and self._stepped_back(local, stretch):
            self._repeating = name
        return _seconds(local - (after if self._repeating == name else before))

    def _stepped_back(self, local: datetime, stretch: _Repeated) -> bool:
        last = _calendar(self._last)
        if last is None or not stretch.start <= last < stretch.end + AFTERMATH:
            return False
        return last - local > STEP_BACK

    def _stretch_of(self, local: datetime, before: timedelta, after: timedelta) -> _Repeated:
        if self._stretch is None or not self._stretch.has(local):
            change = self._change(local - before, local - after, before)
            self._stretch = _Repeated(change + after, change + before)
        return self._stretch

    def _change(self, early: datetime, late: datetime, before: timedelta) -> datetime:
        """The UTC instant (naive) between ``early`` and ``late`` at which the offset stops being ``before``."""
        while late - early > timedelta(seconds=1):
            middle = early + timedelta(seconds=(late - early) // timedelta(seconds=2))
            there = middle.replace(tzinfo=UTC).astimezone(self._zone).utcoffset()
            early, late = (middle, late) if there == before else (early, middle)
        return late

    def _offset(self, local: datetime) -> timedelta:
        return local.replace(tzinfo=self._zone).utcoffset() or timedelta()


def _seconds(utc: datetime) -> int:
    return int(utc.replace(tzinfo=UTC).timestamp())


def _calendar(stamp: bytes) -> datetime | None:
    """The local time of a stamp, naive; None when there is no such day or the text is no stamp."""
    if _STAMP.fullmatch(stamp) is None:
        return None
    try:
        return datetime.fromisoformat(stamp.decode("ascii"))
    except ValueError:
        return None
