"""Pieces of advice, as values, and as what JSON can carry. Sessions are named by id, lengths of time are in seconds."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import UTC, datetime, tzinfo
from typing import Any, Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class AppSilent:
    """The app runs and has given no sign of life for ``seconds``: it is stuck or the machine sleeps."""

    seconds: int
    kind: Literal["app_silent"] = "app_silent"


@dataclass(frozen=True, slots=True)
class FirstToGo:
    """``session``, silent for ``idle_seconds``, is first to go: let it report.

    ``threat`` is what would take it: ``memory`` under pressure or over the cap, else ``start`` once the ``free`` seats
    are taken.
    """

    session: str
    idle_seconds: int
    threat: Literal["start", "memory"]
    free: int
    kind: Literal["first_to_go"] = "first_to_go"


@dataclass(frozen=True, slots=True)
class Protect:
    """``session`` is first to go, has lived for ``alive_seconds`` and nothing protects it: remote control would."""

    session: str
    alive_seconds: int
    kind: Literal["protect"] = "protect"


@dataclass(frozen=True, slots=True)
class SmallMachine:
    """Memory is short on a machine of ``total_mb``: at most ``most`` sessions; ``too_many`` of ``taken`` are above."""

    total_mb: int
    taken: int
    most: int
    too_many: int
    kind: Literal["small_machine"] = "small_machine"


@dataclass(frozen=True, slots=True)
class OverCap:
    """``taken`` sessions on ``cap`` seats: warm starts are put off until ``over`` of them end."""

    taken: int
    cap: int
    over: int
    kind: Literal["over_cap"] = "over_cap"


@dataclass(frozen=True, slots=True)
class UsageLimit:
    """The account's usage limit holds for ``seconds`` more, until ``until``; ``resets`` is the app's own text."""

    until: datetime
    seconds: int
    resets: str | None
    kind: Literal["usage_limit"] = "usage_limit"


@dataclass(frozen=True, slots=True)
class AnswerWaiting:
    """``sessions`` wait for their user, longest first, the first for ``seconds``, and each holds a seat."""

    sessions: tuple[str, ...]
    seconds: int
    kind: Literal["answer"] = "answer"


@dataclass(frozen=True, slots=True)
class StopBeforeCap:
    """Memory pressure closes nobody while at most ``most`` of ``cap`` seats are taken; ``too_many`` are above."""

    taken: int
    cap: int
    most: int
    too_many: int
    kind: Literal["stop_before_cap"] = "stop_before_cap"


@dataclass(frozen=True, slots=True)
class PortsShort:
    """``in_use`` of the home line's ``budget`` ports are taken; ``minutes`` until none is left, None without growth."""

    in_use: int
    budget: int
    minutes: int | None
    kind: Literal["ports_short"] = "ports_short"


@dataclass(frozen=True, slots=True)
class CompetingVm:
    """Memory is short, and the virtual machine ``name`` of another program holds ``mb`` of it."""

    name: str
    mb: int
    kind: Literal["competing_vm"] = "competing_vm"


@dataclass(frozen=True, slots=True)
class Orphans:
    """``count`` processes that an app which is gone has left behind hold ``mb`` of memory."""

    count: int
    mb: int
    kind: Literal["orphans"] = "orphans"


@dataclass(frozen=True, slots=True)
class Nothing:
    """There is nothing to do."""

    kind: Literal["nothing"] = "nothing"


Advice: TypeAlias = (
    AppSilent
    | FirstToGo
    | Protect
    | SmallMachine
    | OverCap
    | UsageLimit
    | AnswerWaiting
    | StopBeforeCap
    | PortsShort
    | CompetingVm
    | Orphans
    | Nothing
)


def to_plain(advice: Advice, zone: tzinfo = UTC) -> dict[str, Any]:
    """The advice in what JSON can carry; times in ``zone``."""
    return {key: _plain(value, zone) for key, value in asdict(advice).items()}


def _plain(value: Any, zone: tzinfo) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(zone).isoformat(timespec="seconds")
    return list(value) if isinstance(value, tuple) else value
