"""What the census counted, as values, and as what JSON can carry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, tzinfo
from typing import Any, Literal, NamedTuple, TypeAlias

from app.core.events import Level
from app.core.events.machine import Compared
from app.core.state import Score

GovernorShape: TypeAlias = Literal[
    "would_evict_warm", "would_evict_user", "would_evict_untold", "evicting", "pressure_evicting", "yielding",
    "pressure_warning", "pressure_critical",
]  # fmt: skip
GOVERNOR_SHAPES: tuple[GovernorShape, ...] = (
    "would_evict_warm", "would_evict_user", "would_evict_untold", "evicting", "pressure_evicting", "yielding",
    "pressure_warning", "pressure_critical",
)  # fmt: skip
"""In the order in which they are shown; ``would_evict_untold`` are lines that do not say for which start."""

PressureSource: TypeAlias = Literal["governor", "os"]
CheckedBy: TypeAlias = Literal["pressure_line", "quit_line"]


class Share(NamedTuple):
    """So many lines of one name, and which part of all lines that is, from 0 to 1."""

    name: str
    lines: int
    share: float


@dataclass(frozen=True, slots=True)
class GovernorLines:
    """What the governor wrote. ``shapes`` has each of `GOVERNOR_SHAPES`; ``other`` is the rest of its lines.

    ``lines`` counts its scope in the tally, or the shapes where retention has left more events than counted lines.
    """

    lines: int
    share: float
    shapes: Mapping[GovernorShape, int]
    other: int


@dataclass(frozen=True, slots=True)
class PressureLines:
    """Lines of one level from one source: the governor's own, or the operating system's transition (``os``)."""

    source: PressureSource
    level: Level
    lines: int


@dataclass(frozen=True, slots=True)
class Victim:
    """A session that the governor named: how often, and how often it was really closed by it."""

    session: str
    title: str | None
    named: int
    closed: int


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits by their exact shapes; ``look_alikes`` are lines that only look like one and were left out."""

    usage: int
    overload: int
    sign_in: int
    look_alikes: int


@dataclass(frozen=True, slots=True)
class UnknownShape:
    """A shape that no format knows: how often, where its first line stands, and when it was first and last seen."""

    shape: str
    lines: int
    source: str
    line: int
    first_at: datetime
    last_at: datetime


@dataclass(frozen=True, slots=True)
class Disagreement:
    """The app's own number of live processes (``log``) and our count at the same line (``ours``)."""

    at: datetime
    by: CheckedBy
    log: int
    ours: int
    source: str
    line: int


@dataclass(frozen=True, slots=True)
class Checks:
    """How often the app's own number was held against ours. ``disagreements`` are the newest ones, oldest first."""

    agreed: int
    disagreed: int
    disagreements: tuple[Disagreement, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """The log and the host said different things of the same: free memory in MB, or live processes of sessions."""

    at: datetime
    what: Compared
    log: int
    host: int


@dataclass(frozen=True, slots=True)
class Differences:
    """How often the host's own word differed from the log's. ``newest`` are listed, oldest first."""

    memory: int
    processes: int
    newest: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class Census:
    """All of it. ``severities`` and ``scopes`` are sorted, most lines first; scope "" is no tag at all.

    ``victims`` are the most named, ``named_sessions`` is how many there are in all. ``more_shapes`` counts unrecognised
    lines whose shape is not listed any more. ``scores`` is per app version, "" when unknown. ``disagreements`` are
    those of the log and the host; those of the log and our own count are in ``checks``.
    """

    lines: int
    severities: tuple[Share, ...]
    scopes: tuple[Share, ...]
    continued: int
    unprefixed: int
    cut: int
    governor: GovernorLines
    pressure: tuple[PressureLines, ...]
    put_off: Mapping[Literal["warm", "user"], int]
    victims: tuple[Victim, ...]
    named_sessions: int
    limits: Limits
    shapes: tuple[UnknownShape, ...]
    more_shapes: int
    checks: Checks
    scores: Mapping[str, Score]
    disagreements: Differences = Differences(0, 0, ())

    def as_plain(self, zone: tzinfo = UTC, names: Mapping[str, str] | None = None) -> dict[str, Any]:
        """The census in what JSON can carry; times in ``zone``, sources by ``names`` (by id) where it has them."""
        return _plain(self, _Words(zone, names or {}))


class _Words(NamedTuple):
    """How instants and sources are written."""

    zone: tzinfo
    names: Mapping[str, str]

    def iso(self, when: datetime) -> str:
        return when.astimezone(self.zone).isoformat()

    def place(self, one: UnknownShape | Disagreement) -> dict[str, Any]:
        return {"source": self.names.get(one.source, one.source), "line": one.line}


def _plain(found: Census, words: _Words) -> dict[str, Any]:
    governor = found.governor
    return {
        "lines": found.lines,
        "severities": [one._asdict() for one in found.severities],
        "scopes": [one._asdict() for one in found.scopes],
        "continued": found.continued,
        "unprefixed": found.unprefixed,
        "cut": found.cut,
        "governor": {
            "lines": governor.lines,
            "share": governor.share,
            "shapes": {**governor.shapes, "other": governor.other},
        },
        "pressure": [{"source": one.source, "level": one.level, "lines": one.lines} for one in found.pressure],
        "put_off": dict(found.put_off),
        "victims": [asdict(one) for one in found.victims],
        "named_sessions": found.named_sessions,
        "limits": asdict(found.limits),
        "unrecognized": {"shapes": [_shape(one, words) for one in found.shapes], "more": found.more_shapes},
        "checks": {
            "agreed": found.checks.agreed,
            "disagreed": found.checks.disagreed,
            "disagreements": [_disagreement(one, words) for one in found.checks.disagreements],
        },
        "scores": {version: asdict(one) for version, one in found.scores.items()},
        "disagreements": {
            "memory": found.disagreements.memory,
            "processes": found.disagreements.processes,
            "newest": [{**asdict(one), "at": words.iso(one.at)} for one in found.disagreements.newest],
        },
    }


def _shape(one: UnknownShape, words: _Words) -> dict[str, Any]:
    seen = {"first_at": words.iso(one.first_at), "last_at": words.iso(one.last_at)}
    return {"shape": one.shape, "lines": one.lines, **words.place(one), **seen}


def _disagreement(one: Disagreement, words: _Words) -> dict[str, Any]:
    return {"at": words.iso(one.at), "by": one.by, "log": one.log, "ours": one.ours, **words.place(one)}
