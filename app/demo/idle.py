"""The idle timer: what happens to a session that nobody looks at."""

from __future__ import annotations

from app.demo import seats, wording
from app.demo.world import Session, World

IDLE_TIMER = 900
DECLINES_TOLD = 8


def arm(world: World, session: Session) -> None:
    """Out of sight and silent: after a quarter of an hour the app will want to pause it."""
    world.say(wording.ARM.format(scope=world.config.wording.idle_scope, sid=session.id))
    session.timer += 1
    timer = session.timer
    world.after(IDLE_TIMER + world.rng.choice((0, 0, 0, 1, 2, 5)), lambda: _ring(world, session, timer))


def pause(world: World, session: Session) -> None:
    """The idle timer pauses the session."""
    world.say(world.config.wording.paused_idle.format(sid=session.id))
    world.say(wording.QUERY_COMPLETED.format(sid=session.id))
    world.counts["paused_idle"] += 1
    seats.die(world, session, "paused", "paused_idle")


def _ring(world: World, session: Session, timer: int) -> None:
    if session.timer != timer or session.phase != "idle":
        return
    config = world.config
    world.say(wording.REACHED.format(scope=config.wording.idle_scope, sid=session.id))
    # A background task shows in the log only here, so it is made to exist from here on: what is so can be read.
    if config.vetoes_logged and not session.remote:
        going_on = world.chance(0.6) if session.tasks else world.chance(0.05)
        session.tasks = world.rng.randint(1, 3) if going_on else 0
    if not session.holds:
        pause(world, session)
        return
    session.declined += 1
    if config.vetoes_logged:
        _say_veto(world, session)
    arm(world, session)


def _say_veto(world: World, session: Session) -> None:
    if session.remote:
        bridge = world.rng.choice(("startup-policy", "explicit"))
        world.say(wording.SKIP_REMOTE.format(sid=session.id, bridge=bridge))
    else:
        world.say(wording.SKIP_TASKS.format(sid=session.id, n=session.tasks))
    if session.declined == DECLINES_TOLD:
        world.say(wording.DECLINED.format(scope=world.config.wording.idle_scope, sid=session.id))
