"""Turns, focus, permission, and what protects a session."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.events.base import BaseEvent


@dataclass(frozen=True, slots=True)
class TurnBegan(BaseEvent):
    """A message went to the session, or its process reports that it runs."""

    session: str


@dataclass(frozen=True, slots=True)
class TurnAnswered(BaseEvent):
    """``start-timing``: the first assistant output of a turn that began ``total_ms`` before."""

    session: str
    total_ms: int | None


@dataclass(frozen=True, slots=True)
class TurnEnded(BaseEvent):
    """A turn is over; ``reason`` is None for a healthy one, else the app's word (``api_error``, …).

    ``answered`` is whether the service gave any answer in it, None where the line does not say.
    """

    session: str
    seconds: int | None
    reason: str | None
    answered: bool | None = None


@dataclass(frozen=True, slots=True)
class FocusChanged(BaseEvent):
    """The window shows this session now; None: the new-session screen."""

    session: str | None


@dataclass(frozen=True, slots=True)
class WindowFocused(BaseEvent):
    """The app's window came to the front."""


@dataclass(frozen=True, slots=True)
class PermissionRequested(BaseEvent):
    """The session waits for its user's answer."""

    session: str
    request: str
    tool: str


@dataclass(frozen=True, slots=True)
class PermissionAnswered(BaseEvent):
    """The answer to a permission request came."""

    request: str


@dataclass(frozen=True, slots=True)
class RemoteControlEnabled(BaseEvent):
    """Remote control is on for this session until its process ends; the governor passes over it."""

    session: str


@dataclass(frozen=True, slots=True)
class WorkflowStarted(BaseEvent):
    """A background workflow holds the session."""

    session: str
    workflow: str


@dataclass(frozen=True, slots=True)
class WorkflowEnded(BaseEvent):
    """The background workflow let go."""

    session: str
    workflow: str


@dataclass(frozen=True, slots=True)
class ScheduledSpawned(BaseEvent):
    """A scheduled task is about to start a session of its own."""

    task: str


@dataclass(frozen=True, slots=True)
class ScheduleExpired(BaseEvent):
    """A schedule that held the session ran out; the app lets each live for three days."""

    session: str
