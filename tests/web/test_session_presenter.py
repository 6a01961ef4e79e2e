"""What the page of a session shows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.core.events import (
    Event,
    MemoryEvictionBegan,
    Observed,
    PauseDeclined,
    RemoteControlEnabled,
    SessionPaused,
    SessionWarmed,
)
from app.core.state import PendingEviction, Phase, Session, State
from app.web.session_presenter import PAGE, SessionStory, session_view
from app.web.session_views import SessionView
from tests.web.scenes import (
    HOSTILE,
    NOW,
    ZONE,
    Shelved,
    ShelvedLife,
    ago,
    past,
    session,
    seven_of_eight,
    sid,
    state,
)


def kept(*events: Event) -> list[Shelved]:
    """Events as an archive gives them: the last one first."""
    lines = [Shelved(n, Observed(event, "f1", n * 100, n, f"line {n}")) for n, event in enumerate(events, start=1)]
    return lines[::-1]


def view_of(current: State, n: int, **fields: Any) -> SessionView:
    """The page of a session of this state."""
    told = SessionStory(
        state=current, history=past(current), life=ShelvedLife(ago(hours=1), NOW, 1234), events=(), before=None,
        proofs=(), names={"f1": "main.log"}, now=NOW, zone=ZONE,
    )  # fmt: skip
    return session_view(replace(told, **fields), sid(n))


def said(parts: Any) -> str:
    """Parts as one text."""
    return "".join(part.text for part in parts)


def gone(phase: Phase, ended_by: str) -> Session:
    """A session without a process since two minutes ago."""
    return session(1, phase, since=ago(minutes=2), ended_by=ended_by, live_since=None)


@pytest.mark.parametrize(
    ("one", "sentence", "tone", "ended"),
    [
        (session(1, Phase.STARTING), "Task 1 is starting, since 19:24:00.", "working", ""),
        (session(1, since=ago(minutes=5)), "Task 1 has been working since 19:19:00, for 5 minutes.", "working", ""),
        (session(1, Phase.IDLE, idle=842), "Task 1 has been silent since 19:09:58, for 14 minutes.", "plain", ""),
        (session(1, Phase.WAITING, since=ago(minutes=22)),
         "Task 1 has been waiting for your answer since 19:02:00, for 22 minutes.", "next", ""),
        (gone(Phase.PAUSED, "paused_idle"), "Task 1 has been paused since 19:22:00, for 2 minutes.", "plain",
         "The app paused it after its idle time."),
        (gone(Phase.EVICTED, "evicted_for_seat"), "Task 1 was closed by the app at 19:22:00, 2 minutes ago.", "out",
         "The app closed it to make room"),
        (gone(Phase.ENDED, "killed"), "Task 1 ended at 19:22:00, 2 minutes ago.", "plain", "was killed from outside."),
        (gone(Phase.LOST, "app_crashed"), "Task 1 was lost at 19:22:00, 2 minutes ago.", "out", "without a word."),
    ],
)  # fmt: skip
def test_what_it_does_now(one: Session, sentence: str, tone: str, ended: str) -> None:
    """Every phase has its sentence, since when, and how it ended."""
    view = view_of(state(one), 1)

    assert (said(view.sentence), view.tone) == (sentence, tone)
    assert ended in view.ended
    assert bool(view.ended) is bool(ended)
    assert view.alive is (not ended)


@pytest.mark.parametrize(
    ("n", "fields", "words"),
    [
        (5, {}, "1st of 3 that could be closed, if a seat or memory is needed."),
        (7, {}, "3rd of 3 that could be closed. A start may take it in 18 seconds, memory pressure at once."),
        (1, {}, "The app passes over it: working."),
        (5, {"holds": {"remote_control": ago(minutes=20)}}, "The app passes over it: remote control."),
        (5, {"kind": "cowork"}, "Cowork's own sessions hold no seat."),
        (5, {"eviction": PendingEviction(NOW, "evicted_for_seat")}, "The app is closing it now."),
        (5, {"phase": Phase.ENDED}, "It has no process and holds no seat"),
    ],
)
def test_its_place_in_the_queue(n: int, fields: dict[str, Any], words: str) -> None:
    """The rank, or why it has none."""
    current = seven_of_eight()
    changed = replace(current.sessions[sid(n)], **fields)
    view = view_of(replace(current, sessions={**current.sessions, sid(n): changed}), n)

    assert words in said(view.queue)


def test_protections_have_their_lines() -> None:
    """What protects it, since when, and the line that says so; what no line tells has none."""
    proofs = kept(RemoteControlEnabled(ago(minutes=20), sid(5)), PauseDeclined(ago(minutes=9), sid(5), None))
    holds: Any = {"remote_control": ago(minutes=20), "background_task": ago(minutes=15)}
    held = session(5, Phase.IDLE, idle=60, holds=holds)
    rows = view_of(state(held), 5, proofs=proofs).holds
    waiting = view_of(state(session(5, Phase.WAITING, waiting_for={"r": ago(minutes=3)})), 5).holds

    assert [(row.what, row.since) for row in rows] == [("remote control", "19:04:00"), ("background task", "19:09:00")]
    assert [row.line and row.line.where for row in rows] == ["main.log:1", None]
    assert [(row.what, row.since) for row in waiting] == [("waits for you", "19:21:00")]


def test_an_end_has_the_lines_that_tell_of_it() -> None:
    """The lines of this end in the order of the log, and not those of an earlier one."""
    proofs = kept(
        SessionPaused(ago(minutes=50), sid(1), "idle_timeout"),
        MemoryEvictionBegan(ago(minutes=2), sid(1), 300),
        SessionPaused(ago(minutes=2), sid(1), "governor_evict"),
    )
    view = view_of(state(gone(Phase.EVICTED, "evicted_for_memory")), 1, proofs=proofs)

    assert [line.where for line in view.proof] == ["main.log:2", "main.log:3"]


def test_events_are_a_page_with_ways_on() -> None:
    """A full page leads to older lines, a page of the past back to the newest; its size is told."""
    full = kept(*(SessionWarmed(ago(minutes=n), sid(1), 5) for n in range(PAGE)))
    current = state(session(1))
    newest = view_of(current, 1, events=full).events
    last = view_of(current, 1, events=full[:3], before=77).events
    beyond = view_of(current, 1, before=1).events

    assert (newest.summary, newest.older, newest.newest) == ("1,234 lines", f"/sessions/{sid(1)}?before=1#log", "")
    assert (last.older, last.newest, len(last.rows)) == ("", f"/sessions/{sid(1)}#log", 3)
    assert (beyond.rows, beyond.empty) == ((), "There is nothing older.")
    assert newest.rows[0].what == "Started ahead of need"


def test_one_that_is_forgotten_has_its_lines_alone() -> None:
    """A session of which nothing but lines is kept is called by its id and said to be unknown otherwise."""
    view = view_of(state(), 3, events=kept(SessionWarmed(ago(minutes=9), sid(3), 5)))

    assert (view.title, view.phase, view.ended, view.queue_note) == ("Session 0003", "not known any more", "", "")
    assert said(view.sentence) == "The log names it, and that is all that is kept of it."
    assert (view.picture, len(view.events.rows)) == (None, 1)


def test_a_life_longer_than_the_picture_says_so() -> None:
    """Of a life that began before the window only the newest part is drawn, and that is said."""
    long = view_of(state(session(1)), 1, life=ShelvedLife(ago(days=20), NOW, 9))

    assert long.window == "17:24 to 19:24, the newest part of its life"
    assert view_of(state(session(1)), 1).window == "17:24 to 19:24"


def test_facts_of_a_hostile_session() -> None:
    """Titles and folders are other people's text: they are cut and stripped, whatever they hold."""
    view = view_of(state(session(1, title=HOSTILE, cwd=f"/x/{HOSTILE}" * 20)), 1)
    rows = {row.name: row.value for row in view.facts}

    assert (rows["Kind"], rows["Seat"], rows["Its process lives since"]) == ("Code session", "holds one", "18:25:00")
    assert len(rows["Folder"]) <= 160
    assert not {"\x1b", "\u202e"} & set(view.title + rows["Folder"])
