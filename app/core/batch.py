"""What is read of several sources at once, and the one order in which it is folded and kept."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from app.core.checkpoint import Checkpoint
from app.core.events import Observed
from app.core.tally import Tally


@dataclass(frozen=True, slots=True)
class Batch:
    """What one read of one source gave: its events in file order, the lines counted, and where to go on."""

    checkpoint: Checkpoint
    events: Sequence[Observed] = ()
    tally: Tally = field(default_factory=Tally)


def fold_order(batches: Iterable[Batch]) -> list[Observed]:
    """The events of several sources in the order in which they are folded and kept.

    By instant across families of files. Within a family the order of the batches stands, whatever its clock did: its
    files were written one after the other. Equal instants: the family whose batch comes first.
    """
    families: dict[str, list[Observed]] = {}
    for batch in batches:
        families.setdefault(batch.checkpoint.family, []).extend(batch.events)
    return list(heapq.merge(*families.values(), key=_instant))


def _instant(observed: Observed) -> datetime:
    return observed.event.at
