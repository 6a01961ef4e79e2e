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
from app.core.diagnosis import all_stops
from app.core.report import state_report
from app.demo.cases import random_config
from app.demo.simulation import Simulation
from app.demo.writer import write_history
from app.pipeline import FolderReading, read_folder

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
    report = state_report(reading.state_at(at), at, zone)
    found: list[str] = []

    def hold(name: str, got: object, want: object) -> None:
        if got != want:
            found.append(f"{name}: {got!r} is not {want!r}")

    hold("cap", report["cap"]["value"], truth["cap"])
    hold("seats", report["seats"]["taken"], truth["seats"])
    hold("version", report["app"]["version"], truth["version"])
    hold("pressure", report["pressure"]["level"].replace("unknown", "normal"), truth["pressure"])
    for name, count in truth["counts"].items():
        hold(name, report["counts"][name], count)
    if truth["evicts_for_real"]:
        hold("evicts for real", report["evicts_for_real"], True)
    if truth["vm"]:
        hold("vm", report["vm"]["phase"], truth["vm"])
    hold("named", report["score"]["named"], truth["named"])
    ranked = sorted((one for one in report["sessions"] if one["rank"]), key=lambda one: one["rank"])
    hold("ranking", [one["id"] for one in ranked], truth["ranking"])
    by_id = {one["id"]: one for one in report["sessions"]}
    for session, seconds in truth["idle"].items():
        got = by_id[session]["idle_seconds"]
        if got is None or abs(got - seconds) > 3:
            found.append(f"{session} idle: {got} is not {seconds}")
    stops = {stop.session: stop.verdict for stop in all_stops(reading.observed, at)}
    for session, so in truth["sessions"].items():
        found += session_differences(session, so, by_id.get(session))
        if so["why"]:
            hold(f"{session} why", stops.get(session), so["why"])
    return found


def session_differences(session: str, so: dict[str, Any], got: dict[str, Any] | None) -> list[str]:
    """The same for one session; one that was never more than an intent need not be known."""
    if got is None:
        return [f"{session} is not known"] if so["holds_seat"] else []
    phase = got["phase"].replace("lost", "ended")
    found = [] if phase == so["phase"] else [f"{session} phase: {phase} is not {so['phase']}"]
    if got["holds_seat"] != so["holds_seat"]:
        found.append(f"{session} seat: {got['holds_seat']} is not {so['holds_seat']}")
    protected = sorted(set(got["protected_by"]) - {"mid_turn", "waiting"})
    if so["holds_seat"] and protected != so["protected"]:
        found.append(f"{session} protected by {protected}, not {so['protected']}")
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
