"""What the page of *why* shows."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from app.core.diagnosis import Stop
from app.core.events import (
    Event,
    EvictionForeseen,
    MemoryEvictionBegan,
    Observed,
    PermissionRequested,
    SessionPaused,
    SessionRetitled,
    SessionStarted,
    SessionStopped,
    SessionWarmed,
)
from app.core.state import Phase, State
from app.errors import Unanswerable
from app.explain import judge
from app.web.why_presenter import MOST_SESSIONS, Seen, answer_view, form, problem, recent_rows, stop_rows
from app.web.why_views import WhyAnswer
from tests.web.scenes import HOSTILE, NOW, ZONE, Reading, ago, session, sid, state

SEEN = Seen(NOW, ZONE)
LIFE: tuple[Event, ...] = (
    SessionStarted(ago(minutes=90), sid(1), "/Users/someone/alpha"),
    SessionRetitled(ago(minutes=89), sid(1), "Report"),
    SessionStarted(ago(minutes=80), sid(2), "/Users/someone/beta"),
    SessionPaused(ago(minutes=70), sid(1), "idle_timeout"),
    SessionWarmed(ago(minutes=60), sid(1), 80),
    EvictionForeseen(ago(minutes=26), sid(1), 8, 300, "warm"),
    MemoryEvictionBegan(ago(minutes=25), sid(2), 900),
    SessionPaused(ago(minutes=25), sid(2), "governor_evict"),
    MemoryEvictionBegan(ago(minutes=24), sid(1), 420),
    SessionPaused(ago(minutes=24), sid(1), "governor_evict"),
)


def reading(*events: Event) -> Reading:
    """What was read: a line each."""
    return Reading([Observed(event, "f1", n * 100, n, f"line {n}") for n, event in enumerate(events, start=1)])


def asked(told: Reading, name: str | None, at: datetime = NOW) -> WhyAnswer:
    """The answer, which is there."""
    found = answer_view(judge(told, name, at, ZONE), told, SEEN)
    assert found is not None
    return found


def said(parts: Any) -> str:
    """Parts as one text."""
    return "".join(part.text for part in parts)


def test_an_answer_has_its_proof_and_what_else_went_on() -> None:
    """The verdict, how sure, what to do, the lines, others around it, and the stops before it."""
    answer = asked(reading(*LIFE), "report")

    assert said(answer.sentence) == "Report was closed by the app to free memory, 24 minutes ago."
    assert (answer.certainty, answer.sure, answer.when) == ("certain", "Certain: the log says so itself.", "19:00:00")
    assert [line.where for line in answer.proof] == ["main.log:9", "main.log:10"]
    assert [(said(row.parts), row.line.where) for row in answer.others] == [
        ("Report was named as the one to close; nothing was closed", "main.log:6"),
        ("beta was closed to free memory, after 15 minutes of silence", "main.log:8"),
    ]
    assert [(row.what, row.sure, row.href) for row in answer.earlier] == [
        ("paused after its idle time", "certain", f"/why?session={sid(1)}&at=2026-10-02T09%3A14%3A00Z"),
    ]
    assert answer.notes == ("1 line named it as the one to close since it began. It closed nothing.",)
    assert (answer.near, answer.session_href) == ((), f"/sessions/{sid(1)}")


def test_around_a_time_the_others_are_named() -> None:
    """Without a session the nearest stop is the answer, and the others around the time are a link away."""
    answer = asked(reading(*LIFE), None, ago(minutes=24))

    assert said(answer.sentence).startswith("Report was closed by the app to free memory")
    assert [(row.title, row.what) for row in answer.near] == [("beta", "closed to free memory")]
    assert answer.notes == ()


def test_nothing_around_a_time() -> None:
    """Where nothing stopped there is no answer to show."""
    told = reading(*LIFE)

    assert answer_view(judge(told, None, ago(minutes=50), ZONE), told, SEEN) is None


@pytest.mark.parametrize(
    ("more", "verdict", "note"),
    [
        ((SessionWarmed(ago(minutes=5), sid(1), 80),), "evicted_for_memory", "started again since and is alive now."),
        ((SessionWarmed(ago(minutes=5), sid(1), 80), PermissionRequested(ago(minutes=3), sid(1), "r", "Bash")),
         "evicted_for_memory", "runs again and waits for your answer now."),
        ((SessionWarmed(ago(minutes=5), sid(1), 80), SessionStopped(ago(minutes=3), sid(1), "stopped")),
         "unknown", "The line below says that it was stopped on request, and not by whom."),
    ],
)  # fmt: skip
def test_what_the_verdict_leaves_unsaid(more: tuple[Event, ...], verdict: str, note: str) -> None:
    """That it lives again, that it waits, that somebody stopped it."""
    answer = asked(reading(*LIFE, *more), sid(1))

    assert answer.verdict == verdict
    assert any(note in one for one in answer.notes)


def test_one_that_never_stopped() -> None:
    """It has no proof but what is true of it now, and nothing to do."""
    told = reading(SessionStarted(ago(seconds=50), sid(1), "/x"))
    answer = asked(told, sid(1))

    assert (answer.verdict, answer.proof, answer.earlier) == ("still_running", (), ())
    assert answer.sure == "Certain: it follows from what the log shows of it now."
    assert said(answer.sentence).endswith("it runs, for 50 seconds now.")


def test_what_was_true_of_a_past_moment_is_not_said_of_now() -> None:
    """Asked about five minutes ago the answer says so and counts up to then: much may have changed since."""
    told, at = reading(SessionStarted(ago(minutes=6), sid(1), "/x")), ago(minutes=5)
    runs = answer_view(judge(told, sid(1), at, ZONE), told, replace(SEEN, asked=at))
    woken = reading(*LIFE, SessionWarmed(ago(minutes=10), sid(1), 80))
    again = answer_view(judge(woken, sid(1), at, ZONE), woken, replace(SEEN, asked=at))

    assert runs is not None
    assert said(runs.sentence) == "As of 19:19:00: x has not stopped: it runs, for 1 minute."
    assert again is not None
    assert again.notes[:1] == ("As of 19:19:00 it was started again and is alive.",)


def test_form_offers_the_newest_and_keeps_what_was_asked() -> None:
    """Sessions newest first, bounded; the one asked for is chosen even where it is not among them."""
    current = state(*(session(n, Phase.IDLE, idle=n) for n in range(MOST_SESSIONS + 20)))
    known = form(current, sid(110), NOW, SEEN)
    unknown = form(current, "local_zzzz", None, SEEN)

    assert [one.value for one in known.sessions[:2]] == [sid(119), sid(118)]
    assert [one.value for one in known.sessions if one.chosen] == [sid(110)]
    assert (len(known.sessions), known.at, known.zone) == (MOST_SESSIONS, "2026-10-02T19:24:00", "JST")
    assert [one.label for one in unknown.sessions if one.chosen] == ["Session zzzz"]
    assert (len(unknown.sessions), unknown.at) == (MOST_SESSIONS + 1, "")


@pytest.mark.parametrize(
    ("kind", "typed", "what", "todo"),
    [
        ("moment", HOSTILE, "“<script>alert(1)</script>", "Choose a date and a time"),
        ("before", "2020-01-01", "does not reach back to that time.", "It covers 17:54:00 to 19:24:00."),
        ("several", "task", "“task” means more than one session.", "Choose one from the list."),
        ("nobody", "x", "names no session “x”.", "Known now: Task 2, Task 1. Choose one"),
    ],
)
def test_a_question_without_an_answer(kind: Any, typed: str, what: str, todo: str) -> None:
    """What is wrong with it, and what to do, in the words of the page."""
    error = Unanswerable(kind, "What.", "Why.", "Do.")
    said_so = problem(error, state(session(1), session(2)), typed, SEEN, reading(*LIFE))

    assert what in said_so[0]
    assert todo in said_so[1]
    assert "\x1b" not in said_so[0]


def test_nobody_to_choose_from() -> None:
    """Where no session is known none is offered."""
    assert problem(Unanswerable("nobody", "", "", ""), state(), "x", SEEN, None)[1] == "No session is known yet."


def test_recent_stops_of_everybody() -> None:
    """The newest stops of all sessions, newest first."""
    rows = recent_rows(reading(*LIFE).walked(NOW)[1].stops, state(), SEEN)

    assert [row.time for row in rows] == ["19:00:00", "18:59:00", "18:14:00"]


def test_what_nobody_knows_is_not_graded() -> None:
    """A stop whose reason is not known has no word of how sure that is, only what the log has; every other has one."""
    asked = Observed(SessionStopped(ago(minutes=7), sid(1), "stopped"), "main.log", 7, 7, "a line")
    stops = [
        Stop(sid(1), ago(minutes=5), "unknown", "possible", ()),
        Stop(sid(1), ago(minutes=7), "unknown", "possible", (asked,)),
        Stop(sid(1), ago(minutes=9), "killed", "certain", ()),
    ]

    assert [(row.what, row.sure) for row in stop_rows(stops, State(), SEEN)] == [
        ("not known why", ""), ("stopped on request", ""), ("killed from outside", "certain"),
    ]  # fmt: skip
