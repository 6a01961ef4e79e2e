"""A Seatwatch without pages, as a process of its own that may be killed at any moment."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from pathlib import Path

from sqlalchemy import event

from app import pipeline
from app.core.reducer import fold
from app.core.state import State
from tests.following import Followed

# Forked from a process that has imported everything and runs nothing else: a start costs milliseconds.
_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload(["tests.faults.follower"])


@dataclass
class Follower:
    """Follows ``logs`` into a database in ``place``; may be killed, stopped, or told that nothing more comes.

    ``seed`` decides how much it reads at once and which of its commits fail.
    """

    logs: Path
    place: Path
    seed: int
    starts: int = 0
    process: BaseProcess | None = field(default=None, repr=False)

    @property
    def database(self) -> Path:
        """Where the events are kept."""
        return self.place / "seatwatch.sqlite"

    def start(self, *, may_die: bool = False) -> None:
        """Start, from what the database holds; one that ``may_die`` mostly does so amid a transaction."""
        self.starts += 1
        arguments = (self.logs, self.database, self.place, self.seed * 1000 + self.starts, may_die)
        self.process = _CONTEXT.Process(target=follow, args=arguments)
        self.process.start()

    def kill(self) -> None:
        """End it as a power cut would."""
        assert self.process is not None
        self.process.kill()
        self.process.join()

    def stop(self) -> None:
        """End it in an orderly way, wherever it stands."""
        self._tell("stop")

    def settle(self) -> list[str]:
        """Let it read to the end and end by itself; what it found wrong with itself."""
        self._tell("done")
        found: list[str] = json.loads((self.place / "told").read_text())
        return found

    def _tell(self, word: str, seconds: float = 30) -> None:
        assert self.process is not None
        (self.place / word).touch()
        self.process.join(seconds)
        code = self.process.exitcode
        if code is None:
            self.kill()
        assert code in (0, -signal.SIGKILL), f"the follower of seed {self.seed} ended with {code}"
        (self.place / word).unlink()


def follow(logs: Path, database: Path, place: Path, seed: int, may_die: bool) -> None:
    """Follow until told to stop, or that nothing more comes."""
    chance = random.Random(seed)
    pipeline.LIVE_BYTES = chance.choice((10, 100, 700, 60_000))  # the first piece of history may end within a line
    pipeline.CATCH_UP_BYTES = chance.choice((3_000, 100_000, 8_388_608))
    followed = Followed(logs, database)
    if may_die and chance.random() < 0.7:
        _die_amid(followed, chance.randint(0, 150))
    followed.catch_up()
    pipeline.LIVE_BYTES = chance.choice((700, 5_000, 60_000, 1_048_576))
    stop, done = place / "stop", place / "done"
    while not stop.exists():
        is_last = done.exists()  # asked before the look: what was written before it is then seen
        if chance.random() < 0.05:
            followed.store.failures = chance.randint(1, 3)
        followed.look()
        if is_last:
            followed.store.failures = 0
            followed.settle()
            (place / "told").write_text(json.dumps(_wrong(followed)))
            break
    followed.close()


def _die_amid(followed: Followed, steps: int) -> None:
    """Kill this process after so many statements, beginnings and ends of transactions: a kill from outside rarely
    meets the millisecond between two of them."""
    left = iter(range(steps))

    def count(*_: object) -> None:
        if next(left, None) is None:
            os.kill(os.getpid(), signal.SIGKILL)

    for moment in ("begin", "before_cursor_execute", "commit"):
        event.listen(followed.store._database._engine, moment, count)


def _wrong(followed: Followed) -> list[str]:
    """Where what is shown is not the fold of what is kept."""
    wrong = [] if followed.state == fold(State(), (one.event for one in followed.stored())) else ["the state"]
    if followed.pipeline.keeper.waits or followed.live.current.problem:
        wrong.append(f"unkept events, or {followed.live.current.problem}")
    return wrong
