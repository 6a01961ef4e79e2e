"""The chain as a whole: what the pages hear of, what is stored, and what a restart finds again."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from app import pipeline
from app.core.events import PortsCrossed
from app.core.probed import Probed
from tests.e2e.served import SESSION
from tests.following import FAR_OFF, LONG_AGO, ONE, TWO, Followed, append, begun, line


def test_a_restart_replays_what_was_shown(logs: Path, followed: Followed) -> None:
    """With nothing new in the files, state and history come from the database alone, as they were."""
    followed.catch_up()
    followed.settle()
    state, window = followed.state, followed.window()
    followed.close()

    followed.open()
    followed.catch_up()

    assert (followed.state, followed.window()) == (state, window)
    assert ONE in state.sessions


def test_pages_hear_of_what_a_look_finds(logs: Path, followed: Followed) -> None:
    """One new version for each look that found something, with the state, the files and the time they were read."""
    followed.catch_up()
    followed.settle()
    before = followed.live.current
    followed.settle()
    assert followed.live.current is before

    append(logs, begun(TWO, 9) + line(9, "[CCD] nothing"))
    followed.look()

    now = followed.live.current
    assert now.version == before.version + 1
    assert now.ready
    assert set(now.state.sessions) == {ONE, TWO}
    assert [(one.path, one.read_at) for one in now.sources] == [(str(logs / "main.log"), FAR_OFF)]


def test_a_burst_is_read_in_pieces(logs: Path, followed: Followed, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is more than one look's share reaches the pages in several versions, none of it twice."""
    monkeypatch.setattr(pipeline, "LIVE_BYTES", 500)
    append(logs, "".join(begun(SESSION.format(number), number) for number in range(2, 40)))

    followed.settle()

    assert followed.live.current.version > 5
    assert len(followed.state.sessions) == 39
    assert len(followed.stored()) == 39


@pytest.mark.parametrize(("most", "pieces"), [(10, 4), (1_000, 2)])
def test_history_is_read_in_smaller_pieces_where_more_of_it_is_events(
    logs: Path, followed: Followed, monkeypatch: pytest.MonkeyPatch, most: int, pieces: int
) -> None:
    """The first piece is a small one; the next ones grow as long as they do not hold more events than is meant."""
    monkeypatch.setattr(pipeline, "LIVE_BYTES", 1_000)
    monkeypatch.setattr(pipeline, "CATCH_UP_EVENTS", most)
    append(logs, "".join(begun(SESSION.format(number), number) for number in range(2, 40)))
    told: list[None] = []

    followed.catch_up(lambda: told.append(None))

    assert len(told) == pieces
    assert len(followed.state.sessions) == 39


def test_stop_ends_the_catch_up_between_two_pieces(
    logs: Path, followed: Followed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was read by then is kept, and the next start goes on from there."""
    monkeypatch.setattr(pipeline, "CATCH_UP_BYTES", 500)
    append(logs, "".join(begun(SESSION.format(number), number) for number in range(2, 40)))

    followed.catch_up(followed.stop.set)
    kept = len(followed.stored())
    followed.close()
    followed.stop.clear()
    followed.open()
    followed.catch_up()
    followed.settle()

    assert 0 < kept < 10
    assert len(followed.stored()) == len(followed.state.sessions) == 39


def test_a_stop_before_the_start_reads_nothing(followed: Followed) -> None:
    """A pipeline that is stopped at once ends at once."""
    followed.stop.set()
    followed.catch_up()
    followed.look()

    assert followed.stored() == []


def test_looks_for_the_files_of_the_living_first(
    logs: Path, followed: Followed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A machine with thousands of old sessions costs no more than its newest."""
    monkeypatch.setattr(pipeline, "BESIDE_SESSIONS", 2)
    append(logs, begun(TWO, 5) + line(6, f"[CCD] Pausing session {TWO} (idle_timeout)") + begun(SESSION.format(3), 7))
    followed.catch_up()
    followed.settle()

    assert pipeline._spoken_of(followed.state) == [SESSION.format(3), ONE]


def test_the_newest_line_is_told_whether_it_means_anything_or_not(followed: Followed, logs: Path) -> None:
    """Most lines are no events: the newest line of any sort says how fresh the log is, and the store does later."""
    followed.catch_up()
    followed.pipeline._publish(True)
    first = followed.live.current.last_line_at
    with (logs / "main.log").open("a") as log:
        log.write(line(9, "[nobody] knows this"))
    followed.settle()

    assert first == datetime(2026, 10, 2, 9, 0, 2, tzinfo=UTC)
    assert followed.live.current.last_line_at == datetime(2026, 10, 2, 9, 0, 9, tzinfo=UTC)


def test_a_line_that_means_nothing_wakes_nobody(followed: Followed, logs: Path) -> None:
    """It is counted and kept, and no page makes a new picture for it; the next line that means something does."""
    followed.catch_up()
    followed.pipeline._publish(True)
    before = followed.live.current
    append(logs, line(9, "[nobody] knows this"))
    followed.settle()
    after = followed.live.current

    assert (after.version, after.state) == (before.version, before.state)
    assert sum(one.lines for one in after.sources) == sum(one.lines for one in before.sources) + 1
    append(logs, begun(TWO, 10) + line(11, "[nobody] knows this"))
    followed.settle()
    assert followed.live.current.version > before.version
    assert TWO in followed.live.current.state.sessions


def test_a_log_that_never_rests_puts_nothing_off(followed: Followed, logs: Path) -> None:
    """With something new at each look the fold is saved and the limits are looked at all the same."""
    followed.catch_up()
    append(logs, begun(TWO, 5))

    followed.look()

    assert followed.path.with_name(followed.path.name + "-fold").is_file()
    assert not followed.pipeline.keeper.is_due
    assert not followed.pipeline.saver.is_due


def test_what_the_probes_found_goes_through_the_same_chain(logs: Path, followed: Followed) -> None:
    """It is folded, stored and there after a restart; its source is no file, so nobody looks for one."""
    followed.catch_up()
    probed = Probed()
    followed.pipeline.probed = probed
    probed.add([PortsCrossed(LONG_AGO, 95, 230, 240, 190, 1)])
    followed.look()
    followed.look()

    kept = [one for one in followed.stored() if one.source == "probe"]
    assert [one.text for one in kept] == ["230 of 240 IPv4 ports of the home line are in use, 190 by Claude (95 %)."]
    before, checkpoints = followed.state, followed.store.checkpoints()
    assert before.ports == PortsCrossed(LONG_AGO, 95, 230, 240, 190, 1)
    assert checkpoints["probe"].offset == 1
    assert {reading.path for reading in followed.tailer.readings()} == {str(logs / "main.log")}
