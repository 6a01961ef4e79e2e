"""The history beside the fold: spans, seat steps, bands, gaps, memory and marks, read window by window."""

from __future__ import annotations

from copy import copy
from datetime import datetime, timedelta

import pytest
from hypothesis import given

from app.core.events import (
    AppQuitBegan,
    AppQuitCompleted,
    AppStarted,
    Event,
    EvictionForeseen,
    FocusChanged,
    HeartbeatSeen,
    HostPressureRead,
    IdleTimerArmed,
    MachineEvent,
    MemorySampled,
    PermissionAnswered,
    PermissionRequested,
    PortsCrossed,
    PressureChanged,
    PressureReported,
    PreviousQuitReported,
    SessionFailed,
    SessionPaused,
    SessionResumed,
    SessionsStopped,
    SessionStarted,
    SessionWarmed,
    StartYielded,
    TurnBegan,
    TurnEnded,
    VmActive,
    WarmUpIntended,
)
from app.core.governor import cap_of, seats_taken
from app.core.history import Band, FreeMemory, Gap, History, SeatStep, Span
from app.core.pressure import HOST_HOLDS
from app.core.recorder import Recorder
from app.core.reducer import fold
from app.core.reducers.sessions import KEEP_DEAD
from app.core.state import Phase, State
from tests.core.helpers import CODE, NOON, A, B, after, histories, recorded

START = AppStarted(NOON, "2.9939.4", None, None)
UP_TO = after(100_000)


def history(*events: Event, start: datetime = NOON, end: datetime = UP_TO) -> History:
    """The window of the history of these events."""
    recorder = Recorder()
    recorded(recorder, *events)
    return recorder.window(start, end)


def memory(seconds: int, free: int | None = 4000, total: int | None = 24576) -> MemorySampled:
    """A memory line so long after noon."""
    return MemorySampled(after(seconds), "interval", None, None, None, None, None, None, free, total, None)


def warning(seconds: int) -> PressureReported:
    """A pressure line of the governor so long after noon."""
    return PressureReported(after(seconds), "warning", None, None)


STORY: tuple[Event, ...] = (
    START,
    SessionStarted(after(10), A, CODE),
    TurnBegan(after(20), A),
    SessionWarmed(after(25), B, 100),
    TurnEnded(after(60), A, 40, None),
    SessionPaused(after(90), B, "idle_timeout"),
)


def test_spans_of_sessions_follow_their_phases() -> None:
    """Each phase of a live session is a span, oldest first; the last one is open."""
    assert history(*STORY).spans == (
        Span(A, Phase.STARTING, after(10), after(20)),
        Span(A, Phase.WORKING, after(20), after(60)),
        Span(B, Phase.IDLE, after(25), after(90)),
        Span(A, Phase.IDLE, after(60), None),
    )


def test_new_process_in_the_same_phase_is_a_new_span() -> None:
    """A session that starts twice in a row was gone between."""
    spans = history(SessionStarted(NOON, A, CODE), SessionResumed(after(9), A, CODE)).spans
    assert spans == (Span(A, Phase.STARTING, NOON, after(9)), Span(A, Phase.STARTING, after(9), None))


def test_events_that_touch_several_sessions_close_all_their_spans() -> None:
    """A quit, an answer and a change of focus name no session or another one."""
    story: list[Event] = [
        *STORY[:4],
        PermissionRequested(after(30), A, "r", "Bash"),
        PermissionAnswered(after(40), "r"),
    ]
    spans = history(*story, AppQuitBegan(after(50), False)).spans
    assert Span(A, Phase.WAITING, after(30), after(40)) in spans
    assert all(span.end is not None for span in spans)
    left = history(SessionStarted(NOON, A, CODE), FocusChanged(after(5), A), IdleTimerArmed(after(9), A, 900)).spans
    assert left[-1] == Span(A, Phase.IDLE, after(9), None)


def test_clock_that_was_set_back_makes_no_negative_span() -> None:
    """A span ends where it began at the earliest."""
    assert history(SessionStarted(after(60), A, CODE), TurnBegan(after(30), A)).spans[-1].end == after(60)


def test_window_finds_spans_told_out_of_order() -> None:
    """Where a clock was set back a later span ends earlier; windows find both, and each is forgotten in its time."""
    story = (
        SessionStarted(after(60), A, CODE), TurnBegan(after(90), A),
        SessionStarted(after(10), B, CODE), TurnBegan(after(20), B),
    )  # fmt: skip
    assert [span.session for span in history(*story, start=after(15), end=after(25)).spans] == [B, B]
    assert [span.end for span in history(*story, start=after(50), end=after(95)).spans] == [None, after(90), None]


def test_session_that_is_forgotten_at_once_leaves_no_span() -> None:
    """The state keeps so many of the dead, and a clock that was set back makes one older than all of them."""
    dead: list[Event] = [SessionFailed(after(60), f"local_{n}", 1, None) for n in range(2 * KEEP_DEAD)]
    assert history(*dead, SessionFailed(NOON, A, 1, None), start=after(-60)).spans == ()


def test_seats_step_when_the_number_or_the_cap_changes() -> None:
    """The cap is unknown until a line or the machine's memory tells it; an equal step is none."""
    steps = history(
        *STORY[:4], memory(30), HeartbeatSeen(after(31)), EvictionForeseen(after(40), B, 6, 15, "user")
    ).seats
    assert steps == (
        SeatStep(NOON, 0, None),
        SeatStep(after(10), 1, None),
        SeatStep(after(25), 2, None),
        SeatStep(after(30), 2, 8),
        SeatStep(after(40), 2, 6),
    )


def test_governors_band_fades_after_ninety_seconds() -> None:
    """Warned twice in a row is one band; its end is ninety seconds after the last word, whenever that is noticed."""
    bands = history(warning(0), warning(60), HeartbeatSeen(after(1000))).bands
    assert bands == (Band("warning", NOON, after(150)), Band("normal", after(150), None))
    open_one = history(warning(0), warning(60), end=after(500)).bands
    assert open_one == (Band("warning", NOON, after(150)), Band("normal", after(150), None))
    assert history(warning(0), warning(60), end=after(140)).bands == (Band("warning", NOON, None),)


def test_warning_that_comes_back_is_a_band_of_its_own() -> None:
    """Nothing was written between the two, and still it was normal there."""
    bands = history(warning(0), warning(600), end=after(610)).bands
    assert bands == (
        Band("warning", NOON, after(90)),
        Band("normal", after(90), after(600)),
        Band("warning", after(600), None),
    )


def test_band_knows_who_said_so() -> None:
    """The host's own reading makes a band of its own, which ends when the probe falls silent."""
    host = (HostPressureRead(NOON, "warning"), HostPressureRead(after(300), "warning"))
    silent = after(300) + HOST_HOLDS

    assert history(*host, end=after(310)).bands == (Band("warning", NOON, None, "host"),)
    assert history(*host, end=after(4000)).bands == (Band("warning", NOON, silent, "host"),)
    told = history(*host, PressureChanged(after(400), "normal"), end=after(500)).bands
    assert told == (Band("warning", NOON, after(400), "host"), Band("normal", after(400), None))
    assert history(*host, warning(310), end=after(310)).bands == (
        Band("warning", NOON, after(310), "host"), Band("warning", after(310), None),
    )  # fmt: skip
    assert history(*host, warning(310), end=after(500)).bands[1:] == (
        Band("warning", after(310), after(400)), Band("warning", after(400), None, "host"),
    )  # fmt: skip


def test_probes_take_no_seat() -> None:
    """What they find before the first line of a log is no step of the seats and no gap."""
    window = history(HostPressureRead(NOON, "normal"), PortsCrossed(after(5), 70, 170, 240, None, None))

    assert (window.seats, window.gaps, [mark.kind for mark in window.marks]) == ((), (), ["ports"])


def test_bands_of_the_operating_system_end_with_its_next_word() -> None:
    """A transition holds until the next one, whichever main process runs."""
    story = (PressureChanged(NOON, "warning"), PressureChanged(after(600), "normal"))
    assert history(*story).bands == (Band("warning", NOON, after(600)), Band("normal", after(600), None))
    restarted = history(*story, AppStarted(after(900), None, None, None)).bands
    assert restarted[-1] == Band("normal", after(600), None)
    assert history(*story, start=after(-60), end=after(-1)).bands == ()


def test_vm_that_tells_late_leaves_the_bands_alone() -> None:
    """Its line is older than what is known already."""
    bands = history(warning(0), HeartbeatSeen(after(200)), VmActive(after(60))).bands
    assert bands == (Band("warning", NOON, after(90)), Band("normal", after(90), None))


QUIT: tuple[Event, ...] = (AppQuitBegan(after(60), False), AppQuitCompleted(after(61)))


def test_gap_of_a_quit_and_of_a_crash() -> None:
    """From the last line of the old process to the first of the new one; open while the app is down."""
    again = AppStarted(after(300), None, None, None)
    assert history(START, *QUIT, again, end=after(310)).gaps == (Gap("app_down", after(61), after(300)),)
    assert history(START, *QUIT).gaps == (Gap("app_down", after(61), None),)
    assert history(START, *QUIT, end=after(60)).gaps == ()
    assert history(START, memory(57), again).gaps[0] == Gap("app_down", after(57), after(300))
    assert history(START, end=after(5)).gaps == ()


def test_gap_of_a_silent_app() -> None:
    """More than 150 seconds between two signs of life, or until now."""
    assert history(START, memory(150), end=after(300)).gaps == ()
    assert history(START, memory(151), end=after(300)).gaps == (Gap("silent", NOON, after(151)),)
    assert history(START, end=after(150)).gaps == ()
    assert history(START, end=after(151)).gaps == (Gap("silent", NOON, None),)
    assert history(end=after(500)).gaps == ()


def test_memory_is_kept_where_it_is_whole() -> None:
    """A line that lacks a number draws nothing."""
    assert history(memory(0), memory(60, None), memory(120, 5, None), memory(180, 7)).memory == (
        FreeMemory(NOON, 4000, 24576),
        FreeMemory(after(180), 7, 24576),
    )


def test_marks_carry_their_line_and_text() -> None:
    """A put-off start names the session it was meant for, and each mark the line that says so."""
    marks = history(WarmUpIntended(NOON, A), StartYielded(after(1), "warm")).marks
    assert [(mark.kind, mark.session, mark.line, mark.text) for mark in marks] == [("put_off", A, 2, "StartYielded")]


def test_quit_that_turns_out_to_be_an_update_has_one_mark() -> None:
    """By a line of the same quit, or by the report of the next process."""
    stopping, update = SessionsStopped(after(60), 1), AppQuitBegan(after(61), True)
    assert [mark.kind for mark in history(START, stopping, update).marks] == ["app_started", "app_update"]
    assert [mark.kind for mark in history(START, update).marks] == ["app_started", "app_update"]
    reported = history(START, *QUIT, AppStarted(after(90), None, None, None), PreviousQuitReported(after(91), True))
    assert [(mark.kind, mark.text) for mark in reported.marks] == [
        ("app_started", "AppStarted"), ("app_update", "AppQuitBegan"), ("app_started", "AppStarted"),
    ]  # fmt: skip


def test_report_of_an_update_without_a_quit_changes_no_mark() -> None:
    """The log begins with the new process, or the older quit is another matter."""
    assert [mark.kind for mark in history(START, PreviousQuitReported(after(1), True)).marks] == ["app_started"]
    assert history(PreviousQuitReported(NOON, True)).marks == ()
    plain = history(START, *QUIT, AppStarted(after(90), None, None, None), PreviousQuitReported(after(91), False))
    assert [mark.kind for mark in plain.marks] == ["app_started", "app_quit", "app_started"]


@pytest.mark.parametrize(
    ("start", "end", "spans", "steps", "marks"),
    [(-60, -1, 0, 0, 0), (0, 0, 0, 1, 1), (10, 10, 1, 1, 0), (15, 22, 2, 1, 0), (60, 90, 3, 2, 1), (91, 99, 1, 1, 0)],
)
def test_window_has_what_touches_it(start: int, end: int, spans: int, steps: int, marks: int) -> None:
    """Both edges belong to it, and the seat step in force at its start is in it."""
    window = history(*STORY, start=after(start), end=after(end))
    assert (window.start, window.end) == (after(start), after(end))
    assert (len(window.spans), len(window.seats), len(window.marks)) == (spans, steps, marks)


def test_what_is_older_than_kept_is_forgotten() -> None:
    """About once an hour of log time; what still goes on, and the seat step in force, stay."""
    recorder = Recorder(keep=timedelta(hours=2))
    late = 3 * 3600
    recorded(recorder, *STORY, memory(95), PressureChanged(after(96), "warning"), PressureChanged(after(97), "normal"))
    recorded(recorder, memory(400), SessionWarmed(after(late), B, 100), HeartbeatSeen(after(late + 3600)))
    window = recorder.window(after(-60), after(late + 3600))
    assert window.spans == (Span(A, Phase.IDLE, after(60), None), Span(B, Phase.IDLE, after(late), None))
    assert window.seats == (SeatStep(after(95), 1, 8), SeatStep(after(late), 2, 8))
    assert window.bands == (Band("normal", after(97), None),)
    assert window.gaps == (Gap("silent", after(400), after(late + 3600)),)
    assert (window.memory, window.marks) == ((), ())


def brute(events: list[Event], moment: datetime) -> tuple[int, dict[str, Phase]]:
    """Seats and phases of live sessions at a moment, by folding everything until then again."""
    state = fold(State(), [event for event in events if event.at <= moment])
    return seats_taken(state), {one.id: one.phase for one in state.sessions.values() if one.alive}


@given(histories(15).map(lambda events: sorted(events, key=lambda event: event.at)))
def test_history_says_at_any_moment_what_the_state_said(events: list[Event]) -> None:
    """At each event's instant the spans and steps in force are those of the state, folded anew."""
    recorder = Recorder()
    state = recorded(recorder, *events)
    for moment in {event.at for event in events}:
        window = recorder.window(moment, moment)
        seats, phases = brute(events, moment)
        spans = [span for span in window.spans if span.end is None or span.end > moment]
        assert {span.session: span.phase for span in spans} == phases
        assert (window.seats[-1].taken if window.seats else 0) == seats
    if not all(isinstance(event, MachineEvent) for event in events):  # of those alone nobody holds a seat
        cap = cap_of(state)
        assert recorder.window(NOON, UP_TO).seats[-1].cap == (None if cap.origin == "assumed" else cap.value)


def test_marks_alone_are_those_of_the_window() -> None:
    """Who wants only the marks of a stretch of time gets those that its whole history has."""
    recorder = Recorder()
    recorded(
        recorder, START, EvictionForeseen(after(40), B, 6, 15, "user"), EvictionForeseen(after(90), A, 6, 15, "user")
    )
    for start, end, number in ((NOON, after(40), 2), (after(40), after(89), 1), (after(91), UP_TO, 0)):
        assert recorder.marks(start, end) == recorder.window(start, end).marks
        assert len(recorder.marks(start, end)) == number


@given(histories(20))
def test_it_is_saved_and_read_again(events: list[Event]) -> None:
    """What was recorded comes back, and goes on as if nothing had been saved in between."""
    half = len(events) // 2
    whole, other = Recorder(), Recorder()
    for one in (whole, other):
        recorded(one, *events[:half])

    again = copy(other)  # takes the same way as pickle
    assert vars(again) == vars(whole)

    for one in (whole, again):
        recorded(one, *events[half:])
    assert vars(again) == vars(whole)
