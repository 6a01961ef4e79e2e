"""What the command line prints for people, as Rich tables."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from app.core.advice import advise, sentence
from app.core.census import census
from app.core.governor import cap_of, evicts_for_real, ranking, seats_taken
from app.core.pressure import pressure_at
from app.core.state import Session, State
from app.core.vm import vm_at
from app.terminal_census import print_census, safe

if TYPE_CHECKING:
    from app.reading import FolderReading

ORIGINS = {"log": "from the log", "estimate": "estimated from the memory", "assumed": "assumed"}
VERDICTS = {
    "evicted_for_seat": "It was closed to make room for another session. Its conversation is kept.",
    "evicted_for_memory": "It was closed to free memory. Its conversation is kept.",
    "paused_idle": "It was paused after a long silence. Its conversation is kept; a message resumes it.",
    "app_quit": "The app was quit.",
    "app_update": "The app quit to update itself.",
    "app_crashed": "The app ended without quitting: a crash, a forced quit or a power cut.",
    "killed": "Its process was killed from outside.",
    "failed": "Its process or its turn failed.",
    "timed_out": "It gave no sign of life for too long and was given up.",
    "usage_limit": "The account's usage limit was reached.",
    "overloaded": "The service was overloaded.",
    "signed_out": "The app had lost its sign-in.",
    "network": "The app's network failed.",
    "vm_stalled": "The Cowork VM did not come up.",
    "vm_disk_full": "The Cowork VM's disk is full.",
    "app_wedged": "The app itself was stuck.",
    "waiting_for_you": "It has not stopped: it waits for your answer.",
    "still_running": "It has not stopped: it is alive.",
    "unknown": "The log does not say.",
}


SHORT_ID = 20
"""How much of an id is shown at least."""
OTHER_COLUMNS = 60
"""What the other columns of the sessions' table take of the terminal's width."""


def clock(seconds: int | None) -> str:
    """Seconds as ``14:02``, or ``2:03:10`` from an hour on; empty for None."""
    if seconds is None:
        return ""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def print_state(
    state: State, at: datetime, zone: tzinfo, reading: FolderReading, console: Console | None = None
) -> None:
    """The state, what to do now, the sessions that have a process, what was counted, and what the log is made of."""
    out = console or Console()
    cap, pressure, vm = cap_of(state), pressure_at(state.pressure, at), vm_at(state.vm, at)
    out.print(f"[bold]{seats_taken(state)}/{cap.value}[/] seats taken, cap {ORIGINS[cap.origin]}")
    out.print(
        f"at {at.astimezone(zone):%Y-%m-%d %H:%M:%S}, Claude {safe(state.app.version or 'of unknown version')}, "
        f"{'running' if state.app.running else 'not running'}; memory pressure {pressure.level}; VM {vm.phase}"
    )
    real = evicts_for_real(state)
    if real is not None:
        out.print("This build closes sessions for real." if real else "This build has only warned so far.")
    width = max(SHORT_ID, out.width - OTHER_COLUMNS)
    titles = {session.id: name_of(session, width) for session in state.sessions.values()}
    for advice in advise(state, at):
        out.print(f"- {safe(sentence(advice, titles))}")
    out.print(_sessions(state, at, width))
    out.print(_counts(state, reading))
    print_census(census(reading.tally, reading.observed, state), zone, reading.names, out)


def name_of(session: Session, width: int) -> str:
    """A session's title, or its id; an id longer than ``width`` is cut in the middle, where ids differ least."""
    if session.title or len(session.id) <= width:
        return session.title or session.id
    end = (width - 1) // 2
    return f"{session.id[: width - 1 - end]}…{session.id[-end:]}"


def _sessions(state: State, at: datetime, width: int) -> Table:
    table = Table(title="Sessions with a process", title_justify="left")
    table.add_column("session", no_wrap=True, overflow="ellipsis", min_width=SHORT_ID)
    for name in ("state", "silent", "to go", "protected by"):
        table.add_column(name)
    queue = {one.session.id: one for one in ranking(state, at)}
    for session in sorted((s for s in state.sessions.values() if s.alive), key=lambda s: s.order):
        place = queue.get(session.id)
        table.add_row(
            safe(name_of(session, width)),
            session.phase.value if session.holds_seat else f"{session.phase.value}, no seat",
            clock(place.idle_seconds if place else _silence(session, at)),
            "" if place is None else f"{place.rank}" + (" (safe)" if place.eligible_in_seconds else ""),
            ", ".join(one.replace("_", " ") for one in session.protected_by),
        )
    return table


def _silence(session: Session, at: datetime) -> int | None:
    return None if session.idle_since is None else max(0, int((at - session.idle_since).total_seconds()))


def _counts(state: State, reading: FolderReading) -> Table:
    table = Table(title=f"Counted in {reading.tally.lines:,} lines", title_justify="left", show_header=False)
    counts, score = state.counts, state.score
    rows: Mapping[str, object] = {
        "closed to make room": counts.evicted_cap,
        "closed to free memory": counts.evicted_pressure,
        "paused after silence": counts.paused_idle,
        "starts put off": counts.put_off,
        "would be closed (warm start, user)": f"{counts.would_evict_warm}, {counts.would_evict_user}",
        "memory warnings, critical": f"{counts.pressure_warning}, {counts.pressure_critical}",
        "usage limit, overload": f"{counts.rate_limited}, {counts.overloaded}",
        "our first was named": f"{score.first} of {score.named} times",
        "lines not recognised": counts.unrecognized,
    }
    for name, value in rows.items():
        table.add_row(name, str(value))
    return table


def print_why(answer: Mapping[str, Any], console: Console | None = None) -> None:
    """The verdict in a sentence, then the lines that prove it, then what else went on."""
    out = console or Console()
    if answer["session"]:
        out.print(f"[bold]{safe(answer.get('title') or answer['session'])}[/]")
    out.print(f"{VERDICTS[answer['verdict']]} ({answer['certainty']})")
    if answer.get("note"):
        out.print(safe(answer["note"]))
    for title, lines in (("The lines that say so", answer["evidence"]), ("Around that time", answer["others"])):
        if not lines:
            continue
        table = Table(title=title, title_justify="left")
        table.add_column("time", no_wrap=True)
        table.add_column("source", overflow="fold", max_width=20)
        table.add_column("line", no_wrap=True, justify="right")
        table.add_column("text", overflow="fold", min_width=20)
        for one in lines:
            table.add_row(one["at"], safe(one["source"]), str(one["line"]), safe(one["text"]))
        out.print(table)
    for stop in answer.get("stops", ()):
        out.print(f"{stop['at']}  {safe(stop['session'])}  {VERDICTS[stop['verdict']]}")
