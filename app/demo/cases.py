"""Configurations made at random, as unlike each other as real machines are."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import NamedTuple

from app.demo.config import Config, Habits, Platform
from app.demo.wording import NEW, OLD, SWEEPING, Wording


class Build(NamedTuple):
    """A build of the app with evidence: its version and CLI, how it words things, whether it closes for real."""

    version: str
    cli: str
    closes_for_real: bool
    wording: Wording
    vetoes_logged: bool
    repeat_seconds: int


BUILDS = (
    Build("1.9255.0", "2.1.98", False, OLD, False, 60),
    Build("1.11847.5", "2.1.160", False, NEW, False, 60),
    Build("1.24012.9", "2.1.220", False, NEW, False, 60),
    Build("1.26832.0", "2.1.230", True, NEW, False, 60),
    Build("1.46388.2", "2.1.255", True, SWEEPING, True, 60),
    Build("2.110.0", "2.1.262", True, NEW, True, 60),
    Build("2.9939.4", "2.1.284", False, NEW, True, 60),
    Build("2.9939.4", "2.1.284", True, NEW, True, 60),
    Build("2.26454.0", "2.1.289", True, NEW, True, 30),
)

MEMORY_MB = (8192, 16384, 18432, 24576, 24576, 29184, 32768, 36864, 49152, 65536, 98304, 131072)

NIGHTS = {
    "America/Los_Angeles": (datetime(2026, 11, 1, 6, 10, tzinfo=UTC), datetime(2026, 3, 8, 8, 20, tzinfo=UTC)),
    "Europe/Berlin": (datetime(2026, 10, 24, 22, 40, tzinfo=UTC), datetime(2026, 3, 28, 23, 30, tzinfo=UTC)),
    "Australia/Adelaide": (datetime(2026, 4, 4, 14, 5, tzinfo=UTC), datetime(2026, 10, 3, 15, 0, tzinfo=UTC)),
}
"""One to two hours before a zone's clock goes back, and before it goes forward."""

ZONES = ("UTC", "Asia/Tokyo", "America/Los_Angeles", "Europe/Berlin", "Australia/Adelaide")


def random_config(seed: int) -> Config:
    """A machine, a build, a place and a history; the same for the same seed."""
    rng = Random(seed)
    build = rng.choice(BUILDS)
    zone = rng.choice(ZONES)
    start = datetime(2026, rng.randint(6, 11), rng.randint(1, 28), rng.randint(0, 23), rng.randint(0, 59), tzinfo=UTC)
    night = zone in NIGHTS and rng.random() < 0.4
    if night:
        start = rng.choice(NIGHTS[zone])
    platform: Platform = rng.choice(("darwin", "darwin", "win32", "linux"))
    return Config(
        start=start + timedelta(seconds=rng.randint(0, 59)),
        total_mb=rng.choice(MEMORY_MB),
        platform=platform,
        version=build.version,
        cli_version=build.cli,
        closes_for_real=build.closes_for_real,
        wording=build.wording,
        vetoes_logged=build.vetoes_logged,
        zone=zone,
        mixed_line_ends=platform == "win32",
        repeat_seconds=build.repeat_seconds,
        vm=rng.random() < 0.7,
        vm_stall=rng.choice((0.0, 0.3, 0.8)),
        haste=rng.choice((0.5, 1.0, 1.0, 1.6)),
        noise_per_minute=rng.choice((0.5, 2.0, 4.0, 9.0)),
        # While a clock goes back nothing but the log's own steps tells which of the two hours it is: the app stays up.
        habits=_habits(rng, stays_up=night),
    )


def demo_config(start: datetime) -> Config:
    """The story of the demo: a 24 GB Mac with eight seats, a build that closes for real, and a VM."""
    return Config(start=start, noise_per_minute=4.0, habits=Habits(update=400))


def _habits(rng: Random, stays_up: bool) -> Habits:
    def maybe(share: float, minutes: tuple[float, ...]) -> float | None:
        return rng.choice(minutes) if rng.random() < share else None

    habits = Habits(
        memory=maybe(0.8, (6, 20, 35, 60)),
        crowd=maybe(0.7, (20, 40, 70)),
        squeeze=maybe(0.7, (12, 25, 50)),
        limit=maybe(0.6, (25, 50)),
        trouble=maybe(0.6, (20, 50)),
        remote=maybe(0.6, (15, 40)),
        cowork=maybe(0.6, (15, 40)),
        stop=maybe(0.5, (15, 40)),
        quit=maybe(0.3, (45, 90)),
        update=maybe(0.3, (50, 100)),
        crash=maybe(0.3, (40, 80)),
    )
    return replace(habits, quit=None, update=None, crash=None) if stays_up else habits
