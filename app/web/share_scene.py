"""What is shared: one moment and one stretch of time, with nothing in it that tells whose they are.

A range that ends at now is shown as it is now; a window of the past as it was at its end. Everything that leaves by
`app.web.share` or ``seatwatch export`` is made from a `Scene`, so nothing else can leave.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from app import __version__
from app.core.aliases import Aliases
from app.core.history import History, Span
from app.core.recorder import Recorder
from app.core.redaction import redacted, redacted_machine
from app.core.report import SourceStatus
from app.core.state import State
from app.live import Snapshot
from app.web.looks import Look
from app.web.seating import Seating, arrivals
from app.web.sentence import phrase, sentence
from app.web.titles import title_by_id
from app.web.views import SentenceView
from app.web.words import _, clock, date_words, moment

_ABBREVIATION = re.compile(r"[A-Z]{2,5}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Scene:
    """``snapshot`` and ``look`` are redacted, and told at ``look.now`` in the zone ``look.zone``.

    ``titled`` tells that sessions keep their titles.
    """

    snapshot: Snapshot
    look: Look
    titled: bool = False

    @property
    def at(self) -> datetime:
        """The moment that it shows."""
        return self.look.now

    @property
    def state(self) -> State:
        """The redacted state."""
        return self.snapshot.state

    @property
    def history(self) -> History:
        """The redacted history of the window."""
        return self.look.history

    def name(self, session: str) -> str:
        """What a session of the scene is called."""
        return title_by_id(self.state, session)

    def sentence(self) -> SentenceView:
        """What would happen next. The places that were looked in for logs are nobody's matter."""
        found = sentence(self.snapshot, self.at, self.look.zone)
        if found.case == "no_logs":
            return replace(found, parts=phrase(_("No Claude logs found.")), small=())
        return found

    def taken_at(self) -> str:
        """The moment in full: day, year and time."""
        local = self.at.astimezone(self.look.zone)
        day = _("{day} {year}").format(day=date_words(local.date()), year=local.year)
        return _("{day}, {time}").format(day=day, time=clock(self.at, self.look.zone))

    def zone_name(self) -> str:
        """The zone of all times: its offset, and its abbreviation where it has one."""
        local = self.at.astimezone(self.look.zone)
        offset = f"UTC{local:%z}"[:6] + ":" + f"{local:%z}"[3:5]
        name = local.tzname() or ""
        return (
            f"{name} ({offset})" if _ABBREVIATION.fullmatch(name) and name != "UTC" else offset.removesuffix("+00:00")
        )

    def window(self) -> str:
        """The stretch of time of its timeline."""
        start, end = (moment(at, self.at, self.look.zone) for at in (self.history.start, self.history.end))
        return _("{start} to {end}").format(start=start, end=end)

    def promise(self) -> str:
        """What of its readers' business is not in it."""
        if self.titled:
            return _("Sessions have their titles; ids, paths and log lines are not in this file.")
        return _("Sessions are called by letters; titles, ids, paths and log lines are not in this file.")

    def version(self) -> str:
        """The Seatwatch that made it."""
        return f"Seatwatch {__version__}"


def scene(
    snapshot: Snapshot,
    history: History,
    at: datetime,
    zone: tzinfo,
    *,
    slots: Mapping[str, int],
    aliases: Aliases,
    titles: bool = False,
    pin: datetime | None = None,
) -> Scene:
    """The scene of ``snapshot`` at ``at`` with the window ``history``, redacted; ``titles`` keeps the titles alone.

    ``slots`` places the tiles, by session.
    """
    state, told = redacted(snapshot.state, history, aliases, titles=titles)
    bare = Snapshot(
        version=snapshot.version,
        state=state,
        history=Recorder(),
        sources=(SourceStatus("", 0, 0),) if snapshot.sources else (),
        demo=snapshot.demo,
        ready=snapshot.ready,
        filling=snapshot.filling,
        machine=redacted_machine(snapshot.machine),
    )
    places = {aliases.letter(session): slot for session, slot in slots.items()}
    return Scene(bare, Look(told, state, at, zone, places, pin=pin), titles)


def places_of(state: State, spans: Iterable[Span]) -> Mapping[str, int]:
    """Which seat each session of ``state`` has, told from its history as the page tells it."""
    seating = Seating()
    seating.replay(spans, state)
    seating.update(arrivals(state))
    return seating.slots
