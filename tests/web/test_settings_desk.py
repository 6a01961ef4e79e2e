"""The desk: a change goes into the file first, then holds at once, and what wins over the file is left alone."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from app.core.preferences import Preferences
from app.errors import WrongUsage
from app.live import Delivery, Live
from app.web.settings_desk import Desk
from tests.web.scenes import snapshot

ORIGINS = {"theme": "--theme", "range": "SEATWATCH_RANGE", "language": "config.toml", "privacy": "default"}


def test_a_change_holds_at_once() -> None:
    """It is kept, it holds, it is said to come from the file, and the pages hear of it."""
    kept: list[Mapping[str, Any]] = []
    live = Live(snapshot(), Preferences())
    desk = Desk(live, ORIGINS, keep=kept.append)
    before = live.current.version

    asyncio.run(desk.change(lambda _held: {"language": "ja", "privacy": True}))

    assert kept == [{"language": "ja", "privacy": True}]
    assert live.preferences == Preferences(language="ja", privacy=True)
    assert [desk.origin(name) for name in ("language", "privacy", "notify")] == [
        "config.toml",
        "config.toml",
        "default",
    ]
    assert live.current.version == before + 1


def test_flags_and_variables_win() -> None:
    """What a flag or a variable decides is fixed; a change of it is left out, and of nothing else."""
    kept: list[Mapping[str, Any]] = []
    live = Live(snapshot(), Preferences(theme="dark", range="6h"))
    desk = Desk(live, ORIGINS, keep=kept.append)

    asyncio.run(desk.change(lambda _held: {"theme": "light", "range": "1h", "no_such": 1}))

    assert [name for name in ORIGINS if desk.fixed(name)] == ["theme", "range"]
    assert (kept, live.preferences) == ([], Preferences(theme="dark", range="6h"))


def test_what_cannot_be_kept_does_not_hold() -> None:
    """When the file cannot be written, all is as before: a restart would have forgotten it."""

    def refuse(_changes: Mapping[str, Any]) -> None:
        raise WrongUsage("config.toml cannot be written.", "It is read-only.", "Make it writable.")

    live = Live(snapshot(), Preferences())
    desk = Desk(live, ORIGINS, keep=refuse)

    with pytest.raises(WrongUsage, match="read-only"):
        asyncio.run(desk.change(lambda _held: {"language": "ja"}))
    assert live.preferences == Preferences()
    assert desk.origin("language") == "config.toml"


def test_without_a_file_a_change_holds_until_the_end() -> None:
    """A desk of its own keeps nothing, knows no place to notify, and finds no fault with an address."""
    desk = Desk(Live(snapshot()))
    asyncio.run(desk.change(lambda _held: {"theme": "dark"}))

    assert desk.live.preferences.theme == "dark"

    async def ask() -> tuple[tuple[Delivery, ...], str]:
        return await desk.test(), await desk.problem_of("json://made-up")

    assert asyncio.run(ask()) == ((), "")


def test_a_service_keeps_its_name() -> None:
    """Each address has a name that tells nothing of it, whoever stands before it; another desk has other names."""
    live = Live(snapshot(), Preferences(notify_to=("json://one", "json://two")))
    desk = Desk(live)
    names = {address: name for name, address in desk.services().items()}
    asyncio.run(desk.change(lambda held: {"notify_to": held.notify_to[1:]}))

    assert desk.services() == {names["json://two"]: "json://two"}
    assert len(set(names.values())) == 2
    assert not set(Desk(live).services()) & set(names.values())
    assert "json" not in "".join(names.values())


def test_changes_are_made_one_after_the_other() -> None:
    """What is wanted is asked for when it is its turn: of two tabs the second sees what the first has changed."""
    live = Live(snapshot(), Preferences(notify_to=("json://one", "json://two")))
    desk = Desk(live)

    async def both() -> None:
        await asyncio.gather(
            desk.change(lambda held: {"notify_to": tuple(one for one in held.notify_to if one != "json://one")}),
            desk.change(lambda held: {"notify_to": (*held.notify_to, "json://three")}),
        )

    asyncio.run(both())

    assert live.preferences.notify_to == ("json://two", "json://three")
