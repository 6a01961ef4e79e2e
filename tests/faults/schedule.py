"""What happens in one random run: the acts of the writer and the moments at which Seatwatch ends."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.core.reducer import fold
from app.core.state import State
from tests.faults.follower import Follower
from tests.faults.truth import Verdict, judge
from tests.faults.writer import ODD, Segment
from tests.following import Followed

RUNS = int(os.environ.get("FAULT_RUNS", "20"))
FIRST = int(os.environ.get("FAULT_SEED", "0"))
NIGHTLY = RUNS >= 200
CHECKOUT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Plan:
    """The writer's acts, and after how many seconds Seatwatch is killed (True) or stopped (False)."""

    script: list[list[Any]]
    ends: list[tuple[float, bool]]


def plan(seed: int, acts: int = 70) -> Plan:
    """The same for the same seed."""
    chance = random.Random(seed)
    script: list[list[Any]] = []
    for _ in range(acts):
        script.append(_act(chance))
        script.append(["pause", chance.choice((0, 0, 1, 4, 20))])
    if seed % 4 == 0:
        script.insert(chance.randrange(len(script)), ["burst", 4_000, chance.randint(1_000, 100_000)])
    if seed % 5 == 0:
        script.insert(chance.randrange(len(script)), ["long", 1_048_576])
    if seed % 3 == 0:
        script.insert(chance.randrange(len(script)), ["truncate"])
    ends = [(chance.uniform(0, 0.2), chance.random() < 0.7) for _ in range(chance.randint(2, 6))]
    return Plan(script, ends)


def _act(chance: random.Random) -> list[Any]:
    acts: list[tuple[int, list[Any]]] = [
        (40, ["lines", chance.randint(1, 40), chance.random() < 0.3]),
        (15, ["half", chance.randint(0, 200)]),
        (10, ["rotate", chance.choice((1, 1, 2))]),
        (5, ["burst", chance.randint(50, 300), chance.randint(10, 8_000)]),
        (5, ["odd", chance.choice(list(ODD))]),
        (5, ["block", chance.randint(1, 9)]),
        (3, ["back", chance.choice((1, 70, 4_000))]),
        (3, ["forward", chance.choice((5, 300))]),
    ]
    return chance.choices([act for _, act in acts], [weight for weight, _ in acts])[0]


def run(seed: int, place: Path) -> tuple[Verdict, list[str]]:
    """Let writer and Seatwatch run beside each other; how the store compares, and what else is wrong."""
    logs, script, told = place / "logs", place / "script", place / "written"
    logs.mkdir()
    what = plan(seed)
    script.write_text(json.dumps(what.script))
    follower = Follower(logs, place, seed)
    command = [sys.executable, "-m", "tests.faults.writer", str(logs), str(script), str(told)]
    writer = subprocess.Popen(command, cwd=CHECKOUT)
    try:
        for seconds, is_kill in what.ends:
            follower.start(may_die=True)
            time.sleep(seconds)
            if is_kill:
                follower.kill()
            else:
                follower.stop()
        follower.start()
        assert writer.wait(30) == 0, f"the writer of seed {seed} failed"
        wrong = follower.settle()
    finally:
        writer.kill()
        writer.wait()
        follower.kill()
    segments = [Segment(**one) for one in json.loads(told.read_text())]
    return _compare(segments, Followed(logs, follower.database), wrong)


def _compare(segments: list[Segment], followed: Followed, wrong: list[str]) -> tuple[Verdict, list[str]]:
    verdict = judge(segments, followed.stored())
    followed.catch_up()
    followed.settle()
    if len(followed.stored()) != verdict.events:
        wrong.append("a restart read something again")
    if followed.state != fold(State(), verdict.expected):
        wrong.append("the state is not the fold of what was written")
    followed.close()
    return verdict, wrong
