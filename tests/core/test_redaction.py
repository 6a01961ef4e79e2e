"""What may leave of a state and a history."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import timedelta

import pytest

from app.core.aliases import Aliases
from app.core.events import MemorySampled
from app.core.governor import evicts_for_real, evidence_of, ranking
from app.core.history import Band, FreeMemory, Gap, History, Mark, MarkKind, SeatStep, Span
from app.core.machine import Machine, Ports
from app.core.ports import HomeLine, Usage
from app.core.redaction import redacted, redacted_machine
from app.core.samples import ConnectionsSample, HostSample, ProcessesSample, Tcp
from app.core.state import (
    App,
    Counts,
    Evidence,
    Lead,
    Limit,
    Miss,
    PendingEviction,
    Phase,
    Pressure,
    Score,
    SeatCheck,
    Session,
    State,
    Vm,
)
from tests.core.helpers import NOON, A, B, C, after

MARKER = "mallorys-secret"
GONE = f"local_{MARKER}-gone"


def everything() -> State:
    """A state with something in every field, and the marker in each that holds text."""
    sessions = {
        A: Session(A, 0, NOON, phase=Phase.IDLE, cwd=f"/Users/{MARKER}/a", title=f"{MARKER} one", idle_since=NOON),
        B: Session(
            B, 1, NOON, phase=Phase.WAITING, cwd=f"C:\\{MARKER}", title=f"{MARKER} two",
            waiting_for={f"req-{MARKER}": after(3)}, workflows=frozenset({f"wf-{MARKER}"}),
            holds={"remote_control": NOON}, eviction=PendingEviction(NOON, "evicted_for_seat"),
        ),
    }  # fmt: skip
    return State(
        at=after(60),
        app=App(True, f"2.0-{MARKER}", MARKER, NOON, after(50), "quit", NOON, NOON),
        cap=8, cap_seen_at=NOON, sessions=sessions, focused=A, seat_check=SeatCheck(NOON, 2, 2), seat_offset=1,
        pressure=Pressure("warning", NOON),
        memory=MemorySampled(NOON, MARKER, 1, 2, 3, 4, 5, 6, 7000, 16384, 9),
        children=((NOON, 3),),
        vm=Vm(NOON, step=MARKER, failure=MARKER, guest=MARKER, network=MARKER, api=MARKER, cpus=4),
        counts=Counts(put_off=2), score=Score(3, 2, 3), scores={MARKER: Score(3, 2, 3)},
        misses=(Miss(NOON, A, GONE),), first=(A, NOON), leads=(Lead(NOON, B, 30),),
        evidence={f"1.9-{MARKER}": Evidence(4, 0, 1), f"2.0-{MARKER}": Evidence(9, 2, 0)},
        cloud_sessions={MARKER: NOON}, sign_in_lost_at=NOON, network_failed_at=NOON,
        limited=Limit(NOON, C, f"3pm ({MARKER})", after(600)),
    )  # fmt: skip


def told(*marks: Mark) -> History:
    """A history with something in every field."""
    return History(
        NOON - timedelta(hours=1), after(60),
        (Span(A, Phase.WORKING, NOON, after(10)), Span(GONE, Phase.IDLE, NOON, None)),
        (SeatStep(NOON, 2, 8),), (Band("warning", NOON, None),), (Gap("silent", NOON, after(2)),),
        (FreeMemory(NOON, 900, 16384),), marks,
    )  # fmt: skip


def mark(kind: MarkKind, session: str | None = None, detail: str | None = None) -> Mark:
    """A mark with the marker in its line and its source."""
    return Mark(NOON, kind, session, f"{MARKER}.log", 7, f"{MARKER} said so", 61, detail)


def test_no_text_of_anybody_is_left() -> None:
    """No title, id, folder, request, log line or word of the app about itself is in what comes out."""
    marks = [mark("evicted_for_seat", GONE, MARKER), mark("usage_limit", C, MARKER), mark("network", None, MARKER)]
    found = repr(redacted(everything(), told(*marks), Aliases()))

    assert MARKER not in found
    assert "0a1b2c3d" not in found
    assert "000000000001" not in found


def test_titles_stay_when_asked_for() -> None:
    """With titles the titles are there and still nothing else."""
    state, _history = redacted(everything(), told(), Aliases(), titles=True)
    bare = replace(state, sessions={key: replace(one, title=None) for key, one in state.sessions.items()})

    assert [one.title for one in state.sessions.values()][:2] == [f"{MARKER} one", f"{MARKER} two"]
    assert MARKER not in repr(bare)


def test_each_session_has_one_name_throughout() -> None:
    """State, spans, marks and the record of the ranking call a session by the same letter."""
    state, history = redacted(everything(), told(mark("paused_idle", GONE), mark("would_evict", A)), Aliases())

    assert list(state.sessions) == ["A", "B", "C"]
    assert [one.id for one in state.sessions.values()] == ["A", "B", "C"]
    assert state.sessions["C"].phase is Phase.ENDED
    assert [one.session for one in history.spans] == ["A", "C"]
    assert [one.session for one in history.marks] == ["C", "A"]
    assert state.focused == "A"
    assert state.first == ("A", NOON)
    assert (state.misses[0].named, state.misses[0].ours) == ("A", "C")
    assert state.leads[0].session == "B"
    assert state.limited is not None
    assert state.limited.session == "D"


def test_who_was_only_in_a_mark_is_known_too() -> None:
    """A session that has no span in the window still has its letter and its place in the state."""
    history = replace(told(mark("killed", GONE), mark("signed_out")), spans=())
    state, _history = redacted(everything(), history, Aliases())

    assert state.sessions["C"].since == NOON


def test_a_letter_given_before_stays() -> None:
    """Letters that were given out for another picture are kept in this one."""
    aliases = Aliases([GONE, B])
    state, _history = redacted(everything(), told(), aliases)

    assert {one.order: letter for letter, one in state.sessions.items() if letter != "A"} == {0: "C", 1: "B"}
    assert state.sessions["A"].phase is Phase.ENDED


def test_what_is_judged_stays_the_same() -> None:
    """Who is first, whether the build closes for real, seats and levels come out as they went in."""
    before = everything()
    after_it, _history = redacted(before, told(), Aliases())

    assert [one.idle_seconds for one in ranking(after_it, after(90))] == [
        one.idle_seconds for one in ranking(before, after(90))
    ]
    assert evicts_for_real(after_it) is evicts_for_real(before) is True
    assert evidence_of(after_it) == Evidence(9, 2, 0)
    assert (after_it.cap, after_it.seat_offset, after_it.pressure) == (8, 1, before.pressure)
    assert after_it.memory is not None
    assert (after_it.memory.free_mb, after_it.memory.total_mb, after_it.memory.child_mb) == (7000, 16384, None)
    assert list(after_it.sessions["B"].waiting_for.values()) == [after(3)]


def test_a_state_in_which_nothing_is_known() -> None:
    """What is not there stays away."""
    state, history = redacted(State(), History(NOON, after(1)), Aliases())

    assert all(getattr(state, one.name) == getattr(State(), one.name) for one in fields(State))
    assert history == History(NOON, after(1))


@pytest.mark.parametrize(
    ("kind", "detail", "kept"),
    [
        ("put_off", "8", "8"),
        ("put_off", MARKER, None),
        ("vm_ready", "2031", "2031"),
        ("ports", "204/240", "204/240"),
        ("ports", "10.0.0.7", None),
        ("save_failed", "ENOSPC", "ENOSPC"),
        ("save_failed", f"EACCES: open '/Users/{MARKER}'", "…"),
        ("app_started", "2.9939.4", "2.9939.4"),
        ("app_started", "192.168.1.20", None),
        ("app_started", "2.9939.4 of mallory", None),
        ("app_crashed", None, None),
        ("usage_limit", "8", None),
        ("network", "ERR_MALLORYS_HOST", None),
        ("vm_failed", "2031", None),
    ],
)
def test_details_are_numbers_or_nothing(kind: MarkKind, detail: str | None, kept: str | None) -> None:
    """Of a mark's detail only numbers, versions and names of errors stay, in their form, where its kind has them."""
    _state, history = redacted(State(), replace(told(mark(kind, None, detail)), spans=()), Aliases())

    assert history.marks[0].detail == kept


def test_the_running_version_keeps_its_name() -> None:
    """A version in the usual form stays, and what it was seen to do stays with it."""
    known = replace(everything(), app=App(True, "2.9939.4", "darwin"), evidence={"2.9939.4": Evidence(3, 1, 0)})
    state, _history = redacted(known, told(), Aliases())

    assert (state.app.version, state.app.platform) == ("2.9939.4", "darwin")
    assert evidence_of(state) == Evidence(3, 1, 0)


def test_of_the_machine_only_the_number_of_ports() -> None:
    """How many ports are taken of how many stays, with the pace; provider, connections and processes do not."""
    line = HomeLine("v6plus", f"{MARKER} net", "map_e", 240, MARKER)
    sample = ConnectionsSample(NOON, Tcp({MARKER: 3}), Tcp({MARKER: 204}, remotes_v4=60))
    ports = Ports(Usage(NOON, line, 204, 146, 60, whole=True), Tcp({MARKER: 204}), None, 6.0, 6.0, 85)
    found = redacted_machine(Machine(HostSample(NOON), ProcessesSample(NOON), sample, ports))

    assert MARKER not in repr(found)
    assert (found.host, found.processes) == (None, None)
    assert found.ports is not None
    assert (found.ports.usage.in_use, found.ports.usage.line.budget, found.ports.minutes) == (204, 240, 6.0)
    assert found.ports.lead is ports.lead is True
    assert found.fresh(NOON).ports is found.ports
    assert redacted_machine(Machine(HostSample(NOON))) == Machine()
