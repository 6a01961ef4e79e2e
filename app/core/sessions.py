"""The map of sessions that the fold changes: those with a process apart from the many that have none any more.

Most events change one live session, and whoever counts seats or ranks looks at live ones only. With all sessions in one
map each event cost as much as there were sessions in the last months.
"""

from __future__ import annotations

from collections.abc import Collection, ItemsView, Iterable, Iterator, Mapping, ValuesView
from typing import TYPE_CHECKING, TypeVar, overload

if TYPE_CHECKING:
    from app.core.state import Session

D = TypeVar("D")


class Sessions(Mapping[str, "Session"]):
    """Sessions by id, frozen: `having` and `ending` make another map."""

    __slots__ = ("_alive", "_gone")

    def __init__(self, alive: Mapping[str, Session], gone: Mapping[str, Session]) -> None:
        self._alive = alive
        self._gone = gone

    @classmethod
    def of(cls, sessions: Mapping[str, Session]) -> Sessions:
        """The same sessions as such a map."""
        if isinstance(sessions, Sessions):
            return sessions
        alive = {key: one for key, one in sessions.items() if one.alive}
        return cls(alive, {key: one for key, one in sessions.items() if key not in alive})

    @property
    def alive(self) -> Collection[Session]:
        """Those that are believed to have a process."""
        return self._alive.values()

    @property
    def gone(self) -> Collection[Session]:
        """Those that have none."""
        return self._gone.values()

    def having(self, *changed: Session) -> Sessions:
        """The map with these sessions in it, in place of those with their ids."""
        if len(changed) == 1 and changed[0].alive and changed[0].id not in self._gone:  # nearly always
            return Sessions({**self._alive, changed[0].id: changed[0]}, self._gone)
        named = {one.id: one for one in changed}
        live = {key: one for key, one in named.items() if one.alive}
        alive: Mapping[str, Session] = {**self._alive, **live}
        gone = self._gone
        if len(live) < len(named):
            ended = {key: one for key, one in named.items() if key not in live}
            alive, gone = _without(alive, ended.keys()), {**gone, **ended}
        return Sessions(alive, _without(gone, live.keys()))

    def without(self, ids: Collection[str]) -> Sessions:
        """The map without these sessions."""
        return Sessions(_without(self._alive, ids), _without(self._gone, ids))

    def __getitem__(self, key: str) -> Session:
        """The session of this id. Raises KeyError."""
        return self._alive.get(key) or self._gone[key]

    @overload
    def get(self, key: str, /) -> Session | None: ...
    @overload
    def get(self, key: str, /, default: Session | D) -> Session | D: ...
    def get(self, key: str, /, default: object = None) -> object:
        """The session of this id, or ``default``."""
        return self._alive.get(key) or self._gone.get(key, default)

    def __iter__(self) -> Iterator[str]:
        """The ids."""
        yield from self._gone
        yield from self._alive

    def __len__(self) -> int:
        """How many there are."""
        return len(self._alive) + len(self._gone)

    # Those that come with `Mapping` look each key up again.
    def values(self) -> ValuesView[Session]:
        """All of them."""
        return {**self._gone, **self._alive}.values()

    def items(self) -> ItemsView[str, Session]:
        """All of them with their ids."""
        return {**self._gone, **self._alive}.items()


def alive_in(sessions: Mapping[str, Session]) -> Iterable[Session]:
    """Those of ``sessions`` that are believed to have a process."""
    return sessions.alive if isinstance(sessions, Sessions) else [one for one in sessions.values() if one.alive]


def _without(sessions: Mapping[str, Session], ids: Collection[str]) -> Mapping[str, Session]:
    if sessions.keys().isdisjoint(ids):
        return sessions
    return {key: one for key, one in sessions.items() if key not in ids}
