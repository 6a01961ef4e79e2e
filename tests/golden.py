"""Writes the golden cases anew: ``python -m tests.golden --rewrite``, then review the diff.

Each case is a log folder as a simulated app wrote it, with the simulation's own truth beside it in expected.json. They
are kept, not made at test time, so that a change of the simulation and one of the reader cannot hide each other.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from app.demo.config import Config, Habits
from app.demo.simulation import Simulation
from app.demo.wording import SWEEPING
from app.demo.writer import ROTATE_AT, write_history

DATA = Path(__file__).parent / "data"
START = datetime(2026, 10, 2, 9, 0, 11, tzinfo=UTC)
BUSY = Habits(memory=10, crowd=14, squeeze=9, limit=20, trouble=18, remote=15, cowork=None, stop=25)
QUIET = Config(START, noise_per_minute=0.2, vm=False, habits=BUSY)


@dataclass(frozen=True, slots=True)
class Case:
    """One machine and how long its story is told."""

    seed: int
    config: Config
    minutes: int
    rotate_at: int = ROTATE_AT
    overlap_lines: int = 0


CASES = {
    "warns_only": Case(3, replace(QUIET, closes_for_real=False, version="2.9939.4", vm=True), 26),
    "windows_line_ends": Case(
        7,
        replace(
            QUIET,
            platform="win32",
            version="1.46388.2",
            total_mb=16384,
            wording=SWEEPING,
            zone="Europe/Berlin",
            mixed_line_ends=True,
        ),
        24,
    ),
    "rotated_with_overlap": Case(5, replace(QUIET, zone="Asia/Tokyo"), 22, rotate_at=14_000, overlap_lines=6),
    "restarts": Case(
        16,
        replace(
            QUIET,
            haste=0.6,
            noise_per_minute=0.1,
            habits=replace(BUSY, memory=25, crowd=40, quit=20, update=16, crash=12),
        ),
        46,
    ),
}


def write(folder: Path, case: Case) -> None:
    """Write the logs and the truth of a case into ``folder``, which is made anew."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    simulation = Simulation(case.seed, case.config)
    with TemporaryDirectory() as place:
        logs = Path(place, "logs")
        until = case.config.start + timedelta(minutes=case.minutes)
        write_history(logs, simulation, until, rotate_at=case.rotate_at, overlap_lines=case.overlap_lines)
        for log in sorted(logs.glob("*.log")):
            shutil.copyfile(log, folder / log.name)
    expected = json.dumps(simulation.truth(), indent=1) + "\n"
    (folder / "expected.json").write_text(expected, encoding="utf-8", newline="\n")


def main(arguments: Sequence[str] | None = None) -> None:
    """Rewrite every case, if that is what was asked for in so many words."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__)
    parser.add_argument("--rewrite", action="store_true", required=True, help="write every case anew")
    parser.parse_args(arguments)
    for name, case in CASES.items():
        write(DATA / name, case)


if __name__ == "__main__":
    main()
