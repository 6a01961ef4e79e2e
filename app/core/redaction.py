"""A state and a history without anything that tells whose they are: made anew from the fields that may leave.

Nothing is taken out, for then a field that is added later would stay in. What is not named here is not in the result:
log text, file names, folders, the ids of sessions and requests, words of the app about itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from app.core.aliases import Aliases
from app.core.events import MemorySampled
from app.core.history import History, Mark, Span
from app.core.machine import Machine, Ports
from app.core.ports import HomeLine, Usage
from app.core.samples import ConnectionsSample, Tcp
from app.core.state import App, Evidence, Lead, Limit, Miss, Phase, Session, State, Vm

_VERSION = re.compile(r"\d{1,6}\.\d{1,6}(?:\.\d{1,6})?", re.ASCII)
"""Four numbers would pass for an address of a network."""
_NUMBER = re.compile(r"\d{1,9}", re.ASCII)
PLATFORMS = frozenset({"darwin", "win32", "linux"})
_DETAILS: Mapping[str, re.Pattern[str]] = {
    "put_off": _NUMBER,
    "vm_ready": _NUMBER,
    "ports": re.compile(r"\d{1,5}/\d{1,5}", re.ASCII),
    "save_failed": re.compile("E(?:NOSPC|ACCES|PERM|ROFS|IO|MFILE|EXIST|BUSY|DQUOT)"),
    "app_started": _VERSION,
    "app_crashed": _VERSION,
}
"""The marks whose detail is a number, or one of a few names of errors; every other detail is text of the log."""
_UNTOLD: Mapping[str, str] = {"save_failed": "…"}
"""What stands for a detail without which the mark cannot be told."""


def redacted(state: State, history: History, aliases: Aliases, *, titles: bool = False) -> tuple[State, History]:
    """``state`` and ``history`` in which each session is called by its letter and nothing else tells it apart.

    With ``titles`` the titles of sessions stay, and nothing more. The numbers and times are those of the log.
    """
    aliases.meet(state)
    sessions = [
        _session(one, aliases.letter(one.id), title=one.title if titles else None) for one in _ordered(state.sessions)
    ]
    known = {one.id for one in sessions}
    sessions += [one for one in _only_told(history, aliases) if one.id not in known]
    return _state(state, {one.id: one for one in sessions}, aliases), _history(history, aliases)


def redacted_machine(machine: Machine) -> Machine:
    """How many of the home line's ports are taken, and nothing else of the machine: no provider, no connection."""
    if machine.connections is None or machine.ports is None:
        return Machine()
    told = machine.ports
    line = HomeLine("number", "", "number", told.usage.line.budget, "")
    usage = Usage(told.usage.at, line, told.usage.in_use, told.usage.claude, 0, told.usage.whole)
    ports = Ports(usage, Tcp(), per_minute=told.per_minute, minutes=told.minutes, mark=told.mark)
    return Machine(connections=ConnectionsSample(machine.connections.at), ports=ports)


def _ordered(sessions: Mapping[str, Session]) -> list[Session]:
    return sorted(sessions.values(), key=lambda one: (one.order, one.id))


def _only_told(history: History, aliases: Aliases) -> Iterable[Session]:
    """Sessions that the history names and the state has forgotten."""
    told = {one.session: one.end or one.start for one in history.spans}
    told.update((one.session, one.at) for one in history.marks if one.session is not None and one.session not in told)
    for session, at in told.items():
        letter = aliases.letter(session)
        yield Session(letter, list(aliases).index(session), at, phase=Phase.ENDED)


def _session(session: Session, letter: str, *, title: str | None) -> Session:
    return Session(
        id=letter,
        order=session.order,
        since=session.since,
        kind=session.kind,
        phase=session.phase,
        title=title,
        idle_since=session.idle_since,
        idle_exact=session.idle_exact,
        holds=dict(session.holds),
        waiting_for={str(n): at for n, at in enumerate(session.waiting_for.values(), start=1)},
        workflows=frozenset(str(n) for n in range(len(session.workflows))),
        eviction=session.eviction,
        ended_by=session.ended_by,
        live_since=session.live_since,
    )


def _state(state: State, sessions: Mapping[str, Session], aliases: Aliases) -> State:
    letter = aliases.letter
    return State(
        at=state.at,
        app=_app(state.app),
        cap=state.cap,
        cap_seen_at=state.cap_seen_at,
        sessions=sessions,
        focused=letter(state.focused) if state.focused is not None else None,
        seat_check=state.seat_check,
        seat_offset=state.seat_offset,
        pressure=state.pressure,
        memory=_memory(state.memory),
        vm=_vm(state.vm),
        counts=state.counts,
        score=state.score,
        misses=tuple(Miss(one.at, letter(one.named), letter(one.ours), one.explained_by) for one in state.misses),
        first=(letter(state.first[0]), state.first[1]) if state.first is not None else None,
        leads=tuple(Lead(one.at, letter(one.session), one.seconds) for one in state.leads),
        evidence=_evidence(state),
        sign_in_lost_at=state.sign_in_lost_at,
        network_failed_at=state.network_failed_at,
        limited=_limit(state.limited, aliases),
    )


def _app(app: App) -> App:
    return App(
        running=app.running,
        version=_version(app.version),
        platform=app.platform if app.platform in PLATFORMS else None,
        started_at=app.started_at,
        last_sign_at=app.last_sign_at,
        going_down=app.going_down,
        down_since=app.down_since,
        quit_at=app.quit_at,
    )


def _memory(sample: MemorySampled | None) -> MemorySampled | None:
    """How much there is and how much of it is free; the rest is about the processes of this machine."""
    if sample is None:
        return None
    nothing = dict.fromkeys(
        ("tree_rss_mb", "tree_footprint_mb", "electron_count", "electron_mb", "child_count", "child_mb", "free_raw_mb")
    )
    return MemorySampled(sample.at, "interval", free_mb=sample.free_mb, total_mb=sample.total_mb, **nothing)


def _version(text: str | None) -> str | None:
    return text if text is not None and _VERSION.fullmatch(text) else None


def _evidence(state: State) -> Mapping[str, Evidence]:
    """In its order, which tells the newest version: the running one by its name, the others by a number."""
    running = state.app.version or ""
    named = _version(state.app.version) or ""
    return {(named if one == running else f"#{n}"): seen for n, (one, seen) in enumerate(state.evidence.items())}


def _vm(vm: Vm) -> Vm:
    return Vm(
        started_at=vm.started_at,
        ready_at=vm.ready_at,
        stopping_at=vm.stopping_at,
        down_at=vm.down_at,
        failed_at=vm.failed_at,
        stop_timed_out_at=vm.stop_timed_out_at,
        disk_full_at=vm.disk_full_at,
        active_at=vm.active_at,
        exited_at=vm.exited_at,
        called_running_at=vm.called_running_at,
        step_started_at=vm.step_started_at,
        cpus=vm.cpus,
        memory_gb=vm.memory_gb,
        took_ms=vm.took_ms,
    )


def _limit(limited: Limit | None, aliases: Aliases) -> Limit | None:
    """The app's own words for the reset name the zone of its user; the instant says the same."""
    if limited is None:
        return None
    return Limit(limited.at, aliases.letter(limited.session), None, limited.resets_at)


def _history(history: History, aliases: Aliases) -> History:
    return History(
        start=history.start,
        end=history.end,
        spans=tuple(Span(aliases.letter(one.session), one.phase, one.start, one.end) for one in history.spans),
        seats=history.seats,
        bands=history.bands,
        gaps=history.gaps,
        memory=history.memory,
        marks=tuple(_mark(one, aliases) for one in history.marks),
    )


def _mark(mark: Mark, aliases: Aliases) -> Mark:
    shape = _DETAILS.get(mark.kind)
    kept = shape is not None and mark.detail is not None and shape.fullmatch(mark.detail)
    return Mark(
        at=mark.at,
        kind=mark.kind,
        session=aliases.letter(mark.session) if mark.session is not None else None,
        source="",
        line=0,
        text="",
        idle_seconds=mark.idle_seconds,
        detail=mark.detail if kept else _UNTOLD.get(mark.kind),
    )
