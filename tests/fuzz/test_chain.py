"""Any bytes at all go through the chain: Hypothesis makes them, and inputs that once broke something are kept."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.events import Unrecognized
from tests.fuzz.chain import FAMILIES, STAMP, ZONES, Case, judge
from tests.fuzz.seeds import BODIES, CORPUS, dictionary, seeds, words
from tests.hostile_texts import HOSTILE, MARK

SEEDS = tuple(seeds())
CHOICES = st.binary(min_size=2, max_size=2)
LINES = st.lists(
    st.one_of(
        st.sampled_from([seed[2:].rstrip(b"\n") for seed in SEEDS]),
        st.sampled_from(words()),
        st.binary(max_size=60),
        st.sampled_from([text.encode("utf-8", "replace")[:5000] for text in HOSTILE.values()]),
    ),
    max_size=12,
)


@given(CHOICES, LINES, st.sampled_from([b"\n", b"\r\n", b"", b" "]))
@settings(max_examples=150)
def test_any_bytes_are_events_or_nothing(choice: bytes, lines: list[bytes], between: bytes) -> None:
    """Known shapes, pieces of them and noise, in any order: all promises of the core hold."""
    observed = judge(choice + between.join(lines))

    assert all(one.line >= 1 for one in observed)


@given(st.data())
@settings(max_examples=150)
def test_a_known_line_may_be_damaged_anywhere(data: st.DataObject) -> None:
    """A piece of a line replaced by any bytes gives an event or none, and never an error."""
    seed = data.draw(st.sampled_from(SEEDS))
    start = data.draw(st.integers(2, len(seed)))
    end = data.draw(st.integers(start, min(len(seed), start + 20)))

    observed = judge(seed[:start] + data.draw(st.binary(max_size=12)) + seed[end:])

    assert {one.source for one in observed} <= {"f"}


@pytest.mark.parametrize("path", sorted(CORPUS.iterdir()), ids=lambda path: path.name)
def test_what_once_broke_it_does_so_no_more(path: object) -> None:
    """Each input that is kept is judged again with every run."""
    data = CORPUS.joinpath(str(path)).read_bytes()

    assert len(data) <= 4096
    assert isinstance(judge(data), list)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_in_a_known_scope_are_kept_as_text(name: str) -> None:
    """In the governor's scope nothing is dropped: what nobody knows is an event, cut to a shape, without controls."""
    text = HOSTILE[name].encode("utf-8", "replace")

    observed = judge(b"\x00\x80" + STAMP + b"[CliGovernor] " + text + b"\n")

    assert isinstance(observed[0].event, Unrecognized)
    assert MARK in observed[0].text
    assert json.dumps(observed[0].event.shape)


def test_seeds_reach_every_family_and_zone() -> None:
    """The choice is in the first byte: each family with each zone, and with the stamp given or found."""
    chosen = {
        (case.family, case.zone) for case in (Case.of(bytes([byte, 0])) for byte in range(len(FAMILIES) * len(ZONES)))
    }
    bodies = [Case.of(bytes([BODIES + number, 0]) + b"x") for number in range(len(FAMILIES))]

    assert chosen == {(family, zone) for family in FAMILIES for zone in ZONES}
    assert [case.family for case in bodies] == list(FAMILIES)
    assert {case.log for case in bodies} == {STAMP + b"x\n"}


def test_the_dictionary_is_one_that_the_fuzzer_reads() -> None:
    """A line a word, every byte escaped, no empty one."""
    lines = dictionary().splitlines()

    assert len(lines) > 100
    assert all(line.startswith('"\\x') and line.endswith('"') for line in lines)
