"""Checkpoints and events as rows."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from app.core.checkpoint import Checkpoint
from app.core.events import HeartbeatSeen, Observed
from app.core.tally import Tally
from app.storage import rows
from app.storage.rows import TEXT_LIMIT


@given(st.builds(Checkpoint))
def test_every_checkpoint_comes_back_as_it_went(checkpoint: Checkpoint) -> None:
    """A checkpoint's row gives the same checkpoint, whatever its numbers: an inode may exceed SQLite's integers."""
    row = rows.of_source(checkpoint, Tally())

    assert rows.checkpoint(row[:12]) == checkpoint


def test_text_of_a_line_is_bounded() -> None:
    """Of a line longer than the bound its beginning is kept."""
    event = HeartbeatSeen(datetime(2026, 10, 2, tzinfo=UTC))

    row = rows.of_event(Observed(event, "s", 0, 1, "ab" * TEXT_LIMIT))

    assert row[-1] == "ab" * (TEXT_LIMIT // 2)


def test_empty_instant() -> None:
    """No instant is none, zero is the epoch."""
    assert rows.instant(None) is None
    assert rows.instant(0) == datetime(1970, 1, 1, tzinfo=UTC)
