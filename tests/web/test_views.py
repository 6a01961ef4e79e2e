"""Views compare by what is drawn, not by what the page counts on by itself."""

from __future__ import annotations

from dataclasses import replace

from app.web.cards import next_view
from app.web.presenters import epoch
from app.web.views import MemoryView, NextRow
from tests.web.scenes import NOW, ZONE, seven_of_eight


def test_ticking_fields_do_not_compare() -> None:
    """A row that only grew older is the same row; one with another note is not."""
    row = NextRow("q1", "1st", "T", "past the 60 s line", epoch(NOW), first=True, elapsed="1:00")

    assert row == replace(row, elapsed="1:01")
    assert row != replace(row, note="safe")


def test_cards_of_two_seconds_are_equal() -> None:
    """The queue a second later is the same picture."""
    later = NOW.replace(second=1)

    assert next_view(seven_of_eight(), NOW, ZONE) == next_view(seven_of_eight(), later, ZONE)
    read = MemoryView("normal", "plain", "", (), (), (), (), 1, "1 s")
    assert read == replace(read, age="2 s")
