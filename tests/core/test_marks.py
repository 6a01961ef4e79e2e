"""Which events leave a mark on the timeline."""

from __future__ import annotations

import pytest

from app.core.events import (
    AccountOpened,
    AppQuitBegan,
    AppQuitCompleted,
    AppStarted,
    Event,
    EvictionForeseen,
    HeartbeatSeen,
    MemoryEvictionBegan,
    NetworkFailed,
    PeerMessageLost,
    PortsCrossed,
    PressureChanged,
    PressureReported,
    QueryCompleted,
    RemoteBridgeChanged,
    SeatEvictionBegan,
    ServiceOverloaded,
    SessionFailed,
    SessionPaused,
    SessionSaveFailed,
    SessionsStopped,
    SessionStopped,
    SessionTimedOut,
    SessionWarmed,
    ShellsKilled,
    SignInLost,
    StartYielded,
    TurnBegan,
    UsageLimited,
    VmDiskFilled,
    VmReady,
    VmStartFailed,
    WarmUpIntended,
)
from app.core.history import Mark
from app.core.marks import mark_of
from app.core.reducer import reduce
from app.core.state import State
from tests.core.helpers import NOON, A, after, observed

START = AppStarted(after(-60), "2.9939.4", None, None)
IDLE = SessionWarmed(NOON, A, 100)


def marks(*events: Event) -> list[Mark | None]:
    """The mark of each step."""
    state, found, warming = State(), list[Mark | None](), None
    for one in observed(events):
        new = reduce(state, one.event)
        warming = one.event if isinstance(one.event, WarmUpIntended) else warming
        found.append(mark_of(state, one, new, warming))
        state = new
    return found


def last(*events: Event) -> tuple[str, str | None, int | None, str | None] | None:
    """Kind, session, idle time and detail of the last step's mark."""
    mark = marks(*events)[-1]
    return (mark.kind, mark.session, mark.idle_seconds, mark.detail) if mark else None


@pytest.mark.parametrize(
    ("event", "kind"),
    [
        (SessionPaused(after(90), A, "idle_timeout"), "paused_idle"),
        (SessionPaused(after(90), A, "governor_evict"), "evicted_for_seat"),
        (SessionTimedOut(after(90), A, 1007), "timed_out"),
        (SessionFailed(after(90), A, 1, None), "failed"),
        (SessionFailed(after(90), A, None, "SIGKILL"), "killed"),
    ],
)
def test_end_of_a_session_leaves_a_mark_with_its_idle_time(event: Event, kind: str) -> None:
    """Of one that was idle, of one that worked, and of one that the log names for the first time."""
    assert last(START, IDLE, event) == (kind, A, 90, None)
    assert last(START, IDLE, TurnBegan(after(5), A), event) == (kind, A, None, None)
    assert last(START, event) == (kind, A, None, None)


def test_mark_has_its_line_and_text() -> None:
    """Each mark can be shown with the line that says so."""
    mark = marks(START, IDLE, SessionPaused(after(90), A, "idle_timeout"))[-1]
    assert mark is not None
    assert (mark.at, mark.source, mark.line, mark.text) == (after(90), "main.log", 3, "SessionPaused")


@pytest.mark.parametrize(
    "event",
    [SessionStopped(after(90), A, "stopped"), SessionPaused(after(90), A, "other"), HeartbeatSeen(after(90)), IDLE],
)
def test_what_its_user_wanted_leaves_no_mark(event: Event) -> None:
    """Stopped on request, paused for a reason unknown, or nothing at all."""
    assert last(START, IDLE, event) is None


def test_second_word_of_an_ending_leaves_no_second_mark() -> None:
    """What follows a pause is its consequence."""
    assert last(START, IDLE, SessionPaused(after(9), A, "idle_timeout"), QueryCompleted(after(9), A)) is None
    assert last(START, IDLE, SessionPaused(after(9), A, "idle_timeout"), SessionFailed(after(9), A, 1, None)) is None


def test_would_evict_evicting_and_put_off_are_three_marks() -> None:
    """Would-be is a mark of its own, a naming alone is none, and a put-off start names the one it was meant for."""
    assert last(EvictionForeseen(NOON, A, 8, 53, "user")) == ("would_evict", A, 53, "user")
    assert last(START, IDLE, SeatEvictionBegan(after(90), A, 8, 90, "warm")) is None
    named = (START, IDLE, MemoryEvictionBegan(after(90), A, 90))
    assert last(*named, SessionPaused(after(90), A, "governor_evict")) == ("evicted_for_memory", A, 90, None)
    assert last(WarmUpIntended(NOON, A), StartYielded(after(5), "warm")) == ("put_off", A, None, "8")
    assert last(WarmUpIntended(NOON, A), StartYielded(after(6), "warm")) == ("put_off", None, None, "8")
    assert last(StartYielded(NOON, "warm")) == ("put_off", None, None, "8")


@pytest.mark.parametrize(
    ("event", "mark"),
    [
        (UsageLimited(NOON, A, "5pm (UTC)", None), ("usage_limit", A, None, "5pm (UTC)")),
        (ServiceOverloaded(NOON, A), ("overloaded", A, None, None)),
        (PortsCrossed(NOON, 70, 170, 240, 1, 6), ("ports", None, None, "170/240")),
        (VmReady(NOON, 5802), ("vm_ready", None, None, "5802")),
        (VmReady(NOON, None), None),
    ],
)
def test_limit_and_vm_leave_marks(event: Event, mark: object) -> None:
    """With the app's own words and numbers behind them."""
    assert last(event) == mark


@pytest.mark.parametrize(
    ("kind", "first", "again", "later"),
    [
        ("signed_out", SignInLost(NOON), SignInLost(after(60)), SignInLost(after(121))),
        (
            "network",
            NetworkFailed(NOON, "ERR_X"),
            NetworkFailed(after(60), "ERR_X"),
            NetworkFailed(after(121), "ERR_X"),
        ),
        ("vm_failed", VmStartFailed(NOON, "x"), VmStartFailed(after(60), "y"), VmStartFailed(after(121), "z")),
        ("vm_disk_full", VmDiskFilled(NOON), VmDiskFilled(after(60)), VmDiskFilled(after(121))),
        (
            "save_failed",
            SessionSaveFailed(NOON, A, "EPERM"),
            SessionSaveFailed(after(60), A, "EPERM"),
            SessionSaveFailed(after(121), A, "EPERM"),
        ),
    ],
)
def test_failure_that_repeats_is_one_mark(kind: str, first: Event, again: Event, later: Event) -> None:
    """One broken network writes dozens of lines; a minute of peace makes the next one new."""
    found = marks(first, again, later)
    assert [mark.kind if mark else None for mark in found] == [kind, None, kind]


def test_start_quit_update_and_crash_of_the_app() -> None:
    """A start after a quit is a start, a start without one is a crash, and a quit leaves one mark."""
    again = AppStarted(after(90), "2.9940.0", None, None)
    assert last(START) == ("app_started", None, None, "2.9939.4")
    assert last(START, again) == ("app_crashed", None, None, "2.9940.0")
    quits = (AppQuitBegan(after(60), False), SessionsStopped(after(60), 2), AppQuitCompleted(after(60)))
    for quit_line in (*quits, ShellsKilled(after(60), 2)):
        found = marks(START, quit_line, AppQuitBegan(after(60), False), AppQuitCompleted(after(60)), again)
        assert [mark.kind if mark else None for mark in found] == ["app_started", "app_quit", None, None, "app_started"]
    update = marks(START, SessionsStopped(after(60), 2), AppQuitBegan(after(61), True), AppQuitBegan(after(61), False))
    assert [mark.kind if mark else None for mark in update] == ["app_started", "app_quit", "app_update", None]


def test_pressure_leaves_a_mark_when_it_rises() -> None:
    """Not when it is repeated, and not when it goes."""
    found = marks(
        PressureReported(NOON, "warning", None, None),
        PressureReported(after(30), "warning", None, None),
        PressureReported(after(60), "critical", None, None),
        PressureChanged(after(70), "normal"),
        PressureChanged(after(80), "warning"),
    )
    assert [mark.kind if mark else None for mark in found] == [
        "pressure_warning", None, "pressure_critical", None, "pressure_warning",
    ]  # fmt: skip


def test_message_that_did_not_arrive_leaves_a_mark_each() -> None:
    """Each names the session that it was for."""
    assert last(IDLE, PeerMessageLost(after(90), A, 45001)) == ("undelivered", A, None, None)
    assert last(SessionSaveFailed(NOON, A, "EPERM")) == ("save_failed", A, None, "EPERM")


def test_way_out_for_remote_control_leaves_a_mark_when_it_is_lost() -> None:
    """Once, however often it says so, and again after it was back."""
    found = marks(
        RemoteBridgeChanged(NOON, "connected"),
        RemoteBridgeChanged(after(1), "reconnecting"),
        RemoteBridgeChanged(after(2), "reconnecting"),
        RemoteBridgeChanged(after(3), "ready"),
        RemoteBridgeChanged(after(4), "reconnecting"),
    )

    assert [mark.kind if mark else None for mark in found] == [None, "remote_lost", None, None, "remote_lost"]


def test_switch_of_the_account_is_one_mark() -> None:
    """Two managers of sessions open it; the first account of a run is no switch."""
    opened = (
        AccountOpened(after(1), "code", "aa", 0),
        AccountOpened(after(1), "cowork", "aa", 0),
        AccountOpened(after(2), "code", "aa", 0),
        AccountOpened(after(9), "code", "bb", 0),
        AccountOpened(after(9), "cowork", "bb", 0),
    )
    kinds = [mark.kind if mark else None for mark in marks(START, *opened)]

    assert kinds == ["app_started", None, None, None, "account_switched", None]
