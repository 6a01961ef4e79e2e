"""The life of a session: started, warmed, paused, ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.core.events.base import BaseEvent


@dataclass(frozen=True, slots=True)
class SessionStarted(BaseEvent):
    """``Starting local session``: a new process in ``cwd``. Cowork sessions start in ``/home/<slug>``."""

    session: str
    cwd: str


@dataclass(frozen=True, slots=True)
class SessionResumed(BaseEvent):
    """``Resuming session``: a known session has a new process."""

    session: str
    cwd: str


@dataclass(frozen=True, slots=True)
class SessionMapped(BaseEvent):
    """``Mapping internal session``: the first init of a process, with the CLI's own session id."""

    session: str
    cli_session: str


@dataclass(frozen=True, slots=True)
class WarmUpIntended(BaseEvent):
    """The app means to start a process ahead of need. An intent, not life: the governor may put it off."""

    session: str


@dataclass(frozen=True, slots=True)
class SessionWarmed(BaseEvent):
    """``warmed successfully``: the process that was started ahead of need is there."""

    session: str
    took_ms: int


@dataclass(frozen=True, slots=True)
class WarmUpSkipped(BaseEvent):
    """The warm-up was given up before a process appeared."""

    session: str
    reason: str


@dataclass(frozen=True, slots=True)
class SessionSeenAlive(BaseEvent):
    """A line that only a session with a process can cause (``live session already in memory``)."""

    session: str


@dataclass(frozen=True, slots=True)
class IdleTimerArmed(BaseEvent):
    """The session went silent or out of sight; after ``seconds`` the app will want to pause it."""

    session: str
    seconds: int


@dataclass(frozen=True, slots=True)
class IdleTimerFired(BaseEvent):
    """``Idle timeout reached``. Not a death: only a pausing line is."""

    session: str


@dataclass(frozen=True, slots=True)
class PauseDeclined(BaseEvent):
    """The app passed over this session: something protects it. ``reason`` None when the line does not say what."""

    session: str
    reason: Literal["remote_control", "background_task", "scheduled", "mid_turn"] | None


@dataclass(frozen=True, slots=True)
class SessionPaused(BaseEvent):
    """``Pausing session``: the process ends, the conversation stays. ``reason`` as the app gives it."""

    session: str
    reason: str


@dataclass(frozen=True, slots=True)
class QueryCompleted(BaseEvent):
    """``query iterator completed``: after a stop the process' end, else a turn's."""

    session: str


@dataclass(frozen=True, slots=True)
class SessionTornDown(BaseEvent):
    """The process ended with background tasks alive in it; their work is lost."""

    session: str
    tasks: int
    how: str | None


@dataclass(frozen=True, slots=True)
class SessionTimedOut(BaseEvent):
    """No answer from the process for ``seconds``; the app gave it up."""

    session: str
    seconds: int


@dataclass(frozen=True, slots=True)
class SessionFailed(BaseEvent):
    """The process ended by itself: ``exit_code``, or ``signal`` where it was killed."""

    session: str
    exit_code: int | None
    signal: str | None


@dataclass(frozen=True, slots=True)
class SessionStopped(BaseEvent):
    """Stopped, archived, deleted or cleared on request (``how``)."""

    session: str
    how: Literal["stopped", "archived", "deleted", "cleared"]


@dataclass(frozen=True, slots=True)
class SessionInterrupted(BaseEvent):
    """The turn in progress was cut short; the process lives."""

    session: str


@dataclass(frozen=True, slots=True)
class SessionRetitled(BaseEvent):
    """The session's title, where the log still gives it in clear."""

    session: str
    title: str


@dataclass(frozen=True, slots=True)
class SessionSaveFailed(BaseEvent):
    """The app could not write the session's file; ``error`` is the error's own name (``ENOSPC``, ``EPERM``, …)."""

    session: str
    error: str


@dataclass(frozen=True, slots=True)
class PeerMessageLost(BaseEvent):
    """A message from another session was given up: the process did not take it within ``waited_ms``."""

    session: str
    waited_ms: int | None
