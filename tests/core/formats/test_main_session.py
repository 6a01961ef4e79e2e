"""What the lines in the life of a session become."""

from __future__ import annotations

import pytest

from app.core.events import (
    Event,
    IdleTimerArmed,
    IdleTimerFired,
    PauseDeclined,
    PeerMessageLost,
    QueryCompleted,
    SessionFailed,
    SessionInterrupted,
    SessionMapped,
    SessionPaused,
    SessionResumed,
    SessionSaveFailed,
    SessionSeenAlive,
    SessionStarted,
    SessionStopped,
    SessionTimedOut,
    SessionTornDown,
    SessionWarmed,
    Unrecognized,
    WarmUpIntended,
    WarmUpSkipped,
)
from app.core.parser import parser_for
from tests.core.helpers import CODE, COWORK, DITTO, NOON, A, record

CLI = "38e8f5a3-8cc2-44c2-93ad-d8ee3b3fa4ab"


def parse(body: str) -> Event | None:
    """The event of a body of main.log."""
    return parser_for("main.log").parse(record(body))


@pytest.mark.parametrize(
    ("body", "event"),
    [
        (f"Starting local session {A} in {CODE}", SessionStarted(NOON, A, CODE)),
        (
            f"Starting local session {A} in /Users/someone/with a space",
            SessionStarted(NOON, A, "/Users/someone/with a space"),
        ),
        (f"Starting local session {DITTO} in {COWORK}", SessionStarted(NOON, DITTO, COWORK)),
        (f"Resuming session {A} in C:\\Users\\someone\\code", SessionResumed(NOON, A, "C:\\Users\\someone\\code")),
        (f"Mapping internal session {A} to CLI session {CLI}", SessionMapped(NOON, A, CLI)),
        (f"[CCD] Warming session {A}", WarmUpIntended(NOON, A)),
        (f"[WarmLifecycle:session] Warming up session {A}", WarmUpIntended(NOON, A)),
        (f"[CCD] Session {A} warmed successfully in 102ms", SessionWarmed(NOON, A, 102)),
        (
            f"[CCD] Skipping warm for {A} — workspace no longer trusted",
            WarmUpSkipped(NOON, A, "workspace no longer trusted"),
        ),
        (
            f"[CCD] warmSession for {A} aborted during setup; bailing before spawn",
            WarmUpSkipped(NOON, A, "aborted during setup; bailing before spawn"),
        ),
        (f"Restore: Skipping {A} — live session already in memory", SessionSeenAlive(NOON, A)),
        (f"[CCD] Transcript for {CLI} no longer exists, starting fresh", None),
        ("LocalSessions.start:", None),
    ],
)
def test_line_of_a_start(body: str, event: Event | None) -> None:
    """An intent, a start and a finished warm-up are different events."""
    assert parse(body) == event


@pytest.mark.parametrize(
    ("body", "event"),
    [
        (f"[WarmLifecycle:session] Starting idle timeout for {A}: 900s", IdleTimerArmed(NOON, A, 900)),
        (f"[WarmLifecycle:cowork] Starting idle timeout for {A}: 900s", IdleTimerArmed(NOON, A, 900)),
        (f"[WarmLifecycle:session] Idle timeout reached, disconnecting {A}", IdleTimerFired(NOON, A)),
        (f"[CCD] Pausing session {A} (idle_timeout)", SessionPaused(NOON, A, "idle_timeout")),
        (f"[CCD] Pausing session {A} (governor_evict)", SessionPaused(NOON, A, "governor_evict")),
        (f"[CCD] Pausing session {A} (new-reason)", SessionPaused(NOON, A, "new-reason")),
        (f"[CCD] Pausing session {A} due to idle", SessionPaused(NOON, A, "idle_timeout")),
        (f"[CCD] Pausing session {A} for no reason", Unrecognized(NOON, "[CCD] Pausing session <id> for no reason")),
        ("[WarmLifecycle:session] Initialized (arm=when-hidden)", None),
        ("[WarmLifecycle:preview] Initialized (arm=always)", None),
        ("[WarmLifecycle:preview] Starting idle timeout for preview-1: 1800s", None),
        ("[WarmLifecycle:cowork] Destroyed", None),
        ("[WarmLifecycle:session] Unheard of", Unrecognized(NOON, "[WarmLifecycle:session] Unheard of")),
    ],
)
def test_line_of_idleness(body: str, event: Event | None) -> None:
    """A timer that fires closes nothing; only a pausing line does."""
    assert parse(body) == event


@pytest.mark.parametrize(
    ("why", "reason"),
    [
        ("remote control is active (startup-policy bridge)", "remote_control"),
        ("remote control is active (explicit bridge)", "remote_control"),
        ("2 active background task(s)", "background_task"),
        ("1 active cron job(s)", "scheduled"),
        ("loop wakeup pending in 40s", "scheduled"),
        ("query is actively running", "mid_turn"),
        ("ssh backend persists across detach", None),
    ],
)
def test_declined_pause_says_what_protects(why: str, reason: str | None) -> None:
    """The line's own words name the protection, in both wordings of its beginning."""
    for beginning in ("[CCD] Skipping pause for session", "[CCD] Skipping idle-pause for session"):
        event = parse(f"{beginning} {A} - {why}")
        assert isinstance(event, PauseDeclined)
        assert (event.session, event.reason) == (A, reason)


def test_pauses_declined_many_times_in_a_row() -> None:
    """The line that counts refusals does not say why."""
    body = (
        f"[WarmLifecycle:session] Session {A} has declined 8 consecutive idle pauses — its process is not being reaped"
    )
    assert parse(body) == PauseDeclined(NOON, A, None)


@pytest.mark.parametrize(
    ("body", "event"),
    [
        (f"Session {A} query iterator completed", QueryCompleted(NOON, A)),
        (
            f"[CCD] Session {A} torn down with 2 live background task(s) — settling as stopped (exited)",
            SessionTornDown(NOON, A, 2, "exited"),
        ),
        (
            f"[CCD] Session {A} torn down with 1 live background task(s) ΓÇö settling as stopped (paused)",
            SessionTornDown(NOON, A, 1, "paused"),
        ),
        (f"[CCD] Session {A} torn down with 1 live background task(s)", SessionTornDown(NOON, A, 1, None)),
        (
            f"[CCD] Session {A} timed out after 1007s of inactivity (hadFirstResponse=true, last_tool_name=Bash)",
            SessionTimedOut(NOON, A, 1007),
        ),
        (f"[CCD] Session {A} stderr tail:\n  Error: socket hang up", None),
        (f"Session {A} query error: Claude Code process exited with code 1", SessionFailed(NOON, A, 1, None)),
        (f"Session {A} query error: Claude Code process exited with code -2", SessionFailed(NOON, A, -2, None)),
        (
            f"Session {A} query error: Claude Code process terminated by signal SIGKILL",
            SessionFailed(NOON, A, None, "SIGKILL"),
        ),
        (f"Session {A} query error: something else", SessionFailed(NOON, A, None, None)),
        (f"Stopping session {A}", SessionStopped(NOON, A, "stopped")),
        (f"Interrupting session {A}", SessionInterrupted(NOON, A)),
        (f"Clearing session {A}", SessionStopped(NOON, A, "cleared")),
        (f"LocalSessions.archive: sessionId={A}", SessionStopped(NOON, A, "archived")),
        (f"LocalAgentModeSessions.archive: sessionId={A}", SessionStopped(NOON, A, "archived")),
        (f"Archived session {A}", SessionStopped(NOON, A, "archived")),
        (f"LocalSessions.delete: sessionId={A}", SessionStopped(NOON, A, "deleted")),
        (f"Deleted session {A}", SessionStopped(NOON, A, "deleted")),
        (f"Stopping shell PTY for session {A}", None),
        (f"Shell PTY for session {A} exited (0)", None),
    ],
)
def test_line_of_an_ending(body: str, event: Event | None) -> None:
    """Every way to end has an event of its own, and a terminal pane's end is none."""
    assert parse(body) == event


@pytest.mark.parametrize(
    ("body", "event"),
    [
        (f"Failed to save session {A}: Error: ENOSPC: no space left on device", SessionSaveFailed(NOON, A, "ENOSPC")),
        (f"Failed to save session {A}: TypeError: circular", SessionSaveFailed(NOON, A, "TypeError")),
        ("Failed to save session: nothing named", None),
        (
            f"[LocalSessionManager] peer input 0a-1b for {A} drew no acknowledgement from the CLI in 45001ms — settled",
            PeerMessageLost(NOON, A, 45001),
        ),
        (
            f"[LocalAgentModeSessionManager] peer input 0a-1b for {A} drew no acknowledgement",
            PeerMessageLost(NOON, A, None),
        ),
        (f"[LocalSessionManager] peer input 0a-1b for {A} delivered", None),
    ],
)
def test_line_of_a_trouble(body: str, event: Event | None) -> None:
    """A session that is not saved is named with the error, one that a message did not reach with the time waited."""
    assert parse(body) == event
