"""Worlds to try single rules in: the app runs, nobody does anything, and the clock stands until it is moved."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from app.demo import lifecycle
from app.demo.config import Config, Habits
from app.demo.simulation import Simulation
from app.demo.world import Line, Session, World

START = datetime(2026, 10, 2, 9, 0, tzinfo=UTC)
STILL = Habits(**dict.fromkeys(Habits.__dataclass_fields__))


def quiet_world(seed: int = 1, **fields: Any) -> World:
    """A running app without noise, users or VM."""
    world = World(Config(**{"start": START, "habits": STILL, "vm": False, **fields}), seed)
    world.running = True
    return world


def idle_session(world: World, seconds: int) -> Session:
    """A seat holder that has been silent for so many seconds."""
    session = lifecycle.create(world)
    session.phase, session.idle_since = "idle", world.now - timedelta(seconds=seconds)
    return session


def fill(world: World, idles: list[int]) -> list[Session]:
    """One seat holder for each of these idle times."""
    return [idle_session(world, seconds) for seconds in idles]


def pass_time(world: World, seconds: int) -> list[str]:
    """Let so many seconds go by; the texts of what was said since the last call, without stamps."""
    return bodies(world.advance(world.now + timedelta(seconds=seconds)))


def said(world: World) -> list[str]:
    """What was said since the last call."""
    return pass_time(world, 0)


def bodies(lines: list[Line]) -> list[str]:
    """Line texts without file prefix, stamp and level."""
    return [line.text.split("] ", 2 if line.text.startswith("[VM]") else 1)[-1].rstrip("\r\n") for line in lines]


def told(config: Config, seed: int, minutes: int) -> tuple[Simulation, list[Line]]:
    """A simulation told for so many minutes, and its lines."""
    simulation = Simulation(seed, config)
    return simulation, list(simulation.lines(config.start + timedelta(minutes=minutes)))
