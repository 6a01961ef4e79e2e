"""What the doctor says: one finding for each thing looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Level: TypeAlias = Literal["ok", "note", "problem"]
Fact: TypeAlias = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found about a ``topic``, and what ``todo`` about it.

    ``what`` and ``todo`` are sentences for this machine's user and may hold paths. ``facts`` are for bug reports: only
    numbers, truth values and fixed words of ours, or versions, and nothing that a log or a person named.
    """

    topic: str
    level: Level
    what: str
    todo: str = ""
    facts: Mapping[str, Fact] = field(default_factory=dict)


def problems(findings: Sequence[Finding]) -> int:
    """How many of them somebody should do something about."""
    return sum(one.level == "problem" for one in findings)


def plain(findings: Sequence[Finding], version: str) -> dict[str, Any]:
    """All of it as one object, for ``--json``: paths included, so it is for this machine."""
    return {
        "version": version,
        "problems": problems(findings),
        "findings": [
            {"topic": one.topic, "level": one.level, "what": one.what, "todo": one.todo, "facts": dict(one.facts)}
            for one in findings
        ],
    }


def size(number: int) -> str:
    """Bytes as a person reads them, in the largest unit of which there is one."""
    for unit, length in (("GB", 1_000_000_000), ("MB", 1_000_000), ("KB", 1000)):
        if number >= length:
            return f"{number / length:,.0f} {unit}"
    return f"{number} bytes"


def age(seconds: float) -> str:
    """A length of time as a person reads it, in the largest unit that fits."""
    for unit, length in (("days", 86_400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{max(0, seconds):.0f} seconds"
