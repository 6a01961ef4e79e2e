"""Several sources in the one order in which they are folded and kept."""

from __future__ import annotations

from datetime import datetime

from hypothesis import given
from hypothesis import strategies as st

from app.core.batch import Batch, fold_order
from app.core.checkpoint import Checkpoint, Family
from app.core.events import HeartbeatSeen, Observed
from tests.core.helpers import NOON, after

FAMILIES: tuple[Family, ...] = ("main.log", "cowork_vm_node.log", "cowork_vm_swift.log")


def batch(family: Family, source: str, *times: datetime) -> Batch:
    """A batch with one event at each of these times."""
    events = [Observed(HeartbeatSeen(at), source, 10 * n, n, source) for n, at in enumerate(times)]
    return Batch(Checkpoint(source, family, source, 1, 1), events)


def order(*batches: Batch) -> list[tuple[str, datetime]]:
    """Source and instant of each event, in the order of the fold."""
    return [(one.source, one.event.at) for one in fold_order(batches)]


def test_families_are_merged_by_time() -> None:
    """At equal instants the family whose batch comes first goes first."""
    main, vm = batch("main.log", "m", NOON, after(9)), batch("cowork_vm_node.log", "v", NOON, after(5))
    assert order(main, vm) == [("m", NOON), ("v", NOON), ("v", after(5)), ("m", after(9))]


def test_files_of_a_family_follow_each_other_whatever_their_clock_did() -> None:
    """An archive was written before the live file, also when the clock was set back in between."""
    old, new = batch("main.log", "old", after(60), after(61)), batch("main.log", "new", NOON)
    assert order(old, new) == [("old", after(60)), ("old", after(61)), ("new", NOON)]


@given(st.lists(st.tuples(st.sampled_from(FAMILIES), st.lists(st.integers(-99, 99), max_size=5)), max_size=6))
def test_nothing_is_lost_and_no_family_is_reordered(given_batches: list[tuple[Family, list[int]]]) -> None:
    """Every event comes once, and each family's in the order in which it was read."""
    batches = [
        batch(family, f"{family}{n}", *(after(second) for second in seconds))
        for n, (family, seconds) in enumerate(given_batches)
    ]
    merged = fold_order(batches)
    for family in FAMILIES:
        read = [one for each in batches if each.checkpoint.family == family for one in each.events]
        assert [one for one in merged if one.source.startswith(family)] == read
    assert len(merged) == sum(len(each.events) for each in batches)
