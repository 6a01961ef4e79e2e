"""Machines and their caps."""

from datetime import UTC, datetime

import pytest

from app.demo.config import Config
from tests.demo.worlds import START


@pytest.mark.parametrize(
    ("total_mb", "cap"), [(8192, 6), (16384, 6), (24576, 8), (29184, 9), (32768, 10), (65536, 21), (131072, 42)]
)
def test_the_cap_follows_from_memory(total_mb: int, cap: int) -> None:
    """A seat for every 3 GiB, never fewer than six."""
    assert Config(START, total_mb=total_mb).cap == cap


@pytest.mark.parametrize("cap", [6, 7, 8, 21, 42])
def test_a_machine_can_be_asked_for_by_its_cap(cap: int) -> None:
    """`with_cap` chooses the memory that gives the cap."""
    assert Config(START).with_cap(cap).cap == cap


def test_fewer_than_six_seats_do_not_exist() -> None:
    """A cap below six is refused with the reason."""
    with pytest.raises(ValueError, match="never has fewer than 6"):
        Config(START).with_cap(5)


def test_a_start_without_zone_is_refused() -> None:
    """The simulation counts in UTC and takes no wall time."""
    with pytest.raises(ValueError, match="zone"):
        Config(datetime(2026, 10, 2, 9, 0))  # noqa: DTZ001 — the fault under test


def test_the_start_is_kept_in_whole_seconds_of_utc() -> None:
    """Stamps have steps of a second, so the story has them too."""
    assert Config(START.replace(microsecond=900)).start == START
    assert Config(START).start.tzinfo is UTC


def test_only_macos_listens_instead_of_polling() -> None:
    """Windows and Linux poll free memory."""
    assert [Config(START, platform=p).polls_memory for p in ("darwin", "win32", "linux")] == [False, True, True]
