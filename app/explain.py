"""``why``: from what a person typed to the answer as one plain object, for the command line and ``/api/why``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Any, Protocol

from app.core.diagnosis import NEAR, Diagnosis, Stop, Trail
from app.core.events import Observed
from app.core.state import Phase, Session, State
from app.errors import Unanswerable


class Told(Protocol):
    """What was read: the state at a moment, the stops that led there, and the names of the sources."""

    @property
    def names(self) -> Mapping[str, str]:
        """The file name of each source, by its id."""
        ...

    @property
    def first_at(self) -> datetime | None:
        """The instant of the first event."""
        ...

    @property
    def last_at(self) -> datetime:
        """The instant of the last line."""
        ...

    def state_at(self, at: datetime) -> State:
        """The state at a moment."""
        ...

    def walked(self, at: datetime) -> tuple[State, Trail]:
        """The same, and the trail of stops that leads there."""
        ...


FIRST_YEAR, LAST_YEAR = 1971, 9000
"""A moment outside of these years is a slip, and too near the ends of the calendar to reckon with."""


def moment_of(text: str, zone: tzinfo) -> datetime:
    """A time as a person writes it: ISO 8601, in the log's zone unless it has an offset. Raises `Unanswerable`."""
    why = f"Its year does not lie between {FIRST_YEAR} and {LAST_YEAR}."
    try:
        moment = datetime.fromisoformat(text)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=zone)
        with suppress(OverflowError):
            if FIRST_YEAR <= moment.astimezone(UTC).year <= LAST_YEAR:
                return moment
    except ValueError:
        why = "It is not of the form 2026-10-02T13:41:30, with or without an offset."
    todo = "Write it so, such as 2026-10-02T13:41:30+09:00."
    raise Unanswerable("moment", f"The time {text[:80]!r} makes no sense.", why, todo)


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found: for ``session``, None when nothing stopped around the time; ``state`` is the one that knows it.

    ``stops`` is everything that stopped around the time, nearest first; empty when a session was asked for.
    """

    session: Session | None
    diagnosis: Diagnosis
    state: State
    stops: tuple[Stop, ...] = ()


def judge(told: Told, session: str | None, at: datetime, zone: tzinfo) -> Answer:
    """Why ``session`` last stopped by ``at``, or what stopped around ``at``.

    Raises `Unanswerable` when no session, or more than one, is meant by what was typed, and when the log does not
    reach back to that time.
    """
    if told.first_at is not None and at < told.first_at:
        raise Unanswerable(
            "before",
            f"The log does not reach back to {at.astimezone(zone):%Y-%m-%d %H:%M:%S}.",
            f"It covers {told.first_at.astimezone(zone):%Y-%m-%d %H:%M:%S} to "
            f"{told.last_at.astimezone(zone):%Y-%m-%d %H:%M:%S}.",
            "Name a time within it.",
        )
    if session is not None:
        state, trail = told.walked(at)
        meant = find_session(state.sessions.values(), session)
        return Answer(meant, trail.diagnosis(state, meant.id, at), state)
    state, trail = told.walked(at + NEAR)
    stops = tuple(trail.near(at))
    if not stops:
        return Answer(None, Diagnosis(None, "unknown", "certain", None), state)
    nearest = stops[0]
    then = told.state_at(nearest.at)
    found = Diagnosis(then.sessions[nearest.session], nearest.verdict, nearest.certainty, nearest.at, nearest.evidence)
    return Answer(then.sessions[nearest.session], found, then, stops)


def explain(told: Told, session: str | None, at: datetime, zone: tzinfo) -> dict[str, Any]:
    """What `judge` found, in what JSON can carry; raises what it raises."""
    found = judge(told, session, at, zone)
    if found.session is None:
        return {
            "session": None,
            "verdict": found.diagnosis.verdict,
            "certainty": found.diagnosis.certainty,
            "note": "Nothing stopped within ten minutes of that time.",
            "evidence": [],
            "others": [],
            "stops": [],
        }
    answer = _answer(told, found.diagnosis, found.session, zone)
    if session is not None:
        return answer
    return {**answer, "note": None, "stops": [_stop(stop, zone) for stop in found.stops]}


def find_session(sessions: Iterable[Session], text: str) -> Session:
    """The one session meant by an id, the beginning of an id, or a title. Raises `Unanswerable` with what is there."""
    everyone = list(sessions)
    wanted = text.casefold()
    for matches in (
        [s for s in everyone if s.id == text],
        [s for s in everyone if (s.title or "").casefold() == wanted],
        [s for s in everyone if s.id.removeprefix("local_").startswith(text.removeprefix("local_")) and text],
        [s for s in everyone if wanted in (s.title or "").casefold()],
    ):
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise Unanswerable(
                "several",
                f"{text!r} means more than one session.",
                f"There are: {_listed(matches)}.",
                "Name one by its id, or by more of it.",
            )
    raise Unanswerable(
        "nobody",
        f"There is no session {text!r}.",
        f"Known by then: {_listed(everyone) or 'none at all'}.",
        "Name one of these by its id, the beginning of its id, or its title.",
    )


def _listed(sessions: Sequence[Session]) -> str:
    names = [f"{s.title} ({s.id})" if s.title else s.id for s in sorted(sessions, key=lambda s: s.order)[-12:]]
    left_out = len(sessions) - len(names)
    return ", ".join(names) + (f" and {left_out} more" if left_out else "")


def _answer(told: Told, found: Diagnosis, session: Session, zone: tzinfo) -> dict[str, Any]:
    return {
        "session": session.id,
        "title": session.title,
        "verdict": found.verdict,
        "certainty": found.certainty,
        "at": None if found.at is None else found.at.astimezone(zone).isoformat(),
        "now": {"phase": session.phase.value, "since": session.since.astimezone(zone).isoformat()},
        "note": _note(found, session),
        "evidence": [_line(told, one, zone) for one in found.evidence],
        "others": [
            {
                "at": mark.at.astimezone(zone).isoformat(),
                "kind": mark.kind,
                "source": told.names.get(mark.source, mark.source),
                "line": mark.line,
                "text": mark.text,
            }
            for mark in found.others
        ],
        "earlier": [_stop(stop, zone) for stop in found.earlier],
    }


def _note(found: Diagnosis, session: Session) -> str | None:
    """What the verdict alone would leave unsaid."""
    notes = []
    if session.phase is Phase.WAITING and found.verdict != "waiting_for_you":
        notes.append("It runs again and waits for your answer now.")
    elif session.alive and found.evidence:
        notes.append("It was started again since and is alive now.")
    if found.named:
        plural = "line names it" if found.named == 1 else "lines name it"
        notes.append(f'{found.named} "would evict" {plural}: they closed nothing.')
    return " ".join(notes) or None


def _stop(stop: Stop, zone: tzinfo) -> dict[str, Any]:
    return {
        "session": stop.session,
        "at": stop.at.astimezone(zone).isoformat(),
        "verdict": stop.verdict,
        "certainty": stop.certainty,
    }


def _line(told: Told, one: Observed, zone: tzinfo) -> dict[str, Any]:
    return {
        "at": one.event.at.astimezone(zone).isoformat(),
        "source": told.names.get(one.source, one.source),
        "line": one.line,
        "text": one.text,
    }
