"""main.log: turns, focus, permission, and what protects a session."""

from __future__ import annotations

import json
import re

from app.core.events import (
    Event,
    FocusChanged,
    PermissionAnswered,
    PermissionRequested,
    RemoteControlEnabled,
    ScheduledSpawned,
    ScheduleExpired,
    SessionRetitled,
    TurnAnswered,
    TurnBegan,
    TurnEnded,
    WindowFocused,
    WorkflowEnded,
    WorkflowStarted,
)
from app.core.formats.base import ARROW, SESSION, Format, whole
from app.core.records import Record

_S = "local_0a1b2c3d-0000-4000-8000-000000000001"


def _answered(match: re.Match[str], record: Record) -> Event:
    total = re.search(r"total_to_assistant=(\d+)ms", match.string)
    return TurnAnswered(record.at, match["session"], whole(total[1]) if total else None)


def _healthy(match: re.Match[str], record: Record) -> Event:
    had = match["had"]
    return TurnEnded(record.at, match["session"], whole(match["seconds"]), None, None if had is None else had == "true")


def _lifecycle(match: re.Match[str], record: Record) -> Event:
    if match["now"] == "idle":
        return TurnEnded(record.at, match["session"], None, None)
    return TurnBegan(record.at, match["session"])


def _focus(match: re.Match[str], record: Record) -> Event:
    return FocusChanged(record.at, match["session"])


def _retitled(match: re.Match[str], record: Record) -> Event | None:
    """Only the oldest builds give the title in clear; everything but a text is left alone."""
    try:
        options = json.loads(match["options"])
    except (ValueError, RecursionError):
        return None
    title = options.get("title") if isinstance(options, dict) else None
    return SessionRetitled(record.at, match["session"], title) if isinstance(title, str) and title else None


TURNS = (
    Format(
        "turn.message",
        r"(?:LocalSessions|LocalAgentModeSessions)\.sendMessage: sessionId=" + SESSION,
        TurnBegan,
        (
            f"LocalSessions.sendMessage: sessionId={_S}, messageLength=240",
            f"LocalAgentModeSessions.sendMessage: sessionId={_S}, messageLength=240",
        ),
    ),
    Format(
        "turn.sending",
        r"Sending message to session " + SESSION,
        TurnBegan,
        (f"Sending message to session {_S}",),
    ),
    Format(
        "turn.answered",
        r"\[CCD start-timing\] " + SESSION,
        _answered,
        (
            f"[CCD start-timing] {_S} preflight=3ms query=12ms init=800ms first_assistant=2100ms | ccd_overhead=20ms "
            "total_to_init=850ms total_to_assistant=2950ms cache_hit=true worktree=false mcp_count=3",
            f"[CCD start-timing] {_S} preflight=3ms",
        ),
    ),
    Format(
        "turn.healthy",
        r"\[CCD CycleHealth\] healthy cycle for "
        + SESSION
        + r" \((?P<seconds>\d+)s(?:, hadFirstResponse=(?P<had>\w+))?",
        _healthy,
        (f"[CCD CycleHealth] healthy cycle for {_S} (67s, hadFirstResponse=true)",),
    ),
    Format(
        "turn.unhealthy",
        r"\[CCD CycleHealth\] unhealthy cycle for "
        + SESSION
        + r" \((?P<seconds>\d+)s(?:, hadFirstResponse=\w+)?(?:, reason=(?P<reason>\w+))?",
        lambda match, record: TurnEnded(
            record.at, match["session"], whole(match["seconds"]), match["reason"] or "unhealthy"
        ),
        (
            f"[CCD CycleHealth] unhealthy cycle for {_S} (31s, hadFirstResponse=false, reason=api_error)",
            f"[CCD CycleHealth] unhealthy cycle for {_S} (31s, hadFirstResponse=false)",
        ),
    ),
    Format(
        "turn.succeeded",
        r"\[Result\] Turn succeeded for session " + SESSION,
        TurnEnded,
        (f"[Result] Turn succeeded for session {_S}",),
    ),
    Format(
        "turn.lifecycle",
        r"\[Lifecycle\] Session " + SESSION + r": \w+" + ARROW + r"(?P<now>initializing|running|idle)",
        _lifecycle,
        (
            f"[Lifecycle] Session {_S}: idle → initializing",
            f"[Lifecycle] Session {_S}: running ΓåÆ idle",
        ),
    ),
    Format(
        "turn.stop_hook",
        r"\[Stop hook\] Query completed for session " + SESSION,
        TurnEnded,
        (f"[Stop hook] Query completed for session {_S}",),
    ),
)

ATTENTION = (
    Format(
        "focus.session",
        r"\[CCD\] LocalSessions\.setFocusedSession: sessionId=(?:null|" + SESSION + ")",
        _focus,
        (
            f"[CCD] LocalSessions.setFocusedSession: sessionId={_S}",
            "[CCD] LocalSessions.setFocusedSession: sessionId=null",
        ),
    ),
    Format(
        "focus.window",
        r"\[SkillsPlugin\] Window focused",
        WindowFocused,
        ("[SkillsPlugin] Window focused — polling now (last poll was 60145ms ago)",),
    ),
    Format(
        "permission.requested",
        r"Emitted tool permission request (?P<request>\S+) for (?P<tool>.+?) in session " + SESSION,
        PermissionRequested,
        (f"Emitted tool permission request 0a1b2c3d-0000-4000-8000-0000000000aa for Bash in session {_S}",),
    ),
    Format(
        "permission.answered",
        r"Received permission response for (?P<request>[^\s:]+)",
        PermissionAnswered,
        ("Received permission response for 0a1b2c3d-0000-4000-8000-0000000000aa: once (tool: Bash)",),
    ),
    Format(
        "session.updated",
        r"Updated session " + SESSION + r": \{",
        None,
        (f"Updated session {_S}: {{ title: '<redacted>', titleSource: 'tool' }}",),
    ),
    Format(
        "session.retitled",
        r"updateSession: sessionId=" + SESSION + r", options=(?P<options>\{.*\})",
        _retitled,
        (f'updateSession: sessionId={_S}, options={{"title":"Quarterly deck"}}',),
    ),
)

HOLDS = (
    Format(
        "hold.remote_control",
        r"Enabling remote control for session " + SESSION,
        RemoteControlEnabled,
        (f"Enabling remote control for session {_S}",),
    ),
    Format(
        "hold.workflow_started",
        r"\[CCD\] Session " + SESSION + r" workflow (?P<workflow>\S+) started",
        WorkflowStarted,
        (f"[CCD] Session {_S} workflow wf_12 started",),
    ),
    Format(
        "hold.workflow_ended",
        r"\[CCD\] Session " + SESSION + r" workflow (?P<workflow>\S+) ended",
        WorkflowEnded,
        (f"[CCD] Session {_S} workflow wf_12 ended",),
    ),
    Format(
        "hold.schedule_expired",
        r"\[CCD\] Session " + SESSION + r" cron \S+ expired",
        ScheduleExpired,
        (f"[CCD] Session {_S} cron c_12 expired after 3 days",),
    ),
    Format(
        "scheduled.code",
        r"\[CCDScheduledTasks\] Spawning new session for scheduled task (?P<task>\S+)",
        ScheduledSpawned,
        ("[CCDScheduledTasks] Spawning new session for scheduled task nightly-tests",),
    ),
    Format(
        "scheduled.cowork",
        r"\[ScheduledTasks\] Spawning new session for scheduled task (?P<task>\S+)",
        ScheduledSpawned,
        ("[ScheduledTasks] Spawning new session for scheduled task morning-report",),
    ),
)

FORMATS = TURNS + ATTENTION + HOLDS
