"""Limits, sign-in and network."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from app.core.events.base import BaseEvent


@dataclass(frozen=True, slots=True)
class UsageLimited(BaseEvent):
    """The account's limit was met in this session. ``resets`` is the app's text (``11:30pm (Asia/Tokyo)``)."""

    session: str
    resets: str | None
    resets_at: datetime | None


@dataclass(frozen=True, slots=True)
class ServiceOverloaded(BaseEvent):
    """The service was overloaded or limiting everybody's requests (not the account's limit)."""

    session: str


@dataclass(frozen=True, slots=True)
class TurnErrorReported(BaseEvent):
    """An error of the API or the CLI that is neither a usage limit nor an overload."""

    session: str
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class SignInLost(BaseEvent):
    """The app needs a new sign-in."""


@dataclass(frozen=True, slots=True)
class NetworkFailed(BaseEvent):
    """The app's network failed (``net::ERR_…``)."""

    code: str


@dataclass(frozen=True, slots=True)
class CloudSessionSeen(BaseEvent):
    """A session that runs in the cloud (``cse_…``, ``rcw-…``) showed itself; it holds no seat."""

    session: str


@dataclass(frozen=True, slots=True)
class BridgeClosed(BaseEvent):
    """The transport of a cloud session is dead until the app restarts."""

    session: str


@dataclass(frozen=True, slots=True)
class RemoteBridgeChanged(BaseEvent):
    """The app's way out for remote control came up or is lost; it is one for all sessions, and the line names none."""

    status: Literal["connected", "ready", "reconnecting"]
