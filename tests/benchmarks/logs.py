"""Log folders to measure with: the demo's app, as chatty as a real one, for as long as it takes to write so much."""

from __future__ import annotations

import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from app.demo.cases import demo_config
from app.demo.simulation import Simulation
from app.demo.writer import LogFolder

BEGAN = datetime(2026, 10, 1, tzinfo=UTC)
CHATTY = 480.0
"""Lines of noise a minute: with them about three lines in a hundred are of the governor and of sessions."""


def written(folder: Path, size: int, *, chatter: float = CHATTY, seed: int = 3) -> int:
    """Write logs of ``size`` bytes or a little more into ``folder``; how many lines these are. The same for a seed."""
    simulation = Simulation(seed, replace(demo_config(BEGAN), noise_per_minute=chatter))
    log, bytes_written, lines = LogFolder(folder), 0, 0
    try:
        while bytes_written < size:
            said = simulation.advance(simulation.now + timedelta(minutes=10))
            log.append(said)
            bytes_written += sum(len(line.text.encode()) for line in said)
            lines += sum(line.text.count("\n") for line in said)
    finally:
        log.close()
    return lines


if __name__ == "__main__":
    print(f"{written(Path(sys.argv[1]), int(sys.argv[2])):,} lines")
