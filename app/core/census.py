"""The census: what a log is made of, counted line by line and event by event.

Lines come from a `Tally`, which counts every one of them. Everything else is counted from events while they are
folded, since whether the app's own numbers agree with ours depends on the state just before its line. A `CensusTaker`
may be fed step by step beside a fold that runs anyway; `census` folds by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from app.core.counted import (
    GOVERNOR_SHAPES,
    Census,
    CheckedBy,
    Checks,
    Difference,
    Differences,
    Disagreement,
    GovernorLines,
    GovernorShape,
    Limits,
    PressureLines,
    PressureSource,
    Share,
    UnknownShape,
    Victim,
)
from app.core.events import (
    Event,
    EvictionForeseen,
    HostDisagreed,
    Level,
    MemoryEvictionBegan,
    Observed,
    PressureChanged,
    PressureReported,
    SeatEvictionBegan,
    ServiceOverloaded,
    SessionsStopped,
    SignInLost,
    StartYielded,
    Unrecognized,
    UsageLimited,
)
from app.core.events.machine import Compared
from app.core.evolve import replace
from app.core.lookalikes import looks_alike
from app.core.reducer import reduce
from app.core.state import SeatCheck, State
from app.core.tally import Tally

GOVERNOR_SCOPE = "CliGovernor"

MAX_SHAPES = 200
"""Unrecognised shapes told apart; a hostile log can make as many as it has lines. The rest is counted together."""
MAX_VICTIMS = 20
"""How many of the most-named sessions are listed."""
MAX_DISAGREEMENTS = 100
"""The newest ones kept to be listed; all of them are counted."""


@dataclass(slots=True)
class CensusTaker:
    """Counts events as they are folded. Its memory is bounded but for one pair of numbers a named session."""

    governor: Counter[GovernorShape] = field(default_factory=Counter)
    pressure: Counter[tuple[PressureSource, Level]] = field(default_factory=Counter)
    put_off: Counter[Literal["warm", "user"]] = field(default_factory=Counter)
    named: Counter[str] = field(default_factory=Counter)
    closed: Counter[str] = field(default_factory=Counter)
    limits: Counter[Literal["usage", "overload", "sign_in"]] = field(default_factory=Counter)
    alike: int = 0
    shapes: dict[str, UnknownShape] = field(default_factory=dict)
    more_shapes: int = 0
    agreed: int = 0
    disagreed: int = 0
    disagreements: list[Disagreement] = field(default_factory=list)
    differed: Counter[Compared] = field(default_factory=Counter)
    differences: list[Difference] = field(default_factory=list)

    def take(self, before: State, one: Observed, after: State) -> None:
        """Count one step of the fold: the event, and the states before and after it."""
        event = one.event
        self._take_governor(event)
        self._take_limits(one)
        if isinstance(event, Unrecognized):
            self._take_shape(event, one)
        if isinstance(event, HostDisagreed):
            self.differed[event.what] += 1
            self.differences.append(Difference(event.at, event.what, event.log, event.host))
            del self.differences[:-MAX_DISAGREEMENTS]
        if after.counts is not before.counts and _closed(after) > _closed(before):
            self.closed[getattr(event, "session", "")] += 1
        if after.seat_check is not None and after.seat_check is not before.seat_check:
            self._take_check(after.seat_check, one)

    def census(self, tally: Tally, state: State) -> Census:
        """What was counted so far, with the lines of ``tally``; ``state`` knows titles and scores."""
        victims = self._victims(state)
        return Census(
            lines=tally.lines,
            severities=_shares(tally, 0),
            scopes=_shares(tally, 1),
            continued=tally.continued,
            unprefixed=tally.unprefixed,
            cut=tally.cut,
            governor=self._governor_lines(tally),
            pressure=tuple(PressureLines(*kind, number) for kind, number in sorted(self.pressure.items())),
            put_off={"warm": self.put_off["warm"], "user": self.put_off["user"]},
            victims=tuple(victims[:MAX_VICTIMS]),
            named_sessions=len(victims),
            limits=Limits(
                self.limits["usage"],
                self.limits["overload"],
                self.limits["sign_in"],
                # Retention may have left more events than counted lines.
                max(0, tally.look_alikes - self.alike),
            ),
            shapes=tuple(sorted(self.shapes.values(), key=lambda one: (-one.lines, one.first_at, one.shape))),
            more_shapes=self.more_shapes,
            checks=Checks(self.agreed, self.disagreed, tuple(self.disagreements)),
            scores=dict(state.scores),
            disagreements=Differences(self.differed["memory"], self.differed["processes"], tuple(self.differences)),
        )

    def _take_governor(self, event: Event) -> None:
        match event:
            case EvictionForeseen():
                shapes: dict[str | None, GovernorShape] = {"warm": "would_evict_warm", "user": "would_evict_user"}
                self.governor[shapes.get(event.trigger, "would_evict_untold")] += 1
                self.named[event.session] += 1
            case SeatEvictionBegan():
                self.governor["evicting"] += 1
                self.named[event.session] += 1
            case MemoryEvictionBegan():
                self.governor["pressure_evicting"] += 1
                self.named[event.session] += 1
            case StartYielded():
                self.governor["yielding"] += 1
                self.put_off[event.trigger] += 1
            case PressureReported():
                self.governor["pressure_critical" if event.level == "critical" else "pressure_warning"] += 1
                self.pressure["governor", event.level] += 1
            case PressureChanged():
                self.pressure["os", event.level] += 1
            case _:
                pass

    def _take_limits(self, one: Observed) -> None:
        if isinstance(one.event, (UsageLimited, ServiceOverloaded)):
            self.alike += looks_alike(one.text)
        match one.event:
            case UsageLimited():
                self.limits["usage"] += 1
            case ServiceOverloaded():
                self.limits["overload"] += 1
            case SignInLost():
                self.limits["sign_in"] += 1
            case _:
                pass

    def _take_shape(self, event: Unrecognized, one: Observed) -> None:
        known = self.shapes.get(event.shape)
        if known is not None:
            # Several files are read side by side and clocks step back, so a later line may be the earlier one.
            first, last = min(known.first_at, event.at), max(known.last_at, event.at)
            self.shapes[event.shape] = replace(known, lines=known.lines + 1, first_at=first, last_at=last)
        elif len(self.shapes) < MAX_SHAPES:
            self.shapes[event.shape] = UnknownShape(event.shape, 1, one.source, one.line, event.at, event.at)
        else:
            self.more_shapes += 1

    def _take_check(self, check: SeatCheck, one: Observed) -> None:
        if check.value == check.ours:
            self.agreed += 1
            return
        self.disagreed += 1
        by: CheckedBy = "quit_line" if isinstance(one.event, SessionsStopped) else "pressure_line"
        self.disagreements.append(Disagreement(check.at, by, check.value, check.ours, one.source, one.line))
        del self.disagreements[:-MAX_DISAGREEMENTS]

    def _victims(self, state: State) -> list[Victim]:
        """Most named first; those named equally often: most often closed first."""
        found = [
            Victim(key, state.sessions[key].title if key in state.sessions else None, self.named[key], self.closed[key])
            for key in {**self.named, **self.closed}
        ]
        return sorted(found, key=lambda one: (-one.named, -one.closed))

    def _governor_lines(self, tally: Tally) -> GovernorLines:
        shapes = {shape: self.governor[shape] for shape in GOVERNOR_SHAPES}
        known = sum(shapes.values())
        counted = sum(number for (_, scope), number in tally.counts.items() if scope == GOVERNOR_SCOPE)
        lines = max(counted, known)
        return GovernorLines(lines, _share(lines, max(tally.lines, lines)), shapes, lines - known)


def census(tally: Tally, observed: Iterable[Observed], state: State) -> Census:
    """Count ``observed``, in the order of the fold, and the lines of ``tally``.

    ``state`` gives the titles of sessions and the scores per version.
    """
    taker, before = CensusTaker(), State()
    for one in observed:
        after = reduce(before, one.event)
        taker.take(before, one, after)
        before = after
    return taker.census(tally, state)


def _closed(state: State) -> int:
    """How many sessions the governor has really closed."""
    return state.counts.evicted_cap + state.counts.evicted_pressure


def _share(lines: int, total: int) -> float:
    return lines / total if total else 0.0


def _shares(tally: Tally, part: Literal[0, 1]) -> tuple[Share, ...]:
    """Lines by severity (part 0) or scope (part 1)."""
    counted: Counter[str] = Counter()
    for kind, number in tally.counts.items():
        counted[kind[part]] += number
    total = tally.lines
    return tuple(
        Share(name, lines, _share(lines, total))
        for name, lines in sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
    )


__all__ = ["Census", "CensusTaker", "census"]
