"""The simulation: a seeded story of one machine, told as log lines, with its truth beside it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from app.demo import beats, desktop
from app.demo.config import Config
from app.demo.truth import Truth, truth_of
from app.demo.world import Line, Naming, World


class Simulation:
    """The same seed and configuration tell the same story, line for line, however it is stepped through."""

    def __init__(self, seed: int, config: Config) -> None:
        self.config = config
        self.world = World(config, seed)
        self.world.later(0, self._first_start)
        beats.plan(self.world)

    @property
    def now(self) -> datetime:
        """The instant (UTC, whole seconds) up to which the story has been told."""
        return self.world.now

    @property
    def namings(self) -> tuple[Naming, ...]:
        """Every line so far in which the governor named a session, with the true head of the queue beside it."""
        return tuple(self.world.namings)

    def advance(self, to: datetime) -> list[Line]:
        """Tell the story up to and including ``to``; going back tells nothing. What was said, in order."""
        return self.world.advance(to)

    def lines(self, until: datetime) -> Iterator[Line]:
        """The story from where it stands up to ``until``, minute by minute so that no long list is held."""
        until = until.replace(microsecond=0)  # the story knows whole seconds, and would never get past one
        while self.now < until:
            yield from self.advance(min(until, self.now + timedelta(minutes=1)))

    def settle(self) -> list[Line]:
        """Go on until the app is not gone without a word: a crash shows in the log only at the next start."""
        said: list[Line] = []
        while self.world.crashed:
            said += self.advance(self.now + timedelta(seconds=1))
        return said

    def truth(self, at: datetime | None = None) -> Truth:
        """What is so now. ``at`` must be the instant the story has been told to (ValueError): no line is skipped."""
        if at is not None and at.astimezone(UTC).replace(microsecond=0) != self.now:
            raise ValueError(f"the story stands at {self.now.isoformat()}, not at {at.isoformat()}; advance it first")
        return truth_of(self.world)

    def _first_start(self) -> None:
        desktop.open_app(self.world)
