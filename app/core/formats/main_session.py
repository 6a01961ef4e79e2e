"""main.log: the life of a session."""

from __future__ import annotations

import re

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
    WarmUpIntended,
    WarmUpSkipped,
)
from app.core.formats.base import SESSION, Format, whole
from app.core.records import Record

_S = "local_0a1b2c3d-0000-4000-8000-000000000001"
_LIFECYCLE = r"\[(?:WarmLifecycle|IdleManager):(?:session|cowork)\] "


def _pause_declined(match: re.Match[str], record: Record) -> Event:
    why = match["why"]
    session = match["session"]
    if "remote control" in why:
        return PauseDeclined(record.at, session, "remote_control")
    if "background task" in why:
        return PauseDeclined(record.at, session, "background_task")
    if "cron job" in why or "wakeup" in why:
        return PauseDeclined(record.at, session, "scheduled")
    if "actively running" in why:
        return PauseDeclined(record.at, session, "mid_turn")
    return PauseDeclined(record.at, session, None)


def _failed(match: re.Match[str], record: Record) -> Event:
    code = re.search(r"exited with code (-?\d+)", match["text"])
    signal = re.search(r"terminated by signal (\w+)", match["text"])
    return SessionFailed(
        at=record.at,
        session=match["session"],
        exit_code=whole(code[1]) if code else None,
        signal=signal[1] if signal else None,
    )


STARTS = (
    Format(
        "session.started",
        r"Starting local session " + SESSION + r" in (?P<cwd>.+)",
        SessionStarted,
        (f"Starting local session {_S} in /Users/someone/code/p0", f"Starting local session {_S} in /home/a-b-c"),
    ),
    Format(
        "session.resumed",
        r"Resuming session " + SESSION + r" in (?P<cwd>.+)",
        SessionResumed,
        (f"Resuming session {_S} in C:\\Users\\someone\\code",),
    ),
    Format(
        "session.mapped",
        r"Mapping internal session " + SESSION + r" to CLI session (?P<cli_session>\S+)",
        SessionMapped,
        (f"Mapping internal session {_S} to CLI session 38e8f5a3-8cc2-44c2-93ad-d8ee3b3fa4ab",),
    ),
    Format(
        "session.warming",
        r"\[CCD\] Warming session " + SESSION,
        WarmUpIntended,
        (f"[CCD] Warming session {_S}",),
    ),
    Format(
        "lifecycle.warming",
        _LIFECYCLE + r"Warming up session " + SESSION,
        WarmUpIntended,
        (
            f"[WarmLifecycle:session] Warming up session {_S}",
            f"[WarmLifecycle:cowork] Warming up session {_S}",
            f"[IdleManager:session] Warming up session {_S}",
        ),
    ),
    Format(
        "session.warmed",
        r"\[CCD\] Session " + SESSION + r" warmed successfully in (?P<took_ms>\d+)ms",
        SessionWarmed,
        (f"[CCD] Session {_S} warmed successfully in 102ms",),
    ),
    Format(
        "session.warm_skipped",
        r"\[CCD\] Skipping warm for " + SESSION + r"\s+\S{1,3}\s+(?P<reason>.*)",
        WarmUpSkipped,
        (
            f"[CCD] Skipping warm for {_S} — workspace no longer trusted",
            f"[CCD] Skipping warm for {_S} — trust check failed",
            f"[CCD] Skipping warm for {_S} ΓÇö WSL policy",
        ),
    ),
    Format(
        "session.warm_aborted",
        r"\[CCD\] warmSession for " + SESSION + r" (?P<reason>aborted.*)",
        WarmUpSkipped,
        (f"[CCD] warmSession for {_S} aborted during setup; bailing before spawn",),
    ),
    Format(
        "session.in_memory",
        r"Restore: Skipping " + SESSION + r"\s+\S{1,3}\s+live session already in memory",
        SessionSeenAlive,
        (f"Restore: Skipping {_S} — live session already in memory",),
    ),
)

IDLENESS = (
    Format(
        "lifecycle.idle_armed",
        _LIFECYCLE + r"Starting idle timeout for " + SESSION + r": (?P<seconds>\d+)s",
        IdleTimerArmed,
        (
            f"[WarmLifecycle:session] Starting idle timeout for {_S}: 900s",
            f"[WarmLifecycle:cowork] Starting idle timeout for {_S}: 900s",
            f"[IdleManager:session] Starting idle timeout for {_S}: 900s",
        ),
    ),
    Format(
        "lifecycle.idle_fired",
        _LIFECYCLE + r"Idle timeout reached, disconnecting " + SESSION,
        IdleTimerFired,
        (
            f"[WarmLifecycle:session] Idle timeout reached, disconnecting {_S}",
            f"[WarmLifecycle:cowork] Idle timeout reached, disconnecting {_S}",
            f"[IdleManager:session] Idle timeout reached, disconnecting {_S}",
        ),
    ),
    Format(
        "lifecycle.declined",
        _LIFECYCLE + r"Session " + SESSION + r" has declined \d+ consecutive idle pauses",
        lambda match, record: PauseDeclined(record.at, match["session"], None),
        (
            f"[WarmLifecycle:session] Session {_S} has declined 8 consecutive idle pauses — its process is not being "
            "reaped",
            f"[WarmLifecycle:cowork] Session {_S} has declined 3 consecutive idle pauses",
        ),
    ),
    Format(
        "lifecycle.initialized",
        r"\[WarmLifecycle:\w+\] (?:Initialized|Destroyed)",
        None,
        (
            "[WarmLifecycle:session] Initialized (arm=when-hidden)",
            "[WarmLifecycle:cowork] Initialized (arm=always)",
            "[WarmLifecycle:cowork] Destroyed",
            "[WarmLifecycle:preview] Initialized (arm=when-hidden)",
        ),
    ),
    Format(
        "lifecycle.preview",
        r"\[WarmLifecycle:preview\] (?!Initialized|Destroyed)",
        None,
        ("[WarmLifecycle:preview] Starting idle timeout for preview-1: 1800s",),
    ),
    Format(
        "session.pause_skipped",
        r"\[CCD\] Skipping (?:idle-)?pause for session " + SESSION + r" - (?P<why>.*)",
        _pause_declined,
        (
            f"[CCD] Skipping pause for session {_S} - remote control is active (startup-policy bridge)",
            f"[CCD] Skipping pause for session {_S} - remote control is active (explicit bridge)",
            f"[CCD] Skipping pause for session {_S} - 2 active background task(s)",
            f"[CCD] Skipping pause for session {_S} - 1 active cron job(s)",
            f"[CCD] Skipping pause for session {_S} - loop wakeup pending in 40s",
            f"[CCD] Skipping pause for session {_S} - query is actively running",
            f"[CCD] Skipping idle-pause for session {_S} - ssh backend persists across detach",
        ),
    ),
    Format(
        "session.paused",
        r"\[CCD\] Pausing session " + SESSION + r" \((?P<reason>[\w-]+)\)",
        SessionPaused,
        (f"[CCD] Pausing session {_S} (idle_timeout)", f"[CCD] Pausing session {_S} (governor_evict)"),
    ),
    Format(
        "session.paused_old",
        r"\[CCD\] Pausing session " + SESSION + r" due to idle",
        SessionPaused,
        (f"[CCD] Pausing session {_S} due to idle",),
        {"reason": "idle_timeout"},
    ),
)

ENDINGS = (
    Format(
        "session.query_completed",
        r"Session " + SESSION + r" query iterator completed",
        QueryCompleted,
        (f"Session {_S} query iterator completed",),
    ),
    Format(
        "session.torn_down",
        r"\[CCD\] Session "
        + SESSION
        + r" torn down with (?P<tasks>\d+) live background task\(s\)(?:.*\((?P<how>\w+)\))?",
        SessionTornDown,
        (
            f"[CCD] Session {_S} torn down with 2 live background task(s) — settling as stopped (exited)",
            f"[CCD] Session {_S} torn down with 1 live background task(s) — settling as stopped (paused)",
        ),
    ),
    Format(
        "session.timed_out",
        r"\[CCD\] Session " + SESSION + r" timed out after (?P<seconds>\d+)s of inactivity",
        SessionTimedOut,
        (
            f"[CCD] Session {_S} timed out after 1007s of inactivity (hadFirstResponse=true, last_message_type=user, "
            "last_tool_name=Bash, seconds_since_stderr=never)",
        ),
    ),
    Format(
        "session.stderr",
        r"\[CCD\] Session " + SESSION + r" stderr tail:",
        None,
        (f"[CCD] Session {_S} stderr tail:\n  Error: socket hang up",),
    ),
    Format(
        "session.failed",
        r"Session " + SESSION + r" query error: (?P<text>.*)",
        _failed,
        (
            f"Session {_S} query error: Claude Code process exited with code 1",
            f"Session {_S} query error: Claude Code process terminated by signal SIGKILL",
        ),
    ),
    Format(
        "session.stopping",
        r"Stopping session " + SESSION,
        SessionStopped,
        (f"Stopping session {_S}",),
        {"how": "stopped"},
    ),
    Format(
        "session.interrupting",
        r"Interrupting session " + SESSION,
        SessionInterrupted,
        (f"Interrupting session {_S}",),
    ),
    Format(
        "session.clearing",
        r"Clearing session " + SESSION,
        SessionStopped,
        (f"Clearing session {_S}",),
        {"how": "cleared"},
    ),
    Format(
        "session.archiving",
        r"(?:LocalSessions|LocalAgentModeSessions)\.archive: sessionId=" + SESSION,
        SessionStopped,
        (f"LocalSessions.archive: sessionId={_S}", f"LocalAgentModeSessions.archive: sessionId={_S}"),
        {"how": "archived"},
    ),
    Format(
        "session.archived",
        r"Archived session " + SESSION,
        SessionStopped,
        (f"Archived session {_S}",),
        {"how": "archived"},
    ),
    Format(
        "session.deleting",
        r"(?:LocalSessions|LocalAgentModeSessions)\.delete: sessionId=" + SESSION,
        SessionStopped,
        (f"LocalSessions.delete: sessionId={_S}", f"LocalAgentModeSessions.delete: sessionId={_S}"),
        {"how": "deleted"},
    ),
    Format(
        "session.deleted",
        r"Deleted session " + SESSION,
        SessionStopped,
        (f"Deleted session {_S}",),
        {"how": "deleted"},
    ),
)

TROUBLES = (
    Format(
        "session.save_failed",
        r"Failed to save session " + SESSION + r": (?:Error: )?(?P<error>\w{1,60})",
        SessionSaveFailed,
        (
            f"Failed to save session {_S}: Error: ENOSPC: no space left on device, write",
            f"Failed to save session {_S}: TypeError: circular structure",
        ),
    ),
    Format(
        "session.peer_message_lost",
        r"\[Local(?:AgentMode)?SessionManager\] peer input \S+ for "
        + SESSION
        + r" drew no acknowledgement(?: from the CLI)?(?: in (?P<waited_ms>\d+)ms)?",
        PeerMessageLost,
        (
            f"[LocalSessionManager] peer input 0a1b2c3d-0000-4000-8000-0000000000aa for {_S} drew no acknowledgement "
            "from the CLI in 45001ms — settled as undelivered (process alive)",
            f"[LocalAgentModeSessionManager] peer input 0a1b2c3d for {_S} drew no acknowledgement",
        ),
    ),
)

FORMATS = STARTS + IDLENESS + ENDINGS + TROUBLES
