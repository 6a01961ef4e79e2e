"""The cards of who goes next and of the Cowork VM; memory and ports are in `app.web.machine_cards`. Pure."""

from __future__ import annotations

from datetime import datetime, timedelta, tzinfo
from zlib import crc32

from app.core.governor import SAFE_SECONDS, Candidate, idle_seconds, ranking
from app.core.score import median_lead
from app.core.state import Session, State, Vm
from app.core.vm import VmNow, sub_agents, vm_at
from app.web.links import session_href
from app.web.presenters import epoch
from app.web.sentence import app_silence
from app.web.titles import plain, title_of
from app.web.views import NextRow, NextView, Row, Tone, VmView
from app.web.words import (
    MINUTE,
    _,
    clock,
    gigabytes,
    listed,
    moment,
    n_,
    number,
    ordinal,
    protection_word,
    span_clock,
    span_short,
    span_words,
)

MOST_ROWS = 5
"""So many of the queue are shown; the rest is a number."""


def next_view(state: State, at: datetime, zone: tzinfo) -> NextView:
    """Who would be closed in which order, who is passed over and why, and how often the ranking was right."""
    queue = ranking(state, at)
    ranked = {one.session.id for one in queue}
    passed = [s for s in state.seat_holders if s.id not in ranked and idle_seconds(s, at) is not None]
    score = state.score
    if state.at is None:
        return NextView(_("no prediction tested yet"), "", (), (), empty=_("Not known yet."), more="")
    record = _("right {first} of {named} times").format(first=number(score.first), named=number(score.named))
    sure = app_silence(state, at) is None
    rows = tuple(_row(one, at, zone, sure=sure) for one in queue[:MOST_ROWS])
    kept = tuple(
        NextRow(
            id=_row_id(s, "k"), place="–", title=title_of(s), first=False,
            since=epoch(s.idle_since) if s.idle_since else None,
            note=listed(protection_word(p) for p in s.protected_by) or _("being closed"),
            elapsed=span_clock(idle_seconds(s, at) or 0), href=session_href(s.id),
        )
        for s in passed[:MOST_ROWS]
    )  # fmt: skip
    return NextView(
        record=record if score.named else _("no prediction tested yet"),
        details="\n".join(_record(state)),
        rows=rows,
        kept=kept,
        empty="" if queue else _nobody(state),
        more=_more(len(queue)),
        more_kept=_more(len(passed)),
    )


def _more(there: int) -> str:
    hidden = there - MOST_ROWS
    return n_("and {n} more", "and {n} more", hidden) if hidden > 0 else ""


def _nobody(state: State) -> str:
    """Why nobody can be closed."""
    if not state.seat_holders:
        return _("Nobody: no session holds a seat.")
    return _("Nobody: no session on a seat is silent without protection.")


def _record(state: State) -> tuple[str, ...]:
    """How often the ranking was right, by version; why it was not; how long before a closing it had been."""
    lines = [
        _("Claude {version}: right {first} of {named}, among our first three {three} of {named}").format(
            version=plain(version, 30) or _("of unknown version"),
            first=number(one.first), named=number(one.named), three=number(one.first_three),
        )
        for version, one in list(state.scores.items())[-MOST_ROWS:]
    ]  # fmt: skip
    if state.misses:
        explained = sum(miss.explained_by is not None for miss in state.misses)
        lines.append(
            _("Misses of late: {misses}; explained, for a later line showed what protected ours: {explained}.").format(
                misses=number(len(state.misses)), explained=number(explained)
            )
        )
    lead = median_lead(state)
    if lead is not None:
        if lead < MINUTE:
            message = _("Really closed of late: {n}; half of them had stood first for less than a minute.")
        else:
            message = _("Really closed of late: {n}; half of them had stood first for {span} or longer.")
        lines.append(message.format(n=number(len(state.leads)), span=span_words(lead)))
    return tuple(lines)


def _row(one: Candidate, at: datetime, zone: tzinfo, *, sure: bool) -> NextRow:
    idle_from = at - timedelta(seconds=one.idle_seconds)
    if not sure:
        note = _("time not certain")
    elif one.eligible_in_seconds > 0:
        until = clock(idle_from + timedelta(seconds=SAFE_SECONDS), zone)
        note = _("safe from a start until {time}").format(time=until)
    else:
        note = _("longest silence, past the 60 s line") if one.rank == 1 else _("past the 60 s line")
    since = epoch(one.session.idle_since) if one.session.idle_since else epoch(idle_from)
    safe = one.eligible_in_seconds > 0
    return NextRow(
        id=_row_id(one.session), place="–" if safe else ordinal(one.rank), title=title_of(one.session), note=note,
        since=since, first=one.rank == 1, elapsed=span_clock(one.idle_seconds), href=session_href(one.session.id),
    )  # fmt: skip


def _row_id(session: Session, kind: str = "q") -> str:
    """The name of a session's element: its id is the log's text, and may hold what no name or selector can."""
    return f"{kind}{crc32(session.id.encode('utf-8', 'replace')):08x}"


def vm_view(vm: Vm, at: datetime, zone: tzinfo, held_mb: int | None = None) -> VmView:
    """The Cowork VM's phase, its size, and what its network and the service say.

    ``held_mb`` is the memory that its process holds, None where no probe sees it.
    """
    now = vm_at(vm, at)
    words: dict[str, tuple[str, Tone]] = {
        "unknown": (_("not seen yet"), "plain"),
        "down": (_("not running"), "plain"),
        "booting": (_("starting"), "plain"),
        "ready": (_("running"), "plain"),
        "stalled": (_("start is stuck"), "out"),
        "stopping": (_("stopping"), "plain"),
        "orphan_suspect": (_("may be dead") if _called_dead(vm, now) else _("may live on unowned"), "next"),
        "disk_full": (_("disk full"), "out"),
    }
    phase, tone = words[now.phase]
    counting = now.phase in ("booting", "ready", "stalled") and now.since is not None
    if now.since is not None and not counting:
        phase = _("{phase} since {time}").format(phase=phase, time=moment(now.since, at, zone))
    elapsed = max(0, int((at - now.since).total_seconds())) if counting and now.since is not None else 0
    return VmView(
        phase=phase,
        tone=tone,
        since=epoch(now.since) if counting and now.since is not None else None,
        rows=_vm_rows(vm, now, held_mb),
        note=_vm_note(vm, now),
        elapsed=span_short(elapsed) if counting else "",
    )


def _vm_rows(vm: Vm, now: VmNow, held_mb: int | None) -> tuple[Row, ...]:
    rows: list[Row] = []
    if now.phase in ("booting", "stalled") and now.step:
        rows.append(Row(_("Step"), plain(now.step, 40).replace("_", " "), "out" if now.phase == "stalled" else "plain"))
    agents = sub_agents(vm.cpus)
    if vm.cpus is not None and agents is not None:
        value = f"{vm.cpus} → " + n_("{n} sub-agent at a time", "{n} sub-agents at a time", agents)
        rows.append(Row(_("Cores"), value))
    if vm.memory_gb is not None:
        given = f"{vm.memory_gb} GB"
        held = None if held_mb is None else _("{given}, {held} held").format(given=given, held=gigabytes(held_mb))
        rows.append(Row(_("Memory"), held or given))
    elif held_mb is not None:
        rows.append(Row(_("Memory"), _("{held} held").format(held=gigabytes(held_mb))))
    if vm.guest:
        rows.append(Row(_("Guest"), plain(vm.guest, 40)))
    if (vm.network or vm.api) and now.phase not in ("down", "unknown"):
        said = {
            "CONNECTED": _("connected"), "NOT_CONNECTED": _("not connected"), "REACHABLE": _("reachable"),
            "PROBABLY_UNREACHABLE": _("probably unreachable"), "UNREACHABLE": _("unreachable"),
        }  # fmt: skip
        words = [said.get(word, plain(word, 30).lower()) for word in (vm.network, vm.api) if word]
        healthy = vm.network in (None, "CONNECTED") and vm.api in (None, "REACHABLE")
        rows.append(Row(_("Network, API"), listed(words), "plain" if healthy else "next"))
    return tuple(rows)


def _called_dead(vm: Vm, now: VmNow) -> bool:
    """Whether the suspicion comes from Windows' service, which calls a VM running that it saw end."""
    return now.phase == "orphan_suspect" and now.since == vm.called_running_at


def _vm_note(vm: Vm, now: VmNow) -> str:
    if _called_dead(vm, now):
        return _(
            "Windows saw the VM end, and its service calls it running. Cowork may not answer until it starts anew."
        )
    notes = {
        "unknown": _("Its log says nothing. It starts with the first Cowork task."),
        "stalled": _("The app gives up after 60 s; the guest may still come up later."),
        "orphan_suspect": _("The old VM would not stop. It may hold its memory until the machine restarts."),
        "disk_full": _("Cowork cannot start sessions until its disk has room."),
    }
    return notes.get(now.phase, "")
