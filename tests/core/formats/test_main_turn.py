"""What the lines of turns, focus, permission and holds become."""

from __future__ import annotations

import pytest

from app.core.events import (
    Event,
    FocusChanged,
    PermissionAnswered,
    PermissionRequested,
    RemoteControlEnabled,
    ScheduledSpawned,
    SessionRetitled,
    TurnAnswered,
    TurnBegan,
    TurnEnded,
    WindowFocused,
    WorkflowEnded,
    WorkflowStarted,
)
from app.core.parser import parser_for
from tests.core.helpers import NOON, A, record

ASK = "0a1b2c3d-0000-4000-8000-0000000000aa"


def parse(body: str) -> Event | None:
    """The event of a body of main.log."""
    return parser_for("main.log").parse(record(body))


@pytest.mark.parametrize(
    ("body", "event"),
    [
        (f"LocalSessions.sendMessage: sessionId={A}, messageLength=240", TurnBegan(NOON, A)),
        (f"LocalAgentModeSessions.sendMessage: sessionId={A}, messageLength=240", TurnBegan(NOON, A)),
        (f"Sending message to session {A}", TurnBegan(NOON, A)),
        (
            f"[CCD start-timing] {A} preflight=3ms init=800ms | total_to_init=850ms total_to_assistant=2950ms",
            TurnAnswered(NOON, A, 2950),
        ),
        (f"[CCD start-timing] {A} preflight=3ms", TurnAnswered(NOON, A, None)),
        (f"[CCD CycleHealth] healthy cycle for {A} (67s, hadFirstResponse=true)", TurnEnded(NOON, A, 67, None, True)),
        (f"[CCD CycleHealth] healthy cycle for {A} (6s, hadFirstResponse=false)", TurnEnded(NOON, A, 6, None, False)),
        (f"[CCD CycleHealth] healthy cycle for {A} (6s)", TurnEnded(NOON, A, 6, None)),
        (
            f"[CCD CycleHealth] unhealthy cycle for {A} (31s, hadFirstResponse=false, reason=api_error)",
            TurnEnded(NOON, A, 31, "api_error"),
        ),
        (f"[CCD CycleHealth] unhealthy cycle for {A} (31s)", TurnEnded(NOON, A, 31, "unhealthy")),
        (f"[Result] Turn succeeded for session {A}", TurnEnded(NOON, A, None, None)),
        (f"[Lifecycle] Session {A}: idle → initializing", TurnBegan(NOON, A)),
        (f"[Lifecycle] Session {A}: initializing → running", TurnBegan(NOON, A)),
        (f"[Lifecycle] Session {A}: running → idle", TurnEnded(NOON, A, None, None)),
        (f"[Lifecycle] Session {A}: running → paused", None),
        (f"[Stop hook] Query completed for session {A}", TurnEnded(NOON, A, None, None)),
    ],
)
def test_line_of_a_turn(body: str, event: Event | None) -> None:
    """A turn begins, is answered and ends in several wordings."""
    assert parse(body) == event


@pytest.mark.parametrize(
    ("body", "event"),
    [
        (f"[CCD] LocalSessions.setFocusedSession: sessionId={A}", FocusChanged(NOON, A)),
        ("[CCD] LocalSessions.setFocusedSession: sessionId=null", FocusChanged(NOON, None)),
        ("[SkillsPlugin] Window focused — polling now (last poll was 60145ms ago)", WindowFocused(NOON)),
        (
            f"Emitted tool permission request {ASK} for Bash in session {A}",
            PermissionRequested(NOON, A, request=ASK, tool="Bash"),
        ),
        (
            f"Emitted tool permission request {ASK} for a tool in space in session {A}",
            PermissionRequested(NOON, A, request=ASK, tool="a tool in space"),
        ),
        (f"Received permission response for {ASK}: once (tool: Bash)", PermissionAnswered(NOON, ASK)),
        (f"Updated session {A}: {{ title: '<redacted>', titleSource: 'tool' }}", None),
        (f"[CCD] LocalSessions.setPermissionMode: sessionId={A}, mode=plan", None),
        (f"Enabling remote control for session {A}", RemoteControlEnabled(NOON, A)),
        ("Remote control enabled: https://example.invalid/code/session_01abc", None),
        (f"[CCD] Session {A} workflow wf_12 started", WorkflowStarted(NOON, A, "wf_12")),
        (f"[CCD] Session {A} workflow wf_12 ended", WorkflowEnded(NOON, A, "wf_12")),
        (
            "[CCDScheduledTasks] Spawning new session for scheduled task nightly-tests",
            ScheduledSpawned(NOON, "nightly-tests"),
        ),
        (
            "[ScheduledTasks] Spawning new session for scheduled task morning-report",
            ScheduledSpawned(NOON, "morning-report"),
        ),
    ],
)
def test_line_of_attention_and_holds(body: str, event: Event | None) -> None:
    """Focus, permission and what protects a session, each from its own line."""
    assert parse(body) == event


@pytest.mark.parametrize(
    ("options", "event"),
    [
        ('{"title":"Quarterly deck"}', SessionRetitled(NOON, A, "Quarterly deck")),
        ('{"title":""}', None),
        ('{"title":7}', None),
        ('{"model":"x"}', None),
        ("{not json}", None),
        ("{" * 5000 + "}", None),
        ('{"title":' + "[" * 100_000 + "]" * 100_000 + "}", None),
    ],
)
def test_title_is_taken_only_where_it_is_one(options: str, event: Event | None) -> None:
    """Only the oldest builds give titles in clear; anything else is left alone, however it is nested."""
    assert parse(f"updateSession: sessionId={A}, options={options}") == event
