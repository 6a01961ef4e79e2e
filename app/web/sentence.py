"""The sentence: what would happen next and to whom, built from the state alone.

The first case that applies is said:

1. no logs found; the logs are being read; Claude is not running; its log has been silent
2. a session was closed within the last two minutes
3. the home line's ports: above 85 %, or full within ten minutes
4. memory pressure (who would go, that nobody can, or that this version has only warned)
5. over the cap
6. at the cap: all busy, all protected, nobody eligible, only warns, somebody at risk
7. a session has waited for an answer for five minutes
8. no session yet; one seat left; seats free

The small line adds what is left to say: memory pressure, who a critical reading would take, where the cap comes from
when no line gave it, that this version has only warned, a usage limit that holds, and who waits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Literal, TypeAlias

from app.core.governor import (
    Candidate,
    Cap,
    NextOut,
    cap_of,
    evicts_for_real,
    evidence_of,
    next_out,
    ranking,
    seats_taken,
    sweep_target,
)
from app.core.limits import limit_at
from app.core.machine import SOON_MINUTES
from app.core.pressure import PressureNow, pressure_at
from app.core.silence import SILENT_AFTER_SECONDS
from app.core.state import Phase, Session, State
from app.live import Snapshot
from app.web.titles import title_of
from app.web.views import Part, SentenceView
from app.web.words import _, level_word, listed, moment, n_, number, p_, span_words

JUST_NOW = timedelta(minutes=2)
"""For so long an eviction is the first thing to say."""
SILENT_AFTER = timedelta(seconds=SILENT_AFTER_SECONDS)
LONG_WAIT = timedelta(minutes=5)
"""A question that has been open for so long is worth a sentence."""

Tone = Literal["next", "out", "plain"]


Words: TypeAlias = tuple[Part, ...]


def phrase(message: str, /, **values: Session | str | Words) -> Words:
    """``message`` with its ``{names}`` filled in; a session's title becomes a part of its own."""
    parts: list[Part] = []
    for i, piece in enumerate(_pieces(message)):
        value = values[piece] if i % 2 else piece
        if isinstance(value, Session):
            value = (Part(title_of(value), strong=True),)
        for part in value if isinstance(value, tuple) else (Part(value),):
            if parts and not part.strong and not parts[-1].strong:
                parts[-1] = Part(parts[-1].text + part.text)
            elif part.text:
                parts.append(part)
    return tuple(parts)


@lru_cache(maxsize=1000)
def _pieces(message: str) -> Sequence[str]:
    """What stands before, in and after each pair of braces; the messages are those of the catalogues."""
    return tuple(re.split(r"\{(\w+)\}", message))


def one_after_the_other(first: Words, *others: Words) -> Words:
    """Several sentences as one text: not every language leaves a space between them."""
    for other in others:
        first = phrase(p_("sentences", "{first} {second}"), first=first, second=other)
    return first


def app_silence(state: State, at: datetime) -> timedelta | None:
    """For how long a running app has given no sign of life; None while it is not worth a word."""
    sign = state.app.last_sign_at or state.at
    if not state.app.running or sign is None or at - sign < SILENT_AFTER:
        return None
    return at - sign


def governor_lines(state: State) -> int:
    """How many governor lines the running version has written; while it has none, those of all versions."""
    return evidence_of(state).lines or sum(seen.lines for seen in state.evidence.values())


@dataclass(frozen=True, slots=True)
class Situation:
    """What the cases look at, worked out once."""

    snapshot: Snapshot
    at: datetime
    zone: tzinfo
    cap: Cap
    taken: int
    queue: list[Candidate]
    out: NextOut
    pressure: PressureNow
    warns_only: bool

    @classmethod
    def of(cls, snapshot: Snapshot, at: datetime, zone: tzinfo) -> Situation:
        """The situation at ``at``."""
        state = snapshot.state
        return cls(
            snapshot, at, zone, cap_of(state), seats_taken(state), ranking(state, at), next_out(state, at),
            pressure_at(state.pressure, at), evicts_for_real(state) is False,
        )  # fmt: skip

    @property
    def state(self) -> State:
        """The state."""
        return self.snapshot.state

    @property
    def head(self) -> Candidate | None:
        """Who would be closed first."""
        return self.queue[0] if self.queue else None

    @property
    def swept(self) -> list[Session]:
        """Whom memory pressure would take."""
        return [self.state.sessions[one] for one in self.out.pressure]


def sentence(snapshot: Snapshot, at: datetime, zone: tzinfo) -> SentenceView:
    """The sentence for this snapshot at ``at``."""
    now = Situation.of(snapshot, at, zone)
    found = (
        _outside(now)
        or _just_evicted(now)
        or _ports(now)
        or _pressed(now)
        or _over(now)
        or _at_cap(now)
        or _waiting(now)
        or _room(now)
    )
    case, tone, parts = found
    return SentenceView(case, parts, _small(now, case), tone)


Said = tuple[str, Tone, Words]


def _outside(now: Situation) -> Said | None:
    snapshot, app = now.snapshot, now.state.app
    if not snapshot.known:
        return "loading", "plain", phrase(_("Reading Claude's logs for the first time."))
    if now.state.at is None and not snapshot.demo:
        if snapshot.sources:
            return "quiet", "plain", phrase(_("The logs say nothing yet. Waiting for the first line."))
        places = listed(snapshot.looked_in) or _("no place at all")
        return "no_logs", "plain", phrase(_("No Claude logs found. Looked in: {places}"), places=places)
    if not app.running:
        last = app.down_since or now.state.at
        if last is None:
            return "not_running", "plain", phrase(_("Claude is not running."))
        when = moment(last, now.at, now.zone)
        return "not_running", "plain", phrase(_("Claude is not running. Last seen {time}."), time=when)
    if (silence := app_silence(now.state, now.at)) is not None:
        message = _("The app's log has been silent for {span}. It is asleep or stuck; idle times are not certain.")
        return "silent", "out", phrase(message, span=span_words(int(silence.total_seconds())))
    return None


def newest_eviction(now: Situation) -> tuple[Session, str] | None:
    """The session that was closed last, and how long ago that was; None when it is no longer the first thing to say."""
    gone = [
        s
        for s in now.state.sessions.values()
        if s.phase is Phase.EVICTED and timedelta() <= now.at - s.since < JUST_NOW
    ]
    if not gone:
        return None
    newest = max(gone, key=lambda s: (s.since, s.order))
    seconds = int((now.at - newest.since).total_seconds())
    # In steps of ten seconds, so that a sentence that says the seconds is not sent anew for each of them.
    return newest, span_words(max(1, seconds // 10 * 10) if seconds >= 10 else seconds)


def _just_evicted(now: Situation) -> Said | None:
    gone = newest_eviction(now)
    if gone is None:
        return None
    newest, span = gone
    if newest.ended_by == "evicted_for_memory":
        message = _("{title} was closed {span} ago to free memory. Its conversation is kept; open it to go on.")
    else:
        message = _("{title} was closed {span} ago to make room. Its conversation is kept; open it to go on.")
    return "just_evicted", "out", phrase(message, title=newest, span=span)


def _ports(now: Situation) -> Said | None:
    """A line without ports takes every session offline, so it comes before what takes one."""
    ports = now.snapshot.machine.fresh(now.at).ports
    if ports is None or ports.usage.line.budget is None or not ports.lead:
        return None
    message = _("{taken} of {budget} ports in use.")
    lead = phrase(message, taken=number(ports.usage.in_use), budget=number(ports.usage.line.budget))
    if ports.minutes is None or ports.minutes > SOON_MINUTES:
        return "ports", "next", lead
    if ports.minutes <= 0:
        return "ports", "out", one_after_the_other(lead, phrase(_("The line is full: new connections fail.")))
    span = span_words(60 * max(1, round(ports.minutes)))
    pace = phrase(_("At this pace the line is full in {span}."), span=span)
    return "ports", "out", one_after_the_other(lead, pace)


def _pressed(now: Situation) -> Said | None:
    level = now.pressure.level
    if level not in ("warning", "critical"):
        return None
    lead = _("Memory is tight.") if level == "warning" else _("Memory is very tight.")
    case = f"pressure_{level}"
    tone: Tone = "next" if level == "warning" else "out"
    if now.warns_only:
        return f"{case}_warns", tone, one_after_the_other(phrase(lead), _warns_only(now))
    return case, tone, one_after_the_other(phrase(lead), phrase(_swept_message(now), **_named(now.swept)))


def _swept_message(now: Situation) -> str:
    match len(now.swept):
        case 0 if now.taken <= sweep_target(now.cap.value):
            return _("Few enough seats are taken: nothing is likely to be closed.")
        case 0:
            return _("The app finds nothing to close: everyone is working or protected.")
        case 1:
            return _("{first} could be closed at any moment.")
        case 2:
            return _("{first} and {second} could be closed at any moment.")
        case _many:
            return _("{first}, {second} and {more} could be closed at any moment.")


def _named(sessions: list[Session]) -> dict[str, Session | str | Words]:
    """The first two by name and the others as a number, as far as a message asks for them."""
    values: dict[str, Session | str | Words] = dict(zip(("first", "second"), sessions, strict=False))
    return {**values, "more": n_("{n} more", "{n} more", len(sessions) - 2)}


def _over(now: Situation) -> Said | None:
    if now.taken <= now.cap.value:
        return None
    message = _("{taken} sessions on {cap} seats. Warm starts are put off until one ends.")
    if now.taken - now.cap.value > 1:
        message = _("{taken} sessions on {cap} seats. Warm starts are put off until enough of them end.")
    return "over_cap", "out", phrase(message, taken=number(now.taken), cap=number(now.cap.value))


def _at_cap(now: Situation) -> Said | None:
    if now.taken < now.cap.value:
        return None
    holders = now.state.seat_holders
    seats = number(now.cap.value)
    if now.head is None:
        if holders and all("mid_turn" in s.protected_by for s in holders):
            message = _(
                "All {cap} seats are taken and all are working. Nothing can be closed; a new warm start is put off."
            )
            return "all_busy", "plain", phrase(message, cap=seats)
        if holders and all(s.protected_by and "mid_turn" not in s.protected_by for s in holders):
            message = _("All {cap} seats are taken and protected. Under pressure the app finds nothing to close.")
            return "all_protected", "next", phrase(message, cap=seats)
        message = _("All {cap} seats are taken; everyone is working or protected. Nothing can be closed.")
        return "none_eligible", "plain", phrase(message, cap=seats)
    lead = phrase(_("All {cap} seats are taken."), cap=seats)
    if now.warns_only:
        return "at_cap_warns", "next", one_after_the_other(lead, _warns_only(now))
    if now.head.eligible_in_seconds > 0:
        message = _("The next start puts {title} at risk, silent for less than a minute.")
    else:
        message = _("The next start puts {title} at risk, silent for {span}.")
    said = phrase(message, title=now.head.session, span=span_words(now.head.idle_seconds))
    return "at_cap", "next", one_after_the_other(lead, said)


def _longest_wait(now: Situation) -> Session | None:
    waiting = [s for s in now.state.seat_holders if s.phase is Phase.WAITING and now.at - _asked(s) >= LONG_WAIT]
    return min(waiting, key=_asked, default=None)


def _asked(session: Session) -> datetime:
    return min(session.waiting_for.values(), default=session.since)


def _wait_words(now: Situation, session: Session) -> Words:
    span = span_words(int((now.at - _asked(session)).total_seconds()))
    return phrase(_("{title} has been waiting for your answer for {span}. It holds a seat."), title=session, span=span)


def _waiting(now: Situation) -> Said | None:
    session = _longest_wait(now)
    return None if session is None else ("waiting", "next", _wait_words(now, session))


def _room(now: Situation) -> Said:
    free = now.cap.value - now.taken
    if now.taken == 0:
        return "empty", "plain", phrase(_("No session holds a seat. All {cap} are free."), cap=number(now.cap.value))
    if free > 1:
        seats = phrase(n_("{n} seat free.", "{n} seats free.", free))
        return "seats_free", "plain", one_after_the_other(seats, phrase(_("Nothing would be closed.")))
    if now.head is None:
        return (
            "one_left",
            "plain",
            phrase(_("One seat left. Nothing can be closed now: nobody is silent and unprotected.")),
        )
    if now.warns_only:
        return "one_left_warns", "next", one_after_the_other(phrase(_("One seat left.")), _warns_only(now))
    if now.head.eligible_in_seconds > 0:
        message = _(
            "One seat left. Start two more and {title} is likely to be closed first, silent for less than a minute."
        )
    else:
        message = _("One seat left. Start two more and {title} is likely to be closed first, silent for {span}.")
    return "one_left", "next", phrase(message, title=now.head.session, span=span_words(now.head.idle_seconds))


def _warns_only(now: Situation) -> Words:
    lines = number(governor_lines(now.state))
    message = _("This version of the app has only warned so far: 0 of {lines} lines closed a session.")
    return phrase(message, lines=lines)


def _small(now: Situation, case: str) -> Words:
    if case in ("loading", "no_logs", "quiet"):
        return ()
    notes: list[Words] = []
    if now.snapshot.demo:
        notes.append(phrase(_("Demo data.")))
    if case not in ("not_running", "silent"):
        notes.extend(_outlook(now, case))
    if now.cap.origin == "estimate":
        notes.append(phrase(_("The number of seats is estimated from the machine's memory.")))
    elif now.cap.origin == "assumed":
        notes.append(phrase(_("The number of seats is assumed: no line has told it yet.")))
    if (limited := limit_at(now.state, now.at)) is not None:
        until = moment(limited.resets_at, now.at, now.zone)
        notes.append(phrase(_("The usage limit is reached until {time}."), time=until))
    if case != "waiting" and (session := _longest_wait(now)) is not None:
        notes.append(_wait_words(now, session))
    return one_after_the_other(*notes) if notes else ()


def _outlook(now: Situation, case: str) -> list[Words]:
    """Memory pressure now, whom a critical reading would take, and how sure that is."""
    notes: list[Words] = []
    level = now.pressure.level
    if not case.startswith("pressure"):
        if level in ("warning", "critical"):
            notes.append(phrase(_("Memory pressure is at {level}."), level=level_word(level)))
        elif level == "normal":
            notes.append(phrase(_("Memory pressure is normal.")))
        else:
            notes.append(phrase(_("Nothing was said of memory pressure yet.")))
        if now.swept and not now.warns_only:
            notes.append(phrase(_critical_message(now), **_named(now.swept)))
    elif not now.warns_only and now.swept:
        notes.append(phrase(_("Some protections are not in the log, so this is likely, not certain.")))
    if now.warns_only and not case.endswith("_warns"):
        notes.append(_warns_only(now))
    return notes


def _critical_message(now: Situation) -> str:
    match len(now.swept):
        case 1:
            return _("At a critical reading, {first} is likely to be closed.")
        case 2:
            return _("At a critical reading, {first} and {second} could both be closed.")
        case _many:
            return _("At a critical reading, {first}, {second} and {more} could be closed.")
