"""For any story, any cut and any restart: the same state, the same history, each event once."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from zoneinfo import ZoneInfo

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.core.report import state_report
from app.demo.writer import LogFolder
from tests.following import Followed, told, write_until
from tests.truth import report_differences


def same(one: Followed, other: Followed) -> bool:
    """Whether both hold the same true, show the same past, and keep the same events, each once."""
    first, second = (sorted(each.stored(), key=lambda o: (o.source, o.offset)) for each in (one, other))
    assert len({(each.source, each.offset) for each in first}) == len(first)
    return (
        one.state == other.state
        and one.window() == other.window()
        and first == second
        and one.store.line_counts() == other.store.line_counts()
    )


@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 10_000), st.integers(1, 45), st.floats(0, 1), st.sampled_from([15_000, 50_000, 10_000_000]))
def test_any_cut_and_any_restart_tell_the_same_truth(seed: int, minutes: int, share: float, rotate_at: int) -> None:
    """However the bytes are cut in two, with or without a restart in between, the fold is the simulation's state."""
    simulation, lines, size = told(seed, minutes)
    cut, zone = int(size * share), ZoneInfo(simulation.config.zone)
    with TemporaryDirectory() as place:
        logs, folder = Path(place, "logs"), LogFolder(Path(place, "logs"), rotate_at)
        followers = [Followed(logs, Path(place, f"{n}.sqlite"), zone) for n in range(2)]
        write_until(folder, lines, 0, cut)
        for one in followers:
            one.catch_up()
        restarted, going_on = followers
        restarted.close()
        write_until(folder, lines, cut, size)
        folder.close()
        restarted.open()
        restarted.catch_up()
        whole = Followed(logs, Path(place, "whole.sqlite"), zone)
        whole.catch_up()
        for one in (*followers, whole):
            one.settle()

        report = state_report(whole.state, simulation.now, zone)
        truth = simulation.truth()
        if report["cap"]["origin"] == "assumed":
            truth["cap"] = 8  # neither the governor nor a memory reading has spoken yet
        assert report_differences(truth, report) == []
        assert same(restarted, whole)
        assert same(going_on, whole)
        for one in (*followers, whole):
            one.close()
