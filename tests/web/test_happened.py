"""What happened, in words."""

from __future__ import annotations

from typing import get_args

import pytest

from app.core.history import Mark, MarkKind
from app.core.state import State
from app.web.happened import ICONS, announce_view, gather, happened_view, log_line, what_happened, why
from tests.web.scenes import HOSTILE, NOW, ZONE, mark, session, seven_of_eight, sid, state

GONE = "Photo index was closed to free memory, after 28 minutes of silence"
NAMED = "Photo index was named as the one to close; nothing was closed"
CASES: list[tuple[Mark, str, str]] = [
    (mark("evicted_for_memory", 26, 9, idle_seconds=1721), GONE, "memory pressure, silent 28 m"),
    (mark("evicted_for_seat", 26, 9), "Photo index was closed to make room for another session", "at cap"),
    (mark("paused_idle", 5, 9), "Photo index was paused after its idle time; opening it brings it back", "idle timer"),
    (mark("put_off", 2, detail="8"), "A warm start was put off: all 8 seats were taken", "at cap"),
    (mark("put_off", 2), "A warm start was put off: all seats were taken", "at cap"),
    (mark("would_evict", 2, 9, idle_seconds=300), NAMED, "warned only, silent 5 m"),
    (mark("pressure_warning", 2), "Memory became tight", "memory"),
    (mark("pressure_critical", 2), "Memory became very tight", "memory"),
    (mark("ports", 2, detail="204/240"), "204 of 240 ports of the home line were in use", "network"),
    (mark("killed", 2, 9, detail="SIGKILL"), "Photo index was killed from outside", "SIGKILL"),
    (mark("failed", 2, 9), "Photo index ended with an error", "session"),
    (mark("timed_out", 2, 9, idle_seconds=0), "Photo index gave no answer and was given up", "session"),
    (mark("usage_limit", 2, 9, detail="11:30pm"), "Photo index met the account's limit", "resets 11:30pm"),
    (mark("usage_limit", 2, 9), "Photo index met the account's limit", "limit"),
    (mark("overloaded", 2, 77), "Session 0077 met an overloaded service", "service"),
    (mark("overloaded", 2), "A session met an overloaded service", "service"),
    (mark("signed_out", 2), "Claude asks for a new sign-in", "account"),
    (mark("network", 2, detail="ERR_TIMED_OUT"), "Claude's network failed", "ERR_TIMED_OUT"),
    (mark("app_started", 2, detail="2.9939.4"), "Claude 2.9939.4 started; every seat was empty", "app"),
    (mark("app_started", 2), "Claude started", "app"),
    (mark("app_quit", 2), "Claude was quit", "app"),
    (mark("app_update", 2), "Claude closed itself to install an update", "app"),
    (mark("app_crashed", 2), "Claude ended without a word", "app"),
    (
        mark("account_switched", 2),
        "Claude switched to another account; the sessions of the former one were stopped",
        "account",
    ),
    (mark("undelivered", 2, 9), "A message from another session did not reach Photo index", "session"),
    (mark("save_failed", 2, 9, detail="EPERM"), "Claude could not save Photo index: EPERM", "session"),
    (mark("remote_lost", 2), "Remote control lost its connection and is reconnecting", "network"),
    (mark("vm_ready", 2, detail="2014"), "The Cowork VM was ready in 2.0 s", "VM"),
    (mark("vm_ready", 2), "The Cowork VM was ready", "VM"),
    (mark("vm_failed", 2), "The Cowork VM did not start", "VM"),
    (mark("vm_disk_full", 2), "The Cowork VM's disk is full", "VM"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "words", "reason"), CASES, ids=[f"{i}-{c[0].kind}" for i, c in enumerate(CASES)])
def test_says_each_kind(one: Mark, words: str, reason: str) -> None:
    """Every kind of mark is a sentence without jargon, with its reason at the right."""
    known = state(session(9, title="Photo index"))

    assert "".join(part.text for part in what_happened(one, known)) == words
    assert why(one) == reason


def test_every_kind_has_a_case_and_an_icon() -> None:
    """A new kind of mark cannot be forgotten here."""
    kinds = set(get_args(MarkKind))

    assert {one.kind for one, _words, _reason in CASES} == kinds
    assert set(ICONS) == kinds


def test_repeats_are_told_once() -> None:
    """The same thing within a quarter of an hour is one row with a number; evictions never merge."""
    marks = [mark("put_off", minutes, detail="8") for minutes in (50, 12, 11, 10)]
    marks += [mark("evicted_for_seat", 5, 1), mark("evicted_for_seat", 4, 1)]

    told = gather(marks)

    assert [(one.mark.kind, one.times) for one in told] == [
        ("evicted_for_seat", 1), ("evicted_for_seat", 1), ("put_off", 3), ("put_off", 1),
    ]  # fmt: skip


def test_rows_are_newest_first_with_the_log_line() -> None:
    """A row has the local time, the icon, and the log's own words for who opens it."""
    marks = (mark("put_off", 10, detail="8"), mark("put_off", 9, detail="8"), mark("evicted_for_seat", 2, 5))
    view = happened_view(marks, seven_of_eight(), NOW, ZONE, "2 h")

    assert [(row.time, row.icon) for row in view.rows] == [("19:22:00", "evicted"), ("19:15:00", "put_off")]
    assert "".join(part.text for part in view.rows[1].parts).endswith(", 2 times")
    assert view.rows[0].line == "main.log:20  a line of evicted_for_seat"
    assert view.summary == "1 eviction, 2 starts put off in 2 h"
    assert view.empty == ""


def test_a_quiet_day_is_said() -> None:
    """Nothing is a designed answer."""
    assert happened_view((), state(), NOW, ZONE).empty.startswith("Nothing in this time")


def test_before_anything_is_read_nothing_is_said_not_to_have_happened() -> None:
    """While the logs are read for the first time, or where there are none, no count is given."""
    view = happened_view((), State(), NOW, ZONE)

    assert (view.summary, view.rows, view.empty) == ("", (), "Nothing is known of this time yet.")


def test_another_day_is_named() -> None:
    """What did not happen today says its day."""
    view = happened_view((mark("put_off", 60 * 30),), state(), NOW, ZONE)

    assert view.rows[0].time == "1 Oct, 13:24:00"
    assert view.summary == "0 evictions, 1 start put off in this window"


def test_log_lines_are_cut_and_plain() -> None:
    """Hostile lines keep no terminal codes and have a bound."""
    line = log_line(mark("failed", 1, 1, text=HOSTILE + "x" * 5000))

    assert "\x1b" not in line
    assert len(line) < 320


def test_evictions_and_pressure_are_announced() -> None:
    """The newest eviction or change of pressure is read out; starts put off are not."""
    marks = (mark("evicted_for_memory", 5, 5), mark("put_off", 1))

    assert announce_view(marks, seven_of_eight()).text == "Meeting notes was closed to free memory"
    assert announce_view((mark("put_off", 1),), state()).text == ""


def test_titles_stand_apart() -> None:
    """The title is a part of its own, so that it can be emphasised."""
    parts = what_happened(mark("killed", 1, 5), seven_of_eight())

    assert [part.text for part in parts if part.strong] == ["Meeting notes"]
    assert sid(5) not in "".join(part.text for part in parts)
