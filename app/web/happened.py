"""What happened, in words: the marks of a history, newest first, repeats told once. Pure; no markup."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from typing import Literal, TypeAlias

from app.core.history import Mark, MarkKind
from app.core.state import Session, State
from app.web.language import remembered
from app.web.lines import place
from app.web.links import session_href, why_href
from app.web.sentence import phrase
from app.web.titles import plain, short_name, title_of
from app.web.views import AnnounceView, HappenedRow, HappenedView, Part
from app.web.words import _, moment, n_, span_brief, span_words

MOST_ROWS = 16
"""So many rows are shown on the page: on a wide one they end about where the cards beside them do."""
TOGETHER = timedelta(minutes=15)
"""Equal things that follow each other within this time are told once, with their number."""
LONGEST_LINE = 240
"""Log lines are cut to this on the page."""

Icon: TypeAlias = Literal["evicted", "put_off", "would_be", "paused", "vm", "app", "pressure", "ports", "trouble"]

ICONS: dict[MarkKind, Icon] = {
    "evicted_for_seat": "evicted", "evicted_for_memory": "evicted", "paused_idle": "paused",
    "put_off": "put_off", "would_evict": "would_be",
    "killed": "trouble", "failed": "trouble", "timed_out": "trouble", "usage_limit": "trouble",
    "overloaded": "trouble", "signed_out": "trouble", "network": "trouble",
    "app_started": "app", "app_quit": "app", "app_update": "app", "app_crashed": "trouble",
    "account_switched": "app", "undelivered": "trouble", "save_failed": "trouble", "remote_lost": "trouble",
    "vm_ready": "vm", "vm_failed": "trouble", "vm_disk_full": "trouble",
    "pressure_warning": "pressure", "pressure_critical": "pressure", "ports": "ports",
}  # fmt: skip


# Looked up when said: a table of finished words would ask the catalogue for all of them each time.
MESSAGES: Mapping[MarkKind, Callable[[bool], str]] = {
    "evicted_for_seat": lambda _detail: _("{who} was closed to make room for another session"),
    "evicted_for_memory": lambda _detail: _("{who} was closed to free memory"),
    "paused_idle": lambda _detail: _("{who} was paused after its idle time; opening it brings it back"),
    "put_off": lambda detail: (
        _("A warm start was put off: all {detail} seats were taken")
        if detail
        else _("A warm start was put off: all seats were taken")
    ),
    "would_evict": lambda _detail: _("{who} was named as the one to close; nothing was closed"),
    "pressure_warning": lambda _detail: _("Memory became tight"),
    "pressure_critical": lambda _detail: _("Memory became very tight"),
    "ports": lambda _detail: _("{detail} ports of the home line were in use"),
    "app_started": lambda detail: _("Claude {detail} started; every seat was empty") if detail else _("Claude started"),
    "app_quit": lambda _detail: _("Claude was quit"),
    "app_update": lambda _detail: _("Claude closed itself to install an update"),
    "app_crashed": lambda _detail: _("Claude ended without a word"),
    "killed": lambda _detail: _("{who} was killed from outside"),
    "failed": lambda _detail: _("{who} ended with an error"),
    "timed_out": lambda _detail: _("{who} gave no answer and was given up"),
    "usage_limit": lambda _detail: _("{who} met the account's limit"),
    "overloaded": lambda _detail: _("{who} met an overloaded service"),
    "signed_out": lambda _detail: _("Claude asks for a new sign-in"),
    "network": lambda _detail: _("Claude's network failed"),
    "account_switched": lambda _detail: _(
        "Claude switched to another account; the sessions of the former one were stopped"
    ),
    "undelivered": lambda _detail: _("A message from another session did not reach {who}"),
    "save_failed": lambda _detail: _("Claude could not save {who}: {detail}"),
    "remote_lost": lambda _detail: _("Remote control lost its connection and is reconnecting"),
    "vm_ready": lambda detail: _("The Cowork VM was ready in {detail}") if detail else _("The Cowork VM was ready"),
    "vm_failed": lambda _detail: _("The Cowork VM did not start"),
    "vm_disk_full": lambda _detail: _("The Cowork VM's disk is full"),
}
"""What a mark says, where its line gives a detail and where it does not."""
REASONS: Mapping[MarkKind, Callable[[], str]] = {
    "evicted_for_seat": lambda: _("at cap"),
    "evicted_for_memory": lambda: _("memory pressure"),
    "paused_idle": lambda: _("idle timer"),
    "put_off": lambda: _("at cap"),
    "would_evict": lambda: _("warned only"),
    "pressure_warning": lambda: _("memory"),
    "pressure_critical": lambda: _("memory"),
    "vm_ready": lambda: _("VM"),
    "vm_failed": lambda: _("VM"),
    "vm_disk_full": lambda: _("VM"),
    "usage_limit": lambda: _("limit"),
    "overloaded": lambda: _("service"),
    "signed_out": lambda: _("account"),
    "account_switched": lambda: _("account"),
    "network": lambda: _("network"),
    "remote_lost": lambda: _("network"),
    "ports": lambda: _("network"),
}
"""The reason in a word; a session's or the app's own for what is not here."""


@dataclass(frozen=True, slots=True)
class MarkRun:
    """A mark, how often it came in a row, and when it came first."""

    mark: Mark
    times: int
    first_at: datetime


def gather(marks: Iterable[Mark]) -> list[MarkRun]:
    """Newest first; the same thing said again within a while of the same session becomes one with a count."""
    told: list[MarkRun] = []
    last: dict[tuple[MarkKind, str | None], int] = {}
    # Stamps have whole seconds: of several things in one, the log's order tells which is the newest.
    for _place, mark in sorted(enumerate(marks), key=lambda one: (one[1].at, one[0]), reverse=True):
        key = (mark.kind, mark.session)
        at = last.get(key)
        if at is not None and told[at].first_at - mark.at <= TOGETHER and mark.kind in REPEATING:
            told[at] = replace(told[at], times=told[at].times + 1, first_at=mark.at)
        else:
            last[key] = len(told)
            told.append(MarkRun(mark, 1, mark.at))
    return told


REPEATING: frozenset[MarkKind] = frozenset(
    {"put_off", "would_evict", "pressure_warning", "pressure_critical", "ports", "network", "overloaded"}
)


def happened_view(marks: tuple[Mark, ...], state: State, at: datetime, zone: tzinfo, span: str = "") -> HappenedView:
    """The newest things of ``marks``, and a summary of all; ``span`` names the range when it ends at now.

    Times of another day than ``at`` say it.
    """
    rows = tuple(_row(told, state, at, zone) for told in gather(marks)[:MOST_ROWS])
    if state.at is None and not rows:
        return HappenedView("", (), _("Nothing is known of this time yet."))
    evicted = sum(mark.kind in ("evicted_for_seat", "evicted_for_memory") for mark in marks)
    put_off = sum(mark.kind == "put_off" for mark in marks)
    message = _("{evicted}, {put_off} in {span}") if span else _("{evicted}, {put_off} in this window")
    summary = message.format(
        evicted=n_("{n} eviction", "{n} evictions", evicted),
        put_off=n_("{n} start put off", "{n} starts put off", put_off),
        span=span,
    )
    empty = _("Nothing in this time: no closing, no start put off, no trouble.")
    return HappenedView(summary, rows, "" if rows else empty)


def _row(told: MarkRun, state: State, at: datetime, zone: tzinfo) -> HappenedRow:
    mark = told.mark
    return HappenedRow(
        id=f"h{int(mark.at.timestamp())}-{mark.line}",
        time=moment(mark.at, at, zone, seconds=True),
        stamp=mark.at.astimezone(zone).isoformat(timespec="seconds"),
        icon=ICONS[mark.kind],
        parts=what_happened(mark, state, told.times),
        why=why(mark),
        line=log_line(mark),
        session=session_href(mark.session) if mark.session is not None else "",
        asks=why_href(mark.session, mark.at),
    )


def log_line(mark: Mark, longest: int = LONGEST_LINE) -> str:
    """The log's own words, cut to ``longest`` characters, and where they stand."""
    return _line(mark.source, mark.line, mark.text, longest)


@remembered
def _line(source: str, line: int, text: str, longest: int) -> str:
    return f"{place(source, line)}  {plain(text, longest)}"


def who(mark: Mark, state: State) -> Session | str:
    """The session of the mark, or what to call it when the state has forgotten it."""
    if mark.session is None:
        return _("A session")
    return state.sessions.get(mark.session) or short_name(mark.session)


def what_happened(mark: Mark, state: State, times: int = 1) -> tuple[Part, ...]:
    """The mark as a sentence."""
    who_is = who(mark, state)
    name = (Part(title_of(who_is), strong=True),) if isinstance(who_is, Session) else who_is
    return _sentence(mark.kind, name, mark.idle_seconds, mark.detail or "", times)


@remembered
def _sentence(
    kind: MarkKind, name: tuple[Part, ...] | str, idle: int | None, said: str, times: int
) -> tuple[Part, ...]:
    span = span_words(idle) if idle is not None else ""
    detail = plain(said, 60)
    what = phrase(MESSAGES[kind](bool(detail)), who=name, span=span, detail=_said(kind, detail))
    if span and kind in ("evicted_for_seat", "evicted_for_memory"):
        what = phrase(_("{what}, after {span} of silence"), what=what, span=span)
    if times > 1:
        what = phrase(_("{what}, {times}"), what=what, times=n_("{n} time", "{n} times", times))
    return what


def _said(kind: MarkKind, detail: str) -> str:
    if kind == "vm_ready" and detail.isdigit():
        return _("{s} s").format(s=f"{int(detail) / 1000:.1f}")
    if kind == "ports":
        taken, _slash, budget = detail.partition("/")
        return _("{taken} of {budget}").format(taken=taken, budget=budget)
    return detail


def why(mark: Mark) -> str:
    """The reason at the right of a row, in a word or two."""
    idle = span_brief(mark.idle_seconds) if mark.idle_seconds else None  # who stopped in a turn was not silent
    said = REASONS.get(mark.kind)
    reason = said() if said is not None else _("app") if mark.session is None else _("session")
    detail = plain(mark.detail or "", 40)
    if mark.kind == "usage_limit" and detail:
        return _("resets {when}").format(when=detail)
    if mark.kind in ("failed", "killed", "network") and detail:
        return detail
    return _("{reason}, silent {idle}").format(reason=reason, idle=idle) if idle else reason


def announce_view(marks: tuple[Mark, ...], state: State) -> AnnounceView:
    """The newest eviction or change of pressure, for who listens to the page."""
    spoken = ("evicted_for_seat", "evicted_for_memory", "pressure_warning", "pressure_critical")
    newest = max((m for m in marks if m.kind in spoken), key=lambda m: m.at, default=None)
    return AnnounceView("" if newest is None else "".join(part.text for part in what_happened(newest, state)))
