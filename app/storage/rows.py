"""Checkpoints, tallies and events as rows, and checkpoints back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from app.core.checkpoint import Checkpoint, Fingerprint
from app.core.events import Observed
from app.core.tally import Tally
from app.core.wallclock import ClockState
from app.storage.codec import encode, from_micros, to_micros

TEXT_LIMIT = 2_000
"""Characters of a log line that are kept with its event: enough to prove what it said, and bounded."""


def of_event(observed: Observed) -> tuple[Any, ...]:
    """The values of `app.storage.statements.KEEP_EVENT`."""
    event, source, offset, line, text = observed
    row = encode(event)
    return source, offset, line, row.at, row.kind, row.session, row.payload, text[:TEXT_LIMIT]


def of_source(checkpoint: Checkpoint, tally: Tally) -> tuple[Any, ...]:
    """The values of `app.storage.statements.KEEP_SOURCE`."""
    mark, clock = checkpoint.fingerprint, checkpoint.clock
    return (
        checkpoint.source,
        checkpoint.family,
        checkpoint.path,
        str(checkpoint.device),
        str(checkpoint.inode),
        mark.head,
        mark.head_length,
        mark.tail,
        checkpoint.offset,
        checkpoint.line,
        clock.last,
        clock.repeating,
        tally.continued,
        tally.unprefixed,
        tally.cut,
        None if tally.last_at is None else to_micros(tally.last_at),
        tally.look_alikes,
    )


def checkpoint(row: Sequence[Any]) -> Checkpoint:
    """The checkpoint in a row of `app.storage.statements.CHECKPOINTS`."""
    source, family, path, device, inode, head, head_length, tail, offset, line, last, repeating = row
    return Checkpoint(
        source=source,
        family=family,
        path=path,
        device=int(device),
        inode=int(inode),
        fingerprint=Fingerprint(head, head_length, tail),
        offset=offset,
        line=line,
        clock=ClockState(last, repeating),
    )


def instant(micros: int | None) -> datetime | None:
    """The instant of a column that may be empty."""
    return None if micros is None else from_micros(micros)
