"""Random rotations, half lines, pauses, restarts and kills: each event is stored once, in its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.conftest import FIGURES
from tests.faults.schedule import FIRST, RUNS, plan, run


@pytest.mark.parametrize("seed", range(FIRST, FIRST + RUNS))
def test_nothing_is_lost_and_nothing_doubled(seed: int, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Whatever writer and Seatwatch do at the same time, the store holds the writer's list, and the state its fold."""
    verdict, wrong = run(seed, tmp_path)

    request.node.user_properties.append((FIGURES, (verdict.events, len(verdict.lost), len(verdict.doubled))))
    again = f"seed {seed}: FAULT_SEED={seed} FAULT_RUNS=1"
    assert verdict.faultless, f"{again}: {verdict}"
    assert not wrong, f"{again}: {wrong}"
    assert verdict.events > 0, again


def test_a_seed_makes_one_plan() -> None:
    """A run that failed can be run again."""
    assert plan(7) == plan(7)
    assert plan(7) != plan(8)
