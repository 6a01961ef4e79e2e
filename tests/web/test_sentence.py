"""The sentence: every case, and which of two comes first."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from app.core.history import History
from app.core.machine import Ports
from app.core.ports import line_named
from app.core.state import App, Evidence, Limit, Phase, Pressure, Session, State
from app.live import Snapshot
from app.web.sentence import app_silence, governor_lines, phrase, sentence
from app.web.views import Part, SentenceView
from tests.core.machines import machine, ports
from tests.web.scenes import NOW, ZONE, FixedRecorder, ago, session, seven_of_eight, sid, snapshot, state

IDLE, WORKING, WAITING = Phase.IDLE, Phase.WORKING, Phase.WAITING
CRITICAL = Pressure(os_level="critical", os_since=ago(minutes=3))
WARNING = Pressure(os_level="warning", os_since=ago(minutes=3))
WARNS = {"2.9939.4": Evidence(3837, 0, 12)}
KEPT = {"remote_control": ago(hours=1)}


def busy(n: int) -> list[Session]:
    """So many sessions mid-turn."""
    return [session(i) for i in range(1, n + 1)]


def with_head(n: int) -> list[Session]:
    """So many seats taken, one of them silent for 14 minutes."""
    return [*busy(n - 1), session(n, IDLE, idle=842, title="Meeting notes")]


def evicted(how: str, seconds: float) -> Session:
    """A session that was closed so long ago."""
    return session(9, Phase.EVICTED, title="Tax folder", since=ago(seconds=seconds), ended_by=how)


def empty_history() -> FixedRecorder:
    """No history at all."""
    return FixedRecorder(History(ago(hours=2), NOW))


def said(view: SentenceView) -> str:
    """The sentence with its titles in asterisks, as the design writes it."""
    return "".join(f"**{part.text}**" if part.strong else part.text for part in view.parts)


def small(view: SentenceView) -> str:
    """The second line."""
    return "".join(part.text for part in view.small)


PROTECTED = [session(n, IDLE, idle=900, holds=KEPT) for n in range(1, 9)]

CASES: list[tuple[str, State, str]] = [
    ("seats_free", state(*busy(5)), "3 seats free. Nothing would be closed."),
    ("empty", state(), "No session holds a seat. All 8 are free."),
    (
        "one_left",
        state(*with_head(7)),
        "One seat left. Start two more and **Meeting notes** is likely to be closed first, silent for 14 minutes.",
    ),
    ("one_left", state(*busy(7)), "One seat left. Nothing can be closed now: nobody is silent and unprotected."),
    (
        "one_left_warns",
        state(*with_head(7), evidence=WARNS),
        "One seat left. This version of the app has only warned so far: 0 of 3,837 lines closed a session.",
    ),
    (
        "at_cap",
        state(*with_head(8)),
        "All 8 seats are taken. The next start puts **Meeting notes** at risk, silent for 14 minutes.",
    ),
    (
        "at_cap",
        state(*busy(7), session(8, IDLE, idle=20)),
        "All 8 seats are taken. The next start puts **Task 8** at risk, silent for less than a minute.",
    ),
    (
        "at_cap_warns",
        state(*with_head(8), evidence=WARNS),
        "All 8 seats are taken. This version of the app has only warned so far: 0 of 3,837 lines closed a session.",
    ),
    (
        "all_busy",
        state(*busy(8)),
        "All 8 seats are taken and all are working. Nothing can be closed; a new warm start is put off.",
    ),
    (
        "all_protected",
        state(*PROTECTED),
        "All 8 seats are taken and protected. Under pressure the app finds nothing to close.",
    ),
    (
        "none_eligible",
        state(*busy(4), *PROTECTED[4:]),
        "All 8 seats are taken; everyone is working or protected. Nothing can be closed.",
    ),
    ("over_cap", state(*busy(9)), "9 sessions on 8 seats. Warm starts are put off until one ends."),
    ("over_cap", state(*busy(10)), "10 sessions on 8 seats. Warm starts are put off until enough of them end."),
    (
        "pressure_warning",
        state(*busy(6), session(7, IDLE, idle=842, title="T"), session(8, IDLE, idle=500, title="U"), pressure=WARNING),
        "Memory is tight. **T** and **U** could be closed at any moment.",
    ),
    (
        "pressure_critical",
        state(*with_head(8), pressure=CRITICAL),
        "Memory is very tight. **Meeting notes** could be closed at any moment.",
    ),
    (
        "pressure_critical",
        state(*busy(6), *(session(n, IDLE, idle=n * 100, title=f"S{n}") for n in (7, 8, 9)), pressure=CRITICAL),
        "Memory is very tight. **S9**, **S8** and 1 more could be closed at any moment.",
    ),
    (
        "pressure_critical",
        state(*PROTECTED, pressure=CRITICAL),
        "Memory is very tight. The app finds nothing to close: everyone is working or protected.",
    ),
    (
        "pressure_warning",
        state(*with_head(3), pressure=WARNING),
        "Memory is tight. Few enough seats are taken: nothing is likely to be closed.",
    ),
    (
        "pressure_warning_warns",
        state(*with_head(8), pressure=WARNING, evidence=WARNS),
        "Memory is tight. This version of the app has only warned so far: 0 of 3,837 lines closed a session.",
    ),
    (
        "just_evicted",
        state(*busy(5), evicted("evicted_for_memory", 43)),
        "**Tax folder** was closed 40 seconds ago to free memory. Its conversation is kept; open it to go on.",
    ),
    (
        "just_evicted",
        state(*busy(5), evicted("evicted_for_seat", 4)),
        "**Tax folder** was closed 4 seconds ago to make room. Its conversation is kept; open it to go on.",
    ),
    ("seats_free", state(*busy(5), evicted("evicted_for_seat", 121)), "3 seats free. Nothing would be closed."),
    (
        "waiting",
        state(*busy(3), session(4, WAITING, title="Budget", waiting_for={"r": ago(minutes=22)})),
        "**Budget** has been waiting for your answer for 22 minutes. It holds a seat.",
    ),
    (
        "seats_free",
        state(*busy(3), session(4, WAITING, waiting_for={"r": ago(minutes=4)})),
        "4 seats free. Nothing would be closed.",
    ),
    (
        "silent",
        state(*busy(3), app=App(True, "2.9939.4", "darwin", ago(hours=3), ago(minutes=4))),
        "The app's log has been silent for 4 minutes. It is asleep or stuck; idle times are not certain.",
    ),
    (
        "not_running",
        state(app=App(running=False, down_since=ago(minutes=26))),
        "Claude is not running. Last seen 18:58.",
    ),
]


@pytest.mark.parametrize(("case", "current", "expected"), CASES, ids=[f"{i}-{c[0]}" for i, c in enumerate(CASES)])
def test_says_each_case(case: str, current: State, expected: str) -> None:
    """Each state has the sentence that the design gives it."""
    view = sentence(snapshot(current), NOW, ZONE)

    assert (view.case, said(view)) == (case, expected)


OUTSIDE: list[tuple[str, Snapshot, str]] = [
    ("loading", snapshot(State(), ready=False), "Reading Claude's logs for the first time."),
    (
        "no_logs",
        Snapshot(1, State(), empty_history(), looked_in=("/a", "/b"), ready=True),
        "No Claude logs found. Looked in: /a, /b",
    ),
    ("no_logs", Snapshot(1, State(), empty_history(), ready=True), "No Claude logs found. Looked in: no place at all"),
    ("quiet", snapshot(State()), "The logs say nothing yet. Waiting for the first line."),
    ("not_running", snapshot(State(), demo=True), "Claude is not running."),
]


@pytest.mark.parametrize(("case", "shown", "expected"), OUTSIDE, ids=[f"{i}-{c[0]}" for i, c in enumerate(OUTSIDE)])
def test_says_what_is_missing(case: str, shown: Snapshot, expected: str) -> None:
    """Without logs, or before they were read, the sentence says that and no second line follows a guess."""
    view = sentence(shown, NOW, ZONE)

    assert (view.case, said(view)) == (case, expected)


ORDER: list[tuple[str, State]] = [
    ("not_running", state(evicted("evicted_for_seat", 5), app=App(running=False, down_since=ago(seconds=3)))),
    ("silent", state(*busy(9), pressure=CRITICAL, app=App(True, None, None, None, ago(minutes=5)))),
    ("just_evicted", state(*busy(9), evicted("evicted_for_memory", 5), pressure=CRITICAL)),
    ("pressure_critical", state(*busy(9), pressure=CRITICAL)),
    ("over_cap", state(*busy(8), session(9, WAITING, waiting_for={"r": ago(minutes=30)}))),
    ("at_cap", state(*with_head(7), session(8, WAITING, waiting_for={"r": ago(minutes=30)}))),
    ("waiting", state(*with_head(6), session(7, WAITING, waiting_for={"r": ago(minutes=30)}))),
]


@pytest.mark.parametrize(("first", "current"), ORDER, ids=[case for case, _ in ORDER])
def test_keeps_its_order(first: str, current: State) -> None:
    """Where several cases hold, the documented order decides."""
    assert sentence(snapshot(current), NOW, ZONE).case == first


def test_second_line_tells_pressure_and_whom_a_critical_reading_takes() -> None:
    """Under normal pressure the second line names who would go at a critical reading."""
    view = sentence(snapshot(), NOW, ZONE)

    assert small(view) == "Memory pressure is normal. At a critical reading, Meeting notes is likely to be closed."


def test_second_line_names_two_and_counts_more() -> None:
    """With more to sweep, the second line names two and counts the rest."""
    two = state(*busy(6), session(7, IDLE, idle=300, title="T"), session(8, IDLE, idle=200, title="U"))
    three = state(*busy(6), *(session(n, IDLE, idle=n * 100, title=f"S{n}") for n in (7, 8, 9)))

    assert small(sentence(snapshot(two), NOW, ZONE)).endswith("T and U could both be closed.")
    assert small(sentence(snapshot(three), NOW, ZONE)).endswith("S9, S8 and 1 more could be closed.")


@pytest.mark.parametrize(
    ("current", "expected"),
    [
        (seven_of_eight(cap=None), "The number of seats is estimated from the machine's memory."),
        (state(session(1), cap=None), "The number of seats is assumed: no line has told it yet."),
        (state(session(1), pressure=Pressure()), "Nothing was said of memory pressure yet."),
        (state(session(1), evidence=WARNS), "This version of the app has only warned so far: 0 of 3,837 lines"),
        (state(*with_head(8), pressure=CRITICAL), "this is likely, not certain."),
        (state(*busy(8), session(9, WAITING, waiting_for={"r": ago(minutes=30)})), "Task 9 has been waiting for your"),
        (state(evicted("evicted_for_memory", 5), pressure=CRITICAL), "Memory pressure is at critical."),
    ],
)
def test_second_line_says_how_sure_it_is(current: State, expected: str) -> None:
    """Where a number is not from the log, or an outcome only likely, the second line says so."""
    assert expected in small(sentence(snapshot(current), NOW, ZONE))


def test_usage_limit_stands_in_the_second_line_until_it_resets() -> None:
    """Whatever the sentence is, whether the app runs or not."""
    limited = Limit(ago(minutes=5), sid(1), "11:30pm (Asia/Tokyo)", ago(hours=-4, minutes=-6))
    stopped = state(app=App(running=False, down_since=ago(minutes=26)), limited=limited)

    for current in (seven_of_eight(limited=limited), stopped):
        assert "The usage limit is reached until 23:30." in small(sentence(snapshot(current), NOW, ZONE))
    over = replace(limited, resets_at=ago(minutes=1))
    assert "usage limit" not in small(sentence(snapshot(seven_of_eight(limited=over)), NOW, ZONE))


def test_demo_is_said_in_the_second_line() -> None:
    """Demo data is never mistaken for the reader's own."""
    assert small(sentence(snapshot(demo=True), NOW, ZONE)).startswith("Demo data.")


def test_a_title_stays_a_part_of_its_own() -> None:
    """A title cannot break out of the message: braces in it are text."""
    named = session(1, title="{span} {title}")

    assert phrase("{title} for {span}", title=named, span="1 s") == (
        Part("{span} {title}", strong=True),
        Part(" for 1 s"),
    )


def test_silence_counts_from_the_newest_sign() -> None:
    """A running app is silent after 150 s without a sign; one that is down is not."""
    quiet = state(app=App(True, None, None, None, ago(seconds=149)))
    later = NOW + timedelta(seconds=1)

    assert app_silence(quiet, NOW) is None
    assert app_silence(quiet, later) == timedelta(seconds=150)
    assert app_silence(replace(quiet, app=App(running=False)), later) is None


def test_lines_of_all_versions_count_until_this_one_has_some() -> None:
    """A freshly updated app has written nothing yet: what its predecessors wrote stands in."""
    assert governor_lines(state(evidence={"2.9939.4": Evidence(5, 0, 0), "1.0": Evidence(7, 0, 0)})) == 5
    assert governor_lines(state(evidence={"1.0": Evidence(7, 0, 0)})) == 7


def test_names_the_newest_of_several_evictions() -> None:
    """After a sweep the sentence names the session that was closed last."""
    first = replace(evicted("evicted_for_memory", 30), id=sid(20), title="Older")

    assert said(sentence(snapshot(state(first, evicted("evicted_for_memory", 12))), NOW, ZONE)).startswith(
        "**Tax folder**"
    )


@pytest.mark.parametrize(
    ("taken", "minutes", "said", "tone"),
    [
        (210, None, "210 of 240 ports in use.", "next"),
        (204, 6.0, "204 of 240 ports in use. At this pace the line is full in 6 minutes.", "out"),
        (239, 0.1, "239 of 240 ports in use. At this pace the line is full in 1 minute.", "out"),
        (230, 40.0, "230 of 240 ports in use.", "next"),
        (240, 0.0, "240 of 240 ports in use. The line is full: new connections fail.", "out"),
    ],
)
def test_ports_that_run_out_come_before_pressure(taken: int, minutes: float | None, said: str, tone: str) -> None:
    """A line without ports takes every session offline, memory pressure only one."""
    tight = Pressure(os_level="critical", os_since=ago(minutes=1))
    current = snapshot(
        replace(seven_of_eight(), pressure=tight), machine=machine(found=ports(taken, minutes, at=NOW), at=NOW)
    )
    view = sentence(current, NOW, ZONE)

    assert (view.case, "".join(part.text for part in view.parts), view.tone) == ("ports", said, tone)
    assert "Memory pressure is at critical." in "".join(part.text for part in view.small)


@pytest.mark.parametrize("found", [ports(204, at=NOW), ports(5000, line=line_named("transix"), at=NOW)])
def test_ports_that_do_not_lead_are_left_to_their_card(found: Ports) -> None:
    """Below the mark, or on a line of which no number is known, the seats lead."""
    assert sentence(snapshot(machine=machine(found=found, at=NOW)), NOW, ZONE).case == "one_left"


def test_old_count_of_ports_leads_nothing() -> None:
    """A probe that fell silent says nothing of now."""
    old = machine(found=ports(230, at=ago(minutes=10)), at=ago(minutes=10))

    assert sentence(snapshot(machine=old), NOW, ZONE).case == "one_left"
