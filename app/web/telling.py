"""Notices in words, in the language that is spoken: what a notification says on the desktop and at a service.

A title is other people's text. Here it can be neither markup nor a mention nor a link, whatever the place makes of it.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, tzinfo
from typing import TypeAlias

from app.core.aliases import Aliases
from app.core.governor import cap_of, idle_seconds, next_out
from app.core.notices import Letter, Notice
from app.core.preferences import CRITICAL, EVICTED, FIRST_TO_GO, PORTS, VM_STALLED
from app.core.state import State
from app.web.titles import plain, title_by_id
from app.web.words import _, clock, listed, n_, span_words

MOST_NAMES = 5
"""A notification has room for no more."""
_LOOKS_LIKE = str.maketrans({
    "<": "‹", ">": "›", "&": "＆", "*": "∗", "`": "ˋ", "@": "＠", "[": "［", "]": "］", "|": "¦", "\\": "＼",
})  # fmt: skip
"""What a desktop, a chat or a mail may read as markup or a mention, and what looks alike and is only text."""

Named: TypeAlias = Callable[[str], str]


def harmless(title: str) -> str:
    """A title that means nothing to whoever renders it: no markup, no mention, no link."""
    return title.translate(_LOOKS_LIKE).replace("://", ": //")


def by_title(state: State) -> Named:
    """Names sessions by their titles."""
    return lambda session: harmless(title_by_id(state, session))


def by_letter(aliases: Aliases) -> Named:
    """Names sessions by letters, which tell nothing."""
    return lambda session: _("Session {id}").format(id=aliases.letter(session))


def letter_of(notice: Notice, state: State, at: datetime, zone: tzinfo, named: Named) -> Letter:
    """The notice in words, as things stand at ``at``."""
    said = {
        FIRST_TO_GO: _first_to_go, EVICTED: _evicted, CRITICAL: _critical, VM_STALLED: _vm_stalled, PORTS: _ports,
    }  # fmt: skip
    what, body = said[notice.kind](notice, state, at, zone, named)
    return Letter(f"Seatwatch: {what}", body)


def trial() -> Letter:
    """What the test button sends."""
    what = _("a test")
    return Letter(f"Seatwatch: {what}", _("Notifications arrive here."))


def place_words(place: str) -> str:
    """What a place is called that notifications go to."""
    return _("This machine") if place == "desktop" else plain(place, 40)


def failure_words(reason: str) -> str:
    """Why a notification did not arrive, and what to do; ``reason`` is a name of `app.errors.UNDELIVERED`."""
    said = {
        "no_desktop": _("No notification service answers on this machine, as when nobody is logged in to its desktop."),
        "no_apprise": _("The package for services is missing. Install it with: pip install 'seatwatch[notify]'"),
        "bad_address": _("This is no address of a service that is known."),
        "refused": _("The service did not take it, or could not be reached."),
        "late": _("There was no answer in time."),
    }
    return said[reason]


def _first_to_go(notice: Notice, state: State, at: datetime, _zone: tzinfo, named: Named) -> tuple[str, str]:
    title = named(notice.sessions[0])
    session = state.sessions.get(notice.sessions[0])
    silent = span_words((idle_seconds(session, at) if session is not None else None) or 0)
    body = _("All {cap} seats are taken. {title} has been silent for {span}; the next start is likely to close it.")
    if notice.detail == "memory":
        body = _("Memory is short. {title} has been silent for {span} and is likely to be closed first.")
    return _("{title} is first to go").format(title=title), body.format(
        title=title, span=silent, cap=cap_of(state).value
    )


def _evicted(notice: Notice, _state: State, _at: datetime, _zone: tzinfo, named: Named) -> tuple[str, str]:
    if len(notice.sessions) > 1:
        return n_("{n} session was closed", "{n} sessions were closed", len(notice.sessions)), _(
            "{titles}. Their conversations are kept; open them to go on."
        ).format(titles=_names(notice.sessions, named))
    title = named(notice.sessions[0])
    body = _("It was closed to free a seat. Its conversation is kept; open it to go on.")
    if notice.detail == "memory":
        body = _("It was closed to free memory. Its conversation is kept; open it to go on.")
    return _("{title} was closed").format(title=title), body


def _critical(_notice: Notice, state: State, at: datetime, _zone: tzinfo, named: Named) -> tuple[str, str]:
    near = next_out(state, at).pressure
    body = _("No session can be closed for it now.")
    if near:
        body = _("These could be closed at any moment: {titles}.").format(titles=_names(near, named))
    return _("memory pressure is critical"), body


def _vm_stalled(notice: Notice, _state: State, _at: datetime, zone: tzinfo, _named: Named) -> tuple[str, str]:
    since = clock(notice.since, zone, seconds=False)
    body = _("Since {time} it has not gone on. Cowork tasks cannot work until it is up.").format(time=since)
    if notice.detail:
        step = harmless(plain(notice.detail, 40).replace("_", " "))
        body = _("Since {time} it has been stuck in “{step}”. Cowork tasks cannot work until it is up.").format(
            time=since, step=step
        )
    return _("the VM's start has stalled"), body


def _ports(notice: Notice, state: State, _at: datetime, _zone: tzinfo, _named: Named) -> tuple[str, str]:
    body = _("When none is left, new connections fail. Close what you do not need.")
    minutes = state.ports.minutes if state.ports is not None else None
    if minutes:
        body = _("At this pace the line is full in {span}. {advice}").format(span=span_words(60 * minutes), advice=body)
    return _("{in_use} of {budget} ports in use").format(in_use=notice.in_use, budget=notice.budget), body


def _names(sessions: tuple[str, ...], named: Named) -> str:
    more = len(sessions) - MOST_NAMES
    names = listed(named(one) for one in sessions[:MOST_NAMES])
    return names if more <= 0 else _("{titles} and {n} more").format(titles=names, n=more)
