"""From an answer to *why* to what its page shows. Pure; no markup."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from app.core.diagnosis import Diagnosis, Stop
from app.core.events import SessionStopped
from app.core.report import sessions_in_order
from app.core.state import Phase, Session, State
from app.errors import Unanswerable
from app.explain import Answer, Told
from app.web.happened import what_happened
from app.web.lines import line_of_mark, line_view
from app.web.links import session_href, why_href
from app.web.titles import plain, title_by_id, title_of
from app.web.verdicts import LASTING, advice_words, certainty_word, certainty_words, verdict_name, verdict_words
from app.web.why_views import Option, OtherRow, StopRow, WhyAnswer, WhyForm
from app.web.words import _, listed, n_, span_words, told_when, zone_name

MOST_SESSIONS = 100
"""So many sessions are offered, the newest ones."""
MOST_OTHERS = 20
MOST_STOPS = 12
MOST_LINES = 12
LONGEST_AGO = 7 * 86_400
"""What lies longer back is told by its date alone."""


@dataclass(frozen=True, slots=True)
class Seen:
    """From when and in which zone it is looked at; ``asked`` is the moment that was asked about, None for now."""

    now: datetime
    zone: tzinfo
    asked: datetime | None = None

    @property
    def as_of(self) -> str:
        """The moment that was asked about where it is past, "" where it is now."""
        return self.when(self.asked) if self.asked is not None and self.asked < self.now else ""

    when = told_when


def form(state: State, session: str, at: datetime | None, seen: Seen) -> WhyForm:
    """The question as it was asked; a browser's field takes no time that makes no sense."""
    newest = sessions_in_order(state)[::-1][:MOST_SESSIONS]
    options = [Option(one.id, _named(one), one.id == session) for one in newest]
    if session and not any(one.chosen for one in options):
        options.insert(0, Option(session, title_by_id(state, session), chosen=True))
    shown = "" if at is None else at.astimezone(seen.zone).strftime("%Y-%m-%dT%H:%M:%S")
    return WhyForm(tuple(options), shown, zone_name(seen.now, seen.zone))


def _named(session: Session) -> str:
    bare = plain(session.id.removeprefix("local_"), 80)[:8]
    return _("{title} ({id})").format(title=title_of(session), id=bare)


def problem(error: Unanswerable, state: State, typed: str, seen: Seen, told: Told | None) -> tuple[str, ...]:
    """What is wrong with the question, why, and what to do, in the page's language."""
    if error.kind == "moment":
        return (
            _("“{value}” is no time such as 2026-10-02T13:40.").format(value=plain(typed, 40)),
            _("Choose a date and a time, or leave the field empty to ask about now."),
        )
    if error.kind == "before" and told is not None and told.first_at is not None:
        return (
            _("What is kept of the log does not reach back to that time."),
            _("It covers {start} to {end}. Choose a time within it.").format(
                start=seen.when(told.first_at), end=seen.when(told.last_at)
            ),
        )
    if error.kind == "several":
        return (
            _("“{value}” means more than one session.").format(value=plain(typed, 80)),
            _("Choose one from the list."),
        )
    known = listed(title_of(one) for one in sessions_in_order(state)[::-1][:MOST_STOPS])
    return (
        _("By that time the log names no session “{value}”.").format(value=plain(typed, 80)),
        _("Known now: {titles}. Choose one from the list.").format(titles=known)
        if known
        else _("No session is known yet."),
    )


def answer_view(found: Answer, told: Told, seen: Seen) -> WhyAnswer | None:
    """The answer in words; None when nothing stopped around the time that was asked for."""
    session, why = found.session, found.diagnosis
    if session is None:
        return None
    shown = why.earlier[:MOST_STOPS]
    hidden = len(why.earlier) - len(shown)
    return WhyAnswer(
        verdict=why.verdict,
        certainty=why.certainty,
        sentence=verdict_words(why.verdict, session, _span(why, seen), seen.as_of),
        sure=certainty_words(why.certainty, proven=bool(why.evidence)),
        todo=advice_words(why.verdict),
        when=seen.when(why.at) if why.at is not None else "",
        notes=_notes(why, session, seen.as_of, around=bool(found.stops)),
        proof=tuple(line_view(one, told.names, seen.now, seen.zone) for one in why.evidence[:MOST_LINES]),
        others=tuple(
            OtherRow(what_happened(mark, found.state), line_of_mark(mark, told.names, seen.now, seen.zone))
            for mark in why.others[:MOST_OTHERS]
        ),
        earlier=stop_rows(shown, found.state, seen),
        more_earlier=n_("and {n} earlier stop", "and {n} earlier stops", hidden) if hidden else "",
        near=stop_rows(found.stops[1 : MOST_STOPS + 1], found.state, seen),
        session=title_of(session),
        session_href=session_href(session.id),
    )


def _span(why: Diagnosis, seen: Seen) -> str:
    """How long before now it was, or had gone on by the moment asked about; "" where that is no help."""
    until = seen.asked if seen.as_of and seen.asked is not None and why.verdict in LASTING else seen.now
    seconds = -1 if why.at is None else int((until - why.at).total_seconds())
    return span_words(seconds) if 0 <= seconds <= LONGEST_AGO else ""


def _notes(why: Diagnosis, session: Session, as_of: str, *, around: bool) -> tuple[str, ...]:
    """What the verdict alone would leave unsaid."""
    notes = []
    if not around and session.phase is Phase.WAITING and why.verdict != "waiting_for_you":
        waits = _("As of {time} it runs again and waits for your answer.").format(time=as_of)
        notes.append(waits if as_of else _("It runs again and waits for your answer now."))
    elif not around and session.alive and why.evidence and why.verdict != "waiting_for_you":
        lives = _("As of {time} it was started again and is alive.").format(time=as_of)
        notes.append(lives if as_of else _("It was started again since and is alive now."))
    if _on_request(why):
        notes.append(_("The line below says that it was stopped on request, and not by whom."))
    if why.named:
        notes.append(
            n_(
                "{n} line named it as the one to close since it began. It closed nothing.",
                "{n} lines named it as the one to close since it began. They closed nothing.",
                why.named,
            )
        )
    return tuple(notes)


def _on_request(stop: Diagnosis | Stop) -> bool:
    """Whether all that the log says is that somebody asked for it, which it does of its user and of the app alike."""
    return stop.verdict == "unknown" and any(isinstance(one.event, SessionStopped) for one in stop.evidence)


def stop_rows(stops: Iterable[Stop], state: State, seen: Seen) -> tuple[StopRow, ...]:
    """Stops for a list, each with the address of its own answer."""
    return tuple(
        StopRow(
            title=title_by_id(state, stop.session),
            time=seen.when(stop.at),
            what=_("stopped on request") if _on_request(stop) else verdict_name(stop.verdict),
            sure="" if stop.verdict == "unknown" else certainty_word(stop.certainty),
            href=why_href(stop.session, stop.at),
        )
        for stop in stops
    )


def recent_rows(stops: Sequence[Stop], state: State, seen: Seen) -> tuple[StopRow, ...]:
    """The newest stops of all sessions, newest first."""
    return stop_rows(stops[-MOST_STOPS:][::-1], state, seen)
