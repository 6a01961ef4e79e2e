"""The governor: whom it names, whom it closes, which starts it puts off."""

from __future__ import annotations

from datetime import timedelta

from app.demo import wording
from app.demo.world import Naming, Session, World

SAFE_SECONDS = 60
"""A warm start never closes a session that was active within the last minute."""

SWEEP_PAUSE = timedelta(seconds=60)
"""A signal repeated sooner after a sweep closes nothing."""


def admit_user_start(world: World) -> None:
    """A start by the user is never refused; at or over the cap the governor names whom it would close for it."""
    head = _head(world)
    if world.effective() >= world.config.cap and head is not None:
        _would_evict(world, head, "user")


def admit_warm_start(world: World) -> bool:
    """Whether a warm start gets a seat, closing the longest idle session for it where the rules allow that."""
    cap, taken, head = world.config.cap, world.effective(), _head(world)
    if taken < cap:
        return True
    if head is not None:
        idle = world.idle_seconds(head)
        if world.config.closes_for_real and taken == cap and idle >= SAFE_SECONDS:
            _name(world, head)
            world.say(wording.EVICTING.format(cap=cap, sid=head.id, s=idle))
            world.counts["evicted_cap"] += 1
            _close(world, head, "evicted_for_seat")
            return True
        _would_evict(world, head, "warm")
    world.say(wording.YIELDING)
    world.counts["put_off"] += 1
    return False


def sweep_target(world: World) -> int:
    """How many seats a sweep leaves taken."""
    return max(1, world.config.cap - 2)


def answer_pressure(world: World) -> None:
    """What the governor does and says when memory is tight: a build that closes for real sweeps first."""
    idle, before = len(world.candidates()), world.effective()
    rested = world.swept_at is None or world.now - world.swept_at >= SWEEP_PAUSE
    if world.config.closes_for_real and rested:
        _sweep(world)
    taken = world.effective()
    victims = max(0, taken - sweep_target(world)) if world.candidates() else 0
    text = world.config.wording.pressure.format(
        level=world.level, victims=victims, effective=taken, closed=before - taken, idle=idle
    )
    world.say(text, "warn")
    world.counts[f"pressure_{world.level}"] += 1


def die(world: World, session: Session, phase: str, why: str | None) -> None:
    """The session's process ends: its protections and everything that was planned for it go with it."""
    session.phase = "paused" if phase == "paused" else "evicted" if phase == "evicted" else "ended"
    session.why = why
    session.remote, session.tasks, session.workflow, session.request = False, 0, None, None
    session.declined = 0
    session.turn += 1
    session.timer += 1


def _sweep(world: World) -> None:
    closed = 0
    while world.effective() > sweep_target(world) and (head := _head(world)) is not None:
        _name(world, head)
        world.say(wording.PRESSURE_EVICTING.format(sid=head.id, s=world.idle_seconds(head)))
        world.counts["evicted_pressure"] += 1
        _close(world, head, "evicted_for_memory")
        closed += 1
    if closed:
        world.swept_at = world.now


def _close(world: World, session: Session, why: str) -> None:
    world.say(wording.PAUSED_BY_GOVERNOR.format(sid=session.id))
    world.say(wording.QUERY_COMPLETED.format(sid=session.id))
    die(world, session, "evicted", why)


def _would_evict(world: World, head: Session, trigger: str) -> None:
    _name(world, head)
    idle = world.idle_seconds(head)
    world.say(wording.WOULD_EVICT.format(cap=world.config.cap, sid=head.id, s=idle, trigger=trigger))
    world.counts[f"would_evict_{trigger}"] += 1


def _name(world: World, session: Session) -> None:
    head = world.candidates()[0]
    world.namings.append(Naming(world.now, session.id, head.id, world.idle_seconds(session)))


def _head(world: World) -> Session | None:
    queue = world.candidates()
    return queue[0] if queue else None
