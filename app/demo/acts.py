"""What the user does from minute to minute: writes, looks, opens, warms, rests."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from app.demo import lifecycle, turns
from app.demo.world import Session, World

Act: TypeAlias = Callable[[World], None]

MOST_OVER = 2
"""A user stops opening sessions when there are this many more than seats."""

RECENT = 12
"""A user goes back to one of so many newest sessions; older ones are forgotten."""

POOL = 6
"""So many more sessions than seats a user keeps to go back to; beyond that new work reuses an old session."""


def begin_day(world: World) -> None:
    """The app was just opened: its user fills most of the seats within minutes, and goes on from there."""
    world.after(2, lambda: _step(world))


def _step(world: World) -> None:
    if not world.held:
        menu = _menu(world)
        acts, weights = zip(*menu, strict=True)
        act: Act = world.rng.choices(acts, weights)[0]
        act(world)
    pace = 44 * 8 / world.config.cap / world.config.haste
    filling = world.config.cap - world.effective() > 1
    world.after(max(1, world.rng.uniform(0.3, 1.7) * pace * (0.45 if filling else 1)), lambda: _step(world))


def _menu(world: World) -> list[tuple[Act, float]]:
    free = world.config.cap - world.effective()
    asleep = any(s.asleep for s in world.sessions.values())
    crowded = len(world.sessions) > world.config.cap + POOL
    menu: list[tuple[Act, float]] = [(_rest, 1.0), (_write, 4.0), (_glance, 1.5), (_write_by_phone, 0.3)]
    if free > 0:
        eager = 3.0 if free > 1 else 1.0
        menu.append((_open_new, eager * (0.2 if crowded and asleep else 1.0)))
        menu += [(open_old, eager), (_warm_old, 0.6 * eager)] if asleep else []
    elif free > -MOST_OVER:
        menu.append((_open_new, 0.1 if crowded and asleep else 0.35))
        menu += [(open_old, 0.35), (_warm_old, 0.4)] if asleep else []
    else:
        menu.append((tidy, 2.0))
    if free < 0:
        menu.append((tidy, 0.8))
    return menu


def open_one_more(world: World, *, old: bool) -> None:
    """One more session gets a process by the user's hand: an ``old`` one where that is asked for and there is one."""
    if old and any(s.asleep for s in world.sessions.values()):
        open_old(world)
    else:
        _open_new(world)


def open_old(world: World) -> None:
    """The user writes to a session that has no process any more."""
    asleep = [s for s in world.sessions.values() if s.asleep]
    if asleep:
        lifecycle.resume(world, world.rng.choice(asleep[-RECENT:]))


def tidy(world: World) -> None:
    """The user stops the session that was silent for longest."""
    queue = world.candidates()
    if queue:
        lifecycle.stop(world, queue[0])


def flip(world: World) -> bool:
    """The user clicks through sessions without a process. Whether there was one to click."""
    asleep = [s for s in world.sessions.values() if s.asleep and s is not world.focused]
    if not asleep:
        return False
    lifecycle.warm(world, world.rng.choice(asleep[-RECENT:]))
    return True


def _rest(_: World) -> None:
    """Nothing, for once."""


def _open_new(world: World) -> None:
    lifecycle.start(world)


def _warm_old(world: World) -> None:
    flip(world)


def _idle(world: World) -> list[Session]:
    return [s for s in world.sessions.values() if s.holds_seat and s.phase == "idle"]


def _write(world: World) -> None:
    idle = _idle(world)
    if idle:
        # Some tasks are dearer than others: the rest stay silent for long and come to the head of the queue.
        session = world.rng.choices(idle, [1 / (1 + s.order * 7 % 5) for s in idle])[0]
        lifecycle.focus(world, session)
        turns.begin(world, session)


def _write_by_phone(world: World) -> None:
    """Remote control: a message comes in for a session that the window does not show."""
    remote = [s for s in _idle(world) if s.remote]
    if remote:
        turns.begin(world, world.rng.choice(remote))


def _glance(world: World) -> None:
    live = [s for s in world.sessions.values() if s.holds_seat and s is not world.focused]
    if live:
        lifecycle.focus(world, world.rng.choice(live))
