"""Why a session stopped: verdict, certainty, and the lines that prove it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import pytest
from hypothesis import given

from app.core.diagnosis import KEPT, NEAR, Diagnosis, Stop, walk
from app.core.events import (
    AppQuitBegan,
    AppQuitCompleted,
    AppStarted,
    Event,
    EvictionForeseen,
    HeartbeatSeen,
    IdleTimerFired,
    MemoryEvictionBegan,
    NetworkFailed,
    Observed,
    PermissionAnswered,
    PermissionRequested,
    PortsCrossed,
    PortsEased,
    PressureReported,
    PreviousQuitReported,
    QueryCompleted,
    SeatEvictionBegan,
    ServiceOverloaded,
    SessionFailed,
    SessionMapped,
    SessionPaused,
    SessionResumed,
    SessionsStopped,
    SessionStarted,
    SessionStopped,
    SessionTimedOut,
    SessionTornDown,
    SessionWarmed,
    SignInLost,
    TurnBegan,
    TurnEnded,
    TurnErrorReported,
    UsageLimited,
    VmDiskFilled,
    VmStartFailed,
)
from tests.core.helpers import CODE, COWORK, NOON, A, B, after, histories, observed

START = AppStarted(after(-60), "2.9939.4", None, None)
IDLE = SessionWarmed(NOON, A, 100)
AGAIN = AppStarted(after(120), "2.9939.4", None, None)


def diagnose(lines: Iterable[Observed], session: str, at: datetime) -> Diagnosis:
    """Why this session last stopped, judged at ``at`` from everything that was said by then."""
    state, trail = walk(lines, at)
    return trail.diagnosis(state, session, at)


def stops_near(lines: Iterable[Observed], at: datetime) -> list[Stop]:
    """Everything that stopped around ``at``, as `app.explain` asks for it."""
    return walk(lines, at + NEAR)[1].near(at)


def all_stops(lines: Iterable[Observed], at: datetime) -> list[Stop]:
    """Every stop of every session until ``at``."""
    return walk(lines, at)[1].stops


def why(*events: Event, session: str = A, at: int = 10_000) -> Diagnosis:
    """The answer for a session of a log that begins with the app's start."""
    return diagnose(observed([START, *events]), session, after(at))


def proof(diagnosis: Diagnosis) -> list[str]:
    """The names of the lines that prove it."""
    return [one.text for one in diagnosis.evidence]


@pytest.mark.parametrize(
    ("story", "verdict", "certainty", "evidence"),
    [
        (
            (SeatEvictionBegan(after(90), A, 8, 90, "warm"), SessionPaused(after(90), A, "governor_evict")),
            "evicted_for_seat", "certain", ["SeatEvictionBegan", "SessionPaused"],
        ),
        (
            (MemoryEvictionBegan(after(90), A, 90), SessionPaused(after(91), A, "governor_evict")),
            "evicted_for_memory", "certain", ["MemoryEvictionBegan", "SessionPaused"],
        ),
        (
            (MemoryEvictionBegan(after(90), A, 90), QueryCompleted(after(91), A)),
            "evicted_for_memory", "certain", ["MemoryEvictionBegan", "QueryCompleted"],
        ),
        ((SessionPaused(after(90), A, "governor_evict"),), "evicted_for_seat", "likely", ["SessionPaused"]),
        (
            (PressureReported(after(80), "warning", 1, None), SessionPaused(after(90), A, "governor_evict")),
            "evicted_for_memory", "likely", ["SessionPaused"],
        ),
        (
            (IdleTimerFired(after(900), A), SessionPaused(after(900), A, "idle_timeout")),
            "paused_idle", "certain", ["IdleTimerFired", "SessionPaused"],
        ),
        ((SessionPaused(after(900), A, "idle_timeout"),), "paused_idle", "certain", ["SessionPaused"]),
        (
            (SessionsStopped(after(60), 1), AppQuitBegan(after(60), False), AppQuitCompleted(after(61))),
            "app_quit", "certain", ["SessionsStopped"],
        ),
        ((AppQuitCompleted(after(61)),), "app_quit", "certain", ["AppQuitCompleted"]),
        ((AppQuitBegan(after(60), True),), "app_update", "certain", ["AppQuitBegan"]),
        (
            (SessionsStopped(after(60), 1), AppQuitBegan(after(61), True)),
            "app_update", "certain", ["SessionsStopped", "AppQuitBegan"],
        ),
        (
            (AppQuitBegan(after(60), False), AGAIN, PreviousQuitReported(after(121), True)),
            "app_update", "certain", ["AppQuitBegan", "PreviousQuitReported"],
        ),
        ((AGAIN,), "app_crashed", "likely", ["AppStarted"]),
        ((SessionFailed(after(60), A, None, "SIGKILL"),), "killed", "certain", ["SessionFailed"]),
        ((SessionFailed(after(60), A, 1, None),), "failed", "certain", ["SessionFailed"]),
        ((SessionTornDown(after(60), A, 2, "exited"),), "failed", "certain", ["SessionTornDown"]),
        ((SessionTimedOut(after(60), A, 1007),), "timed_out", "certain", ["SessionTimedOut"]),
        ((SessionStopped(after(60), A, "archived"),), "unknown", "possible", ["SessionStopped"]),
        ((UsageLimited(after(60), A, "5pm (UTC)", None),), "usage_limit", "certain", ["UsageLimited"]),
        ((ServiceOverloaded(after(60), A),), "overloaded", "certain", ["ServiceOverloaded"]),
        (
            (TurnErrorReported(after(60), A, "api_error", "x"), TurnEnded(after(60), A, 9, "api_error")),
            "failed", "likely", ["TurnErrorReported"],
        ),
        ((TurnEnded(after(60), A, 9, "no_response"),), "failed", "possible", ["TurnEnded"]),
        (
            (SignInLost(after(50)), TurnErrorReported(after(60), A, "api_error", "x")),
            "signed_out", "likely", ["TurnErrorReported"],
        ),
        (
            (NetworkFailed(after(50), "ERR_X"), TurnEnded(after(60), A, 9, "api_error")),
            "network", "likely", ["TurnEnded"],
        ),
        (
            (VmDiskFilled(after(50)), TurnEnded(after(60), A, 9, "api_error")),
            "vm_disk_full", "likely", ["TurnEnded"],
        ),
        (
            (NetworkFailed(after(50), "ERR_X"), TurnEnded(after(171), A, 9, "api_error")),
            "failed", "possible", ["TurnEnded"],
        ),
    ],
)  # fmt: skip
def test_verdict(story: tuple[Event, ...], verdict: str, certainty: str, evidence: list[str]) -> None:
    """Each way to stop, how sure it is, and which lines say so."""
    answer = why(IDLE, *story)
    assert (answer.verdict, answer.certainty, proof(answer)) == (verdict, certainty, evidence)


def test_evidence_stands_at_its_line() -> None:
    """Each proof can be looked up in the log."""
    (one,) = why(IDLE, SessionPaused(after(900), A, "idle_timeout")).evidence
    assert (one.source, one.line, one.event.at) == ("main.log", 3, after(900))


FULL = PortsCrossed(after(50), 95, 230, 240, 190, 1)


@pytest.mark.parametrize(
    ("story", "certainty", "evidence"),
    [
        ((FULL, NetworkFailed(after(60), "net::ERR_TIMED_OUT"), TurnErrorReported(after(61), A, "e", "x")), "likely",
         ["PortsCrossed", "TurnErrorReported"]),
        ((FULL, TurnErrorReported(after(61), A, "e", "x")), "possible", ["PortsCrossed", "TurnErrorReported"]),
        ((FULL, TurnEnded(after(61), A, 20, "error")), "possible", ["PortsCrossed", "TurnEnded"]),
        ((FULL, SessionTimedOut(after(61), A, 999)), "likely", ["PortsCrossed", "SessionTimedOut"]),
        ((FULL, PortsEased(after(55), 9, 240), TurnErrorReported(after(61), A, "e", "x")), "possible",
         ["PortsCrossed", "TurnErrorReported"]),
    ],
)  # fmt: skip
def test_want_of_ports_is_a_failure_of_the_network(
    story: tuple[Event, ...], certainty: str, evidence: list[str]
) -> None:
    """What fails while the line has no ports left fails for the network; the count is the proof."""
    found = why(IDLE, TurnBegan(after(40), A), *story)

    assert (found.verdict, found.certainty, proof(found)) == ("network", certainty, evidence)


def test_error_that_names_the_network_is_likely_one() -> None:
    """The words of the error and the count of ports say the same."""
    error = TurnErrorReported(after(61), A, "cli_execution_error", "net::ERR_NETWORK_CHANGED")
    story = [Observed(error, "main.log", 9, 9, error.text) if e is error else o
             for e in (START, IDLE, FULL, error) for o in observed([e])]  # fmt: skip

    assert diagnose(story, A, after(70)).certainty == "likely"


def test_want_of_ports_takes_no_other_cause_away() -> None:
    """What has a cause of its own keeps it."""
    assert why(IDLE, FULL, SessionFailed(after(60), A, None, "SIGKILL")).verdict == "killed"
    assert why(IDLE, FULL, SignInLost(after(59)), TurnErrorReported(after(60), A, "e", "x")).verdict == "signed_out"


def test_would_evict_is_no_proof() -> None:
    """A session that was named a hundred times and never closed still runs, and is told how often it was named."""
    named = [EvictionForeseen(after(100 + n), A, 8, 100 + n, "user") for n in range(5)]
    answer = why(IDLE, HeartbeatSeen(after(57)), *named, at=110)
    assert (answer.verdict, answer.certainty, answer.evidence, answer.named) == ("still_running", "certain", (), 5)
    paused = why(IDLE, *named, SessionPaused(after(900), A, "idle_timeout"))
    assert (paused.verdict, proof(paused), paused.named) == ("paused_idle", ["SessionPaused"], 5)


def test_namings_are_those_of_the_last_process() -> None:
    """Who comes back begins at none, and a new main process forgets them all."""
    named = EvictionForeseen(after(100), A, 8, 100, "user")
    assert why(IDLE, named, SessionStopped(after(110), A, "stopped"), SessionResumed(after(120), A, CODE)).named == 0
    assert why(IDLE, named, AGAIN).named == 0
    assert why(EvictionForeseen(NOON, A, 8, 100, "user")).named == 1


@pytest.mark.parametrize(
    ("story", "verdict", "certainty", "evidence"),
    [
        ((IDLE,), "still_running", "certain", []),
        ((IDLE, TurnBegan(after(5), A)), "still_running", "certain", []),
        ((IDLE, TurnEnded(after(5), A, 9, None)), "still_running", "certain", []),
        ((IDLE, TurnEnded(after(5), A, 9, "app_quit")), "still_running", "certain", []),
        (
            (IDLE, PermissionRequested(after(5), A, "r", "Bash")),
            "waiting_for_you", "certain", ["PermissionRequested"],
        ),
        (
            (IDLE, PermissionRequested(after(5), A, "r", "Bash"), PermissionAnswered(after(9), "r")),
            "still_running", "certain", [],
        ),
        ((SessionStarted(NOON, A, COWORK), VmStartFailed(after(9), "x")), "vm_stalled", "likely", []),
        ((SessionStarted(NOON, A, CODE), VmStartFailed(after(9), "x")), "still_running", "certain", []),
        ((), "unknown", "possible", []),
    ],
)  # fmt: skip
def test_session_that_never_stopped(
    story: tuple[Event, ...], verdict: str, certainty: str, evidence: list[str]
) -> None:
    """It runs, it waits for its user, its VM does not come up, or nobody has heard of it."""
    answer = why(*story, HeartbeatSeen(after(59)), at=60)
    assert (answer.verdict, answer.certainty, proof(answer)) == (verdict, certainty, evidence)


def test_failed_vm_is_forgotten_after_ten_minutes() -> None:
    """A session that still runs long after is not held up by it."""
    story = (SessionStarted(NOON, A, COWORK), VmStartFailed(after(9), "x"), HeartbeatSeen(after(610)))
    assert why(*story, at=609).verdict == "vm_stalled"
    assert why(*story, at=610).verdict == "still_running"


@pytest.mark.parametrize(("at", "verdict"), [(150, "still_running"), (151, "app_wedged")])
def test_silent_app_is_stuck_or_asleep(at: int, verdict: str) -> None:
    """Without a sign of life for 150 seconds nobody can say that the session runs."""
    answer = why(IDLE, HeartbeatSeen(NOON), at=at)
    assert (answer.verdict, answer.certainty) == (verdict, "certain" if verdict == "still_running" else "possible")


def test_stopped_before_it_was_asked_for() -> None:
    """Only what the log had said by then counts."""
    story = (IDLE, SessionPaused(after(900), A, "idle_timeout"))
    assert why(*story, at=100).verdict != "paused_idle"
    assert why(*story, at=900).verdict == "paused_idle"


def test_last_stop_is_the_answer_and_earlier_ones_are_told() -> None:
    """Newest first."""
    answer = why(
        IDLE,
        SessionFailed(after(50), A, 1, None),
        SessionResumed(after(100), A, CODE),
        SessionTimedOut(after(300), A, 200),
        SessionResumed(after(400), A, CODE),
        SessionPaused(after(900), A, "idle_timeout"),
    )
    assert (answer.verdict, answer.at) == ("paused_idle", after(900))
    assert [stop.verdict for stop in answer.earlier] == ["timed_out", "failed"]


def test_others_within_two_minutes_are_told_without_the_proof() -> None:
    """What else went on around it, before and after."""
    answer = why(
        IDLE,
        SessionWarmed(after(1), B, 100),
        NetworkFailed(after(179), "ERR_OLD"),
        NetworkFailed(after(280), "ERR_X"),
        SessionPaused(after(300), A, "idle_timeout"),
        SessionPaused(after(420), B, "idle_timeout"),
        SessionFailed(after(421), "local_late", 1, None),
    )
    assert [(mark.kind, mark.session) for mark in answer.others] == [("network", None), ("paused_idle", B)]


def test_other_error_soon_after_is_a_stop_of_its_own() -> None:
    """The end of a turn belongs to the error just told; another error does not, nor a later end."""
    error, end = TurnErrorReported(after(60), A, "api_error", "x"), TurnEnded(after(71), A, 9, "api_error")
    assert [stop.at for stop in all_stops(observed([START, IDLE, error, end]), after(99))] == [after(60), after(71)]
    twice = [UsageLimited(after(60), A, None, None), UsageLimited(after(61), A, None, None)]
    assert len(all_stops(observed([START, IDLE, *twice]), after(99))) == 2


def test_limit_of_a_session_that_is_named_for_the_first_time() -> None:
    """A log that begins in the middle still tells why its turn failed."""
    answer = why(UsageLimited(NOON, A, "5pm (UTC)", None))
    assert (answer.verdict, answer.session) == ("usage_limit", None)


def test_first_word_of_a_session_may_be_its_end() -> None:
    """It was alive before the log began."""
    answer = why(SessionPaused(NOON, A, "idle_timeout"))
    assert (answer.verdict, proof(answer)) == ("paused_idle", ["SessionPaused"])


def test_update_relabels_only_what_that_quit_ended() -> None:
    """A session that was paused before keeps its own verdict; each that the quit ended gets the other."""
    story: list[Event] = [
        START, IDLE, SessionWarmed(after(1), B, 100), SessionMapped(after(2), "local_c", "cli"),
        SessionPaused(after(30), B, "idle_timeout"), AppQuitBegan(after(60), False), AGAIN,
        PreviousQuitReported(after(121), True),
    ]  # fmt: skip
    stops = all_stops(observed(story), after(999))
    assert [(stop.session, stop.verdict) for stop in stops] == [
        (B, "paused_idle"), (A, "app_update"), ("local_c", "app_update"),
    ]  # fmt: skip


def test_stops_near_a_time_come_nearest_first() -> None:
    """Without a session, what stopped within ten minutes before or after is the answer."""
    story: list[Event] = [
        START, IDLE, SessionWarmed(after(1), B, 100),
        SessionPaused(after(400), A, "idle_timeout"), SessionPaused(after(1100), B, "idle_timeout"),
        SessionFailed(after(1601), "local_late", 1, None),
    ]  # fmt: skip
    assert [stop.session for stop in stops_near(observed(story), after(1000))] == [B, A]
    assert [stop.session for stop in stops_near(observed(story), after(1001))] == [B, "local_late"]
    assert stops_near(observed(story), after(5000)) == []


@given(histories())
def test_any_history_has_an_answer_for_every_session(events: list[Event]) -> None:
    """Whatever the log says: each stop has its proof, and the last of a session is its answer."""
    lines = observed(events)
    stops = all_stops(lines, after(10**6))
    assert all(stop.evidence for stop in stops)
    for name in (A, B):
        mine = [stop for stop in stops if stop.session == name]
        answer = diagnose(lines, name, after(10**6))
        if mine:
            assert (answer.verdict, answer.at, len(answer.earlier)) == (mine[-1].verdict, mine[-1].at, len(mine) - 1)
        else:
            assert answer.verdict in ("still_running", "waiting_for_you", "vm_stalled", "app_wedged", "unknown")


def test_trail_is_bounded_and_a_copy_of_it_stands_still() -> None:
    """Of very many stops the newest are kept; what was copied does not follow."""
    twice = [event for n in range(KEPT) for event in (UsageLimited(after(9 + 2 * n), A, None, None),)]
    state, trail = walk(observed([START, IDLE, *twice]), after(10**6))
    copy = trail.copy()
    more = observed([UsageLimited(after(10**5 + n), A, None, None) for n in range(KEPT)])
    for one in more:
        trail.take(state, one, state)

    assert len(copy.stops) == KEPT
    assert len(trail.stops) == KEPT
    assert [stop.at for stop in trail.stops] == [one.event.at for one in more]
    assert copy.diagnosis(state, A, after(10**6)).at == after(9 + 2 * (KEPT - 1))


def test_what_was_said_of_a_session_is_forgotten_with_its_process() -> None:
    """Whom the governor named and who asked is remembered while it may matter; a log that ends nobody is bounded."""
    closed = (SeatEvictionBegan(after(90), A, 8, 90, "warm"), SessionPaused(after(90), A, "governor_evict"))
    _, trail = walk(observed([START, IDLE, PermissionRequested(after(80), A, "r", "Bash"), *closed]), after(100))
    assert (len(trail.stops), trail.leads, trail.asked) == (1, {}, {})

    many = [f"local_{n}" for n in range(KEPT + 9)]
    _, trail = walk(observed([START, *(IdleTimerFired(after(n), name) for n, name in enumerate(many))]), after(10**6))
    assert list(trail.leads) == many[-KEPT:]
    asked = [PermissionRequested(after(n), name, "r", "Bash") for n, name in enumerate(many)]
    _, trail = walk(observed([START, *asked]), after(10**6))
    assert list(trail.asked) == many[-KEPT:]
