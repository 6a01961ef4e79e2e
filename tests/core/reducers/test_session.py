"""The life of a session: stories, and every event of it in every phase."""

from __future__ import annotations

import pytest

from app.core.events import (
    Event,
    IdleTimerArmed,
    IdleTimerFired,
    MemoryEvictionBegan,
    PauseDeclined,
    PeerMessageLost,
    PressureReported,
    QueryCompleted,
    RemoteControlEnabled,
    SeatEvictionBegan,
    SessionFailed,
    SessionInterrupted,
    SessionMapped,
    SessionPaused,
    SessionResumed,
    SessionRetitled,
    SessionSaveFailed,
    SessionSeenAlive,
    SessionStarted,
    SessionStopped,
    SessionTimedOut,
    SessionTornDown,
    SessionWarmed,
    StartYielded,
    TurnBegan,
    TurnEnded,
    WarmUpIntended,
    WarmUpSkipped,
)
from app.core.governor import evicts_for_real, seats_taken
from app.core.state import Counts, Phase, Session
from tests.core.helpers import CODE, COWORK, DITTO, NOON, A, after, state_after

IDLE = SessionWarmed(NOON, A, 100)


def session_after(*events: Event) -> Session:
    """The session A as these events leave it."""
    return state_after(*events).sessions[A]


def test_story_of_a_task() -> None:
    """Start, turn, idle, pause by timeout: the seat is held until the pause."""
    start, turn, idle, timer, fired = (
        SessionStarted(NOON, A, CODE),
        TurnBegan(after(5), A),
        TurnEnded(after(60), A, 55, None),
        IdleTimerArmed(after(61), A, 900),
        IdleTimerFired(after(961), A),
    )
    story: list[Event] = [start, turn, idle, timer, fired]
    phases = [session_after(*story[: n + 1]).phase for n in range(len(story))]
    assert phases == [Phase.STARTING, Phase.WORKING, Phase.IDLE, Phase.IDLE, Phase.IDLE]
    paused = state_after(*story, SessionPaused(after(961), A, "idle_timeout"), QueryCompleted(after(962), A))
    assert (paused.sessions[A].phase, paused.sessions[A].ended_by) == (Phase.PAUSED, "paused_idle")
    assert (paused.counts, seats_taken(paused)) == (Counts(paused_idle=1), 0)


def test_warm_up_that_is_put_off_leaves_no_process() -> None:
    """An intent is not life, and neither is one that was given up."""
    for end in (StartYielded(after(1), "warm"), WarmUpSkipped(after(1), A, "workspace no longer trusted")):
        state = state_after(WarmUpIntended(NOON, A), end)
        assert dict(state.sessions) == {}
        assert seats_taken(state) == 0


@pytest.mark.parametrize(
    ("session", "cwd", "kind"),
    [(A, CODE, "code"), (A, COWORK, "cowork"), (A, COWORK + "/", "cowork"), (A, "/home/someone/code", "code"),
     (DITTO, CODE, "dispatch"), (DITTO, COWORK, "dispatch")],
)  # fmt: skip
def test_kind_is_told_by_id_and_folder(session: str, cwd: str, kind: str) -> None:
    """Cowork runs in ``/home/<slug>``, a dispatch parent has an id of its own, all else is Code."""
    assert state_after(SessionStarted(NOON, session, cwd)).sessions[session].kind == kind
    assert state_after(SessionResumed(NOON, session, cwd)).sessions[session].cwd == cwd


@pytest.mark.parametrize(
    ("event", "phase"),
    [
        (SessionStarted(after(9), A, CODE), Phase.STARTING),
        (SessionResumed(after(9), A, CODE), Phase.STARTING),
        (SessionMapped(after(9), A, "cli"), Phase.STARTING),
        (SessionWarmed(after(9), A, 100), Phase.IDLE),
        (SessionSeenAlive(after(9), A), Phase.IDLE),
        (PauseDeclined(after(9), A, None), Phase.IDLE),
        (IdleTimerArmed(after(9), A, 900), Phase.IDLE),
        (IdleTimerFired(after(9), A), Phase.IDLE),
        (SessionInterrupted(after(9), A), Phase.IDLE),
        (SessionStopped(after(9), A, "cleared"), Phase.IDLE),
    ],
    ids=lambda value: type(value).__name__,
)
def test_log_that_begins_in_the_middle_reveals_a_session(event: Event, phase: Phase) -> None:
    """The first word of a session that only a process can cause gives it a seat."""
    session = session_after(event)
    assert (session.phase, session.live_since, session.holds_seat) == (phase, after(9), True)


def test_signs_of_life_change_nothing_for_the_living() -> None:
    """A session that works goes on working whatever proves it alive."""
    before = session_after(IDLE, TurnBegan(after(5), A))
    for event in (SessionMapped(after(9), A, "cli"), SessionSeenAlive(after(9), A), IdleTimerFired(after(9), A)):
        assert session_after(IDLE, TurnBegan(after(5), A), event) == before


def test_idle_timer_ends_a_start_and_wakes_no_dead() -> None:
    """A start that never got a message is idle when its timer runs; an ended one keeps its ending."""
    assert session_after(SessionStarted(NOON, A, CODE), IdleTimerArmed(after(9), A, 900)).phase is Phase.IDLE
    dead = (IDLE, SessionStopped(after(5), A, "stopped"), IdleTimerArmed(after(9), A, 900))
    assert session_after(*dead).ended_by == "stopped"


def test_warm_up_begins_the_silence() -> None:
    """A process that was started ahead of need is idle from then on, and an old one's protection is gone."""
    session = session_after(IDLE, RemoteControlEnabled(after(1), A), SessionWarmed(after(500), A, 100))
    assert (session.phase, session.idle_since, session.holds) == (Phase.IDLE, after(500), {})


def test_what_a_process_did_before_it_was_called_warm_stays() -> None:
    """Remote control comes on and a message arrives while the app still waits for the process to be warm."""
    mapped = SessionMapped(after(9), A, "cli")
    warmed = SessionWarmed(after(10), A, 400)
    assert session_after(mapped, RemoteControlEnabled(after(9), A), warmed).protected_by == ("remote_control",)
    assert session_after(mapped, TurnBegan(after(9), A), warmed).phase is Phase.WORKING
    assert session_after(PauseDeclined(after(9), A, None), warmed).idle_since == after(10)


@pytest.mark.parametrize("reason", ["remote_control", "background_task", "scheduled"])
def test_declined_pause_names_the_protection(reason: str) -> None:
    """The hold is kept since when it was first seen, and dies with the process."""
    first = PauseDeclined(after(900), A, reason)  # type: ignore[arg-type]
    again = PauseDeclined(after(1800), A, reason)  # type: ignore[arg-type]
    assert session_after(IDLE, first, again).holds == {reason: after(900)}
    assert session_after(IDLE, first, SessionResumed(after(1900), A, CODE)).holds == {}


@pytest.mark.parametrize("reason", ["mid_turn", None])
def test_declined_pause_without_a_lasting_reason_holds_nothing(reason: str | None) -> None:
    """It proves life, and changes nothing else."""
    assert session_after(IDLE, PauseDeclined(after(9), A, reason)) == session_after(IDLE)  # type: ignore[arg-type]


def test_declined_pause_vetoes_an_eviction() -> None:
    """The governor named it, the session's protection kept it: it is in nobody's count of the closed."""
    named = (IDLE, SeatEvictionBegan(after(100), A, 8, 100, "warm"))
    vetoed = state_after(*named, PauseDeclined(after(100), A, "remote_control"), QueryCompleted(after(101), A))
    assert vetoed.sessions[A].phase is Phase.IDLE
    assert vetoed.sessions[A].protected_by == ("remote_control",)
    assert vetoed.counts == Counts()


@pytest.mark.parametrize(("level", "cause"), [(None, "evicted_for_seat"), ("warning", "evicted_for_memory")])
def test_eviction_without_its_cause_is_told_by_the_pressure(level: str | None, cause: str) -> None:
    """The closing line says the governor did it; under memory pressure that was why. It proves a closing build."""
    told = [PressureReported(after(30), level, None, None)] if level else []  # type: ignore[arg-type]
    state = state_after(IDLE, *told, SessionPaused(after(60), A, "governor_evict"))
    assert (state.sessions[A].phase, state.sessions[A].ended_by) == (Phase.EVICTED, cause)
    assert evicts_for_real(state) is True


def test_cause_that_came_too_long_before_is_none() -> None:
    """A naming whose closing never came does not explain a closing minutes later."""
    named = MemoryEvictionBegan(after(10), A, 10)
    assert session_after(IDLE, named, SessionPaused(after(20), A, "governor_evict")).ended_by == "evicted_for_memory"
    assert session_after(IDLE, named, SessionPaused(after(21), A, "governor_evict")).ended_by == "evicted_for_seat"


def test_end_of_the_query_closes_an_eviction_whose_pause_was_lost() -> None:
    """Named, and its query over within seconds: closed."""
    state = state_after(IDLE, MemoryEvictionBegan(after(10), A, 10), QueryCompleted(after(11), A))
    assert state.sessions[A].phase is Phase.EVICTED
    assert state.counts == Counts(evicted_pressure=1)


def test_end_of_the_query_is_else_the_end_of_a_turn() -> None:
    """It ends no process by itself, wakes no dead, and introduces nobody."""
    assert session_after(IDLE, TurnBegan(after(5), A), QueryCompleted(after(9), A)).phase is Phase.IDLE
    dead = (IDLE, SessionPaused(after(5), A, "idle_timeout"))
    assert session_after(*dead, QueryCompleted(after(6), A)) == session_after(*dead)
    assert dict(state_after(QueryCompleted(NOON, A)).sessions) == {}


def test_pause_for_a_reason_of_its_own() -> None:
    """A reason that nobody knows is a pause all the same."""
    state = state_after(IDLE, SessionPaused(after(9), A, "new-reason"))
    assert (state.sessions[A].phase, state.sessions[A].ended_by, state.counts) == (Phase.PAUSED, "unknown", Counts())


ENDINGS = [
    (SessionTornDown(after(9), A, 2, "exited"), "failed"),
    (SessionTornDown(after(9), A, 2, "paused"), "unknown"),
    (SessionTimedOut(after(9), A, 1007), "timed_out"),
    (SessionFailed(after(9), A, 1, None), "failed"),
    (SessionFailed(after(9), A, None, "SIGKILL"), "killed"),
    (SessionStopped(after(9), A, "stopped"), "stopped"),
    (SessionStopped(after(9), A, "archived"), "archived"),
    (SessionStopped(after(9), A, "deleted"), "deleted"),
]


@pytest.mark.parametrize(("event", "ending"), ENDINGS)
def test_process_that_is_gone(event: Event, ending: str) -> None:
    """Each way to end has its word, whether the session was known before or not."""
    for before in ((IDLE,), (IDLE, TurnBegan(after(5), A)), ()):
        session = session_after(*before, event)
        assert (session.phase, session.ended_by, session.holds_seat) == (Phase.ENDED, ending, False)


@pytest.mark.parametrize(("event", "ending"), ENDINGS)
def test_first_ending_is_the_cause(event: Event, ending: str) -> None:
    """What comes after a pause is its consequence, whatever it would mean alone."""
    paused = (IDLE, SessionPaused(after(8), A, "idle_timeout"))
    assert session_after(*paused, event) == session_after(*paused)
    assert ending != "paused_idle"


def test_interrupted_turn_leaves_the_process() -> None:
    """Cut short, the session is idle; one that had ended stays so."""
    assert session_after(IDLE, TurnBegan(after(5), A), SessionInterrupted(after(9), A)).idle_since == after(9)
    dead = (IDLE, SessionStopped(after(5), A, "stopped"))
    assert session_after(*dead, SessionInterrupted(after(9), A)) == session_after(*dead)


def test_title_in_clear_is_kept() -> None:
    """Only the oldest builds write it; it gives nobody a process."""
    session = session_after(SessionRetitled(NOON, A, "Quarterly deck"))
    assert (session.title, session.alive) == ("Quarterly deck", False)
    assert session_after(IDLE, SessionRetitled(after(9), A, "x")).alive


def test_trouble_around_a_session_is_no_sign_of_its_life() -> None:
    """A message that was not taken and a file that was not written start and end no process."""
    troubles = (PeerMessageLost(after(8), A, 45001), SessionSaveFailed(after(9), A, "ENOSPC"))

    assert session_after(IDLE, *troubles) == session_after(IDLE)
    assert dict(state_after(*troubles).sessions) == {}
    assert state_after(*troubles).save_failed_at == after(9)
