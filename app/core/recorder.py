"""Records the history beside the fold: what each step from one state to the next changed, and the mark it leaves."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Protocol, TypeVar

from app.core.columns import Columns
from app.core.events import (
    AppStarted,
    Event,
    FocusChanged,
    MachineEvent,
    MemorySampled,
    Observed,
    PreviousQuitReported,
    WarmUpIntended,
)
from app.core.evolve import replace
from app.core.governor import cap_of, seats_taken
from app.core.history import Band, FreeMemory, Gap, History, Mark, SeatStep, Span
from app.core.marks import mark_of
from app.core.pressure import pressure_at
from app.core.sessions import alive_in
from app.core.silence import SILENT_AFTER_SECONDS
from app.core.state import Session, State

SILENT_AFTER = timedelta(seconds=SILENT_AFTER_SECONDS)


MANY = ("_spans", "_seats", "_bands", "_gaps", "_memory", "_marks")
"""What a recorder has thousands of."""


class _Dated(Protocol):
    @property
    def at(self) -> datetime: ...


class _Stretch(Protocol):
    @property
    def start(self) -> datetime: ...
    @property
    def end(self) -> datetime | None: ...


D = TypeVar("D", bound=_Dated)
S = TypeVar("S", bound=_Stretch)


class Recorder:
    """The history of the last ``keep``, grown event by event and read window by window.

    It is the one thing here that changes in place: a history copied for each event would cost as much as the fold.
    """

    def __init__(self, keep: timedelta = timedelta(days=8)) -> None:
        self.keep = keep
        self.state = State()
        self._open: dict[str, Span] = {}
        self._spans: list[Span] = []
        self._seats: list[SeatStep] = []
        self._bands: list[Band] = []
        self._band: Band | None = None
        self._gaps: list[Gap] = []
        self._memory: list[FreeMemory] = []
        self._marks: list[Mark] = []
        self._warming: WarmUpIntended | None = None
        self._trimmed_at: datetime | None = None

    def __getstate__(self) -> dict[str, Any]:
        kept = dict(vars(self))
        return {**kept, **{name: Columns.of(kept[name]) for name in MANY}}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        instants: dict[int, datetime] = {}
        vars(self).update(saved, **{name: saved[name].values(instants) for name in MANY})

    def note(self, before: State, observed: Observed, after: State) -> None:
        """Record the step from ``before`` to ``after`` that ``observed`` caused."""
        event = observed.event
        # The VM's logs may tell late what happened earlier; the probes do not move the log's time.
        now = event.at if isinstance(event, MachineEvent) else after.at or event.at
        if not isinstance(event, MachineEvent):
            self._note_sessions(before, event, after)
        if after.pressure is not before.pressure:
            self._note_pressure(before, now)  # it may have faded unseen before this line raised it again
        self._note_pressure(after, now)
        self._note_gaps(before, event, after)
        if isinstance(event, MemorySampled) and event.free_mb is not None and event.total_mb:
            self._memory.append(FreeMemory(event.at, event.free_mb, event.total_mb))
        if isinstance(event, WarmUpIntended):
            self._warming = event
        mark = mark_of(before, observed, after, self._warming)
        if mark is not None and mark.kind == "app_update":
            self._note_update(mark, after)
        elif mark is not None:
            self._marks.append(mark)
        elif isinstance(event, PreviousQuitReported) and event.for_update:
            self._note_update(None, after)
        self.state = after
        self._trim(event.at)

    def _note_update(self, mark: Mark | None, after: State) -> None:
        """A quit is known to be for an update: by its own line, or later, when it already has a mark."""
        for place in range(len(self._marks) - 1, -1, -1):
            old = self._marks[place]
            if after.app.quit_at is None or old.at < after.app.quit_at:
                break
            if old.kind == "app_quit":
                self._marks[place] = mark or replace(old, kind="app_update")
                return
        if mark is not None:
            self._marks.append(mark)

    def _note_sessions(self, before: State, event: Event, after: State) -> None:
        """Spans and seat steps. Most events touch one session, and looking at one is what keeps the fold fast."""
        if after.sessions is not before.sessions:
            only = getattr(event, "session", None)
            if only is not None and not isinstance(event, FocusChanged):
                self._note_session(after.sessions.get(only), event.at)
            else:
                lived = {one.id: one for one in alive_in(before.sessions)}
                for key in {**lived, **{one.id: one for one in alive_in(after.sessions)}}:
                    if (session := after.sessions.get(key)) is not lived.get(key):
                        self._note_session(session, event.at)
        elif (
            after.seat_offset == before.seat_offset
            and after.cap == before.cap
            and self._seats
            and not isinstance(event, MemorySampled)  # the cap may be estimated from it
        ):
            return
        taken, cap = seats_taken(after), cap_of(after)
        step = SeatStep(event.at, taken, cap.value if cap.origin != "assumed" else None)
        if not self._seats or (self._seats[-1].taken, self._seats[-1].cap) != (step.taken, step.cap):
            self._seats.append(step)

    def _note_session(self, session: Session | None, at: datetime) -> None:
        if session is None:
            return
        span = self._open.get(session.id)
        if (
            span is not None
            and session.alive
            and span.phase is session.phase
            and span.start >= (session.live_since or span.start)
        ):
            return
        if span is not None:
            # In order of their ends, so that a window need not look at what ended before it; clocks may step back.
            insort(self._spans, replace(span, end=max(at, span.start)), key=_end)
            del self._open[session.id]
        if session.alive:
            self._open[session.id] = Span(session.id, session.phase, at, None)

    def _note_pressure(self, after: State, at: datetime) -> None:
        now = pressure_at(after.pressure, at)
        level = None if now.level == "unknown" else now.level
        if self._band is not None and (self._band.level, self._band.origin) == (level, now.origin):
            return
        begins = min(now.since or at, at)
        if self._band is not None:
            self._bands.append(replace(self._band, end=max(begins, self._band.start)))
        self._band = Band(level, begins, None, now.origin) if level else None

    def _note_gaps(self, before: State, event: Event, after: State) -> None:
        app = before.app
        if isinstance(event, AppStarted):
            since = app.down_since if not app.running else before.at
            if since is not None and since < event.at:
                self._gaps.append(Gap("app_down", since, event.at))
        elif (
            app.running
            and app.last_sign_at is not None
            and after.app.last_sign_at != app.last_sign_at
            and event.at - app.last_sign_at > SILENT_AFTER
        ):
            self._gaps.append(Gap("silent", app.last_sign_at, event.at))

    def marks(self, start: datetime, end: datetime) -> tuple[Mark, ...]:
        """The marks from ``start`` to ``end``, both included: the only part of a `window` that need not be gathered."""
        return tuple(_within(self._marks, start, end))

    def window(self, start: datetime, end: datetime) -> History:
        """The history that touches the time from ``start`` to ``end``, frozen."""
        low = bisect_left(self._spans, start, key=_end)
        spans = [span for span in self._spans[low:] if span.start <= end]
        spans += [span for span in self._open.values() if span.start <= end]
        return History(
            start=start,
            end=end,
            spans=tuple(sorted(spans, key=lambda span: span.start)),
            seats=_steps(self._seats, start, end),
            bands=tuple(_touching(self._bands, start, end)) + self._open_bands(end),
            gaps=tuple(_touching(self._gaps, start, end)) + self._open_gaps(end),
            memory=tuple(_within(self._memory, start, end)),
            marks=self.marks(start, end),
        )

    def _open_bands(self, end: datetime) -> tuple[Band, ...]:
        """The band that goes on; what the operating system did not say fades by itself."""
        band = self._band
        if band is None or band.start > end:
            return ()
        now = pressure_at(self.state.pressure, end)
        if (now.level, now.origin) == (band.level, band.origin) or now.since is None or now.since > end:
            return (band,)
        ended = replace(band, end=max(now.since, band.start))
        return (ended,) if now.level == "unknown" else (ended, Band(now.level, now.since, None, now.origin))

    def _open_gaps(self, end: datetime) -> tuple[Gap, ...]:
        app = self.state.app
        if not app.running and app.down_since is not None and app.down_since <= end:
            return (Gap("app_down", app.down_since, None),)
        if app.running and app.last_sign_at is not None and end - app.last_sign_at > SILENT_AFTER:
            return (Gap("silent", app.last_sign_at, None),)
        return ()

    def _trim(self, at: datetime) -> None:
        """Forget what is older than ``keep``, about once an hour of log time."""
        if self._trimmed_at is not None and abs(at - self._trimmed_at) < timedelta(hours=1):
            return
        self._trimmed_at, horizon = at, at - self.keep
        del self._spans[: bisect_left(self._spans, horizon, key=_end)]
        self._bands = [band for band in self._bands if band.end is None or band.end >= horizon]
        self._gaps = [gap for gap in self._gaps if gap.end is None or gap.end >= horizon]
        del self._memory[: bisect_left(self._memory, horizon, key=_at)]
        del self._marks[: bisect_left(self._marks, horizon, key=_at)]
        del self._seats[: max(0, bisect_left(self._seats, horizon, key=_at) - 1)]  # the one in force stays


def _at(one: _Dated) -> datetime:
    return one.at


def _end(span: Span) -> datetime:
    """The end of a span that has one; until then it is its session's open one."""
    return span.end or span.start


def _touching(stretches: Sequence[S], start: datetime, end: datetime) -> list[S]:
    return [one for one in stretches if one.start <= end and (one.end is None or one.end >= start)]


def _within(dated: Sequence[D], start: datetime, end: datetime) -> Sequence[D]:
    return dated[bisect_left(dated, start, key=_at) : bisect_right(dated, end, key=_at)]


def _steps(steps: Sequence[SeatStep], start: datetime, end: datetime) -> tuple[SeatStep, ...]:
    """The step in force at ``start`` and every one until ``end``."""
    low = bisect_right(steps, start, key=_at)
    return tuple(steps[max(0, low - 1) : bisect_right(steps, end, key=_at)])
