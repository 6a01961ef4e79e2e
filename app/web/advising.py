"""What to do now: `app.core.advice` in the words of the page, and what is quietly said below the seats."""

from __future__ import annotations

from datetime import datetime, tzinfo
from typing import assert_never

from app.core.advice import advise
from app.core.advised import (
    Advice,
    AnswerWaiting,
    AppSilent,
    CompetingVm,
    FirstToGo,
    Nothing,
    Orphans,
    OverCap,
    PortsShort,
    Protect,
    SmallMachine,
    StopBeforeCap,
    UsageLimit,
)
from app.core.state import Session, State
from app.live import Snapshot
from app.web.sentence import Words, one_after_the_other, phrase
from app.web.titles import plain
from app.web.views import AdviceItem, AdviceView, NotesView
from app.web.words import _, gigabytes, moment, n_, number, span_words


def advice_view(snapshot: Snapshot, at: datetime, zone: tzinfo) -> AdviceView:
    """At most three pieces of advice, most urgent first; none until anything is known."""
    state = snapshot.state
    if not snapshot.known or state.at is None:
        return AdviceView(())
    found = advise(state, at, snapshot.machine)
    return AdviceView(tuple(AdviceItem(one.kind, _sentence(one, state, at, zone)) for one in found))


def notes_view(snapshot: Snapshot, at: datetime, zone: tzinfo) -> NotesView:
    """What checks our count of the seats, and who holds none."""
    state = snapshot.state
    if not snapshot.known or state.at is None:
        return NotesView(())
    lines = []
    check = state.seat_check
    if check is not None and check.value != check.ours:
        message = _("The app counted {theirs} at {time}, we counted {ours}.")
        lines.append(
            message.format(theirs=number(check.value), ours=number(check.ours), time=moment(check.at, at, zone))
        )
    if snapshot.processes is not None:
        lines.append(
            n_("{n} session process is alive on this machine.", "{n} session processes are alive on this machine.",
               snapshot.processes)
        )  # fmt: skip
    if state.cloud_sessions:
        lines.append(n_("{n} cloud session, no seat.", "{n} cloud sessions, no seat.", len(state.cloud_sessions)))
    return NotesView(tuple(lines))


def _sentence(advice: Advice, state: State, at: datetime, zone: tzinfo) -> Words:
    match advice:
        case AppSilent():
            message = _(
                "The app's log has been silent for {span}. If the machine was awake, see whether the app still answers."
            )
            return phrase(message, span=span_words(advice.seconds))
        case FirstToGo():
            return _first_to_go(advice, state)
        case Protect():
            message = _(
                "{title} has run for {span} and nothing protects it. If it must go on, remote control keeps it."
            )
            return phrase(message, title=_who(state, advice.session), span=span_words(advice.alive_seconds))
        case SmallMachine():
            message = _("Memory is short: keep to {most} sessions on this machine.")
            return one_after_the_other(phrase(message, most=number(advice.most)), _beyond(advice.too_many))
        case OverCap():
            return _over_cap(advice)
        case UsageLimit():
            message = _("The usage limit is reached. It resets in {span}, at {time}.")
            return phrase(message, span=span_words(advice.seconds), time=moment(advice.until, at, zone))
        case AnswerWaiting():
            return _answer(advice, state)
        case StopBeforeCap():
            message = _("While {most} of {cap} seats or fewer are taken, memory pressure should close nobody.")
            lead = phrase(message, most=number(advice.most), cap=number(advice.cap))
            return one_after_the_other(lead, _beyond(advice.too_many))
        case PortsShort() | CompetingVm() | Orphans():
            return _machine(advice)
        case Nothing():
            return phrase(_("Nothing to do."))
        case _:
            assert_never(advice)


def _machine(advice: PortsShort | CompetingVm | Orphans) -> Words:
    match advice:
        case PortsShort():
            message = _(
                "{taken} of {budget} ports of the home line are in use. Start no more agents now, and close what keeps "
                "many connections open."
            )
            return phrase(message, taken=number(advice.in_use), budget=number(advice.budget))
        case CompetingVm():
            message = _("{name} holds {size} and competes with Claude for memory. Stop it if you can.")
            return phrase(message, name=plain(advice.name, 40), size=gigabytes(advice.mb))
        case Orphans():
            message = _("What an app that is gone left behind ({what}) holds {size}. Ending it frees that.")
            what = n_("{n} process", "{n} processes", advice.count)
            return phrase(message, what=what, size=gigabytes(advice.mb))
        case _:
            assert_never(advice)


def _who(state: State, session: str) -> Session | str:
    return state.sessions.get(session, session)


def _first_to_go(advice: FirstToGo, state: State) -> Words:
    if advice.threat == "memory":
        message = _(
            "{title} is likely to go first, silent for {span}. When memory is short it may be closed: "
            "let it report now."
        )
    elif advice.free:
        message = _("{title} is likely to go first, silent for {span}. Let it report before the last seat is taken.")
    else:
        message = _("{title} is likely to go first, silent for {span}. Let it report before another one starts.")
    return phrase(message, title=_who(state, advice.session), span=span_words(advice.idle_seconds))


def _over_cap(advice: OverCap) -> Words:
    if advice.over == 1:
        message = _("{taken} sessions on {cap} seats. Warm starts are put off until one ends.")
    else:
        message = _("{taken} sessions on {cap} seats. Warm starts are put off until {over} of them end.")
    return phrase(message, taken=number(advice.taken), cap=number(advice.cap), over=number(advice.over))


def _answer(advice: AnswerWaiting, state: State) -> Words:
    more = len(advice.sessions) - 1
    if more == 0:
        message = _("{title} has been waiting for your answer for {span} and holds a seat. Answer it.")
    elif more == 1:
        message = _(
            "{title} has been waiting for your answer for {span} and holds a seat. Answer it, and the other one."
        )
    else:
        message = _(
            "{title} has been waiting for your answer for {span} and holds a seat. Answer it, and {more} others."
        )
    first = _who(state, advice.sessions[0])
    return phrase(message, title=first, span=span_words(advice.seconds), more=number(more))


def _beyond(too_many: int) -> Words:
    if too_many == 0:
        return phrase(_("Start no more now."))
    return phrase(_("That is {number} fewer than now."), number=number(too_many))
