"""What the log said, and our probes found, typed: one frozen dataclass per meaning, one union of all of them.

Names are past tense. Every event has ``at``, the instant of its record in UTC. A session is named by the id that
the app prints (``local_<uuid>``). Sizes are MB as the app prints them, durations are seconds or milliseconds as the
field's name says. `Observed` says where in the logs an event stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, get_args

from app.core.events.app import (
    AccountOpened,
    AppComponentCrashed,
    AppQuitBegan,
    AppQuitCompleted,
    AppStarted,
    AppUpdated,
    EventLoopStalled,
    HeartbeatSeen,
    PreviousQuitReported,
    SessionsRewarmed,
    SessionsStopped,
    ShellsKilled,
    UpdateDeferred,
    UpdateStaged,
)
from app.core.events.base import BaseEvent, Level, Trigger
from app.core.events.governor import (
    EvictionFailed,
    EvictionForeseen,
    MemoryEvictionBegan,
    SeatEvictionBegan,
    StartYielded,
    WakeDeferred,
)
from app.core.events.limit import (
    BridgeClosed,
    CloudSessionSeen,
    NetworkFailed,
    RemoteBridgeChanged,
    ServiceOverloaded,
    SignInLost,
    TurnErrorReported,
    UsageLimited,
)
from app.core.events.machine import (
    HostDisagreed,
    HostPressureRead,
    MachineEvent,
    PortsCrossed,
    PortsEased,
)
from app.core.events.memory import (
    MemorySampled,
    PressureChanged,
    PressureReported,
    PressureUnreadable,
)
from app.core.events.session import (
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
    SessionRetitled,
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
from app.core.events.turn import (
    FocusChanged,
    PermissionAnswered,
    PermissionRequested,
    RemoteControlEnabled,
    ScheduledSpawned,
    ScheduleExpired,
    TurnAnswered,
    TurnBegan,
    TurnEnded,
    WindowFocused,
    WorkflowEnded,
    WorkflowStarted,
)
from app.core.events.vm import (
    VmActive,
    VmApiChanged,
    VmCalledRunning,
    VmConfigured,
    VmDiskFilled,
    VmExited,
    VmNetworkChanged,
    VmReady,
    VmShutDown,
    VmStartBegan,
    VmStartFailed,
    VmStepCompleted,
    VmStepStarted,
    VmStopTimedOut,
    VmWaited,
)


@dataclass(frozen=True, slots=True)
class Unrecognized(BaseEvent):
    """A line of a scope we must understand in a shape that no format knows.

    ``shape`` is the body with ids and numbers replaced, so that equal shapes count together.
    """

    shape: str


Event: TypeAlias = (
    AppStarted | AppQuitBegan | AppQuitCompleted | SessionsStopped | AppUpdated | UpdateStaged | UpdateDeferred
    | PreviousQuitReported | SessionsRewarmed | HeartbeatSeen | EventLoopStalled | AppComponentCrashed
    | ShellsKilled | AccountOpened
    | MemorySampled | PressureChanged | PressureReported | PressureUnreadable
    | EvictionForeseen | SeatEvictionBegan | MemoryEvictionBegan | EvictionFailed | StartYielded | WakeDeferred
    | SessionStarted | SessionResumed | SessionMapped | WarmUpIntended | SessionWarmed | WarmUpSkipped
    | SessionSeenAlive | IdleTimerArmed | IdleTimerFired | PauseDeclined | SessionPaused | QueryCompleted
    | SessionTornDown | SessionTimedOut | SessionFailed | SessionStopped | SessionInterrupted | SessionRetitled
    | SessionSaveFailed | PeerMessageLost
    | TurnBegan | TurnAnswered | TurnEnded | FocusChanged | WindowFocused | PermissionRequested
    | PermissionAnswered | RemoteControlEnabled | WorkflowStarted | WorkflowEnded | ScheduledSpawned | ScheduleExpired
    | UsageLimited | ServiceOverloaded | TurnErrorReported | SignInLost | NetworkFailed | CloudSessionSeen
    | BridgeClosed | RemoteBridgeChanged
    | VmStartBegan | VmStepStarted | VmStepCompleted | VmConfigured | VmWaited | VmStartFailed | VmReady | VmActive
    | VmNetworkChanged | VmApiChanged | VmStopTimedOut | VmShutDown | VmDiskFilled | VmExited | VmCalledRunning
    | HostPressureRead | PortsCrossed | PortsEased | HostDisagreed
    | Unrecognized
)  # fmt: skip

EVENT_TYPES: dict[str, type[Event]] = {kind.__name__: kind for kind in get_args(Event)}
"""Every event class by its name, which is also its name in the store."""


class Observed(NamedTuple):
    """An event and where it stands: ``offset`` in bytes and ``line`` (from 1) within ``source``, and its first line."""

    event: Event
    source: str
    offset: int
    line: int
    text: str


__all__ = [
    "EVENT_TYPES",
    "AccountOpened",
    "AppComponentCrashed",
    "AppQuitBegan",
    "AppQuitCompleted",
    "AppStarted",
    "AppUpdated",
    "BaseEvent",
    "BridgeClosed",
    "CloudSessionSeen",
    "Event",
    "EventLoopStalled",
    "EvictionFailed",
    "EvictionForeseen",
    "FocusChanged",
    "HeartbeatSeen",
    "HostDisagreed",
    "HostPressureRead",
    "IdleTimerArmed",
    "IdleTimerFired",
    "Level",
    "MachineEvent",
    "MemoryEvictionBegan",
    "MemorySampled",
    "NetworkFailed",
    "Observed",
    "PauseDeclined",
    "PeerMessageLost",
    "PermissionAnswered",
    "PermissionRequested",
    "PortsCrossed",
    "PortsEased",
    "PressureChanged",
    "PressureReported",
    "PressureUnreadable",
    "PreviousQuitReported",
    "QueryCompleted",
    "RemoteBridgeChanged",
    "RemoteControlEnabled",
    "ScheduleExpired",
    "ScheduledSpawned",
    "SeatEvictionBegan",
    "ServiceOverloaded",
    "SessionFailed",
    "SessionInterrupted",
    "SessionMapped",
    "SessionPaused",
    "SessionResumed",
    "SessionRetitled",
    "SessionSaveFailed",
    "SessionSeenAlive",
    "SessionStarted",
    "SessionStopped",
    "SessionTimedOut",
    "SessionTornDown",
    "SessionWarmed",
    "SessionsRewarmed",
    "SessionsStopped",
    "ShellsKilled",
    "SignInLost",
    "StartYielded",
    "Trigger",
    "TurnAnswered",
    "TurnBegan",
    "TurnEnded",
    "TurnErrorReported",
    "Unrecognized",
    "UpdateDeferred",
    "UpdateStaged",
    "UsageLimited",
    "VmActive",
    "VmApiChanged",
    "VmCalledRunning",
    "VmConfigured",
    "VmDiskFilled",
    "VmExited",
    "VmNetworkChanged",
    "VmReady",
    "VmShutDown",
    "VmStartBegan",
    "VmStartFailed",
    "VmStepCompleted",
    "VmStepStarted",
    "VmStopTimedOut",
    "VmWaited",
    "WakeDeferred",
    "WarmUpIntended",
    "WarmUpSkipped",
    "WindowFocused",
    "WorkflowEnded",
    "WorkflowStarted",
]
