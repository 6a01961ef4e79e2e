"""What the governor says and does."""

from __future__ import annotations

from dataclasses import dataclass

from app.core.events.base import BaseEvent, Trigger


@dataclass(frozen=True, slots=True)
class EvictionForeseen(BaseEvent):
    """``would evict``: at the cap this session would go. Nothing was closed by this line."""

    session: str
    cap: int
    idle_seconds: int
    trigger: Trigger | None


@dataclass(frozen=True, slots=True)
class SeatEvictionBegan(BaseEvent):
    """``evicting … for``: the governor closes this session to make room."""

    session: str
    cap: int
    idle_seconds: int
    trigger: Trigger | None


@dataclass(frozen=True, slots=True)
class MemoryEvictionBegan(BaseEvent):
    """``pressure evicting``: the governor closes this session to free memory."""

    session: str
    idle_seconds: int


@dataclass(frozen=True, slots=True)
class EvictionFailed(BaseEvent):
    """``evict pauseSession failed``: the session that was to be closed lives on."""

    session: str | None


@dataclass(frozen=True, slots=True)
class StartYielded(BaseEvent):
    """``yielding``: a start was put off; no process appeared."""

    trigger: Trigger


@dataclass(frozen=True, slots=True)
class WakeDeferred(BaseEvent):
    """Another part of the app put off waking a session because the cap was reached."""

    session: str
