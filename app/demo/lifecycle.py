"""A session's life: started, resumed, warmed, looked at, left alone, stopped."""

from __future__ import annotations

from app.demo import idle, seats, turns, wording
from app.demo.titles import title_for
from app.demo.world import Kind, Session, World


def create(world: World, kind: Kind = "code") -> Session:
    """A session that did not exist before."""
    order = len(world.sessions)
    prefix = "local_ditto_" if kind == "dispatch" else "local_"
    cwd = _project(world, order) if kind == "code" else _slug(world)
    session = Session(prefix + world.uuid(), order, kind, cwd, title_for(order), world.now)
    world.sessions[session.id] = session
    return session


def start(world: World) -> Session:
    """The user opens a new session and writes to it."""
    if world.focused is not None and world.chance(0.3):
        focus(world, None)
    seats.admit_user_start(world)
    world.say(wording.START)
    session = create(world)
    world.say(wording.STARTING.format(sid=session.id, cwd=session.cwd))
    focus(world, session)
    turns.settle_in(world, session)
    return session


def resume(world: World, session: Session) -> None:
    """The user writes to a session that has no process: it gets a new one, over the cap if need be."""
    focus(world, session)
    seats.admit_user_start(world)
    world.say(wording.RESUMING.format(sid=session.id, cwd=session.cwd))
    session.phase = "starting"
    turns.settle_in(world, session)


def warm(world: World, session: Session) -> bool:
    """The user looks at a session without a process: the app warms it up, if the governor lets it. Whether it did."""
    focus(world, session)
    world.say(wording.WARM_INTENT.format(sid=session.id))
    world.say(wording.WARMING.format(sid=session.id))
    if world.chance(0.01):
        world.say(wording.WARM_SKIPPED.format(sid=session.id))
        return False
    if not seats.admit_warm_start(world):
        return False
    awake(world, session)
    return True


def awake(world: World, session: Session) -> None:
    """A process that was started ahead of need is there."""
    session.phase, session.idle_since = "idle", world.now
    world.say(wording.WARMED.format(sid=session.id, ms=world.rng.randint(95, 140)))


def focus(world: World, session: Session | None) -> None:
    """The window shows this session now (None: the new-session screen). Coming into sight and going out of it count."""
    before = world.focused
    if before is session:
        return
    world.focused = session
    world.say(wording.FOCUS.format(sid=session.id if session else "null"))
    if session is not None and session.phase == "idle":
        session.idle_since = world.now
        session.timer += 1
    if before is not None and before.phase == "idle" and before.kind == "code":
        before.idle_since = world.now
        idle.arm(world, before)


def stop(world: World, session: Session, *, for_good: bool = False) -> None:
    """The user stops a session, or puts it into the archive, from where it does not come back."""
    if session.tasks:
        world.say(wording.TORN_DOWN.format(sid=session.id, n=session.tasks))
    if for_good:
        world.say(wording.ARCHIVE.format(sid=session.id))
        world.say(wording.ARCHIVED.format(sid=session.id))
        session.archived = True
    else:
        world.say(wording.STOPPING.format(sid=session.id))
    seats.die(world, session, "ended", None)


def enable_remote(world: World, session: Session) -> None:
    """Remote control is switched on; it lasts as long as the process."""
    if world.chance(0.5):
        world.say(wording.REMOTE_VERDICT)
    session.remote = True
    world.say(wording.REMOTE_ENABLING.format(sid=session.id))
    world.say(wording.REMOTE_ENABLED.format(token="01" + world.uuid().replace("-", "")[:22]))
    world.say(wording.REMOTE_STATE)


def _project(world: World, order: int) -> str:
    home = {"darwin": "/Users/someone/code/", "linux": "/home/someone/code/", "win32": "C:\\Users\\someone\\code\\"}
    return f"{home[world.config.platform]}p{order}"


def _slug(world: World) -> str:
    words = (("brave", "calm", "keen", "quiet"), ("otter", "heron", "maple", "comet"))
    return f"/home/{world.rng.choice(words[0])}-{world.rng.choice(words[1])}-{world.rng.randint(10, 99)}"
