"""The app itself: start, quit, update, heartbeat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.core.events.base import BaseEvent


@dataclass(frozen=True, slots=True)
class AppStarted(BaseEvent):
    """``Starting app {``: a new main process. Every seat is empty from here on."""

    version: str | None
    platform: str | None
    arch: str | None


@dataclass(frozen=True, slots=True)
class AppQuitBegan(BaseEvent):
    """``beforeQuit``: the app goes down in good order; ``for_update`` when an update makes it."""

    for_update: bool


@dataclass(frozen=True, slots=True)
class AppQuitCompleted(BaseEvent):
    """``willQuit``: the last line of an orderly quit."""


@dataclass(frozen=True, slots=True)
class SessionsStopped(BaseEvent):
    """``Stopping <n> active session(s) on quit``: the app's own count of live processes, a check of ours."""

    count: int


@dataclass(frozen=True, slots=True)
class ShellsKilled(BaseEvent):
    """``Killing <n> PTY process tree(s) on quit``: the shells of terminal panes end with the app. They hold no seat."""

    count: int


@dataclass(frozen=True, slots=True)
class AccountOpened(BaseEvent):
    """``Initialization succeeded``: a manager of sessions opened the sessions of an account and organization.

    It comes with each start and with each switch to another account. ``account`` tells accounts apart and names none;
    ``existing`` is how many sessions that account has on disk, None where the line does not say.
    """

    manager: Literal["code", "cowork"]
    account: str
    existing: int | None


@dataclass(frozen=True, slots=True)
class AppUpdated(BaseEvent):
    """The version differs from that of the last launch."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class UpdateStaged(BaseEvent):
    """An update was found, downloaded or about to be installed; ``version`` where the line tells it."""

    version: str | None


@dataclass(frozen=True, slots=True)
class UpdateDeferred(BaseEvent):
    """The app wants to restart for an update and waits because Claude is working."""

    hours: int


@dataclass(frozen=True, slots=True)
class PreviousQuitReported(BaseEvent):
    """``[quit-cleanup] previous quit: {``: the new process tells how the old one went."""

    for_update: bool | None


@dataclass(frozen=True, slots=True)
class SessionsRewarmed(BaseEvent):
    """``Relaunch auto-resume``: how many of the sessions that were mid-turn at quit came back."""

    warmed: int
    eligible: int
    marked: int


@dataclass(frozen=True, slots=True)
class HeartbeatSeen(BaseEvent):
    """A line that a healthy main process writes of its own accord (``[ScheduledTasks]``)."""


@dataclass(frozen=True, slots=True)
class EventLoopStalled(BaseEvent):
    """The main process was blocked for ``blocked_ms``."""

    blocked_ms: int


@dataclass(frozen=True, slots=True)
class AppComponentCrashed(BaseEvent):
    """A helper of the app died (``gpu``, ``renderer``, ``pty``); sessions may live on."""

    component: Literal["gpu", "renderer", "pty"]
