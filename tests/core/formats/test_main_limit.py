"""Usage limits, overload, sign-in and network: the exact shapes, and the instant at which a limit resets."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.events import (
    BridgeClosed,
    CloudSessionSeen,
    Event,
    ServiceOverloaded,
    SignInLost,
    TurnErrorReported,
    UsageLimited,
)
from app.core.formats.main_limit import reset_instant
from app.core.parser import parser_for
from tests.core.helpers import NOON, A, record


def parse(body: str) -> Event | None:
    """The event of a body of main.log."""
    return parser_for("main.log").parse(record(body))


def utc(text: str) -> datetime:
    """An instant in UTC from its ISO text."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "now", "instant"),
    [
        ("11:30pm (Asia/Tokyo)", "2026-10-02T12:00", "2026-10-02T14:30"),
        ("5pm (Europe/Berlin)", "2026-10-02T12:00", "2026-10-02T15:00"),
        ("12am (UTC)", "2026-10-02T12:00", "2026-10-03T00:00"),
        ("12pm (UTC)", "2026-10-02T11:59", "2026-10-02T12:00"),
        ("12:30am (UTC)", "2026-10-02T23:50", "2026-10-03T00:30"),
        ("12pm (UTC)", "2026-10-02T12:00", "2026-10-03T12:00"),
        ("1am (Asia/Tokyo)", "2026-10-02T14:30", "2026-10-02T16:00"),
        ("12:15am (America/New_York)", "2026-12-31T23:00", "2027-01-01T05:15"),
        ("May 23 at 5pm (UTC)", "2026-05-20T12:00", "2026-05-23T17:00"),
        ("Jan 2 at 5pm (UTC)", "2026-12-30T12:00", "2027-01-02T17:00"),
        ("Oct 2 at 9am (UTC)", "2026-10-02T12:00", "2026-10-02T09:00"),
        ("3am (Europe/Berlin)", "2026-10-24T22:00", "2026-10-25T02:00"),
        ("1am (Europe/Berlin)", "2026-10-25T06:00", "2026-10-26T00:00"),
        ("9am (America/New_York)", "2026-03-08T06:00", "2026-03-08T13:00"),
        ("9am (America/New_York)", "2026-03-07T20:00", "2026-03-08T13:00"),
    ],
)
def test_reset_text_becomes_an_instant(text: str, now: str, instant: str) -> None:
    """The clock of twelve hours in the text's own zone, at its next occurrence, over midnight, year and DST."""
    assert reset_instant(text, utc(now)) == utc(instant)


@pytest.mark.parametrize(
    "text",
    ["5pm", "5pm (Nowhere/Land)", "5pm (Europe)", "17:00 (UTC)", "13pm (UTC)", "0pm (UTC)", "Feb 30 at 5pm (UTC)",
     "Foo 3 at 5pm (UTC)", "soon", "", "5pm (/UTC)", "5:60pm (UTC)"],
)  # fmt: skip
def test_text_that_cannot_be_told_gives_no_instant(text: str) -> None:
    """Without a zone, with a zone or date that does not exist, or in another shape there is no instant."""
    assert reset_instant(text, NOON) is None


def test_end_of_the_calendar_gives_no_instant() -> None:
    """The next day of the last one cannot be told."""
    assert reset_instant("1am (UTC)", datetime(9999, 12, 31, 12, tzinfo=UTC)) is None


@given(st.text(max_size=30), st.sampled_from(["5pm (UTC)", "May 23 at 5pm (", "11:30pm (A"]), st.text(max_size=10))
def test_reset_instant_is_total(before: str, middle: str, end: str) -> None:
    """Whatever surrounds it, the text gives an instant in UTC or none."""
    found = reset_instant(before + middle + end, NOON)
    assert found is None or found.tzinfo is UTC


@pytest.mark.parametrize(
    ("text", "resets", "instant"),
    [
        ("You've hit your session limit · resets 11:30pm (Asia/Tokyo)", "11:30pm (Asia/Tokyo)", "2026-10-02T14:30"),
        ("You've hit your weekly limit · resets 5pm (Europe/Berlin)", "5pm (Europe/Berlin)", "2026-10-02T15:00"),
        ("You've hit your limit", None, None),
        ("You're out of extra usage · resets Oct 3 at 5pm (UTC)", "Oct 3 at 5pm (UTC)", "2026-10-03T17:00"),
        ("You've reached your Opus limit. Switch to another model, or wait.", None, None),
        ("You've hit your session limit · resets 5pm", "5pm", None),
    ],
)
def test_limit_of_the_account(text: str, resets: str | None, instant: str | None) -> None:
    """Each known wording of a limit, with the app's own text of when it ends."""
    event = parse(f"[CCD CycleHealth] {A} api_error (success): {text}")
    assert event == UsageLimited(NOON, A, resets, utc(instant) if instant else None)


@pytest.mark.parametrize(
    "text",
    [
        "API Error: 529 Overloaded. Try again in a moment.",
        "API Error: Overloaded",
        "API Error: Server is temporarily limiting requests (not your usage limit) · Rate limited",
    ],
)
def test_overload_is_nobodys_limit(text: str) -> None:
    """A service that limits everybody is told apart from a limit of the account."""
    assert parse(f"[CCD CycleHealth] {A} api_error (success): {text}") == ServiceOverloaded(NOON, A)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("api_error", "API Error: 5291 is no overload"),
        ("api_error", "he said: You've hit your session limit"),
        ("api_error", "API Error: Connection error."),
        ("cli_execution_error", "You've hit your session limit"),
        ("cli_execution_error", "API Error: 529 Overloaded."),
        ("system_error", ""),
    ],
)
def test_other_error_keeps_its_text(kind: str, text: str) -> None:
    """What only resembles a limit is an error like any other."""
    assert parse(f"[CCD CycleHealth] {A} {kind} (error): {text}") == TurnErrorReported(NOON, A, kind, text)


@pytest.mark.parametrize(
    ("body", "event"),
    [
        ("[oauth] CLI requested token refresh after 401", None),
        ("oauth failed: authorize returned 403 {\n  status: 403\n}", SignInLost(NOON)),
        (
            "[sessions-bridge] Cowork OAuth stale-session (session_stale_relogin); parking bridge until re-login",
            SignInLost(NOON),
        ),
        (
            "[sessions-bridge] Transport permanently closed for session cse_01AbC code=4090",
            BridgeClosed(NOON, "cse_01AbC"),
        ),
        ("[sessions-bridge] Cap-redispatch budget exhausted for cse_01AbC (3); dead", BridgeClosed(NOON, "cse_01AbC")),
        ("[sessions-bridge] Session cse_01AbC reconnected successfully", CloudSessionSeen(NOON, "cse_01AbC")),
        ("[sessions-bridge] Reconnecting transport", None),
        (
            "[sessions-bridge] Handling session work {\n  sessionId: 'cse_01AbC',\n}",
            CloudSessionSeen(NOON, "cse_01AbC"),
        ),
        ("[sessions-bridge] Handling session work {\n  kind: 'ping'\n}", None),
        ("LocalAgentModeSessions.grantRemoteSessionFolders: cse_01AbC [2]", CloudSessionSeen(NOON, "cse_01AbC")),
        ("LocalAgentModeSessions.clearRemoteSessionFolderGrants: cse_01AbC", CloudSessionSeen(NOON, "cse_01AbC")),
        ("[remote-bash] user=rcw-01abc mounts=work:rw cmdLen=80", CloudSessionSeen(NOON, "rcw-01abc")),
    ],
)
def test_line_of_sign_in_and_cloud(body: str, event: Event | None) -> None:
    """A refreshed token is everyday; a refused one loses the sign-in."""
    assert parse(body) == event
