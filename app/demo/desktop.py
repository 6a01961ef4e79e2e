"""The app itself: opened, quit, updated, crashed."""

from __future__ import annotations

from app.demo import acts, idle, lifecycle, memory, noise, seats, vm, wording
from app.demo.world import Session, World


def open_app(world: World) -> None:
    """The app starts: no session has a process, nothing is in focus."""
    world.running, world.crashed, world.focused = True, False, None
    world.held = False
    world.run += 1
    config = world.config
    arch = "arm64" if config.platform == "darwin" else "x64"
    world.say(wording.STARTING_APP.format(version=world.version, platform=config.platform, arch=arch))
    known = sum(s.kind == "code" for s in world.sessions.values())
    world.say(wording.MANAGER.format(account=world.account, org=world.org, n=known))
    world.say(wording.INITIALIZED.format(cli=config.cli_version))
    for line in config.wording.lifecycle_init:
        world.say(line)
    memory.start_reading(world)
    noise.start(world)
    acts.begin_day(world)
    if config.vm:
        world.after(1, lambda: vm.boot(world))


def quit_app(world: World, for_update: bool = False) -> None:
    """The user quits in good order, or an update makes the app go down; it comes back later."""
    new_version = _next_version(world.version) if for_update else world.version
    if for_update:
        _announce_update(world, new_version)
    alive = [s for s in world.sessions.values() if s.alive]
    mid_turn = [s for s in alive if s.kind == "code" and s.phase in ("starting", "working", "waiting")]
    if world.chance(0.3):
        world.say(wording.KILLING_PTY.format(n=world.rng.randint(1, 3)))
    world.say(wording.STOPPING_ACTIVE.format(n=world.effective()))
    for session in alive:
        seats.die(world, session, "ended", "app_update" if for_update else "app_quit")
    _say_goodbye(world, for_update)
    away = world.rng.randint(8, 40) if for_update else world.rng.randint(60, 900)
    world.later(away, lambda: _come_back(world, new_version, for_update, mid_turn))


def crash(world: World) -> None:
    """The app vanishes without a word; somebody opens it again later."""
    for session in [s for s in world.sessions.values() if s.alive]:
        seats.die(world, session, "ended", "app_crashed")
    world.running, world.crashed = False, True
    world.vm = None if world.vm is None else "down"
    world.run += 1
    world.later(world.rng.randint(20, 400), lambda: open_app(world))


def _announce_update(world: World, version: str) -> None:
    world.say(wording.UPDATE_FOUND)
    world.say(wording.UPDATE_READY.format(version=version))
    world.say(wording.STEALTH)
    world.say(wording.STEALTH_NAVIGATION)


def _say_goodbye(world: World, for_update: bool) -> None:
    if for_update:
        world.say(wording.STOP_BEFORE_UPDATE.format(ms=world.rng.randint(90, 900)))
        world.say(wording.UPDATE_QUIT)
    world.say(wording.BEFORE_QUIT)
    world.say(wording.BEFORE_QUIT)
    world.say(wording.CLEANUP_RUN.format(name="pty-host"))
    if world.config.vm:
        vm.shut_down(world)
    world.say(wording.CLEANUP_DONE)
    world.say(wording.WILL_QUIT)
    if for_update and world.config.platform == "win32":
        world.say(wording.WINDOWS_ENDING)
    world.running = False
    world.run += 1


def _come_back(world: World, version: str, updated: bool, mid_turn: list[Session]) -> None:
    old, world.version = world.version, version
    open_app(world)
    if world.config.wording.cleanup_block:
        took = world.rng.randint(100, 2000)
        world.say(wording.PREVIOUS_QUIT.format(for_update="true" if updated else "false", took=took))
    if not updated:
        return
    world.say(wording.VERSION_CHANGED.format(old=old, new=world.version))
    world.say(wording.STEALTH_RESTORED)
    world.say(wording.REMOVING_OLD.format(cli="2.1.270"))
    world.after(1, lambda: _rewarm(world, mid_turn))


def _rewarm(world: World, marked: list[Session]) -> None:
    eligible = [session for session in marked if session.asleep]
    warmed = 0
    for session in eligible:
        world.say(wording.WARMING.format(sid=session.id))
        if seats.admit_warm_start(world):
            lifecycle.awake(world, session)
            idle.arm(world, session)
            warmed += 1
    world.say(wording.REWARMED.format(warmed=warmed, eligible=len(eligible), marked=len(marked)))


def _next_version(version: str) -> str:
    *head, last = version.split(".")
    return ".".join([*head[:-1], str(int(head[-1]) + 137), last])
