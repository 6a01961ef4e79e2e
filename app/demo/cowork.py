"""Cowork's own sessions: they run in the VM, under another manager, and never count against the cap."""

from __future__ import annotations

from app.demo import lifecycle, vm, wording
from app.demo.world import Kind, Session, World


def start(world: World) -> None:
    """A Cowork session begins: opened by the user, by a scheduled task, or from a phone."""
    kind: Kind = "dispatch" if world.chance(0.2) else "cowork"
    if kind == "cowork" and world.chance(0.25):
        world.say(wording.SCHEDULED.format(id=f"task-{world.rng.randint(1, 9)}"))
    session = lifecycle.create(world, kind)
    world.say(wording.STARTING.format(sid=session.id, cwd=session.cwd))
    vm.heartbeat(world)
    _turn(world, session, first=True)


def _turn(world: World, session: Session, first: bool = False) -> None:
    if not first and session.phase != "idle":
        return
    session.phase = "working"
    if first:
        world.say(wording.LIFECYCLE.format(sid=session.id, old="idle", new="initializing"))
        world.say(wording.LIFECYCLE.format(sid=session.id, old="initializing", new="running"))
    else:
        vm.heartbeat(world)
        world.say(wording.LIFECYCLE.format(sid=session.id, old="idle", new="running"))
    world.after(world.rng.randint(30, 500), lambda: _done(world, session))


def _done(world: World, session: Session) -> None:
    if session.phase != "working":
        return
    world.say(wording.SUCCEEDED.format(sid=session.id))
    world.say(wording.LIFECYCLE.format(sid=session.id, old="running", new="idle"))
    world.say(wording.STOP_HOOK.format(sid=session.id))
    session.phase, session.idle_since = "idle", world.now
    session.turns_done += 1
    if session.kind == "dispatch":
        world.say(wording.QUEUED.format(sid=session.id, child=f"local_{world.uuid()}"))
        world.say(wording.DRAINED.format(sid=session.id))
    world.after(world.rng.randint(60, 1200), lambda: _turn(world, session))
