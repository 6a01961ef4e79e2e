"""Log lines as the pages show them: where a line stands, and its text, free of controls and folded when it is long."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo

from app.core.events import Observed
from app.core.history import Mark
from app.web.titles import plain
from app.web.words import moment

SHOWN = 220
"""Characters of a line that are seen at once; the rest is a click away."""
MOST = 2_000
"""No more of a line is kept, so no more can be shown."""


@dataclass(frozen=True, slots=True)
class LineView:
    """A line: ``where`` is its file and number, ``rest`` what is folded away, "" when all of it is in ``text``.

    ``time`` is local, ``stamp`` the same for machines.
    """

    where: str
    time: str
    stamp: str
    text: str
    rest: str = ""


def line_view(one: Observed, names: Mapping[str, str], now: datetime, zone: tzinfo) -> LineView:
    """The line behind an event; ``names`` are the sources' file names by id."""
    return _view(names.get(one.source, one.source), one.line, one.event.at, one.text, (now, zone))


def line_of_mark(mark: Mark, names: Mapping[str, str], now: datetime, zone: tzinfo) -> LineView:
    """The line behind a mark."""
    return _view(names.get(mark.source, mark.source), mark.line, mark.at, mark.text, (now, zone))


def place(source: str, line: int) -> str:
    """Where a line stands, as an editor takes it: ``main.log:1757``."""
    return f"{plain(source, 60)}:{line}"


def _view(source: str, line: int, at: datetime, text: str, seen: tuple[datetime, tzinfo]) -> LineView:
    now, zone = seen
    whole = plain(text, MOST)
    # Cut where a word ends, or a search for what was seen would find half of it in each part.
    cut = len(whole) if len(whole) <= SHOWN else (whole.rfind(" ", SHOWN // 2, SHOWN) + 1 or SHOWN)
    return LineView(
        place(source, line),
        moment(at, now, zone, seconds=True),
        at.astimezone(zone).isoformat(timespec="seconds"),
        whole[:cut].rstrip(),
        whole[cut:],
    )
