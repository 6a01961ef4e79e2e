"""``/api/events``, ``/api/sessions`` and ``/api/timeline``: what happened, for programs, page by page.

A page ends with ``next``: ask again with ``before=<next>`` for the one before it, until it is null. Times are ISO 8601,
of the logs' zone unless they carry an offset; ``from`` is inclusive, ``to`` exclusive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime, tzinfo
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response

from app.core.events import EVENT_TYPES
from app.core.evolve import replace
from app.core.governor import ranking
from app.core.history import History
from app.core.report import session_report, sessions_in_order
from app.core.state import Session, State
from app.errors import SeatwatchError, WrongUsage
from app.live import Live, Snapshot
from app.web.asked import FRESH, moment_asked, problem_of
from app.web.kept import Archive, KeptEvent, Wanted, named, names_now
from app.web.language import DEFAULT, speaking
from app.web.past import PastWindows
from app.web.ranges import Unclear, window_of

MOST = 500
"""So many events or sessions are in one answer at most."""
USUAL = 100

When = Annotated[str | None, Query(max_length=80)]
Start = Annotated[str | None, Query(max_length=80, alias="from")]
Limit = Annotated[int, Query(ge=1, le=MOST)]
SessionId = Annotated[str | None, Query(max_length=200, description="The id of a session")]
Before = Annotated[int | None, Query(ge=1, le=2**62, description="`next` of the page before this one")]
EventKinds = Annotated[list[str] | None, Query(max_length=len(EVENT_TYPES), description="Names of kinds of event")]
SessionKind = Annotated[Literal["code", "cowork", "dispatch"] | None, Query()]
Beginning = Annotated[str | None, Query(max_length=200, description="Its id, or the beginning of its id")]
BeforeSession = Annotated[str | None, Query(max_length=200, description="`next` of the page before this one")]


@dataclass(frozen=True, slots=True)
class Listing:
    """What the three routes answer from."""

    live: Live
    archive: Archive
    past: PastWindows | None
    zone: tzinfo
    clock: Callable[[], datetime]

    def iso(self, when: datetime | None) -> str | None:
        """An instant with the offset of the zone."""
        return None if when is None else when.astimezone(self.zone).isoformat(timespec="seconds")

    def moment(self, text: str | None) -> datetime | None:
        """The moment that an address names, None for none. Raises `WrongUsage`."""
        return None if text is None else moment_asked(text, self.zone)


def listings_router(listing: Listing) -> APIRouter:
    """The three routes. Nothing that they answer may be kept: it is of now."""
    router = APIRouter()
    _add_events(router, listing)
    _add_sessions(router, listing)
    _add_timeline(router, listing)
    return router


def _add_events(router: APIRouter, listing: Listing) -> None:
    @router.get("/api/events", summary="What the logs said, newest first, each event with the line behind it")
    async def events(
        response: Response,
        *,
        start: Start = None,
        to: When = None,
        session: SessionId = None,
        kind: EventKinds = None,
        limit: Limit = USUAL,
        before: Before = None,
    ) -> dict[str, Any]:
        response.headers.update(FRESH)
        try:
            kinds = None if kind is None else _known_kinds(kind)
            wanted = Wanted(listing.moment(start), listing.moment(to), session, kinds, limit, before)
            found, names = await listing.archive.events(wanted), await listing.archive.names()
        except SeatwatchError as error:
            raise problem_of(error) from error
        return {
            "events": [event_report(one, names, listing) for one in found],
            "next": found[-1].id if len(found) == limit else None,
        }


def _add_sessions(router: APIRouter, listing: Listing) -> None:
    @router.get("/api/sessions", summary="Every session, the one that the logs named last first")
    async def sessions(
        response: Response,
        *,
        start: Start = None,
        to: When = None,
        session: Beginning = None,
        kind: SessionKind = None,
        limit: Limit = USUAL,
        before: BeforeSession = None,
    ) -> dict[str, Any]:
        """``from`` and ``to`` ask for those whose present phase began within that time."""
        response.headers.update(FRESH)
        state, at = listing.live.current.state, listing.clock()
        try:
            since, until = listing.moment(start), listing.moment(to)
            older = _older_than(state, before)
        except SeatwatchError as error:
            raise problem_of(error) from error
        chosen = [one for one in older if _is_meant(one, session, kind, since, until)]
        places = {one.session.id: one for one in ranking(state, at)}
        page = chosen[:limit]
        return {
            "sessions": [session_report(one, places.get(one.id), at, listing.zone) for one in page],
            "next": page[-1].id if len(chosen) > limit else None,
        }


def _add_timeline(router: APIRouter, listing: Listing) -> None:
    @router.get("/api/timeline", summary="The timeline's own data: who did what when, seats, memory pressure, marks")
    async def timeline(
        request: Request,
        response: Response,
        *,
        asked_range: Annotated[str | None, Query(alias="range", max_length=10)] = None,
        start: Start = None,
        to: When = None,
        session: SessionId = None,
        kind: Annotated[list[str] | None, Query(max_length=40, description="Kinds of mark")] = None,
    ) -> dict[str, Any]:
        """``range`` (15m, 1h, 2h, 6h, 24h, 7d), or ``from`` and ``to``, at most 31 days apart."""
        response.headers.update(FRESH)
        try:
            history = await _history(listing, request.query_params)
        except SeatwatchError as error:
            raise problem_of(error) from error
        return history_report(_only(history, session, kind), listing)


def _known_kinds(kinds: Sequence[str]) -> tuple[str, ...]:
    unknown = [kind for kind in kinds if kind not in EVENT_TYPES]
    if unknown:
        raise WrongUsage(
            f"There is no kind of event {unknown[0][:80]!r}.",
            f"The kinds are: {', '.join(sorted(EVENT_TYPES))}.",
            "Name one of these.",
        )
    return tuple(dict.fromkeys(kinds))


def event_report(kept: KeptEvent, names: Mapping[str, str], listing: Listing) -> dict[str, Any]:
    """One event in what JSON can carry: its own fields apart from what all events have."""
    event, source, offset, line, text = kept.observed
    own = {field.name: getattr(event, field.name) for field in fields(event) if field.name not in ("at", "session")}
    return {
        "id": kept.id,
        "at": listing.iso(event.at),
        "kind": type(event).__name__,
        "session": getattr(event, "session", None),
        "source": names.get(source, source),
        "line": line,
        "offset": offset,
        "text": text,
        "fields": {name: listing.iso(value) if isinstance(value, datetime) else value for name, value in own.items()},
    }


def _older_than(state: State, before: str | None) -> list[Session]:
    """The sessions, newest first, that come after ``before`` in that order."""
    newest_first = sessions_in_order(state)[::-1]
    if before is None:
        return newest_first
    for place, session in enumerate(newest_first):
        if session.id == before:
            return newest_first[place + 1 :]
    raise WrongUsage(
        f"There is no session {before[:80]!r} to go on from.",
        "It is the cursor of another Seatwatch, or its events were dropped by now.",
        "Begin again without 'before'.",
    )


def _is_meant(
    one: Session, beginning: str | None, kind: str | None, since: datetime | None, until: datetime | None
) -> bool:
    return (
        (beginning is None or one.id.startswith(beginning) or one.id.removeprefix("local_").startswith(beginning))
        and (kind is None or one.kind == kind)
        and (since is None or one.since >= since)
        and (until is None or one.since < until)
    )


async def _history(listing: Listing, query: Mapping[str, str]) -> History:
    """The history of the window that was asked for, from memory or from what is kept."""
    at, snapshot = listing.clock(), listing.live.current
    try:
        with speaking(DEFAULT):
            window = window_of(query, at, listing.zone)
    except Unclear as unclear:
        raise WrongUsage(
            str(unclear.args[0]),
            "A window is one of the ranges, or from one time to a later one.",
            "Ask for ?range=2h, or for ?from=2026-10-02T13:00&to=2026-10-02T15:00.",
        ) from unclear
    told = await listing.past.of(window, snapshot, at) if listing.past is not None else None
    return told.history if told is not None else _from_memory(snapshot, *window.bounds(at), at)


def _from_memory(snapshot: Snapshot, start: datetime, end: datetime, at: datetime) -> History:
    return named(snapshot.history.window(start, min(end, at)), names_now(snapshot))


def _only(history: History, session: str | None, kinds: Iterable[str] | None) -> History:
    """What of the history is of one session, and of these kinds of mark."""
    wanted = None if kinds is None else set(kinds)
    return replace(
        history,
        spans=tuple(span for span in history.spans if session in (None, span.session)),
        marks=tuple(
            mark
            for mark in history.marks
            if session in (None, mark.session) and (wanted is None or mark.kind in wanted)
        ),
    )


def history_report(history: History, listing: Listing) -> dict[str, Any]:
    """A history in what JSON can carry; an open end is null."""
    iso = listing.iso
    return {
        "from": iso(history.start),
        "to": iso(history.end),
        "spans": [
            {"session": one.session, "phase": one.phase.value, "start": iso(one.start), "end": iso(one.end)}
            for one in history.spans
        ],
        "seats": [{"at": iso(one.at), "taken": one.taken, "cap": one.cap} for one in history.seats],
        "pressure": [{"level": one.level, "start": iso(one.start), "end": iso(one.end)} for one in history.bands],
        "gaps": [{"kind": one.kind, "start": iso(one.start), "end": iso(one.end)} for one in history.gaps],
        "memory": [{"at": iso(one.at), "free_mb": one.free_mb, "total_mb": one.total_mb} for one in history.memory],
        "marks": [
            {
                "at": iso(one.at), "kind": one.kind, "session": one.session, "source": one.source, "line": one.line,
                "text": one.text, "idle_seconds": one.idle_seconds, "detail": one.detail,
            }
            for one in history.marks
        ],
    }  # fmt: skip
