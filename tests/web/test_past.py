"""Windows from before the history in memory."""

from __future__ import annotations

import asyncio
import threading
from datetime import datetime, timedelta

from app.core.history import History
from app.core.state import State
from app.live import Snapshot
from app.web.past import MOST_KEPT, Past, PastWindows
from app.web.ranges import Window
from tests.web.scenes import NOW, ago, snapshot, state

OLD = Window(None, ago(days=20), ago(days=19))


class Teller:
    """Tells an empty history, and counts."""

    def __init__(self) -> None:
        self.asked: list[datetime] = []
        self.threads: set[int] = set()

    def __call__(self, start: datetime, end: datetime) -> tuple[State, History]:
        self.asked.append(start)
        self.threads.add(threading.get_ident())
        return state(), History(start, end)


def ask(told: PastWindows, *windows: Window, shown: Snapshot | None = None) -> list[Past | None]:
    """What is told of each window, one after the other."""

    async def all_of_them() -> list[Past | None]:
        return [await told.of(window, shown or snapshot(), NOW) for window in windows]

    return asyncio.run(all_of_them())


def test_what_is_in_memory_is_not_asked_for() -> None:
    """Live ranges and windows of the last days come from the recorder; while it is being filled everything does."""
    teller = Teller()
    recent = Window(None, ago(days=7), ago(days=6))
    told = ask(PastWindows(teller), Window("7d"), recent) + ask(PastWindows(teller), OLD, shown=snapshot(ready=False))

    assert told == [None, None, None]
    assert teller.asked == []


def test_the_store_is_asked_once_and_aside() -> None:
    """A window from before is told in another thread, and kept for the next one who looks."""
    teller = Teller()
    first, second = ask(PastWindows(teller), OLD, OLD)

    assert first is second
    assert first is not None
    assert (first.history.start, first.history.end) == (OLD.start, OLD.end)
    assert len(teller.asked) == 1
    assert threading.get_ident() not in teller.threads


def test_few_are_kept() -> None:
    """The one that was looked at longest ago is forgotten first."""
    teller = Teller()
    windows = [Window(None, ago(days=20 + n), ago(days=19)) for n in range(MOST_KEPT + 1)]
    ask(PastWindows(teller), windows[0], windows[1], windows[0], *windows[2:], windows[0], windows[1])

    assert len(teller.asked) == MOST_KEPT + 2
    assert teller.asked[-1] == windows[1].start


def test_what_still_changes_is_not_kept() -> None:
    """A window that reaches beyond now is told anew each time."""
    teller = Teller()
    open_end = Window(None, ago(days=20), NOW + timedelta(hours=1))
    ask(PastWindows(teller), open_end, open_end)

    assert len(teller.asked) == 2
