"""Memory: the app's own readings, and stretches of pressure as each platform tells of them."""

from __future__ import annotations

from datetime import timedelta

from app.demo import seats, wording
from app.demo.world import Level, World

FADES_AFTER = 90
"""On Windows and Linux no line says "clear": what was said last is taken to hold for this many seconds."""


def press(world: World, level: Level, seconds: int) -> None:
    """Memory gets tight for a while. What follows after it is planned here too."""
    if world.config.polls_memory:
        _report(world, level, seconds)
        return
    _transition(world, level)
    world.later(seconds, lambda: relax(world))


def escalate(world: World) -> None:
    """A warning turns into a critical one, if it still lasts (macOS); elsewhere the next report simply says so."""
    if world.running and world.level != "critical":
        press(world, "critical", world.rng.randint(40, 150))


def relax(world: World) -> None:
    """The operating system says that memory is fine again; the app hears it only while it runs."""
    if world.level == "normal":
        return
    if world.running:
        world.level = "normal"
        world.say(wording.TRANSITION.format(level="normal"))
    else:
        world.later(20, lambda: relax(world))


def level_now(world: World) -> Level:
    """The level at this moment, as whoever followed the app's words would have it."""
    if world.level_until is not None and world.now >= world.level_until:
        return "normal"
    return world.level


def start_reading(world: World) -> None:
    """The app reads its own memory about once a minute, as long as it runs."""
    world.after(world.rng.randint(57, 64), lambda: _read(world))


def _transition(world: World, level: Level) -> None:
    world.level = level
    world.say(wording.TRANSITION.format(level=level))
    seats.answer_pressure(world)


def _report(world: World, level: Level, left: int) -> None:
    world.level = level
    world.level_until = world.now + timedelta(seconds=FADES_AFTER)
    seats.answer_pressure(world)
    step = world.config.repeat_seconds
    if left >= step:
        world.after(step, lambda: _report(world, level, left - step) if world.level == level else None)


def _read(world: World) -> None:
    _say_reading(world, "interval")
    if world.chance(0.01):
        ms = world.rng.randint(400, 9000)
        world.say(wording.STALL.format(ms=ms, sum=ms * 3, rss=2048), "warn")
        _say_reading(world, "stall")
    start_reading(world)


def _say_reading(world: World, trigger: str) -> None:
    rng, children = world.rng, 9 * sum(s.alive for s in world.sessions.values()) + 9
    total = world.config.total_mb
    tight = {"normal": (0.14, 0.38), "warning": (0.03, 0.05), "critical": (0.01, 0.02)}[level_now(world)]
    world.free_mb = free = int(total * rng.uniform(*tight))
    raw = rng.choice((65, 88, 100, 232, 429, 529)) if world.config.platform == "darwin" else free
    text = wording.MEMORY.format(
        trigger=trigger, rss=3000 + children * 31, footprint=2100 + children * 20, electron=2100, k=children,
        children=children * 31, free=free, total=total, raw=raw, **{f"p{i}": rng.randint(500, 60000) for i in range(5)}
    )  # fmt: skip
    world.say(text)
