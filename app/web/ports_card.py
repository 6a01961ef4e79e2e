"""The card of the home line's ports. Pure; no markup."""

from __future__ import annotations

from datetime import datetime, tzinfo

from app.core.machine import LEAD_PERCENT, Machine, Ports
from app.core.ports import MARKS
from app.web.machine_cards import bar, unknown_lines
from app.web.machine_views import PortsView
from app.web.titles import plain
from app.web.views import Row, Slice, Tone
from app.web.words import _, moment, n_, number, p_, span_words

MOST_STATES = 5
MOST_MINUTES = 600
"""A line that would be full later than in ten hours is not said to fill: nobody works at one pace for so long."""


def ports_view(machine: Machine, at: datetime, zone: tzinfo) -> PortsView:
    """The home line's ports: how many are taken by whom, where that leads, and what nobody here can count."""
    ports, sample = machine.ports, machine.connections
    unknown = unknown_lines(sample.unknown) if sample is not None else ()
    if ports is None:
        return PortsView(bool(unknown), notes=unknown)
    used = ports.usage
    budget = used.line.budget
    tone: Tone = "out" if ports.mark >= LEAD_PERCENT else "next" if ports.mark >= MARKS[0] else "plain"
    name = plain(used.line.name, 40)
    named = _("{line}, {budget}").format(line=name, budget=number(budget)) if budget is not None else name
    return PortsView(
        shown=True,
        line="" if used.line.kind == "none" else named,
        count=_count(ports),
        tone=tone,
        slices=_slices(ports),
        summary=_summary(ports),
        pace=_pace(ports),
        rows=_port_rows(ports, at, zone),
        states=_states(ports),
        notes=(*_notes(ports), *unknown),
    )  # fmt: skip


def _slices(ports: Ports) -> tuple[Slice, ...]:
    """Shares of the line's budget; a line without one has no bar."""
    used, claude = ports.usage, ports.usage.claude or 0
    if used.line.budget is None:
        return ()
    mine = _("Claude {number}").format(number=number(claude))
    others = _("others {number}").format(number=number(used.in_use - claude))
    total = max(used.line.budget, used.in_use)
    return bar(total, (("claude", claude, mine), ("rest", used.in_use - claude, others)))


def _count(ports: Ports) -> str:
    used = ports.usage
    if used.line.budget is None:
        return n_("{n} IPv4 connection", "{n} IPv4 connections", used.in_use)
    message = _("{taken} of {budget} ports in use")
    return message.format(taken=number(used.in_use), budget=number(used.line.budget))


def _summary(ports: Ports) -> str:
    used, whose, left = ports.usage, "", ""
    if used.claude is not None:
        message = _("{claude} by Claude, {others} others.")
        whose = message.format(claude=number(used.claude), others=number(used.in_use - used.claude))
    if used.line.budget is not None and used.in_use < used.line.budget:
        left = _("{left} left.").format(left=number(used.line.budget - used.in_use))
    return p_("sentences", "{first} {second}").format(first=whose, second=left) if whose and left else whose or left


def _pace(ports: Ports) -> str:
    if ports.minutes is None or ports.minutes > MOST_MINUTES:
        return ""
    if ports.minutes <= 0:
        return _("The line is full: new connections fail.")
    return _("At this pace the line is full in {span}.").format(span=span_words(60 * max(1, round(ports.minutes))))


def _port_rows(ports: Ports, at: datetime, zone: tzinfo) -> tuple[Row, ...]:
    rows = []
    if ports.highest is not None:
        when, taken = ports.highest
        rows.append(Row(_("Highest today"), _("{number} at {time}").format(
            number=number(taken), time=moment(when, at, zone))))  # fmt: skip
    rows.append(Row(_("Remote addresses"), number(ports.usage.remotes)))
    return tuple(rows)


def _states(ports: Ports) -> tuple[Row, ...]:
    """Connections by what they do, most first; the names are those that network tools use."""
    words = {
        "ESTABLISHED": _("open"), "TIME_WAIT": _("closed, still taking a port (TIME_WAIT)"),
        "CLOSE_WAIT": _("closed by the other end (CLOSE_WAIT)"), "SYN_SENT": _("being opened (SYN_SENT)"),
    }  # fmt: skip
    found = sorted(ports.tcp.v4.items(), key=lambda pair: (-pair[1], pair[0]))
    rows = [Row(words.get(state, plain(state, 20)), number(count)) for state, count in found[:MOST_STATES]]
    if ports.tcp.held:
        rows.append(Row(_("gone here, still kept by the router"), number(ports.tcp.held)))
    v6 = sum(ports.tcp.v6.values())
    return (*rows, Row(_("IPv6, which takes none"), number(v6))) if v6 else tuple(rows)


def _notes(ports: Ports) -> list[str]:
    notes = []
    if ports.usage.line.budget is not None:
        notes.append(_("Other devices at home take ports of the same line; they cannot be counted from here."))
    elif ports.usage.line.kind == "none":
        notes.append(_("Name your home line in the settings to see how many of its ports are left."))
    else:
        notes.append(_("How many ports this line has is not known; the settings take a number."))
    if not ports.usage.whole:
        notes.append(_("Only Claude's own connections can be counted: there are at least so many."))
    return notes
