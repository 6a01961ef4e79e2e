"""Holds what Seatwatch reports against what a simulation knows to be so."""

from __future__ import annotations

from typing import Any

IDLE_TOLERANCE_SECONDS = 3
"""The log's stamps have whole seconds, and a session is idle from a line that comes a moment after the fact."""


def report_differences(truth: dict[str, Any], report: dict[str, Any]) -> list[str]:
    """Everything in which the report (what ``inspect --json`` prints) is not the truth, as lines for a person."""
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
        if got is None or abs(got - seconds) > IDLE_TOLERANCE_SECONDS:
            found.append(f"{session} idle: {got} is not {seconds}")
    for session, so in truth["sessions"].items():
        found += session_differences(session, so, by_id.get(session))
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
