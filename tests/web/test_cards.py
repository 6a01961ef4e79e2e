"""The cards: next to go, the Cowork VM."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.core.state import Lead, Miss, PendingEviction, Phase, Score, State, Vm
from app.web.cards import next_view, vm_view
from tests.web.scenes import NOW, ZONE, ago, session, seven_of_eight, sid, state

IDLE = Phase.IDLE
STUCK = Vm(started_at=ago(minutes=3), step="guest_vsock_connect", step_started_at=ago(minutes=2))


def test_queue_has_places_notes_and_a_record() -> None:
    """The longest silence leads; who is under the 60 s line has no place yet and is told until when it is safe."""
    view = next_view(seven_of_eight(), NOW, ZONE)

    assert view.record == "right 41 of 44 times"
    assert [(row.place, row.title, row.elapsed) for row in view.rows] == [
        ("1st", "Meeting notes", "14:02"),
        ("2nd", "Data merge", "8:10"),
        ("–", "Translate manual", "0:42"),
    ]
    assert [row.note for row in view.rows] == [
        "longest silence, past the 60 s line", "past the 60 s line", "safe from a start until 19:24:18",
    ]  # fmt: skip


def test_who_is_passed_over_is_told_why() -> None:
    """Silent sessions that the governor passes over stand below, with their reason."""
    going = PendingEviction(ago(seconds=1), "evicted_for_seat")
    current = state(
        session(1, IDLE, idle=900, holds={"remote_control": ago(hours=1)}), session(2, IDLE, idle=60, eviction=going)
    )
    view = next_view(current, NOW, ZONE)

    assert [(row.title, row.note) for row in view.kept] == [("Task 1", "remote control"), ("Task 2", "being closed")]
    assert view.empty == "Nobody: no session on a seat is silent without protection."


def test_where_nobody_sits_nobody_is_protected() -> None:
    """Without a session on a seat that is the reason, and nothing is said of protections."""
    assert next_view(state(), NOW, ZONE).empty == "Nobody: no session holds a seat."


def test_before_anything_is_read_nobody_is_said_to_be_safe() -> None:
    """While the logs are read for the first time the queue is not empty but unknown."""
    view = next_view(State(), NOW, ZONE)

    assert (view.rows, view.kept, view.empty) == ((), (), "Not known yet.")


def test_while_the_app_gives_no_sign_no_idle_time_is_certain() -> None:
    """The queue keeps its order, and no row says on which side of the 60 s line a session is."""
    current = seven_of_eight()
    view = next_view(replace(current, app=replace(current.app, last_sign_at=ago(minutes=4))), NOW, ZONE)

    assert {row.note for row in view.rows} == {"time not certain"}


def test_long_queues_are_cut() -> None:
    """Five of the queue are shown, the rest is a number; without a tested prediction there is no record."""
    view = next_view(state(*(session(n, IDLE, idle=100 + n) for n in range(8)), score=Score()), NOW, ZONE)

    assert (len(view.rows), view.more, view.record) == (5, "and 3 more", "no prediction tested yet")
    assert (view.kept, view.more_kept) == ((), "")


def test_who_is_passed_over_is_cut_for_itself() -> None:
    """How many are left out is said below those they belong to."""
    kept = (session(n, IDLE, idle=100 + n, holds={"remote_control": NOW}) for n in range(6))
    view = next_view(state(*kept, session(7, IDLE, idle=300)), NOW, ZONE)

    assert (len(view.rows), view.more) == (1, "")
    assert (len(view.kept), view.more_kept) == (5, "and 1 more")


def test_record_in_detail() -> None:
    """By version, with what explains the misses and how long before real closings the ranking had named them."""
    current = state(
        scores={"2.9939.4": Score(44, 41, 43), "": Score(2, 0, 1)},
        misses=(Miss(NOW, sid(1), sid(2), "remote_control"), Miss(NOW, sid(1), sid(2))),
        leads=(Lead(NOW, sid(3), 840), Lead(NOW, sid(4), 3600), Lead(NOW, sid(5), 0)),
    )

    assert next_view(current, NOW, ZONE).details.splitlines() == [
        "Claude 2.9939.4: right 41 of 44, among our first three 43 of 44",
        "Claude of unknown version: right 0 of 2, among our first three 1 of 2",
        "Misses of late: 2; explained, for a later line showed what protected ours: 1.",
        "Really closed of late: 3; half of them had stood first for 14 minutes or longer.",
    ]
    assert next_view(state(), NOW, ZONE).details == ""


def test_a_closing_that_was_not_foretold() -> None:
    """No time is made up where the ranking had named a session at the last moment or never."""
    details = next_view(state(leads=(Lead(NOW, sid(1), 0),)), NOW, ZONE).details

    assert details == "Really closed of late: 1; half of them had stood first for less than a minute."


READY = {"cpus": 4, "memory_gb": 4, "guest": "Ubuntu 22.04.5 LTS", "started_at": ago(minutes=90)}


@pytest.mark.parametrize(
    ("vm", "phase", "tone", "elapsed"),
    [
        (Vm(), "not seen yet", "plain", ""),
        (Vm(started_at=ago(minutes=90), ready_at=ago(minutes=89)), "running", "plain", "1 h 29 m"),
        (Vm(started_at=ago(seconds=9), step="vm_boot", step_started_at=ago(seconds=5)), "starting", "plain", "9 s"),
        (
            STUCK,
            "start is stuck",
            "out",
            "1 m 00 s",
        ),
        (Vm(ready_at=ago(hours=1), down_at=ago(minutes=26)), "not running since 18:58", "plain", ""),
        (Vm(stop_timed_out_at=ago(minutes=26)), "may live on unowned since 18:58", "next", ""),
        (Vm(disk_full_at=ago(minutes=26)), "disk full since 18:58", "out", ""),
        (Vm(stopping_at=ago(minutes=26)), "stopping since 18:58", "plain", ""),
    ],
)
def test_each_phase_of_the_vm(vm: Vm, phase: str, tone: str, elapsed: str) -> None:
    """The VM's phase in words, and since when."""
    view = vm_view(vm, NOW, ZONE)

    assert (view.phase, view.tone, view.elapsed) == (phase, tone, elapsed)


def test_vm_rows() -> None:
    """Cores with the sub-agents they allow, memory, guest, network and service."""
    view = vm_view(seven_of_eight().vm, NOW, ZONE)

    assert [(row.name, row.value) for row in view.rows] == [
        ("Cores", "4 → 2 sub-agents at a time"),
        ("Memory", "4 GB"),
        ("Guest", "Ubuntu 22.04.5 LTS"),
        ("Network, API", "connected, reachable"),
    ]


def test_vm_in_trouble_says_what() -> None:
    """A stuck step and a service out of reach are coloured; odd words stay as they are; a stopped VM has none."""
    stuck = vm_view(STUCK, NOW, ZONE)
    cut = vm_view(Vm(ready_at=ago(minutes=3), network="ODD_WORD", api="UNREACHABLE"), NOW, ZONE)
    down = vm_view(Vm(down_at=ago(minutes=3), network="CONNECTED"), NOW, ZONE)

    assert (stuck.rows[0].value, stuck.rows[0].tone) == ("guest vsock connect", "out")
    assert (cut.rows[0].value, cut.rows[0].tone) == ("odd_word, unreachable", "next")
    assert down.rows == ()
    assert stuck.note.startswith("The app gives up after 60 s")


def test_vm_that_is_dead_and_called_running_is_told_from_one_that_lives_on() -> None:
    """The suspicion has two causes, and each has its own words."""
    dead = vm_view(Vm(ready_at=ago(minutes=9), exited_at=ago(minutes=5), called_running_at=ago(minutes=3)), NOW, ZONE)
    unowned = vm_view(Vm(ready_at=ago(minutes=9), stop_timed_out_at=ago(minutes=3)), NOW, ZONE)

    assert dead.phase.startswith("may be dead since")
    assert "its service calls it running" in dead.note
    assert unowned.phase.startswith("may live on unowned")
    assert "would not stop" in unowned.note


def test_memory_that_the_vm_holds_stands_beside_what_it_was_given() -> None:
    """A probe sees what its process holds; before its log tells a size, that alone."""
    rows = {one.name: one.value for one in vm_view(seven_of_eight().vm, NOW, ZONE, 3600).rows}
    alone = {one.name: one.value for one in vm_view(Vm(), NOW, ZONE, 3600).rows}

    assert (rows["Memory"], alone["Memory"]) == ("4 GB, 3.5 GB held", "3.5 GB held")
