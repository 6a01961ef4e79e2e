"""Lines that look like a rate limit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.lookalikes import look_alikes, looks_alike


@pytest.mark.parametrize(
    "text",
    [
        "sys_free_raw=429MB",
        "sys_free=529MB/24576MB",
        "0 files-api 429s retried",
        "API Error: 529 Overloaded",
        "429",
        "(429)",
        "status:529",
        "Rate limit",
        "RATE LIMIT exceeded",
        "Overloaded",
        "oVERLOADED",
        "Limit Reached",
        "no: 1429, but: 429",
    ],
)
def test_candidates(text: str) -> None:
    """The two numbers and the words, in any case."""
    assert looks_alike(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "29",
        "329",
        "4290",
        "1429",
        "local_0a1b2c3d-429f-4000-8000-000000000001",
        "a429",
        "2.429",
        "09:04:29",
        "rate_limit",
        "a limit was reached",
        "limit  reached",
        "overload",
        "pirate limits".replace("rate limit", "rate-limit"),
    ],
)
def test_others(text: str) -> None:
    """Not within an id, a version or a longer number, and no other words."""
    assert not looks_alike(text)


def test_lines_of_a_chunk() -> None:
    """Each line counts once, in the order of the chunk, whatever it has and in whatever order."""
    blob = b"x\noverloaded 429 rate limit\n\nlimit reached, overloaded, overloaded\n1429\n529 529"

    assert look_alikes(blob) == [1, 3, 5]
    assert look_alikes(b"") == []


WORDS = ["429", "529", "29", "4", "rate limit", "OVERLOADED", "limit reached", "limit", " ", "-", "x", "\xe9"]


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=6).map("".join), max_size=12))
def test_a_chunk_is_its_lines(lines: list[str]) -> None:
    """A chunk gives the lines that look alike by themselves: nothing reaches over the end of a line."""
    blob = "\n".join(lines).encode()

    assert look_alikes(blob) == [place for place, line in enumerate(lines) if looks_alike(line)]
