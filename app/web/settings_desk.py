"""Where preferences are changed: in the file, in what runs, and in what is said of where each one came from."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b
from secrets import token_bytes
from typing import Any, TypeAlias

from app.core.preferences import CHECKS, Preferences
from app.live import Delivery, Live

Keep: TypeAlias = Callable[[Mapping[str, Any]], None]
Wanted: TypeAlias = Callable[[Preferences], Mapping[str, Any]]
Trial: TypeAlias = Callable[[], Awaitable[tuple[Delivery, ...]]]


def _forget(_changes: Mapping[str, Any]) -> None:
    """Keep nothing, where there is no file."""


async def _no_problem(_address: str) -> str:
    return ""


async def _nobody() -> tuple[Delivery, ...]:
    return ()


@dataclass(slots=True)
class Desk:
    """Changes `Live.preferences` while Seatwatch runs.

    ``origins`` tells where each came from: a flag, a variable, the file, or ``default``. ``file`` is the path of
    config.toml, ``shown_file`` the same for people; ``keep`` writes changes into it and may raise
    `SeatwatchError`. ``test`` sends a test notification.
    ``problem_of`` names what is wrong with a service's address by a name of `app.errors.UNDELIVERED`, "" for nothing.
    """

    live: Live
    origins: Mapping[str, str] = field(default_factory=dict)
    file: str = "config.toml"
    shown_file: str = "config.toml"
    keep: Keep = _forget
    test: Trial = _nobody
    problem_of: Callable[[str], Awaitable[str]] = _no_problem
    _writing: asyncio.Lock = field(default_factory=asyncio.Lock)
    _key: bytes = field(default_factory=partial(token_bytes, 16), repr=False)

    def origin(self, name: str) -> str:
        """Where a preference came from."""
        return self.origins.get(name, "default")

    def fixed(self, name: str) -> bool:
        """Whether a flag or a variable decides it: those win over the file, so that a change would be lost."""
        return self.origin(name) not in ("default", self.file)

    def services(self) -> dict[str, str]:
        """The addresses that are told, by names for the page: one address has one name as long as this desk lives.

        An address is a secret, and a place in the list is another's once one before it has gone.
        """
        told = self.live.preferences.notify_to
        return {blake2b(one.encode("utf-8", "replace"), key=self._key, digest_size=8).hexdigest(): one for one in told}

    async def change(self, wanted: Wanted) -> None:
        """Keep what is ``wanted`` of the preferences of now in the file, then let it hold at once.

        The values are checked ones. Raises what ``keep`` raises.
        """
        async with self._writing:
            found = wanted(self.live.preferences)
            changes = {name: value for name, value in found.items() if name in CHECKS and not self.fixed(name)}
            if not changes:
                return
            await asyncio.to_thread(self.keep, changes)
            self.origins = {**self.origins, **dict.fromkeys(changes, self.file)}
            self.live.preferences = replace(self.live.preferences, **changes)
        current = self.live.current
        self.live.publish(replace(current, version=current.version + 1))
