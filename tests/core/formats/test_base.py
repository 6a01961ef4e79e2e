"""A format's head, its numbers, and the event that a match becomes."""

from __future__ import annotations

import re

import pytest

from app.core.events import AppQuitBegan, Event, SessionWarmed, VmConfigured
from app.core.formats.base import LARGEST, Format, head_of, reader_of, whole
from app.core.records import Record
from tests.core.helpers import NOON, record


def read(one: Format, body: str) -> Event | None:
    """The event that a format makes of a body it matches."""
    match = re.match(one.pattern, body)
    assert match is not None
    return reader_of(one)(match, record(body))


@pytest.mark.parametrize(
    ("body", "head"),
    [
        ("[CCD CycleHealth] healthy", "[CCD CycleHealth]"),
        ("[unclosed", ""),
        ("Session local_x ended", "Session"),
        ("beforeQuit: handler", "beforeQuit"),
        ("virtualization_not_available", "virtualization_not_available"),
        ("- CPUs: 4", "-"),
        ("", ""),
    ],
)
def test_head_is_the_first_word_or_tag(body: str, head: str) -> None:
    """Formats are found by the tag in brackets, or the word before the first space or colon."""
    assert head_of(body) == head


@pytest.mark.parametrize(
    ("digits", "number"),
    [("0", 0), ("007", 7), ("-11", -11), ("+3", 3), ("1000000000", LARGEST), ("1000000001", LARGEST)],
)
def test_whole_reads_numbers_up_to_the_largest(digits: str, number: int) -> None:
    """A number is what its digits write, with a sign or not, and never above the largest."""
    assert whole(digits) == number


def test_whole_takes_any_length() -> None:
    """More digits than Python converts give the largest number, and its negative."""
    assert whole("9" * 5000) == LARGEST
    assert whole("-" + "9" * 5000) == -LARGEST


def test_groups_fill_the_fields_of_their_names() -> None:
    """Fields of whole numbers get numbers, the others text."""
    one = Format("x", r"(?P<session>\w+) took (?P<took_ms>\d+)", SessionWarmed, ("a took 5",))
    assert read(one, "a took 5") == SessionWarmed(NOON, "a", 5)


def test_group_without_a_match_and_field_without_a_group_are_none() -> None:
    """What a line does not tell is None, not zero."""
    one = Format("x", r"cpus(?: (?P<cpus>\d+))?", VmConfigured, ("cpus",))
    assert read(one, "cpus") == VmConfigured(NOON, None, None, None)


def test_fixed_values_complete_the_event() -> None:
    """What the wording itself says is given with the format."""
    one = Format("x", "bye", AppQuitBegan, ("bye",), {"for_update": True})
    assert read(one, "bye") == AppQuitBegan(NOON, True)


def test_known_and_silent_format_makes_nothing() -> None:
    """A shape that is known to say nothing gives no event."""
    assert read(Format("x", "hm", None, ("hm",)), "hm") is None


def test_function_reads_the_record_itself() -> None:
    """What groups cannot say, a function reads from the match and the record."""

    def make(match: re.Match[str], record: Record) -> Event:
        return AppQuitBegan(record.at, len(match[0]) > 2)

    assert read(Format("x", "bye", make, ("bye",)), "bye") == AppQuitBegan(NOON, True)
