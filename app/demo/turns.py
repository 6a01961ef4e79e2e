"""A turn: from the user's message to its end, well or badly, with questions in between."""

from __future__ import annotations

from app.demo import idle, seats, wording
from app.demo.world import Session, World


def settle_in(world: World, session: Session) -> None:
    """A process comes up within seconds and takes the message that it was started for."""
    session.turn += 1
    turn = session.turn
    world.after(world.rng.choice((0, 0, 1, 2, 4)), lambda: _settled(world, session, turn))


def begin(world: World, session: Session) -> None:
    """The user writes to a session that has a process."""
    world.say(wording.SEND.format(sid=session.id, n=world.rng.randint(12, 900)))
    world.say(wording.SENDING.format(sid=session.id))
    session.phase, session.turn_began = "working", world.now
    session.turn += 1
    session.timer += 1
    _plan(world, session, session.turn)


def _settled(world: World, session: Session, turn: int) -> None:
    if session.turn == turn and session.phase == "starting":
        world.say(wording.MAPPING.format(sid=session.id, cli=world.uuid()))
        begin(world, session)


def _plan(world: World, session: Session, turn: int) -> None:
    length = world.rng.choice((world.rng.randint(8, 60), world.rng.randint(40, 240), world.rng.randint(120, 420)))
    if world.chance(0.004):
        world.after(world.rng.choice((999, 1007)), lambda: _time_out(world, session, turn))
        return
    if length > 12 and world.chance(0.5):
        first = world.rng.randint(2, 9)
        world.after(first, lambda: _answered(world, session, turn, first))
    if length > 30 and world.chance(0.12):
        world.after(world.rng.randint(10, length - 10), lambda: _ask(world, session, turn))
    if length > 30 and world.config.vetoes_logged and world.chance(0.04):
        world.after(length - 10, lambda: _workflow(world, session, turn))
    world.after(length, lambda: _end(world, session, turn))


def _answered(world: World, session: Session, turn: int, first: int) -> None:
    if session.turn != turn:
        return
    total = first * 1000 + world.rng.randint(-400, 400)
    parts = {"a": 340, "b": 310, "c": total // 3, "d": total // 2, "e": total // 2, "total": total}
    world.say(wording.TIMING.format(sid=session.id, hit=world.rng.choice(("true", "false")), **parts))
    if not session.retitled and world.chance(0.5):
        session.retitled = True
        world.say(wording.RETITLED.format(sid=session.id))


def _ask(world: World, session: Session, turn: int) -> None:
    if session.turn != turn or session.phase != "working":
        return
    tool = world.rng.choice(("Bash", "Edit", "WebFetch", "Write"))
    session.phase, session.request = "waiting", (world.uuid(), tool)
    world.say(wording.ASKED.format(request=session.request[0], tool=tool, sid=session.id))
    wait = world.rng.choice((world.rng.randint(4, 40), world.rng.randint(30, 300), world.rng.randint(300, 1500)))
    world.after(wait, lambda: _reply(world, session, turn))


def _reply(world: World, session: Session, turn: int) -> None:
    if session.turn != turn or session.request is None:
        return
    request, tool = session.request
    session.phase, session.request = "working", None
    world.say(wording.ANSWERED.format(request=request, tool=tool))
    world.after(world.rng.randint(3, 90), lambda: _end(world, session, turn))


def _workflow(world: World, session: Session, turn: int) -> None:
    # Never beside a background task: the log tells when a workflow ends, and for a task it does not.
    if session.turn != turn or session.workflow is not None or session.tasks:
        return
    workflow = f"wf_{world.rng.getrandbits(32):08x}"
    session.workflow = workflow
    world.say(wording.WORKFLOW.format(sid=session.id, id=workflow, what="started"))
    # Over before the idle timer can ring: a veto line for it would outlive it in every reader's eyes.
    world.after(world.rng.randint(60, 600), lambda: _workflow_done(world, session, workflow))


def _workflow_done(world: World, session: Session, workflow: str) -> None:
    if session.workflow == workflow:
        session.workflow = None
        world.say(wording.WORKFLOW.format(sid=session.id, id=workflow, what="ended"))


def _end(world: World, session: Session, turn: int) -> None:
    if session.turn != turn or session.phase != "working":
        return
    if world.next_error is not None:
        _meet_error(world, session, world.next_error)
        world.next_error = None
    elif world.chance(0.004):
        _meet_error(world, session, "other")
    else:
        world.say(wording.HEALTHY.format(sid=session.id, s=_seconds(world, session)))
    fall_silent(world, session)


def _meet_error(world: World, session: Session, kind: str) -> None:
    if kind == "usage_limit":
        text = world.rng.choice(wording.USAGE_LIMITS).format(zone=world.config.zone)
        world.counts["rate_limited"] += 1
        session.why = "usage_limit"
    elif kind == "overloaded":
        text = world.rng.choice(wording.OVERLOADS)
        world.counts["overloaded"] += 1
        session.why = "overloaded"
    else:
        text = "API Error: 400 messages: text content blocks must be non-empty (request 429529)"
        session.why = None
    world.say(wording.API_ERROR.format(sid=session.id, text=text), "warn")
    _unhealthy(world, session, "api_error")


def _unhealthy(world: World, session: Session, reason: str) -> None:
    had = world.rng.choice(("true", "false"))
    world.say(wording.UNHEALTHY.format(sid=session.id, s=_seconds(world, session), had=had, reason=reason))


def fall_silent(world: World, session: Session) -> None:
    """A turn is over: idle from now on, and timed if nobody looks at it."""
    session.phase, session.idle_since = "idle", world.now
    session.turn += 1
    session.turns_done += 1
    session.declined = 0
    if world.focused is not session:
        idle.arm(world, session)


def break_down(world: World, session: Session, how: str, why: str) -> None:
    """The process ends by itself: killed by a signal, or with an exit code."""
    if session.phase in ("working", "waiting"):
        world.say(wording.CLI_ERROR.format(sid=session.id, how=how), "warn")
        _unhealthy(world, session, "cli_execution_error")
    world.say(wording.QUERY_ERROR.format(sid=session.id, how=how), "error")
    if session.tasks:
        world.say(wording.TORN_DOWN.format(sid=session.id, n=session.tasks))
    seats.die(world, session, "ended", why)


def _time_out(world: World, session: Session, turn: int) -> None:
    if session.turn != turn or session.phase != "working":
        return
    _unhealthy(world, session, "no_response")
    seconds = _seconds(world, session)
    world.say(wording.TIMED_OUT.format(sid=session.id, s=seconds, had="true"), "warn")
    world.say(wording.STDERR_TAIL.format(sid=session.id), "warn")
    seats.die(world, session, "ended", "timed_out")


def _seconds(world: World, session: Session) -> int:
    return int((world.now - (session.turn_began or world.now)).total_seconds())
