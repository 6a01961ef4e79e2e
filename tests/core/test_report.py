"""The state as one plain object that scripts rely on."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given

from app.core.events import (
    AppStarted,
    CloudSessionSeen,
    Event,
    EvictionForeseen,
    MemorySampled,
    PressureReported,
    RemoteControlEnabled,
    SessionRetitled,
    SessionWarmed,
    UsageLimited,
    VmStartBegan,
)
from app.core.reducer import fold
from app.core.report import SourceStatus, state_report
from app.core.state import Evidence, State
from tests.core.helpers import NOON, A, B, after, histories, state_after

TOKYO = ZoneInfo("Asia/Tokyo")
SHAPE = {
    "": {"at", "app", "cap", "seats", "pressure", "evicts_for_real", "sessions", "next_out", "counts", "score", "vm",
         "sources", "advice", "limit"},
    "app": {"running", "version", "started_at", "silent_seconds"},
    "cap": {"value", "origin", "seen_at"},
    "seats": {"taken", "by_governor"},
    "pressure": {"level", "since", "origin"},
    "next_out": {"user_start", "warm_start", "pressure"},
    "counts": {"would_evict", "put_off", "evicted", "paused_idle", "pressure_lines", "rate_limited", "overloaded",
               "unrecognized"},
    "score": {"named", "first"},
    "vm": {"phase", "cpus", "memory_gb", "guest", "step", "since"},
}  # fmt: skip
"""The keys that are promised; more may be there."""
SESSION = {
    "id", "title", "kind", "phase", "holds_seat", "since", "idle_seconds", "protected_by", "rank",
    "eligible_in_seconds", "ended_by",
}  # fmt: skip
STATE = state_after(
    AppStarted(NOON, "2.9939.4", "darwin", "arm64"),
    SessionWarmed(after(10), A, 100),
    SessionWarmed(after(20), B, 100),
    RemoteControlEnabled(after(21), B),
    MemorySampled(after(30), "interval", 3558, 2460, 9, 2100, 18, 558, 7541, 24576, 429),
    EvictionForeseen(after(60), A, 2, 45, "warm"),
    PressureReported(after(70), "warning", 0, 3),
    CloudSessionSeen(after(71), "cse_01"),
    VmStartBegan(after(72), 4, 4),
)


@pytest.mark.parametrize("state", [State(), STATE], ids=["empty", "full"])
def test_promised_keys_are_there(state: State) -> None:
    """Nothing that scripts rely on is left out, whether the log said anything or not."""
    report = state_report(state, after(80), UTC, [SourceStatus("main.log", 10, 1)])
    assert SHAPE[""] <= report.keys()
    for part, keys in SHAPE.items():
        assert not part or keys <= report[part].keys()
    assert set(report["counts"]["would_evict"]) == {"warm", "user"}
    assert set(report["counts"]["evicted"]) == {"cap", "pressure"}
    assert set(report["counts"]["pressure_lines"]) == {"warning", "critical"}
    assert all(one.keys() >= SESSION for one in report["sessions"])
    assert {"path", "bytes", "lines", "lag_seconds"} <= report["sources"][0].keys()


def test_values_are_those_of_the_instant() -> None:
    """Idle times, ranks and levels are judged at the time that is asked for."""
    report = state_report(STATE, after(80), UTC)
    assert report["app"]["version"] == "2.9939.4"
    assert report["app"]["silent_seconds"] == 50
    assert report["cap"] == {"value": 2, "origin": "log", "seen_at": after(60).isoformat()}
    assert report["seats"]["taken"] == 3
    assert report["seats"]["by_governor"] == {"value": 3, "at": after(70).isoformat(), "ours": 2}
    assert report["pressure"]["level"] == "warning"
    first, second = report["sessions"]
    assert (first["id"], first["rank"], first["idle_seconds"], first["eligible_in_seconds"]) == (A, 1, 65, 0)
    assert (second["id"], second["rank"], second["protected_by"]) == (B, None, ["remote_control"])
    assert second["eligible_in_seconds"] is None
    assert report["next_out"] == {"user_start": [A], "warm_start": [], "pressure": [A]}
    assert report["counts"]["would_evict"] == {"warm": 1, "user": 0}
    assert report["memory"]["free_mb"] == 7541
    assert report["cloud_sessions"] == ["cse_01"]
    assert (report["vm"]["phase"], report["vm"]["cpus"]) == ("booting", 4)


def test_times_carry_the_offset_of_the_zone() -> None:
    """The same instant, written as the host's clock shows it."""
    report = state_report(STATE, after(80), TOKYO)
    assert report["at"] == "2026-10-02T21:01:20+09:00"
    assert report["sessions"][0]["since"].endswith("+09:00")
    assert report["memory"]["at"].endswith("+09:00")
    assert state_report(STATE, after(80), UTC)["at"] == "2026-10-02T12:01:20+00:00"


def test_empty_state_says_that_nothing_is_known() -> None:
    """Null is not known; a cap is always given, with where it is from."""
    report = state_report(State(), NOON, UTC)
    assert report["app"]["silent_seconds"] is None
    assert report["cap"] == {"value": 8, "origin": "assumed", "seen_at": None}
    assert report["seats"]["by_governor"] is None
    assert (report["evicts_for_real"], report["memory"], report["sessions"]) == (None, None, [])
    assert (report["pressure"]["level"], report["vm"]["phase"]) == ("unknown", "unknown")


def test_sources_tell_how_far_behind_they_are() -> None:
    """The lag is the time since a followed file was looked at; one that is read once has none."""
    sources = [
        SourceStatus("main.log", 10, 1, after(-2)),
        SourceStatus("main1.log", 5, 1),
        SourceStatus("x", 0, 0, after(9)),
    ]
    assert [one["lag_seconds"] for one in state_report(State(), NOON, UTC, sources)["sources"]] == [2.0, None, 0.0]


def test_processes_of_the_registry_are_a_check_beside_ours() -> None:
    """Where the live processes are known, their number stands beside our count."""
    assert state_report(STATE, NOON, UTC, processes=5)["seats"]["by_registry"] == 5
    assert state_report(STATE, NOON, UTC)["seats"]["by_registry"] is None


def test_advice_comes_with_its_sentence() -> None:
    """Each piece of advice has its kind, its numbers and its sentence, in which a known title stands for the id."""
    real = replace(STATE, evidence={"2.9939.4": Evidence(lines=3, closed=3)})
    titled = state_after(SessionRetitled(after(73), A, "Report"), start=real)
    first = state_report(titled, after(80), UTC)["advice"][0]
    assert first["kind"] == "first_to_go"
    assert first["session"] == A
    assert first["text"].startswith("Report is likely to go first, silent for 1 minute.")
    assert [one["kind"] for one in state_report(State(), NOON, UTC)["advice"]] == ["nothing"]


def test_limit_is_told_while_it_holds() -> None:
    """A usage limit stands with its session and its times in the zone asked for until it resets."""
    state = state_after(UsageLimited(after(75), A, "9:05pm (Asia/Tokyo)", after(300)), start=STATE)
    assert state_report(state, after(80), TOKYO)["limit"] == {
        "session": A,
        "since": "2026-10-02T21:01:15+09:00",
        "resets": "9:05pm (Asia/Tokyo)",
        "resets_at": "2026-10-02T21:05:00+09:00",
    }
    assert state_report(state, after(300), TOKYO)["limit"] is None


@given(histories())
def test_any_state_is_ready_for_json(events: list[Event]) -> None:
    """Whatever the log said, the object is plain."""
    report = state_report(fold(State(), events), after(3600), TOKYO)
    assert json.loads(json.dumps(report, allow_nan=False)) == report
