"""What is told when: each kind at its borders, once for each cause, and never in quiet hours."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.events import Event, PortsCrossed
from app.core.notices import Causes, Notice, is_quiet, judge
from app.core.preferences import CRITICAL, EVICTED, FIRST_TO_GO, KINDS, PORTS, VM_STALLED, Preferences
from app.core.state import App, Ending, Evidence, Phase, Pressure, Session, State, Vm
from tests.core.helpers import NOON, after, histories, state_after

ALL = Preferences(notify=KINDS, home_line="v6plus")
TOKYO = ZoneInfo("Asia/Tokyo")
BERLIN = ZoneInfo("Europe/Berlin")


def idle(n: int, seconds: float = 300) -> Session:
    """A session that has been silent since so long before noon."""
    since = after(-seconds)
    return Session(f"s{n}", n, since, phase=Phase.IDLE, idle_since=since, live_since=since)


def closed(n: int, at: datetime, by: Ending = "evicted_for_memory") -> Session:
    """A session that the governor closed."""
    return Session(f"s{n}", n, at, phase=Phase.EVICTED, ended_by=by)


def running(
    *sessions: Session, cap: int = 2, level: str | None = None, real: bool = True, when: datetime = NOON
) -> State:
    """A running app of a build that closes sessions for real, or only warns."""
    seen = Evidence(lines=3, closed=3) if real else Evidence(lines=3, spared=3)
    return State(
        at=when,
        app=App(running=True, last_sign_at=when),
        cap=cap,
        sessions={one.id: one for one in sessions},
        pressure=Pressure(os_level=level, os_since=when if level else None),  # type: ignore[arg-type]
        evidence={"": seen},
    )


class Watch:
    """A watch with a clock of its own; ``see`` answers what is told."""

    def __init__(self, preferences: Preferences = ALL, zone: ZoneInfo | None = None) -> None:
        self.preferences = preferences
        self.zone = zone or UTC
        self.causes: Causes | None = None
        self.pending = False
        self.see(-3600, running())

    def see(self, seconds: float, state: State) -> tuple[Notice, ...]:
        """Judge a state so many seconds after noon, as a log that goes on shows it."""
        at = after(seconds)
        alive = replace(state, app=replace(state.app, last_sign_at=at))
        judged = judge(self.causes, alive, at, self.preferences, self.zone)
        self.causes, self.pending = judged.causes, judged.pending
        return judged.notices

    def kinds(self, seconds: float, state: State) -> list[str]:
        """The kinds of what is told."""
        return [one.kind for one in self.see(seconds, state)]


STALLED = replace(running(), vm=Vm(started_at=after(-70), step="boot", step_started_at=after(-61)))
CROSSED = replace(running(), ports=PortsCrossed(NOON, 85, 204, 240, 100, 6))


@pytest.mark.parametrize(
    ("state", "kinds"),
    [
        (running(closed(1, NOON)), [EVICTED]), (running(level="critical"), [CRITICAL]), (running(level="warning"), []),
        (STALLED, [VM_STALLED]), (CROSSED, [PORTS]),
        (replace(running(), ports=PortsCrossed(NOON, 70, 170, 240, 1, 6)), []),  # time to look, not to act
        (running(idle(1), idle(2)), [FIRST_TO_GO]),  # at the cap
        (running(idle(1), idle(2), cap=3), []),  # a seat is free
        (running(idle(1), idle(2), cap=1), []),  # over the cap: a start closes nobody
        (running(idle(1, 20), idle(2, 20)), [FIRST_TO_GO]),  # by the time it is told the first minute is over
        (running(idle(1), idle(2), cap=3, level="warning"), [FIRST_TO_GO]),
        (running(idle(1), idle(2), cap=4, level="warning"), []),  # a sweep leaves two seats taken
        (running(idle(1), idle(2), real=False), []),  # this build only warns
        (replace(running(idle(1), idle(2), level="critical"), app=App()), []),  # the app does not run
    ],
)  # fmt: skip
def test_what_is_told(state: State, kinds: list[str]) -> None:
    """Each kind is told where there is real danger or loss, and nothing else is."""
    watch = Watch()
    told = [kind for seconds in (0, 2, 30, 60, 120) for kind in watch.kinds(seconds, state)]

    assert told == kinds


def test_the_log_that_fell_silent_says_nothing_of_now() -> None:
    """A session of a stuck app, or of a machine that slept, is not said to be in danger."""
    state = running(idle(1), idle(2), level="critical")
    first = judge({}, state, after(200), ALL, UTC)

    assert first.notices == ()


def test_a_cause_is_told_once() -> None:
    """What goes on is not told again, however often it is looked at."""
    watch = Watch()
    state = running(closed(1, NOON), level="critical")

    assert sorted(kind for seconds in range(600) for kind in watch.kinds(seconds, state)) == [CRITICAL, EVICTED]


def test_what_held_before_is_known() -> None:
    """A restart tells nothing of what holds already, but what begins after it."""
    watch = Watch()
    watch.causes = None
    before = running(closed(1, after(-60)), level="critical")

    assert watch.see(0, before) == ()
    assert watch.see(60, before) == ()
    assert watch.see(61, running(closed(1, after(-60)), closed(2, after(61)), level="critical")) == ()
    assert [one.sessions for one in watch.see(62, running(closed(1, after(-60)), closed(2, after(61))))] == [("s2",)]


def test_what_begins_while_the_log_is_first_read_is_news() -> None:
    """The first look tells of what began after the watch did; who is first to go may have been so for long."""
    state = running(closed(1, after(-1)), closed(2, after(5)), idle(3), idle(4), level="critical", when=after(5))
    first = judge(None, state, after(10), ALL, UTC, begun=NOON)
    second = judge(first.causes, state, after(11), ALL, UTC, begun=NOON)

    assert [one.kind for one in first.notices] == [CRITICAL]
    assert [(one.kind, one.sessions) for one in second.notices] == [(EVICTED, ("s2",))]


def test_old_news_of_a_late_log_is_none() -> None:
    """A closing that the log tells of twenty minutes ago is history."""
    watch = Watch()

    assert watch.kinds(0, running(closed(1, after(-1200)))) == []
    assert watch.kinds(5, running(closed(1, after(-1200)))) == []


def test_what_was_not_asked_for_is_not_told_later_either() -> None:
    """Who asks for a kind while its cause holds has seen it: only the next one is told."""
    watch = Watch(replace(ALL, notify=(CRITICAL,)))
    assert watch.kinds(0, running(closed(1, NOON))) == []
    watch.preferences = ALL

    assert watch.kinds(60, running(closed(1, NOON))) == []
    assert watch.kinds(70, running(closed(1, NOON), closed(2, after(70)))) == []
    assert watch.kinds(71, running(closed(1, NOON), closed(2, after(70)))) == [EVICTED]


def test_ports_need_a_home_line() -> None:
    """Without a line of a known budget nothing is told of its ports."""
    assert Watch(replace(ALL, home_line="none")).kinds(0, CROSSED) == []


def test_pressure_that_swings_is_one_cause() -> None:
    """Critical again within five minutes is the same cause; later it is a new one."""
    watch, critical, calm = Watch(), running(level="critical"), running(level="normal")

    assert watch.kinds(0, critical) == [CRITICAL]
    assert watch.kinds(60, calm) == []
    assert watch.kinds(300, critical) == []
    assert watch.kinds(400, calm) == []
    assert watch.kinds(701, calm) == []
    assert watch.kinds(702, critical) == [CRITICAL]


def test_who_is_first_for_a_moment_only_is_not_told() -> None:
    """The head of the queue must have been in danger for ten seconds."""
    watch = Watch()

    assert watch.kinds(0, running(idle(1), idle(2))) == []
    assert watch.pending
    assert watch.kinds(9, running(idle(1), idle(2))) == []
    assert watch.kinds(9.5, running(idle(1))) == []
    assert not watch.pending
    assert watch.kinds(30, running(idle(1))) == []


def test_the_next_head_is_a_new_cause() -> None:
    """Each session that comes first is told of once, by its name."""
    watch = Watch()
    told: list[Notice] = []
    for seconds, state in [(0, (1, 2)), (10, (1, 2)), (20, (2, 3)), (30, (2, 3)), (40, (1, 2)), (50, (1, 2))]:
        told += watch.see(seconds, running(*(idle(n, 900 - n) for n in state)))

    assert [(one.sessions, one.detail) for one in told] == [(("s1",), "seat"), (("s2",), "seat")]


def test_a_sweep_is_one_notice() -> None:
    """Sessions closed within a second are told together, with what they were closed for where it is one thing."""
    watch = Watch()
    assert watch.see(0, running(closed(1, NOON))) == ()
    both = running(closed(1, NOON), closed(2, after(0.5)))
    assert watch.see(0.5, both) == ()
    (first,) = watch.see(1, both)
    (second,) = watch.see(1.5, both)

    assert (first.sessions, first.detail) == (("s1",), "memory")
    assert second.sessions == ("s2",)
    mixed = running(closed(1, NOON, "evicted_for_seat"), closed(2, NOON))
    watch = Watch()
    watch.see(0, mixed)
    assert [(one.sessions, one.detail) for one in watch.see(1, mixed)] == [(("s1", "s2"), "")]


def test_a_session_that_is_closed_again_is_told_again() -> None:
    """Opened and closed once more is a new cause."""
    watch = Watch()
    watch.see(0, running(closed(1, NOON)))
    assert watch.kinds(2, running(closed(1, NOON))) == [EVICTED]
    watch.see(10, running(idle(1)))
    watch.see(20, running(closed(1, after(20))))

    assert watch.kinds(22, running(closed(1, after(20)))) == [EVICTED]


def test_quiet_hours_hold_back_until_they_end() -> None:
    """At their end what still holds is told, and each session closed meanwhile, even one that was opened again."""
    watch = Watch(replace(ALL, quiet_hours="12:00-13:00"))
    night = running(closed(1, NOON), closed(2, after(60)), level="critical")
    assert [watch.kinds(seconds, night) for seconds in (0, 60, 120, 3599)] == [[], [], [], []]
    assert not watch.pending

    morning = running(closed(1, NOON), idle(2), level="normal", cap=9)
    told = watch.see(3600, morning)

    assert [(one.kind, one.sessions) for one in told] == [(EVICTED, ("s1", "s2"))]
    assert watch.see(3700, morning) == ()


def test_what_still_holds_after_quiet_hours_is_told() -> None:
    """Pressure that lasts beyond them is told when they end."""
    watch = Watch(replace(ALL, quiet_hours="12:00-13:00"))

    assert watch.kinds(60, running(level="critical")) == []
    assert watch.kinds(3601, running(level="critical")) == [CRITICAL]


def test_a_clock_that_is_set_back_holds_nothing_back() -> None:
    """After an hour's step back a waiting cause is still told after its ten seconds."""
    watch, state = Watch(), running(idle(1), idle(2))
    watch.see(0, state)

    assert watch.kinds(-3000, running(idle(1, 9000), idle(2, 9000))) == []
    assert watch.kinds(-2990, running(idle(1, 9000), idle(2, 9000))) == [FIRST_TO_GO]


@pytest.mark.parametrize(
    ("hours", "zone", "at", "quiet"),
    [
        ("", TOKYO, "2026-10-02T23:00:00+09:00", False),
        ("22:00-07:00", TOKYO, "2026-10-02T21:59:59+09:00", False),
        ("22:00-07:00", TOKYO, "2026-10-02T22:00:00+09:00", True),
        ("22:00-07:00", TOKYO, "2026-10-03T06:59:59+09:00", True),
        ("22:00-07:00", TOKYO, "2026-10-03T07:00:00+09:00", False),
        ("22:00-07:00", UTC, "2026-10-02T13:00:00+00:00", False),  # 22:00 in Tokyo is no matter here
        ("12:00-13:30", TOKYO, "2026-10-02T12:00:00+09:00", True),
        ("12:00-13:30", TOKYO, "2026-10-02T13:30:00+09:00", False),
        # Berlin's autumn night: the hour from two to three comes twice, and is quiet both times.
        ("02:30-02:45", BERLIN, "2026-10-25T00:40:00+00:00", True),
        ("02:30-02:45", BERLIN, "2026-10-25T01:40:00+00:00", True),
        ("02:30-02:45", BERLIN, "2026-10-25T01:50:00+00:00", False),
        # Its spring night: 02:30 never comes; the clock goes from 01:59 to 03:00.
        ("01:30-02:30", BERLIN, "2026-03-29T00:59:00+00:00", True),
        ("01:30-02:30", BERLIN, "2026-03-29T01:00:00+00:00", False),
        ("22:00-07:00", BERLIN, "2026-03-29T04:59:00+00:00", True),
        ("22:00-07:00", BERLIN, "2026-03-29T05:00:00+00:00", False),
    ],
)  # fmt: skip
def test_quiet_by_the_clock_on_the_wall(hours: str, zone: ZoneInfo, at: str, quiet: bool) -> None:
    """Quiet hours are those of the reader's zone, over midnight and in the nights in which clocks are changed."""
    assert is_quiet(Preferences(quiet_hours=hours), datetime.fromisoformat(at), zone) is quiet


@given(histories(), st.sampled_from(["", "12:00-12:05", "22:00-07:00"]))
def test_any_story_is_judged(events: list[Event], hours: str) -> None:
    """Whatever the log tells, judging ends, tells nothing that was not asked for, and nothing twice at once."""
    preferences = Preferences(notify=(EVICTED, CRITICAL), home_line="240", quiet_hours=hours)
    state, causes = State(), judge(None, State(), NOON, preferences, UTC).causes
    for event in events:
        state = state_after(event, start=state)
        judged = judge(causes, state, event.at + timedelta(seconds=1), preferences, UTC)
        again = judge(judged.causes, state, event.at + timedelta(seconds=1), preferences, UTC)
        causes = again.causes
        assert {one.kind for one in judged.notices} <= {EVICTED, CRITICAL}
        assert again.notices == ()
