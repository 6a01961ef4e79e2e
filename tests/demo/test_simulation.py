"""The story as a whole: it repeats itself exactly, keeps the rules, and has in it what it must."""

from collections import Counter
from datetime import datetime, timedelta
from itertools import pairwise

import pytest

from app.demo import desktop, seats
from app.demo.cases import demo_config, random_config
from app.demo.simulation import Simulation
from app.demo.world import MAIN, Line, Session, World
from tests.demo.worlds import START, bodies, told

SEEDS = range(10)


@pytest.mark.parametrize("seed", [0, 3, 11])
def test_the_same_seed_tells_the_same_story(seed: int) -> None:
    """Line for line, however it is stepped through, and with the same truth."""
    config = random_config(seed)
    one, lines = told(config, seed, 120)
    other = Simulation(seed, config)
    stepped: list[Line] = []
    while other.now < one.now:
        stepped += other.advance(min(one.now, other.now + timedelta(seconds=7)))

    assert stepped == lines
    assert other.truth() == one.truth()


def test_other_seeds_tell_other_stories() -> None:
    """The seed is what differs."""
    assert told(demo_config(START), 1, 30)[1] != told(demo_config(START), 2, 30)[1]


@pytest.mark.parametrize("seed", SEEDS)
def test_two_hours_hold_what_the_page_has_to_show(seed: int) -> None:
    """Put-off starts in a cluster, evictions of both kinds, a warning and a critical stretch, full seats mostly."""
    simulation, put_off, taken = Simulation(seed, demo_config(START)), list[datetime](), list[int]()
    quiet = 0
    for minute in range(1, 121):
        lines = simulation.advance(START + timedelta(minutes=minute))
        put_off += [
            line.at for line in lines if line.text.rstrip().endswith("[CliGovernor] at cap; yielding warm spawn")
        ]
        telling = sum("CycleHealth" in body or "Starting local" in body or "Focused" in body for body in bodies(lines))
        quiet = 0 if telling else quiet + 1
        taken.append(simulation.world.effective())
        assert quiet < 10
    counts = simulation.truth()["counts"]

    assert counts["evicted"]["cap"] >= 1
    assert counts["evicted"]["pressure"] >= 1
    assert counts["pressure_lines"]["warning"] >= 1
    assert counts["pressure_lines"]["critical"] >= 1
    assert max(sum(timedelta() <= b - a <= timedelta(minutes=3) for b in put_off) for a in put_off) >= 3
    assert sum(7 <= seats_taken <= 9 for seats_taken in taken) >= 0.7 * len(taken)


@pytest.mark.parametrize("seed", range(12))
def test_the_rules_hold_in_every_story(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A warm start never goes over the cap; whoever is closed was idle and unprotected; the head was named."""
    config = random_config(seed)
    starts, closed = [], []
    admit, die = seats.admit_warm_start, seats.die

    def watched_admit(world: World) -> bool:
        before = world.effective()
        admitted = admit(world)
        starts.append(world.effective() + admitted <= max(before, config.cap))
        return admitted

    def watched_die(world: World, session: Session, phase: str, why: str | None) -> None:
        if phase == "evicted":
            closed.append(session.phase == "idle" and not session.holds and session.kind == "code")
        die(world, session, phase, why)

    monkeypatch.setattr(seats, "admit_warm_start", watched_admit)
    monkeypatch.setattr(seats, "die", watched_die)
    simulation, _ = told(config, seed, 200)

    assert starts
    assert all(starts)
    assert all(closed)
    assert config.closes_for_real or not closed
    assert all(naming.named == naming.head for naming in simulation.namings)


@pytest.mark.parametrize("seed", range(6))
def test_a_sweep_leaves_two_seats_free_or_nobody_to_close(seed: int) -> None:
    """Right after the governor's word on pressure, in builds that close for real."""
    simulation = Simulation(seed, demo_config(START))
    world, sweeps = simulation.world, 0
    while simulation.now < START + timedelta(hours=3):
        said = bodies(simulation.advance(simulation.now + timedelta(seconds=1)))
        if world.swept_at == world.now and said[-1].startswith("[CliGovernor] memory pressure"):
            sweeps += 1
            assert world.effective() == seats.sweep_target(world) or not world.candidates()
    assert sweeps >= 1


@pytest.mark.parametrize("seed", SEEDS)
def test_time_only_goes_forward(seed: int) -> None:
    """Instants never decrease, and a stamp steps back only where its zone's clock does."""
    config = random_config(seed)
    _, lines = told(config, seed, 200)
    instants = [line.at for line in lines]
    stamps = [datetime.fromisoformat(line.text[:19]) for line in lines if line.file == MAIN]
    offsets = {at.astimezone(config.clock).utcoffset() for at in instants}
    backward = sum(later < earlier for earlier, later in pairwise(stamps))

    assert instants == sorted(instants)
    assert backward <= len(offsets) - 1


def test_the_truth_is_told_for_the_moment_the_story_stands_at() -> None:
    """Asking for another moment is refused: its lines would be lost."""
    simulation, _ = told(demo_config(START), 1, 5)

    assert simulation.truth(simulation.now)["at"] == (START + timedelta(minutes=5)).isoformat()
    with pytest.raises(ValueError, match="advance it first"):
        simulation.truth(START + timedelta(minutes=6))


def test_settling_waits_for_the_start_that_shows_a_crash() -> None:
    """Afterwards the app runs and the log says so."""
    config = random_config(0)
    simulation, _ = told(config, 0, 30)
    desktop.crash(simulation.world)
    lines = bodies(simulation.settle())

    assert any(line.startswith("Starting app {") for line in lines)
    assert simulation.world.running
    assert simulation.settle() == []


def test_verdicts_of_every_kind_come_up() -> None:
    """Over many machines each way to stop is told."""
    whys: Counter[str | None] = Counter()
    for seed in range(40):
        simulation, _ = told(random_config(seed), seed, 150)
        whys.update(session["why"] for session in simulation.truth()["sessions"].values())

    assert {
        "evicted_for_seat", "evicted_for_memory", "paused_idle", "app_quit", "app_update", "app_crashed", "killed",
        "failed", "usage_limit", "overloaded", None,
    } <= set(whys)  # fmt: skip


def test_a_moment_within_a_second_ends_the_story_too() -> None:
    """The story knows whole seconds; asked for a moment between two it stands at the first of them."""
    simulation = Simulation(1, demo_config(START))
    assert list(simulation.lines(START + timedelta(seconds=90, microseconds=5)))
    assert simulation.now == START + timedelta(seconds=90)
