"""What to do now: a few short, conditional pieces of advice, each from what the state carries and nothing else.

Each rule looks at one situation and gives one `Advice` or None; the most urgent three are given. Two never contradict
each other: a running app whose log is silent leaves every other rule about its sessions out, since nothing is certain
then; one ceiling on the number of sessions is named at a time; "nothing to do" stands alone.

`sentence` says an advice in English and is all that a translation replaces.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeAlias, assert_never

from app.core.advice_machine import competing_vm, machine_sentence, orphans, ports_short
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
from app.core.governor import (
    Candidate,
    Cap,
    NextOut,
    cap_of,
    evicts_for_real,
    next_out,
    ranking,
    seats_taken,
    sweep_target,
)
from app.core.limits import limit_at
from app.core.machine import Machine
from app.core.pressure import pressure_at
from app.core.silence import SILENT_AFTER_SECONDS, silent_seconds
from app.core.state import Phase, Session, State

MOST = 3
"""More than three pieces of advice are none."""
SMALL_MACHINE_MB = 16 * 1024
"""Up to this much memory, three sessions are what a machine carries when memory is short."""
SMALL_MACHINE_SESSIONS = 3
LOW_FREE = 0.10
"""Free memory below this share of all is low: the app itself warns at half of it."""
LONG_TASK = timedelta(minutes=30)
"""A task that has lived for longer has something to lose."""
LONG_WAIT = timedelta(minutes=10)
"""A question that has been open for longer was probably not seen."""


@dataclass(frozen=True, slots=True)
class _Now:
    """What the rules look at, worked out once."""

    state: State
    at: datetime
    cap: Cap
    taken: int
    queue: list[Candidate]
    out: NextOut
    tight: bool
    machine: Machine

    @classmethod
    def of(cls, state: State, at: datetime, machine: Machine) -> _Now:
        tight = pressure_at(state.pressure, at).level in ("warning", "critical")
        return cls(
            state, at, cap_of(state), seats_taken(state), ranking(state, at), next_out(state, at), tight, machine
        )

    @property
    def short(self) -> bool:
        """Whether memory is short, by anybody's word or by the newest reading."""
        return self.tight or _free_is_low(self)

    @property
    def at_risk(self) -> Candidate | None:
        """Who is first to go, where going is near and this build is not known to only warn.

        Below one free seat nobody is near: pressure closes down to two seats under the cap, and a start finds a seat.
        """
        if not self.queue or self.taken < self.cap.value - 1 or evicts_for_real(self.state) is False:
            return None
        return self.queue[0]


Rule: TypeAlias = Callable[[_Now], Advice | None]


def advise(state: State, at: datetime, machine: Machine | None = None) -> tuple[Advice, ...]:
    """What to do at ``at``, most urgent first, three at most, never none. ``machine`` is what the probes know."""
    now = _Now.of(state, at, (machine or Machine()).fresh(at))
    found = [advice for rule in _rules(now) if (advice := rule(now)) is not None]
    return tuple(found[:MOST]) or (Nothing(),)


def _rules(now: _Now) -> tuple[Rule, ...]:
    """The rules that can hold, most urgent first."""
    if not now.state.app.running:
        return _ports, _usage_limit, _orphans
    if _app_silent(now) is not None:
        return _ports, _app_silent, _usage_limit
    if now.tight:
        return (
            _ports, _first_to_go, _protect, _competing_vm, _orphans, _small_machine, _over_cap, _usage_limit, _answer,
            _stop_before_cap,
        )  # fmt: skip
    return (
        _ports, _usage_limit, _over_cap, _first_to_go, _protect, _small_machine, _competing_vm, _answer, _orphans,
        _stop_before_cap,
    )  # fmt: skip


def _ports(now: _Now) -> Advice | None:
    return ports_short(now.machine)


def _competing_vm(now: _Now) -> Advice | None:
    return competing_vm(now.machine, short=now.short)


def _orphans(now: _Now) -> Advice | None:
    return orphans(now.machine, short=now.short)


def _app_silent(now: _Now) -> Advice | None:
    seconds = silent_seconds(now.state, now.at)
    return AppSilent(seconds) if seconds is not None and seconds >= SILENT_AFTER_SECONDS else None


def _first_to_go(now: _Now) -> Advice | None:
    head, free = now.at_risk, now.cap.value - now.taken
    if head is None:
        return None
    # Over the cap a start closes nobody: the user's goes ahead, a warm one is put off.
    if now.tight or free < 0:
        swept = head.session.id in now.out.pressure
        return FirstToGo(head.session.id, head.idle_seconds, "memory", max(0, free)) if swept else None
    return FirstToGo(head.session.id, head.idle_seconds, "start", free) if head.eligible_in_seconds == 0 else None


def _protect(now: _Now) -> Advice | None:
    head = now.at_risk
    if head is None or _first_to_go(now) is None or head.session.live_since is None:
        return None
    alive = now.at - head.session.live_since
    return Protect(head.session.id, int(alive.total_seconds())) if alive > LONG_TASK else None


def _small_machine(now: _Now) -> Advice | None:
    total = now.state.memory.total_mb if now.state.memory is not None else None
    if not total or total > SMALL_MACHINE_MB or now.taken < SMALL_MACHINE_SESSIONS:
        return None
    if not now.tight and not _free_is_low(now):
        return None
    return SmallMachine(total, now.taken, SMALL_MACHINE_SESSIONS, now.taken - SMALL_MACHINE_SESSIONS)


def _free_is_low(now: _Now) -> bool:
    """Whether the newest reading shows little free memory; one as old as a silent app's shows nothing.

    Never from the raw reading, which is near zero on a healthy Mac, and not against the operating system's own word.
    """
    sample = now.state.memory
    if sample is None or sample.free_mb is None or not sample.total_mb or now.state.pressure.os_level == "normal":
        return False
    fresh = now.at - sample.at < timedelta(seconds=SILENT_AFTER_SECONDS)
    return fresh and sample.free_mb < LOW_FREE * sample.total_mb


def _over_cap(now: _Now) -> Advice | None:
    over = now.taken - now.cap.value
    return OverCap(now.taken, now.cap.value, over) if over > 0 else None


def _usage_limit(now: _Now) -> Advice | None:
    limited = limit_at(now.state, now.at)
    if limited is None:
        return None
    return UsageLimit(limited.resets_at, int((limited.resets_at - now.at).total_seconds()), limited.resets)


def _answer(now: _Now) -> Advice | None:
    waiting = [s for s in now.state.seat_holders if s.phase is Phase.WAITING and now.at - _asked(s) > LONG_WAIT]
    if not waiting:
        return None
    waiting.sort(key=lambda s: (_asked(s), s.order))
    return AnswerWaiting(tuple(s.id for s in waiting), int((now.at - _asked(waiting[0])).total_seconds()))


def _asked(session: Session) -> datetime:
    return min(session.waiting_for.values(), default=session.since)


def _stop_before_cap(now: _Now) -> Advice | None:
    """Only where a sweep would find somebody, and no lower ceiling is named already."""
    cap, most = now.cap.value, sweep_target(now.cap.value)
    if not now.queue or not most <= now.taken <= cap or evicts_for_real(now.state) is False:
        return None
    return None if _small_machine(now) else StopBeforeCap(now.taken, cap, most, now.taken - most)


def sentence(advice: Advice, titles: Mapping[str, str]) -> str:
    """The advice in English, in one or two short sentences.

    ``titles`` names sessions by id; one without a title there is named by its id. The text is plain: whoever shows it
    escapes it.
    """

    def named(session: str) -> str:
        return titles.get(session, session)

    match advice:
        case AppSilent():
            return (
                f"The app's log has been silent for {_span(advice.seconds)}. If the machine was awake, see whether the "
                "app still answers."
            )
        case FirstToGo():
            return _first_to_go_sentence(advice, named(advice.session))
        case Protect():
            return (
                f"{named(advice.session)} has run for {_span(advice.alive_seconds)} and nothing protects it. "
                "If it must go on, remote control keeps it."
            )
        case SmallMachine():
            lead = f"Memory is short: keep to {advice.most} sessions on this machine."
            return f"{lead} {_beyond(advice.too_many)}"
        case OverCap():
            until = "one ends" if advice.over == 1 else f"{advice.over} of them end"
            return f"{advice.taken} sessions on {advice.cap} seats. Warm starts are put off until {until}."
        case UsageLimit():
            return f"The usage limit is reached. It resets in {_span(advice.seconds)}."
        case AnswerWaiting():
            return _answer_sentence(advice, named(advice.sessions[0]))
        case StopBeforeCap():
            lead = f"While {advice.most} of {advice.cap} seats or fewer are taken, memory pressure should close nobody."
            return f"{lead} {_beyond(advice.too_many)}"
        case PortsShort() | CompetingVm() | Orphans():
            return machine_sentence(advice)
        case Nothing():
            return "Nothing to do."
        case _:
            assert_never(advice)


def _first_to_go_sentence(advice: FirstToGo, title: str) -> str:
    lead = f"{title} is likely to go first, silent for {_span(advice.idle_seconds)}."
    if advice.threat == "memory":
        return f"{lead} When memory is short it may be closed: let it report now."
    if advice.free:
        return f"{lead} Let it report before the last seat is taken."
    return f"{lead} Let it report before another one starts."


def _answer_sentence(advice: AnswerWaiting, title: str) -> str:
    lead = f"{title} has been waiting for your answer for {_span(advice.seconds)} and holds a seat."
    more = len(advice.sessions) - 1
    if more == 0:
        return f"{lead} Answer it."
    return f"{lead} Answer it, and the other one." if more == 1 else f"{lead} Answer it, and {more} others."


def _beyond(too_many: int) -> str:
    return "Start no more now." if too_many == 0 else f"That is {too_many} fewer than now."


def _span(seconds: int) -> str:
    """A length of time rounded down to its largest unit."""
    for size, unit in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= size:
            number = seconds // size
            return f"{number} {unit}" + ("" if number == 1 else "s")
    return "less than a minute"
