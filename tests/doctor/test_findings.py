"""What the doctor says: counts, sizes and ages as a person reads them."""

from __future__ import annotations

import pytest

from app.doctor.findings import Finding, age, plain, problems, size

FOUND = (Finding("port", "ok", "free"), Finding("logs", "problem", "none", "look", {"found": False}))


def test_only_problems_count() -> None:
    """A note is for whom it concerns, a problem wants something done."""
    assert problems(FOUND) == 1
    assert problems((*FOUND, Finding("x", "note", ""))) == 1


def test_programs_get_all_of_it() -> None:
    """Each finding with its sentences and its facts."""
    told = plain(FOUND, "1.2")

    assert (told["version"], told["problems"]) == ("1.2", 1)
    assert told["findings"][1] == {
        "topic": "logs", "level": "problem", "what": "none", "todo": "look", "facts": {"found": False}
    }  # fmt: skip


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0 bytes"), (999, "999 bytes"), (1_500, "2 KB"), (4_600_000, "5 MB"), (81_000_000_000, "81 GB")],
)
def test_sizes(number: int, text: str) -> None:
    """Rounded, in the largest unit of which there is one."""
    assert size(number) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(-3, "0 seconds"), (119, "119 seconds"), (120, "2 minutes"), (7200, "2 hours"), (172_800, "2 days")],
)
def test_ages(seconds: float, text: str) -> None:
    """In the largest unit of which there are two."""
    assert age(seconds) == text
