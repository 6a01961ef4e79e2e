"""Preferences: what a value from a flag, a variable, the file or a form means, and what means none."""

from __future__ import annotations

from dataclasses import fields
from datetime import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.preferences import CHECKS, KINDS, LANGUAGES, RANGES, Preferences, masked, quiet_times
from app.web.language import LANGUAGES as SPOKEN
from app.web.ranges import RANGES as SHOWN


def test_nothing_is_told_unless_asked_for() -> None:
    """At first Seatwatch notifies of nothing, sends no titles and has no address to send to."""
    usual = Preferences()

    assert (usual.notify, usual.notify_to, usual.notify_titles) == ((), (), False)
    assert not usual.sends
    assert not Preferences(notify=KINDS).sends
    assert Preferences(notify=KINDS, notify_to=("json://made-up",)).sends


def test_the_words_are_those_of_the_page() -> None:
    """The ranges and languages that can be preferred are those that the page has."""
    assert tuple(SHOWN) == RANGES
    assert ("auto", *SPOKEN) == LANGUAGES


def test_every_field_has_its_check_and_its_default_passes() -> None:
    """No preference goes unchecked, and what holds without a word is a value that could be given."""
    assert [one.name for one in fields(Preferences)] == list(CHECKS)
    for name, check in CHECKS.items():
        assert check(getattr(Preferences(), name)) == getattr(Preferences(), name)


@pytest.mark.parametrize(
    ("name", "value", "means"),
    [
        ("range", "7d", "7d"), ("privacy", "Yes", True), ("privacy", 0, False), ("home_line", "v6 プラス", "v6plus"),
        ("home_line", 240, "240"), ("home_line", " 65535 ", "65535"), ("notify", "", ()),
        ("notify", "ports,evicted, ports", ("evicted", "ports")), ("notify", list(KINDS), KINDS),
        ("notify_to", "", ()), ("notify_to", [" json://a ", "json://a"], ("json://a",)),
        ("notify_to", "mailto://a?to=b@c.example,d@e.example\njson://x/", ("mailto://a?to=b@c.example,d@e.example", "json://x/")),
        ("quiet_hours", " 7:05 – 22:00", "07:05-22:00"), ("quiet_hours", "", ""),
    ],
)  # fmt: skip
def test_values_that_make_sense(name: str, value: Any, means: Any) -> None:
    """Values are understood as people write them."""
    assert CHECKS[name](value) == means


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("range", "2H"), ("language", ""), ("theme", None), ("privacy", "perhaps"), ("home_line", "0"),
        ("home_line", True), ("home_line", "65536"), ("home_line", 240.0), ("home_line", "9" * 5000),
        ("notify", "evicted,all"),
        ("notify", [1]), ("notify", 7), ("notify_to", "example.com"), ("notify_to", ["json://a b"]),
        ("notify_to", "json://\x00"), ("notify_to", "json://\ud800"),
        ("notify_to", "json://" + "a" * 500), ("notify_to", [f"json://{n}" for n in range(11)]), ("notify_to", {}),
        ("quiet_hours", "22-7"), ("quiet_hours", "24:00-07:00"), ("quiet_hours", "22:60-07:00"),
        ("quiet_hours", "9:00-09:00"),
    ],
)  # fmt: skip
def test_values_that_make_none(name: str, value: Any) -> None:
    """A wrong value is refused with a reason."""
    with pytest.raises((ValueError, TypeError), match=r"."):
        CHECKS[name](value)


@given(st.text(max_size=60) | st.integers() | st.lists(st.text(max_size=20), max_size=3) | st.none())
def test_checks_know_no_other_end(value: Any) -> None:
    """Whatever is given, a check answers, or refuses with one of its two errors; its answer passes again."""
    for check in CHECKS.values():
        try:
            means = check(value)
        except (ValueError, TypeError):
            continue
        assert check(means) == means


def test_times_of_quiet_hours() -> None:
    """The text becomes two times of the day, or none."""
    assert quiet_times("22:00-07:30") == (time(22), time(7, 30))
    assert quiet_times("") is None


@pytest.mark.parametrize("address", ["json://user:secret@host/path?token=secret", "mailto:secret@host", "x" * 400])
def test_an_address_is_masked(address: str) -> None:
    """Nothing but the kind of service is left of an address, and preferences that are printed have none in them."""
    assert "secret" not in repr(Preferences(notify_to=(address,)))
    assert "secret" not in masked(address)
    assert masked(address).endswith("://…")
    assert len(masked(address)) < 40
