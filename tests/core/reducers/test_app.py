"""The app's start, quit, update and crash, and what each means for the sessions."""

from __future__ import annotations

from itertools import permutations

import pytest

from app.core.events import (
    AccountOpened,
    AppComponentCrashed,
    AppQuitBegan,
    AppQuitCompleted,
    AppStarted,
    AppUpdated,
    Event,
    EventLoopStalled,
    EvictionForeseen,
    HeartbeatSeen,
    PressureChanged,
    PreviousQuitReported,
    RemoteBridgeChanged,
    RemoteControlEnabled,
    SessionPaused,
    SessionResumed,
    SessionsRewarmed,
    SessionsStopped,
    SessionStarted,
    SessionWarmed,
    ShellsKilled,
    UpdateDeferred,
    UpdateStaged,
    VmReady,
    VmShutDown,
    VmStartBegan,
)
from app.core.governor import cap_of, seats_taken
from app.core.state import Phase, SeatCheck, State
from app.core.vm import vm_at
from tests.core.helpers import CODE, COWORK, NOON, A, B, C, after, state_after

START = AppStarted(NOON, "2.9939.4", "darwin", "arm64")
LIVE = (START, SessionWarmed(after(1), A, 100), SessionStarted(after(2), B, CODE), SessionStarted(after(3), C, COWORK))
STOPPING = SessionsStopped(after(60), 2)
QUIT = AppQuitBegan(after(60), False)
UPDATE = AppQuitBegan(after(60), True)
GONE = AppQuitCompleted(after(60))
AGAIN = AppStarted(after(90), "2.9939.4", "darwin", "arm64")


def endings(*events: Event) -> set[str | None]:
    """How the three live sessions ended after these events."""
    state = state_after(*LIVE, *events)
    assert not any(session.alive for session in state.sessions.values())
    return {session.ended_by for session in state.sessions.values()}


def test_start_of_the_app_empties_all_seats() -> None:
    """A new main process: nobody lives, cap and the app's own number are to be learned anew; memory stays tight."""
    before = state_after(*LIVE, EvictionForeseen(after(50), A, 5, 49, "user"), PressureChanged(after(51), "critical"))
    state = state_after(AGAIN, start=before)
    assert seats_taken(state) == 0
    assert (cap_of(state).origin, state.pressure, state.seat_check) == ("assumed", before.pressure, None)
    assert (state.app.running, state.app.version, state.app.started_at) == (True, "2.9939.4", after(90))


def test_version_that_a_start_does_not_tell_is_that_of_before() -> None:
    """The first line of a start may stand without its block."""
    state = state_after(START, AppStarted(after(9), None, None, None))
    assert (state.app.version, state.app.platform) == ("2.9939.4", "darwin")
    assert state_after(START, AppUpdated(after(9), "2.9939.4", "2.9940.0")).app.version == "2.9940.0"


def test_crash_is_a_start_without_a_quit() -> None:
    """The log simply stops; the next start shows what happened, and everybody is lost."""
    assert endings(AGAIN) == {"app_crashed"}
    assert state_after(*LIVE, AGAIN).sessions[A].phase is Phase.LOST


@pytest.mark.parametrize("order", list(permutations((STOPPING, QUIT, GONE))))
def test_quit_in_each_order_of_its_lines(order: tuple[Event, ...]) -> None:
    """Whichever line announces the quit first ends the sessions, and the app's number is held against ours."""
    assert endings(*order) == endings(*order, AGAIN) == {"app_quit"}
    state = state_after(*LIVE, *order)
    assert state.seat_check == SeatCheck(after(60), 2, 2)
    assert state.app.running is False


@pytest.mark.parametrize("order", list(permutations((STOPPING, QUIT, UPDATE, GONE))))
def test_update_in_each_order_of_its_lines(order: tuple[Event, ...]) -> None:
    """One line says that the quit is for an update, and it counts wherever it stands among them."""
    assert endings(*order) == endings(*order, AGAIN) == {"app_update"}
    assert state_after(*LIVE, *order).seat_check == SeatCheck(after(60), 2, 2)


@pytest.mark.parametrize("only", [STOPPING, QUIT, GONE, UPDATE], ids=lambda event: type(event).__name__)
def test_one_line_of_a_quit_is_enough(only: Event) -> None:
    """A log that was cut shows a single line, and the next start is no crash."""
    assert endings(only, AGAIN) == ({"app_update"} if only is UPDATE else {"app_quit"})


def test_number_at_quit_disagrees_and_both_are_kept() -> None:
    """The app counted one more than we knew of, before or after the quit was announced."""
    for order in ((SessionsStopped(after(60), 3), QUIT), (QUIT, SessionsStopped(after(60), 3))):
        assert state_after(*LIVE, *order).seat_check == SeatCheck(after(60), 3, 2)


def test_earlier_endings_are_no_part_of_the_number_at_quit() -> None:
    """Who was paused before the quit was not alive at it."""
    paused = SessionPaused(after(30), B, "idle_timeout")
    assert state_after(*LIVE, paused, QUIT, STOPPING).seat_check == SeatCheck(after(60), 2, 1)


def test_next_start_may_tell_that_the_quit_was_for_an_update() -> None:
    """The new process reports how the old one went; a session that had ended before keeps its own ending."""
    told = (SessionPaused(after(30), B, "idle_timeout"), QUIT, GONE, AGAIN, PreviousQuitReported(after(91), True))
    state = state_after(*LIVE, *told)
    assert [state.sessions[one].ended_by for one in (A, B, C)] == ["app_update", "paused_idle", "app_update"]


@pytest.mark.parametrize("for_update", [False, None])
def test_report_of_a_plain_quit_changes_nothing(for_update: bool | None) -> None:
    """Only the word for an update makes an update of a quit."""
    assert endings(QUIT, AGAIN, PreviousQuitReported(after(91), for_update)) == {"app_quit"}


def test_report_without_a_known_quit_changes_nothing() -> None:
    """A log that begins with the new process has nothing to relabel."""
    state = state_after(START, PreviousQuitReported(after(1), True))
    assert dict(state.sessions) == {}


def test_remote_control_dies_with_the_process() -> None:
    """After an update the session comes back without the protection its user believes it has."""
    state = state_after(*LIVE, RemoteControlEnabled(after(9), A))
    assert state.sessions[A].protected_by == ("remote_control",)
    state = state_after(UPDATE, GONE, AGAIN, SessionResumed(after(95), A, CODE), start=state)
    assert state.sessions[A].holds == {}
    assert state.sessions[A].holds_seat


def test_vm_goes_down_with_the_app() -> None:
    """In good order it is stopping and then down; a new main process has no VM until it starts one."""
    vm = (*LIVE, VmStartBegan(after(5), None, None), VmReady(after(9), 4000))
    assert vm_at(state_after(*vm, QUIT, VmShutDown(after(60))).vm, after(60)).phase == "stopping"
    assert vm_at(state_after(*vm, QUIT, VmShutDown(after(60)), GONE).vm, after(60)).phase == "down"
    assert vm_at(state_after(*vm, AGAIN).vm, after(91)).phase == "down"
    assert vm_at(state_after(*LIVE, AGAIN).vm, after(91)).phase == "unknown"


def test_heartbeat_is_a_sign_of_life() -> None:
    """The newest one counts."""
    assert state_after(START, HeartbeatSeen(after(57))).app.last_sign_at == after(57)


@pytest.mark.parametrize(
    "event",
    [
        UpdateStaged(after(5), "2.9940.0"),
        UpdateDeferred(after(5), 98),
        SessionsRewarmed(after(5), 1, 2, 3),
        EventLoopStalled(after(5), 4210),
        AppComponentCrashed(after(5), "gpu"),
    ],
    ids=lambda event: type(event).__name__,
)
def test_what_is_only_told_changes_nothing(event: Event) -> None:
    """A staged update, a stall, a helper's crash: sessions and app go on."""
    before = state_after(*LIVE)
    after_it = state_after(event, start=before)
    assert (after_it.sessions, after_it.app) == (before.sessions, before.app)
    assert after_it.at == after(5)
    assert State().at is None


def test_shells_that_are_killed_on_quit_tell_of_the_quit() -> None:
    """Where that line comes first the sessions end by it; the app's own count, given after it, still agrees."""
    state = state_after(*LIVE, ShellsKilled(after(60), 2), STOPPING)

    assert endings(ShellsKilled(after(60), 2)) == {"app_quit"}
    assert endings(ShellsKilled(after(60), 2), UPDATE) == {"app_update"}
    assert state.seat_check == SeatCheck(after(60), 2, 2)


def test_another_account_stops_the_sessions_of_the_former_one() -> None:
    """Each manager stops its own: Code's sessions by one line, Cowork's by the other."""
    opened = (AccountOpened(after(1), "code", "aa", 2), AccountOpened(after(1), "cowork", "aa", 1))
    code = state_after(*LIVE, *opened, AccountOpened(after(9), "code", "bb", 0))
    both = state_after(AccountOpened(after(9), "cowork", "bb", None), start=code)

    assert {key for key, session in code.sessions.items() if session.alive} == {C}
    assert (code.sessions[A].phase, code.sessions[A].ended_by) == (Phase.ENDED, "stopped")
    assert not any(session.alive for session in both.sessions.values())
    assert dict(both.accounts) == {"code": "bb", "cowork": "bb"}


def test_account_that_opens_first_or_again_stops_nobody() -> None:
    """The first one of a run of the app is no switch, nor is the same one told twice; a session that ended stays so."""
    opened = AccountOpened(after(5), "code", "aa", 2)
    state = state_after(*LIVE, opened, opened)
    ended = state_after(
        SessionPaused(after(6), A, "idle_timeout"), AccountOpened(after(9), "code", "bb", 0), start=state
    )
    restarted = state_after(AGAIN, AccountOpened(after(91), "code", "bb", 2), start=state)

    assert all(session.alive for session in state.sessions.values())
    assert ended.sessions[A].ended_by == "paused_idle"
    assert dict(restarted.accounts) == {"code": "bb"}


def test_start_of_the_app_forgets_the_way_out_for_remote_control() -> None:
    """It belonged to the process that is gone."""
    lost = state_after(*LIVE, RemoteBridgeChanged(after(9), "reconnecting"))

    assert lost.bridge == "reconnecting"
    assert state_after(AGAIN, start=lost).bridge is None
