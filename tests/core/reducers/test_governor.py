"""What the governor and the memory lines mean for seats, pressure, counts and what is known of the build."""

from __future__ import annotations

import pytest

from app.core.events import (
    AppStarted,
    Event,
    EvictionFailed,
    EvictionForeseen,
    MemoryEvictionBegan,
    MemorySampled,
    PressureChanged,
    PressureReported,
    PressureUnreadable,
    RemoteControlEnabled,
    SeatEvictionBegan,
    SessionPaused,
    SessionStarted,
    SessionWarmed,
    StartYielded,
    TurnBegan,
    WakeDeferred,
)
from app.core.governor import cap_of, evicts_for_real, ranking, seats_taken
from app.core.reducers.governor import witness
from app.core.state import Counts, Evidence, Phase, SeatCheck, State
from tests.core.helpers import COWORK, NOON, A, B, C, after, state_after

FORESEEN = EvictionForeseen(after(100), A, 8, 53, "user")


def test_would_evict_closes_nothing() -> None:
    """The session keeps its seat, and the count is one of would-be evictions only."""
    state = state_after(SessionWarmed(NOON, A, 100), FORESEEN)
    assert state.sessions[A].holds_seat
    assert state.sessions[A].eviction is None
    assert state.counts == Counts(would_evict_user=1)


@pytest.mark.parametrize("trigger", ["warm", None])
def test_would_evict_for_a_warm_start_has_a_count_of_its_own(trigger: str | None) -> None:
    """A cut line without its trigger is counted with the warm ones, which are by far the most."""
    state = state_after(EvictionForeseen(NOON, A, 8, 53, trigger))  # type: ignore[arg-type]
    assert state.counts == Counts(would_evict_warm=1)


def test_line_that_names_a_session_proves_it_alive_and_idle() -> None:
    """A log that begins in the middle learns of a session, its exact idle time and the cap from one line."""
    state = state_after(FORESEEN)
    session = state.sessions[A]
    assert (session.phase, session.idle_since, session.idle_exact, session.since) == (
        Phase.IDLE, after(47), True, after(100),
    )  # fmt: skip
    assert cap_of(state).value == 8
    assert [one.session.id for one in ranking(state, after(100))] == [A]


def test_line_that_names_a_session_overrules_every_guess() -> None:
    """Whoever is named works on nothing, is protected by nothing and counts against the cap."""
    state = state_after(
        SessionStarted(NOON, A, COWORK), RemoteControlEnabled(after(1), A), TurnBegan(after(2), A), FORESEEN
    )
    session = state.sessions[A]
    assert (session.phase, session.kind, session.protected_by) == (Phase.IDLE, "code", ())


def test_idle_since_stays_when_an_idle_session_is_named() -> None:
    """The phase did not change, so it holds since before; only the idle time is put right."""
    session = state_after(SessionWarmed(NOON, A, 100), FORESEEN).sessions[A]
    assert (session.since, session.idle_since) == (NOON, after(47))


def test_evicting_for_a_start_then_pausing() -> None:
    """Really closed: counted at the cap once, when the closing line comes."""
    naming: list[Event] = [SessionWarmed(NOON, A, 100), SeatEvictionBegan(after(100), A, 8, 100, "warm")]
    assert state_after(*naming).counts == Counts()
    state = state_after(*naming, SessionPaused(after(100), A, "governor_evict"))
    assert state.sessions[A].ended_by == "evicted_for_seat"
    assert state.counts == Counts(evicted_cap=1)
    assert evicts_for_real(state) is True


def test_sweep_names_all_victims_before_it_pauses_any() -> None:
    """Each is named as the head in its turn, and each is counted when it closes."""
    names = (A, B, C)
    state = state_after(*(SessionWarmed(after(n), one, 100) for n, one in enumerate(names)))
    state = state_after(*(MemoryEvictionBegan(after(100), one, 100 - n) for n, one in enumerate(names)), start=state)
    assert (state.score.named, state.score.first) == (3, 3)
    assert ranking(state, after(100)) == []
    assert seats_taken(state) == 3
    state = state_after(*(SessionPaused(after(101), one, "governor_evict") for one in names), start=state)
    assert [state.sessions[one].ended_by for one in names] == ["evicted_for_memory"] * 3
    assert state.counts == Counts(evicted_pressure=3)
    assert state.cap is None


def test_failed_eviction_puts_the_session_back_into_the_queue() -> None:
    """The session that was to be closed lives on; a failure that names nobody changes nothing."""
    named: list[Event] = [SessionWarmed(NOON, A, 100), MemoryEvictionBegan(after(100), A, 100)]
    state = state_after(*named, EvictionFailed(after(101), A))
    assert [one.session.id for one in ranking(state, after(101))] == [A]
    for nobody in (None, "local_unheard_of"):
        assert ranking(state_after(*named, EvictionFailed(after(101), nobody)), after(101)) == []


def test_put_off_start_closes_nothing_and_starts_nothing() -> None:
    """A warm start at the cap is put off: counted, and a line of the governor."""
    state = state_after(StartYielded(NOON, "warm"))
    assert state.counts == Counts(put_off=1)
    assert dict(state.sessions) == {}
    assert evicts_for_real(state) is False


@pytest.mark.parametrize(("seats", "idle", "spared"), [(2, 60, 1), (2, 59, 0), (1, 60, 0), (3, 60, 0)])
def test_build_that_could_have_closed_and_did_not_only_warns(seats: int, idle: int, spared: int) -> None:
    """At the cap exactly, with a victim idle for a minute, a build that closes writes evicting instead."""
    state = state_after(*(SessionWarmed(NOON, one, 100) for one in (A, B, C)[:seats]))
    state = state_after(EvictionForeseen(after(100), A, 2, idle, "warm"), start=state)
    assert state.evidence == {"": Evidence(1, 0, spared)}


@pytest.mark.parametrize(("victims", "spared"), [(2, 1), (0, 0), (None, 0)])
def test_pressure_line_with_victims_is_a_warning_that_closed_nothing(victims: int | None, spared: int) -> None:
    """What the version was seen to do is kept under its version."""
    state = state_after(AppStarted(NOON, "2.0", None, None), PressureReported(after(5), "warning", victims, None))
    assert state.evidence == {"2.0": Evidence(1, 0, spared)}
    assert witness(state, closed=1, lines=0).evidence == {"2.0": Evidence(1, 1, spared)}


def test_apps_own_number_of_seats_wins() -> None:
    """The number in a pressure line puts ours right, and both are kept to be shown."""
    state = state_after(SessionWarmed(NOON, A, 100), PressureReported(after(5), "critical", 0, 4))
    assert state.seat_check == SeatCheck(after(5), 4, 1)
    assert seats_taken(state) == 4
    assert state.counts == Counts(pressure_critical=1)
    named = state_after(MemoryEvictionBegan(after(6), B, 100), start=state)
    assert seats_taken(named) == 4, "the named one was among the four"
    fewer = state_after(PressureReported(after(5), "warning", 0, 0), start=state)
    assert seats_taken(fewer) == 0
    assert fewer.counts.pressure_warning == 1


def test_pressure_goes_on_while_it_is_repeated() -> None:
    """The same level within ninety seconds is one stretch; later, or another level, begins a new one."""
    first = state_after(PressureReported(NOON, "warning", None, None))
    goes_on = state_after(PressureReported(after(89), "warning", None, None), start=first).pressure
    assert (goes_on.governor_since, goes_on.governor_last) == (NOON, after(89))
    anew = state_after(PressureReported(after(90), "warning", None, None), start=first).pressure
    assert anew.governor_since == after(90)
    worse = state_after(PressureReported(after(5), "critical", None, None), start=first).pressure
    assert (worse.governor_level, worse.governor_since) == ("critical", after(5))


def test_memory_line_is_a_reading_and_a_sign_of_life() -> None:
    """The newest sample is kept, and shows that the main process lives."""
    sample = MemorySampled(after(57), "interval", None, None, None, None, None, None, 4000, 24576, 9)
    state = state_after(sample)
    assert (state.memory, state.app.last_sign_at) == (sample, after(57))


def test_operating_systems_level_is_kept_with_its_time() -> None:
    """A transition says since when its level holds."""
    pressure = state_after(PressureChanged(NOON, "critical")).pressure
    assert (pressure.os_level, pressure.os_since) == ("critical", NOON)


@pytest.mark.parametrize("event", [PressureUnreadable(NOON), WakeDeferred(NOON, A)])
def test_lines_that_change_nothing(event: PressureUnreadable | WakeDeferred) -> None:
    """A reading that failed, and a wake that another part put off, leave seats and pressure as they are."""
    state = state_after(event)
    assert (dict(state.sessions), state.pressure, state.counts) == ({}, State().pressure, Counts())
