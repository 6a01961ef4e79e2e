"""Fifty machines that never were: what is read from their logs is what the simulation knows to be so.

The truth comes from the simulation's own variables, never from a log; its rules are its own and share no code with the
reading side.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from app.core.diagnosis import walk
from app.core.report import state_report
from app.demo.cases import random_config
from app.demo.simulation import Simulation
from app.demo.writer import write_history
from app.reading import FolderReading, read_folder
from tests.truth import report_differences

SEEDS = range(50)


def simulated(folder: Path, seed: int) -> dict[str, Any]:
    """Write the logs of a machine into ``folder``; the truth about it at their end."""
    config = random_config(seed)
    simulation = Simulation(seed, config)
    hours = 1 + seed * 37 % 9 / 2
    write_history(
        folder,
        simulation,
        config.start + timedelta(hours=hours),
        rotate_at=60_000 if seed % 3 == 0 else 10_000_000,
        overlap_lines=seed % 5 * 2,
    )
    return simulation.truth()


def differences(truth: dict[str, Any], reading: FolderReading) -> list[str]:
    """Everything in which the reading is not the truth, each as a line for a person."""
    zone, at = ZoneInfo(truth["tz"]), datetime.fromisoformat(truth["at"])
    found = report_differences(truth, state_report(reading.state_at(at), at, zone))
    stops = {stop.session: stop.verdict for stop in walk(reading.observed, at)[1].stops}
    for session, so in truth["sessions"].items():
        if so["why"] and stops.get(session) != so["why"]:
            found.append(f"{session} why: {stops.get(session)} is not {so['why']}")
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_the_log_tells_the_truth(seed: int, tmp_path: Path) -> None:
    """Cap, seats, phases, protections, silences, ranking, counts, VM and why each session stopped."""
    truth = simulated(tmp_path / "logs", seed)
    reading = read_folder(tmp_path / "logs", ZoneInfo(truth["tz"]))

    assert differences(truth, reading) == []


def test_the_ranking_names_who_the_governor_names(tmp_path: Path) -> None:
    """Over all machines the first of our list is the session that the governor names, 19 times of 20 at least."""
    named = first = 0
    for seed in SEEDS[::5]:
        truth = simulated(tmp_path / str(seed) / "logs", seed)
        score = read_folder(tmp_path / str(seed) / "logs", ZoneInfo(truth["tz"]))
        final = score.state_at(datetime.fromisoformat(truth["at"])).score
        named, first = named + final.named, first + final.first

    assert named > 50
    assert first >= 0.95 * named
