"""Turns, focus, permission, holds and limits."""

from __future__ import annotations

import pytest

from app.core.events import (
    BridgeClosed,
    CloudSessionSeen,
    Event,
    FocusChanged,
    IdleTimerArmed,
    NetworkFailed,
    PauseDeclined,
    PermissionAnswered,
    PermissionRequested,
    RemoteBridgeChanged,
    RemoteControlEnabled,
    ScheduledSpawned,
    ScheduleExpired,
    ServiceOverloaded,
    SessionPaused,
    SessionResumed,
    SessionStarted,
    SessionWarmed,
    SignInLost,
    TurnAnswered,
    TurnBegan,
    TurnEnded,
    TurnErrorReported,
    UsageLimited,
    WindowFocused,
    WorkflowEnded,
    WorkflowStarted,
)
from app.core.reducers.turn import KEEP_CLOUD
from app.core.state import Counts, Limit, Phase, Session
from tests.core.helpers import CODE, NOON, A, B, after, state_after

IDLE = SessionWarmed(NOON, A, 100)
PAUSED = (IDLE, SessionPaused(after(5), A, "idle_timeout"))


def session_after(*events: Event) -> Session:
    """The session A as these events leave it."""
    return state_after(*events).sessions[A]


def test_message_to_a_paused_session_brings_it_back() -> None:
    """The message comes first, then its new process, then the first answer, without the old protections."""
    story = (
        IDLE,
        RemoteControlEnabled(after(1), A),
        SessionPaused(after(5), A, "idle_timeout"),
        TurnBegan(after(100), A),
    )
    assert session_after(*story).phase is Phase.WORKING
    resumed = session_after(*story, SessionResumed(after(101), A, CODE))
    assert (resumed.phase, resumed.holds, resumed.ended_by) == (Phase.STARTING, {}, None)
    answered = session_after(*story, SessionResumed(after(101), A, CODE), TurnAnswered(after(110), A, 9000))
    assert (answered.phase, answered.protected_by) == (Phase.WORKING, ("mid_turn",))


def test_answer_tells_of_a_turn_only_where_nothing_else_did() -> None:
    """A start that answers works, an unknown session that answers works, and a late answer revives nobody."""
    assert session_after(SessionStarted(NOON, A, CODE), TurnAnswered(after(5), A, None)).phase is Phase.WORKING
    assert session_after(TurnAnswered(after(5), A, None)).phase is Phase.WORKING
    assert session_after(IDLE, TurnAnswered(after(5), A, None)).phase is Phase.IDLE
    assert session_after(*PAUSED, TurnAnswered(after(6), A, None)).phase is Phase.PAUSED


def test_end_of_a_turn_begins_the_silence() -> None:
    """From a turn's end the session is idle, and a second word of the end counts from itself."""
    ended = (IDLE, TurnBegan(after(5), A), TurnEnded(after(9), A, 4, None))
    assert (session_after(*ended).phase, session_after(*ended).idle_since) == (Phase.IDLE, after(9))
    assert session_after(*ended, TurnEnded(after(10), A, None, None)).idle_since == after(10)


@pytest.mark.parametrize("reason", [None, "app_quit", "api_error"])
def test_end_of_a_turn_revives_nobody(reason: str | None) -> None:
    """It was the last one of a session that has ended."""
    assert session_after(*PAUSED, TurnEnded(after(6), A, 4, reason)) == session_after(*PAUSED)


def test_end_of_a_turn_of_somebody_unknown() -> None:
    """A healthy end shows a live, idle session; an unhealthy one may have been its process' end."""
    assert session_after(TurnEnded(NOON, A, 4, None)).phase is Phase.IDLE
    assert dict(state_after(TurnEnded(NOON, A, 4, "cli_execution_error")).sessions) == {}


def test_looking_at_a_session_and_away_restarts_its_silence() -> None:
    """Both the one that is left and the one that is looked at."""
    state = state_after(IDLE, SessionWarmed(NOON, B, 100), FocusChanged(after(10), A), FocusChanged(after(50), B))
    assert (state.focused, state.sessions[A].idle_since, state.sessions[B].idle_since) == (B, after(50), after(50))
    away = state_after(FocusChanged(after(60), None), start=state)
    assert (away.focused, away.sessions[B].idle_since) == (None, after(60))


def test_focus_on_the_same_again_is_no_activity() -> None:
    """The app repeats itself; only a change counts."""
    state = state_after(IDLE, FocusChanged(after(10), A))
    assert state_after(FocusChanged(after(50), A), start=state).sessions == state.sessions


def test_focus_proves_no_process() -> None:
    """A paused or unknown session can be looked at, and one that works is not disturbed."""
    assert dict(state_after(FocusChanged(NOON, A)).sessions) == {}
    assert session_after(*PAUSED, FocusChanged(after(9), A)) == session_after(*PAUSED)
    working = (IDLE, TurnBegan(after(5), A))
    assert session_after(*working, FocusChanged(after(9), A)) == session_after(*working)


def test_start_that_is_left_without_a_message_is_idle_once_its_timer_runs() -> None:
    """Neither looking at a session that starts nor looking away ends its start; the idle timer does."""
    started = (SessionStarted(NOON, A, CODE), FocusChanged(after(1), A), FocusChanged(after(3), None))
    assert session_after(*started).phase is Phase.STARTING
    assert session_after(*started, IdleTimerArmed(after(9), A, 900)).phase is Phase.IDLE


def test_schedule_that_ran_out_lets_go() -> None:
    """A cron entry lives for three days; the session is then as any other."""
    held = (IDLE, PauseDeclined(after(9), A, "scheduled"))
    assert session_after(*held).protected_by == ("scheduled",)
    assert session_after(*held, ScheduleExpired(after(20), A)).protected_by == ()
    assert session_after(IDLE, ScheduleExpired(after(20), A)).protected_by == ()


def test_session_waits_until_every_question_is_answered() -> None:
    """Two questions are open; the second answer lets it work on."""
    asked = (IDLE, TurnBegan(after(1), A), PermissionRequested(after(2), A, "r1", "Bash"),
             PermissionRequested(after(3), A, "r2", "Edit"))  # fmt: skip
    waiting = session_after(*asked)
    assert (waiting.phase, waiting.since, waiting.protected_by) == (Phase.WAITING, after(2), ("waiting",))
    assert waiting.waiting_for == {"r1": after(2), "r2": after(3)}
    one_left = session_after(*asked, PermissionAnswered(after(9), "r1"))
    assert (one_left.phase, one_left.waiting_for) == (Phase.WAITING, {"r2": after(3)})
    done = session_after(*asked, PermissionAnswered(after(9), "r1"), PermissionAnswered(after(10), "r2"))
    assert (done.phase, done.waiting_for) == (Phase.WORKING, {})


def test_answer_to_a_question_that_nobody_asked_changes_nothing() -> None:
    """The question may have stood before the log began."""
    assert session_after(IDLE, PermissionAnswered(after(9), "r9")) == session_after(IDLE)


def test_new_message_replaces_the_question() -> None:
    """A user who writes on has answered."""
    asked = (IDLE, PermissionRequested(after(2), A, "r1", "Bash"), TurnBegan(after(9), A))
    assert (session_after(*asked).phase, session_after(*asked).waiting_for) == (Phase.WORKING, {})


def test_workflows_hold_until_the_last_one_ends() -> None:
    """Two run in the background; the end of one does not let go."""
    both = (IDLE, WorkflowStarted(after(1), A, "w1"), WorkflowStarted(after(2), A, "w2"))
    assert session_after(*both).holds == {"background_task": after(1)}
    assert session_after(*both, WorkflowEnded(after(3), A, "w1")).protected_by == ("background_task",)
    last = session_after(*both, WorkflowEnded(after(3), A, "w1"), WorkflowEnded(after(4), A, "w2"))
    assert (last.holds, last.workflows) == ({}, frozenset())


def test_end_of_a_workflow_leaves_remote_control() -> None:
    """Each protection is let go by itself."""
    held = (IDLE, RemoteControlEnabled(after(1), A), PauseDeclined(after(2), A, "background_task"))
    assert session_after(*held, WorkflowEnded(after(3), A, "w1")).protected_by == ("remote_control",)


def test_hold_reveals_the_unknown_and_passes_over_the_dead() -> None:
    """A log that begins in the middle learns of a session by what protects it; a dead one gets no protection."""
    unknown = session_after(RemoteControlEnabled(NOON, A))
    assert (unknown.phase, unknown.protected_by) == (Phase.IDLE, ("remote_control",))
    assert session_after(*PAUSED, RemoteControlEnabled(after(9), A)) == session_after(*PAUSED)


def test_line_of_the_scheduler_is_a_sign_of_life() -> None:
    """As any line it writes of its own accord."""
    assert state_after(IDLE, ScheduledSpawned(after(57), "nightly")).app.last_sign_at == after(57)


def test_front_window_changes_nothing() -> None:
    """Which session is looked at is said by another line."""
    assert state_after(IDLE, WindowFocused(after(9))).sessions == state_after(IDLE).sessions


@pytest.mark.parametrize(
    ("event", "counts"),
    [
        (UsageLimited(NOON, A, "5pm", None), Counts(rate_limited=1)),
        (ServiceOverloaded(NOON, A), Counts(overloaded=1)),
        (TurnErrorReported(NOON, A, "api_error", "x"), Counts()),
    ],
)
def test_limits_are_counted_apart(event: Event, counts: Counts) -> None:
    """The account's limit, everybody's overload, and other errors are three things; none ends a process."""
    state = state_after(IDLE, event)
    assert state.counts == counts
    assert state.sessions[A].alive


LIMITED = UsageLimited(after(10), A, "1pm (UTC)", after(3600))


@pytest.mark.parametrize(
    "event",
    [
        TurnEnded(after(20), A, 9, None, answered=False),
        TurnEnded(after(20), A, 9, None),
        TurnEnded(after(20), A, None, None, answered=True),
        TurnEnded(after(20), A, 11, None, answered=True),
        TurnEnded(after(20), A, 9, "api_error", answered=True),
        UsageLimited(after(20), B, None, None),
        UsageLimited(after(20), B, "12pm (UTC)", after(20)),
        ServiceOverloaded(after(20), A),
    ],
)
def test_limit_stays_without_a_proof(event: Event) -> None:
    """A turn that failed, got no answer or began before the limit proves nothing; a limit without a reset neither."""
    assert state_after(IDLE, LIMITED, event).limited == Limit(after(10), A, "1pm (UTC)", after(3600))


def test_newest_limit_leads() -> None:
    """The limit that was met last is the one that is kept."""
    newer = UsageLimited(after(20), B, "12:30pm (UTC)", after(1800))
    assert state_after(IDLE, LIMITED, newer).limited == Limit(after(20), B, "12:30pm (UTC)", after(1800))


def test_answered_turn_ends_the_limit() -> None:
    """A healthy turn of any session that began after the limit and had an answer shows that it holds no more."""
    answered = TurnEnded(after(20), B, 10, None, answered=True)
    assert state_after(IDLE, LIMITED, answered).limited is None
    assert state_after(IDLE, answered).limited is None


def test_sign_in_and_network_are_kept_with_their_time() -> None:
    """The newest failure of the whole machine."""
    state = state_after(SignInLost(NOON), NetworkFailed(after(5), "ERR_FAILED"))
    assert (state.sign_in_lost_at, state.network_failed_at) == (NOON, after(5))


def test_cloud_sessions_are_known_until_their_bridge_closes() -> None:
    """They hold no seat, and only the newest of very many are kept."""
    seen = [CloudSessionSeen(after(n), f"cse_{n}") for n in range(KEEP_CLOUD + 2)]
    state = state_after(*seen, BridgeClosed(after(999), "cse_50"), BridgeClosed(after(999), "cse_unheard"))
    assert len(state.cloud_sessions) == KEEP_CLOUD - 1
    assert {"cse_0", "cse_1", "cse_50"}.isdisjoint(state.cloud_sessions)
    assert dict(state.sessions) == {}


def test_bridge_names_no_session_and_changes_none() -> None:
    """Its newest word is kept; whom remote control protects is told by other lines."""
    held = (IDLE, RemoteControlEnabled(after(1), A))
    state = state_after(*held, RemoteBridgeChanged(after(2), "ready"), RemoteBridgeChanged(after(3), "reconnecting"))

    assert state.bridge == "reconnecting"
    assert state.sessions == state_after(*held).sessions
