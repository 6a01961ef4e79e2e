"""Advice: every rule at its borders, and that no two pieces of it ever contradict each other."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.advice import MOST, advise, sentence
from app.core.advised import (
    Advice,
    AnswerWaiting,
    AppSilent,
    CompetingVm,
    FirstToGo,
    Nothing,
    Orphans,
    OverCap,
    PortsShort,
    Protect,
    SmallMachine,
    StopBeforeCap,
    UsageLimit,
)
from app.core.events import Event, Level, MemorySampled
from app.core.governor import cap_of, evicts_for_real, next_out, ranking, seats_taken
from app.core.state import App, Evidence, Limit, Phase, Pressure, Session, State
from tests.core.helpers import NOON, after, histories, state_after

REAL = {"": Evidence(lines=3, closed=3)}
WARNS = {"": Evidence(lines=3, spared=3)}


def ago(seconds: float) -> datetime:
    """So many seconds before noon."""
    return after(-seconds)


def idle(n: int, seconds: int = 100, lived: int = 200) -> Session:
    """A session in its place ``n``, silent for ``seconds``, that has lived for ``lived``."""
    return Session(f"s{n}", n, ago(seconds), phase=Phase.IDLE, idle_since=ago(seconds), live_since=ago(lived))


def working(n: int) -> Session:
    """A session in a turn."""
    return Session(f"s{n}", n, ago(5), phase=Phase.WORKING, live_since=ago(5))


def waiting(n: int, seconds: float) -> Session:
    """A session that asked its user ``seconds`` ago."""
    asked = ago(seconds)
    return Session(f"s{n}", n, asked, phase=Phase.WAITING, waiting_for={"r": asked}, live_since=ago(9000))


def memory(total: int | None, free: int | None = None, age: int = 0) -> MemorySampled:
    """A reading of the machine's memory, ``age`` seconds before noon."""
    return MemorySampled(ago(age), "interval", None, None, None, None, None, None, free, total, 100)


def running(
    *sessions: Session,
    cap: int = 8,
    level: Level | None = None,
    evidence: dict[str, Evidence] | None = None,
    sample: MemorySampled | None = None,
    sign: int = 0,
) -> State:
    """A running app with these sessions, whose newest sign of life is ``sign`` seconds old."""
    return State(
        at=NOON,
        app=App(running=True, last_sign_at=ago(sign)),
        cap=cap,
        sessions={one.id: one for one in sessions},
        pressure=Pressure(os_level=level, os_since=NOON if level else None),
        memory=sample,
        evidence=REAL if evidence is None else evidence,
    )


def crowd(n: int, head: Session | None = None) -> list[Session]:
    """``n`` sessions that hold seats: ``head`` (silent for 100 s) and others who work."""
    return [head or idle(0), *(working(i) for i in range(1, n))] if n else []


def kinds(state: State) -> list[str]:
    """The kinds of what is advised at noon, most urgent first."""
    return [one.kind for one in advise(state, NOON)]


def only(kind: type[Advice], state: State) -> Advice | None:
    """The advice of one kind, None when it is not given."""
    return next((one for one in advise(state, NOON) if isinstance(one, kind)), None)


def test_an_empty_app_needs_nothing() -> None:
    """With nobody in a seat there is nothing to do, and that stands alone."""
    assert advise(running(), NOON) == (Nothing(),)


def test_an_app_that_does_not_run_needs_nothing() -> None:
    """Without a running app nothing is advised, whatever its log said before."""
    assert advise(State(at=NOON, sessions={"s0": waiting(0, 9000)}), NOON) == (Nothing(),)


@pytest.mark.parametrize(("seconds", "said"), [(149, False), (150, True), (600, True)])
def test_silence_of_the_app(seconds: int, said: bool) -> None:
    """From 150 s of silence on, the app's silence is all that is said of it: idle times are not certain then."""
    state = running(*crowd(9), waiting(20, 9000), level="critical", sign=seconds)

    assert (kinds(state) == ["app_silent"]) == said
    assert only(AppSilent, state) == (AppSilent(seconds) if said else None)


@pytest.mark.parametrize(("taken", "over"), [(7, None), (8, None), (9, 1), (11, 3)])
def test_over_the_cap(taken: int, over: int | None) -> None:
    """Only over the cap, warm starts are said to be put off until the surplus has ended."""
    expected = None if over is None else OverCap(taken, 8, over)

    assert only(OverCap, running(*crowd(taken))) == expected
    assert only(OverCap, running(*crowd(taken), evidence=WARNS)) == expected


@pytest.mark.parametrize(
    ("taken", "level", "expected"),
    [
        (6, None, None),
        (7, None, FirstToGo("s0", 100, "start", 1)),
        (8, None, FirstToGo("s0", 100, "start", 0)),
        (9, None, FirstToGo("s0", 100, "memory", 0)),
        (6, "warning", None),
        (7, "warning", FirstToGo("s0", 100, "memory", 1)),
        (8, "critical", FirstToGo("s0", 100, "memory", 0)),
        (8, "normal", FirstToGo("s0", 100, "start", 0)),
    ],
)
def test_first_to_go(taken: int, level: Level | None, expected: Advice | None) -> None:
    """The head of the queue is named from one free seat on; under pressure only where a sweep would take it."""
    assert only(FirstToGo, running(*crowd(taken), level=level)) == expected


@pytest.mark.parametrize(
    ("evidence", "said"), [(REAL, True), ({}, True), (WARNS, False), ({"": Evidence(lines=1)}, False)]
)
def test_a_build_that_only_warns_closes_nobody(evidence: dict[str, Evidence], said: bool) -> None:
    """Nobody is first to go, to protect or to make room for in a build that has only warned; unknown counts as real."""
    state = running(*crowd(8, idle(0, 100, 9000)), evidence=evidence)

    assert kinds(state) == (["first_to_go", "protect", "stop_before_cap"] if said else ["nothing"])


@pytest.mark.parametrize(
    ("silent", "level", "said"), [(59, None, False), (60, None, True), (0, "warning", True), (59, "critical", True)]
)
def test_a_start_takes_nobody_within_a_minute(silent: int, level: Level | None, said: bool) -> None:
    """A warm start passes over who has been silent for less than a minute; memory pressure does not."""
    assert (only(FirstToGo, running(*crowd(8, idle(0, silent)), level=level)) is not None) == said


def test_nobody_to_name() -> None:
    """At the cap, with everybody at work, nobody is first to go and no ceiling would help."""
    assert kinds(running(*(working(i) for i in range(8)))) == ["nothing"]


def test_tight_memory_at_a_cap_that_a_sweep_cannot_reach() -> None:
    """Where a sweep takes nobody, since one seat is always left, pressure puts nobody at risk."""
    assert only(FirstToGo, running(idle(0), cap=2, level="critical")) is None


@pytest.mark.parametrize(("lived", "said"), [(1799, False), (1800, False), (1801, True)])
def test_protect_a_long_task(lived: int, said: bool) -> None:
    """Who is first to go is worth protecting after more than thirty minutes of life."""
    state = running(*crowd(8, idle(0, 100, lived)))

    assert only(Protect, state) == (Protect("s0", lived) if said else None)


def test_protect_only_the_first() -> None:
    """A long task further back in the queue is not spoken of, nor one with seats to spare, nor one of unknown age."""
    young, old = idle(0, 500, 600), idle(1, 100, 9000)
    no_age = Session("s0", 0, ago(100), phase=Phase.IDLE, idle_since=ago(100))

    assert only(Protect, running(young, old, *(working(i) for i in range(2, 8)))) is None
    assert only(Protect, running(old, working(2))) is None
    assert only(Protect, running(*crowd(8, no_age))) is None


@pytest.mark.parametrize(
    ("taken", "total", "level", "free", "age", "too_many"),
    [
        (2, 16_384, "warning", 8000, 0, None),
        (3, 16_384, "warning", 8000, 0, 0),
        (5, 16_384, "critical", None, 0, 2),
        (5, 16_385, "critical", 100, 0, None),
        (5, None, "critical", 100, 0, None),
        (5, 16_000, None, 1600, 0, None),
        (5, 16_000, None, 1599, 0, 2),
        (5, 16_000, None, 1599, 149, 2),
        (5, 16_000, None, 1599, 150, None),
        (5, 16_000, None, None, 0, None),
        (5, 16_000, "normal", 100, 0, None),
    ],
)
def test_a_small_machine(
    *, taken: int, total: int | None, level: Level | None, free: int | None, age: int, too_many: int | None
) -> None:
    """Up to 16 GB and with memory short, three sessions are the most; a stale reading and the raw one prove nothing."""
    found = only(SmallMachine, running(*crowd(taken), level=level, sample=memory(total, free, age)))

    assert found == (None if too_many is None else SmallMachine(total or 0, taken, 3, too_many))


@pytest.mark.parametrize(("seconds", "said"), [(600, False), (601, True), (-30, False)])
def test_answer_who_waits(seconds: int, said: bool) -> None:
    """A question that is open for more than ten minutes is worth a word."""
    state = running(waiting(0, seconds))

    assert only(AnswerWaiting, state) == (AnswerWaiting(("s0",), seconds) if said else None)


def test_answer_the_longest_first() -> None:
    """Several who wait are one piece of advice, the longest first; one of Cowork holds no seat and is left out."""
    cowork = Session("c", 9, ago(9000), kind="cowork", phase=Phase.WAITING)
    nameless = Session("s3", 3, ago(800), phase=Phase.WAITING)
    state = running(waiting(0, 700), waiting(1, 900), cowork, nameless)

    assert only(AnswerWaiting, state) == AnswerWaiting(("s1", "s3", "s0"), 900)


@pytest.mark.parametrize(("taken", "too_many"), [(5, None), (6, 0), (7, 1), (8, 2), (9, None)])
def test_stop_two_before_the_cap(taken: int, too_many: int | None) -> None:
    """From two seats below the cap up to it, that ceiling is named; over it, the cap itself is the matter."""
    expected = None if too_many is None else StopBeforeCap(taken, 8, 6, too_many)

    assert only(StopBeforeCap, running(*crowd(taken))) == expected


def test_one_ceiling_at_a_time() -> None:
    """A small machine's three sessions take the place of the cap's two seats."""
    state = running(*crowd(6), cap=6, level="warning", sample=memory(16_384))

    assert kinds(state) == ["first_to_go", "small_machine"]


@pytest.mark.parametrize(
    ("met", "resets", "said"),
    [(10, -1, False), (10, 0, False), (10, 1, True), (0, 3600, True), (-1, 3600, False)],
)
def test_a_usage_limit_until_it_resets(met: int, resets: int, said: bool) -> None:
    """A limit is spoken of from when it was met until it resets, whether the app runs or not."""
    limited = Limit(ago(met), "s0", "5pm (UTC)", after(resets))

    found = only(UsageLimit, replace(running(), limited=limited))

    assert found == (UsageLimit(after(resets), resets, "5pm (UTC)") if said else None)
    assert (kinds(State(limited=limited)) == ["usage_limit"]) == said
    assert (kinds(replace(running(sign=150), limited=limited)) == ["app_silent", "usage_limit"]) == said


def test_order_of_urgency() -> None:
    """The most urgent three: who may go now leads under pressure, what stops everything leads without."""
    limited = Limit(ago(10), "s0", None, after(60))
    everything = [*crowd(9, idle(0, 100, 9000)), waiting(20, 900)]

    tight = replace(running(*everything, level="critical"), limited=limited)
    assert kinds(tight) == ["first_to_go", "protect", "over_cap"]
    assert kinds(replace(running(*everything), limited=limited)) == ["usage_limit", "over_cap", "first_to_go"]
    assert kinds(running(*crowd(6), waiting(20, 900))) == ["first_to_go", "answer", "stop_before_cap"]


SENTENCES: list[tuple[Advice, str]] = [
    (AppSilent(240), "The app's log has been silent for 4 minutes. If the machine was awake, see whether the app still "
                     "answers."),
    (FirstToGo("s0", 840, "start", 1), "Report is likely to go first, silent for 14 minutes. Let it report before the "
                                       "last seat is taken."),
    (FirstToGo("s0", 60, "start", 0), "Report is likely to go first, silent for 1 minute. Let it report before another "
                                      "one starts."),
    (FirstToGo("s0", 5, "memory", 0), "Report is likely to go first, silent for less than a minute. When memory is "
                                      "short it may be closed: let it report now."),
    (Protect("s0", 7300), "Report has run for 2 hours and nothing protects it. If it must go on, remote control keeps "
                          "it."),
    (SmallMachine(16_384, 3, 3, 0), "Memory is short: keep to 3 sessions on this machine. Start no more now."),
    (SmallMachine(16_384, 5, 3, 2), "Memory is short: keep to 3 sessions on this machine. That is 2 fewer than now."),
    (OverCap(9, 8, 1), "9 sessions on 8 seats. Warm starts are put off until one ends."),
    (OverCap(11, 8, 3), "11 sessions on 8 seats. Warm starts are put off until 3 of them end."),
    (UsageLimit(NOON, 90_000, None), "The usage limit is reached. It resets in 1 day."),
    (AnswerWaiting(("s1",), 1320), "s1 has been waiting for your answer for 22 minutes and holds a seat. Answer it."),
    (AnswerWaiting(("s0", "s1"), 3600), "Report has been waiting for your answer for 1 hour and holds a seat. Answer "
                                        "it, and the other one."),
    (AnswerWaiting(("s0", "s1", "s2"), 700), "Report has been waiting for your answer for 11 minutes and holds a seat. "
                                             "Answer it, and 2 others."),
    (StopBeforeCap(8, 8, 6, 2), "While 6 of 8 seats or fewer are taken, memory pressure should close nobody. That is 2 "
                                "fewer than now."),
    (CompetingVm("Docker Desktop", 8192), "Docker Desktop holds 8 GB and competes with Claude for memory. Stop it if "
                                          "you can."),
    (Nothing(), "Nothing to do."),
]  # fmt: skip


@pytest.mark.parametrize(("advice", "text"), SENTENCES, ids=lambda one: getattr(one, "kind", None))
def test_sentence(advice: Advice, text: str) -> None:
    """Each piece of advice has its sentence, with the title where there is one and the id where there is none."""
    assert sentence(advice, {"s0": "Report"}) == text


@given(histories(), st.integers(0, 2000), st.none() | st.integers(-60, 4000), st.booleans())
def test_nothing_contradictory(history: list[Event], later: int, resets: int | None, small: bool) -> None:
    """For any state: at most three, of different kinds, each borne out by the state, and none against another."""
    state = state_after(*history)
    moment = (state.at or NOON) + timedelta(seconds=later)
    if small:
        state = replace(state, memory=replace(memory(16_384, 500), at=moment))
    if resets is not None:
        limited = Limit(state.at or NOON, "s", None, moment + timedelta(seconds=resets))
        state = replace(state, limited=limited)

    given_now = advise(state, moment)

    found = {one.kind: one for one in given_now}
    assert 1 <= len(given_now) == len(found) <= MOST
    assert "nothing" not in found or len(found) == 1
    assert "app_silent" not in found or found.keys() <= {"app_silent", "usage_limit"}
    assert not {"small_machine", "stop_before_cap"} <= found.keys()
    assert not {"over_cap", "stop_before_cap"} <= found.keys()
    for one in given_now:
        assert supported(one, state, moment)
        assert sentence(one, {})


def supported(advice: Advice, state: State, moment: datetime) -> bool:
    """Whether the governor's own rules say of the state what the advice takes for true."""
    queue, out = ranking(state, moment), next_out(state, moment)
    taken, cap = seats_taken(state), cap_of(state).value
    match advice:
        case FirstToGo():
            swept = advice.session in out.pressure
            return (
                queue[0].session.id == advice.session
                and evicts_for_real(state) is not False
                and (swept if advice.threat == "memory" else 0 <= cap - taken <= 1 and advice.idle_seconds >= 60)
            )
        case Protect():
            first = queue[0].session
            return first.id == advice.session and not first.protected_by and advice.alive_seconds >= 1800
        case SmallMachine():
            return taken - advice.too_many == 3
        case OverCap():
            return taken - advice.over == cap
        case AnswerWaiting():
            holders = {one.id for one in state.seat_holders if "waiting" in one.protected_by}
            return set(advice.sessions) <= holders and not {one.session.id for one in queue} & set(advice.sessions)
        case StopBeforeCap():
            return taken - advice.too_many == advice.most and len(out.pressure) <= advice.too_many
        case UsageLimit():
            return moment < advice.until
        case AppSilent():
            return state.app.running and advice.seconds >= 150
        case PortsShort() | CompetingVm() | Orphans():
            return False  # nothing is known of the machine here
        case Nothing():
            return True
