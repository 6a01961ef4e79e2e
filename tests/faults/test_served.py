"""The real program, killed at any moment while the app writes."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from app.core.reducer import fold
from app.core.state import State
from tests.e2e.served import Served, until
from tests.faults.schedule import CHECKOUT, FIRST, RUNS, plan
from tests.faults.truth import judge
from tests.faults.writer import Segment
from tests.following import Followed

KILLS = 2


@pytest.mark.parametrize("seed", range(FIRST, FIRST + max(1, RUNS // 20)))
def test_seatwatch_is_killed_while_it_serves(seed: int, tmp_path: Path) -> None:
    """Started again after each kill, ended by Ctrl-C, and read once more: each event is there once."""
    chance = random.Random(seed)
    logs, script, told = tmp_path / "logs", tmp_path / "script", tmp_path / "written"
    logs.mkdir()
    script.write_text(json.dumps([*plan(seed, acts=200).script, ["pause", 200]]))
    served = Served(logs, tmp_path / "seatwatch.sqlite")
    command = [sys.executable, "-m", "tests.faults.writer", str(logs), str(script), str(told)]
    writer = subprocess.Popen(command, cwd=CHECKOUT)
    try:
        for _ in range(KILLS):
            served.start()
            _wait(served, writer, chance.randint(1, 400))
            served.kill()
        assert writer.wait(30) == 0
        served.start()
        size = (logs / "main.log").stat().st_size
        until(lambda: _read(served, size), "the end of main.log")
        served.stop()
    finally:
        writer.kill()
        writer.wait()
        served.kill()
    segments = [Segment(**one) for one in json.loads(told.read_text())]
    followed = Followed(logs, served.database)
    followed.catch_up()
    followed.settle()
    verdict, state = judge(segments, followed.stored()), followed.state
    followed.close()

    assert verdict.faultless, f"seed {seed}: {verdict}"
    assert state == fold(State(), verdict.expected)


def _wait(served: Served, writer: subprocess.Popen[bytes], events: int) -> None:
    """Until so many events of a kind are read, or nothing more comes."""
    counted = "unrecognized"
    until(lambda: served.state()["counts"][counted] >= events or writer.poll() is not None, f"event {events}")


def _read(served: Served, size: int) -> bool:
    sources = served.state()["sources"]
    return any(one["path"].endswith("main.log") and one["bytes"] >= size for one in sources)
