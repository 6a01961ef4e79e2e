"""What happens now and then, and must happen often enough for a story: each beat waits until it can be played."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict

from app.demo import acts, cowork, desktop, lifecycle, memory, seats, turns
from app.demo.world import World

TRIES = 60
"""A beat that cannot be played after so many tries is left out this time."""

SLEEPERS = 2
"""So many sessions without a process it takes to click from one to another."""

FAILURES = (
    ("terminated by signal SIGKILL", "killed"),
    ("exited with code 1", "failed"),
    ("exited with code 137", "failed"),
)


def plan(world: World) -> None:
    """Give every beat of this world's habits its first time."""
    for name, minutes in asdict(world.config.habits).items():
        if minutes is not None:
            _plan(world, name, minutes, world.rng.uniform(0.45, 0.95))


def _plan(world: World, name: str, minutes: float, share: float) -> None:
    def play() -> None:
        if world.running:
            BEATS[name](world)
        _plan(world, name, minutes, world.rng.uniform(0.75, 1.2))

    world.later(minutes * 60 * share, play)


def _memory(world: World, tries: int = 0) -> None:
    """A warning and a critical stretch take turns; some warnings get worse."""
    if memory.level_now(world) != "normal" or tries > TRIES:
        return
    if world.effective() <= seats.sweep_target(world) or not world.candidates():
        world.after(10, lambda: _memory(world, tries + 1))
        return
    world.counts["stretches"] += 1
    seconds = world.rng.randint(40, 150)
    memory.press(world, "warning" if world.counts["stretches"] % 2 else "critical", seconds)
    if world.level == "warning" and world.chance(0.3):
        world.after(seconds // 2, lambda: memory.escalate(world))


def _crowd(world: World, tries: int = 0) -> None:
    """The user fills the app beyond its seats, then clicks through sessions that sleep: every warm-up is put off."""
    world.held = tries <= TRIES
    if tries > TRIES:
        return
    sleeping = sum(s.asleep for s in world.sessions.values())
    if sleeping < SLEEPERS:
        acts.tidy(world)
    elif world.effective() <= world.config.cap:
        acts.open_one_more(world, old=sleeping > 2 * SLEEPERS)
    if sleeping < SLEEPERS or world.effective() <= world.config.cap:
        world.after(world.rng.randint(2, 7), lambda: _crowd(world, tries + 1))
        return
    _click_through(world, world.rng.randint(3, 6))


def _click_through(world: World, left: int) -> None:
    if left == 0 or not acts.flip(world):
        world.held = False
        return
    world.after(world.rng.randint(4, 15), lambda: _click_through(world, left - 1))


def _squeeze(world: World, tries: int = 0) -> None:
    """A warm start when exactly all seats are taken and somebody has been silent for a minute."""
    world.held = tries <= TRIES
    if tries > TRIES:
        return
    queue, over = world.candidates(), world.effective() - world.config.cap
    patient = bool(queue) and world.idle_seconds(queue[0]) >= seats.SAFE_SECONDS
    if over == 0 and patient and acts.flip(world):
        world.held = False
        return
    if over < 0:
        acts.open_one_more(world, old=world.chance(0.6))
    elif over > 0 or not any(s.asleep for s in world.sessions.values()):
        acts.tidy(world)
    world.after(world.rng.randint(5, 15), lambda: _squeeze(world, tries + 1))


def _limit(world: World) -> None:
    world.next_error = world.rng.choice(("usage_limit", "overloaded"))


def _trouble(world: World) -> None:
    live = [s for s in world.sessions.values() if s.holds_seat and s.phase != "starting"]
    if live:
        turns.break_down(world, world.rng.choice(live), *world.rng.choice(FAILURES))


def _remote(world: World) -> None:
    """Few sessions have it at a time, or there would be nobody left to close."""
    live = [s for s in world.sessions.values() if s.holds_seat and not s.remote and s.phase != "starting"]
    if live and sum(s.remote for s in world.sessions.values()) < world.config.cap // 4:
        lifecycle.enable_remote(world, world.rng.choice(live))


def _cowork(world: World) -> None:
    if sum(s.alive and s.kind != "code" for s in world.sessions.values()) < 3:
        cowork.start(world)


def _stop(world: World) -> None:
    live = [s for s in world.sessions.values() if s.alive and s.phase == "idle"]
    if live:
        lifecycle.stop(world, world.rng.choice(live), for_good=world.chance(0.4))


def _update(world: World) -> None:
    desktop.quit_app(world, for_update=True)


BEATS: dict[str, Callable[[World], None]] = {
    "memory": _memory,
    "crowd": _crowd,
    "squeeze": _squeeze,
    "limit": _limit,
    "trouble": _trouble,
    "remote": _remote,
    "cowork": _cowork,
    "stop": _stop,
    "quit": desktop.quit_app,
    "update": _update,
    "crash": desktop.crash,
}
