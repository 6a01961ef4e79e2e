"""The watch: what reaches which place, in which language, with which names, and how failures are shown."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from app.core.notices import Letter
from app.core.preferences import CRITICAL, EVICTED, Preferences
from app.core.state import Phase
from app.errors import Undelivered
from app.live import Live
from app.notify.courier import Place
from app.notify.desktop import Desktop
from app.notify.notifier import DESKTOP, Notifier, place_named, places_of
from app.notify.services import Service
from tests.web.scenes import NOW, ZONE, Clock, ago, session, snapshot, state

SERVICE = "json://user:secret@made-up.example/path"
BOTH = Preferences(notify=(EVICTED, CRITICAL), notify_to=(SERVICE,))
CALM = snapshot(state(session(1, title="Payroll")))
CLOSED = snapshot(state(session(1, Phase.EVICTED, title="Payroll", ended_by="evicted_for_seat", since=NOW)))


class Box:
    """A place that keeps what it gets, or refuses it."""

    def __init__(self, failure: str = "") -> None:
        self.letters: list[Letter] = []
        self.failure = failure

    async def send(self, letter: Letter) -> None:
        """Keep it."""
        if self.failure:
            raise Undelivered(self.failure)
        self.letters.append(letter)


class World:
    """A notifier on snapshots that the test publishes, with a box for every place."""

    def __init__(self, preferences: Preferences = BOTH) -> None:
        self.live = Live(CALM, preferences)
        self.clock = Clock()
        self.boxes = {DESKTOP: Box(), SERVICE: Box()}
        self.opened: list[str] = []
        self.notifier = Notifier(self.live, self.clock, ZONE, self.open)

    def open(self, name: str) -> Place:
        """The box of a place."""
        self.opened.append(name)
        return self.boxes[name]

    def tell_of_a_closing(self) -> None:
        """A calm look, then two at a closed session, two seconds apart."""
        self.notifier.look(CALM)
        self.notifier.look(CLOSED)
        self.clock.move(seconds=2)
        self.notifier.look(CLOSED)

    def titles(self) -> dict[str, list[str]]:
        """The titles of what each place got."""
        return {name: [one.title for one in box.letters] for name, box in self.boxes.items()}


def during(world: World, act: Callable[[], object]) -> None:
    """Act within a running loop, and let couriers deliver."""

    async def whole() -> None:
        act()
        for _turn in range(50):
            await asyncio.sleep(0)

    asyncio.run(whole())


def test_each_place_gets_it_once() -> None:
    """The desktop gets titles; a service gets letters in their stead."""
    world = World()
    during(world, world.tell_of_a_closing)

    assert world.titles() == {
        DESKTOP: ["Seatwatch: Payroll was closed"],
        SERVICE: ["Seatwatch: Session A was closed"],
    }


def test_titles_go_to_services_when_allowed() -> None:
    """Who allows it gets titles there too, in the language that is preferred."""
    world = World(replace(BOTH, notify_titles=True, notify_desktop=False, language="ja"))
    during(world, world.tell_of_a_closing)

    assert world.boxes[DESKTOP].letters == []
    (letter,) = world.boxes[SERVICE].letters
    assert "Payroll" in letter.title
    assert "閉じられ" in letter.title


@pytest.mark.parametrize(
    "preferences", [Preferences(), replace(BOTH, notify=()), replace(BOTH, notify_desktop=False, notify_to=())]
)
def test_nothing_is_told_unless_asked_for(preferences: Preferences) -> None:
    """Without a kind or a place nothing is told, and no place is opened."""
    world = World(preferences)
    during(world, world.tell_of_a_closing)

    assert world.opened == []


def test_a_closing_while_the_log_is_first_read_is_told() -> None:
    """A session that is closed between the start and the first look is news; one closed before is not."""
    world = World()
    old = session(2, Phase.EVICTED, title="Budget", ended_by="evicted_for_seat", since=ago(minutes=1))
    both = snapshot(replace(CLOSED.state, sessions={**CLOSED.state.sessions, old.id: old}))

    def act() -> None:
        world.notifier.look(replace(both, ready=False))
        world.clock.move(seconds=2)
        world.notifier.look(both)
        world.clock.move(seconds=2)
        world.notifier.look(both)

    during(world, act)

    assert world.titles()[DESKTOP] == ["Seatwatch: Payroll was closed"]


def test_made_up_sessions_are_nobodys_news() -> None:
    """The demo, and a history that is still being read, tell nothing."""
    world = World()

    def act() -> None:
        for shown in (CALM, CLOSED, CLOSED):
            world.notifier.look(replace(shown, demo=True))
            world.notifier.look(replace(shown, ready=False))
            world.clock.move(seconds=2)

    during(world, act)

    assert world.opened == []


def test_a_failure_is_told_to_the_pages() -> None:
    """A new snapshot says which kind of place failed and why; the address' secrets are not in it."""
    world = World()
    world.boxes[SERVICE].failure = "refused"
    during(world, world.tell_of_a_closing)
    told = world.live.current.deliveries

    assert [(one.place, one.failure) for one in told] == [("desktop", ""), ("json://…", "refused")]
    assert "secret" not in str(told)
    assert world.live.current.version > CALM.version


def test_a_place_that_is_wanted_no_more_is_let_go() -> None:
    """When an address is taken out, its failure is no news any more."""
    world = World()
    world.boxes[SERVICE].failure = "refused"

    async def whole() -> None:
        await world.notifier.test()
        world.live.preferences = replace(BOTH, notify_to=())
        world.notifier.look(world.live.current)

    asyncio.run(whole())

    assert [one.place for one in world.live.current.deliveries] == ["desktop"]


def test_the_button_reaches_every_place() -> None:
    """A test goes out at once, though nothing is asked for and the hours are quiet, and says how it fared."""
    world = World(replace(BOTH, notify=(), quiet_hours="00:00-23:59"))
    world.boxes[SERVICE].failure = "late"
    told = asyncio.run(world.notifier.test())

    assert [(one.place, one.failure) for one in told] == [("desktop", ""), ("json://…", "late")]
    assert world.titles()[DESKTOP] == ["Seatwatch: a test"]


def test_it_watches_until_it_is_stopped(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """Snapshots that are published are looked at, a fault in judging one is logged and survived, and a stop ends it."""
    world = World()
    monkeypatch.setattr("app.notify.notifier.AT_MOST_EVERY", 0.001)
    real, looks = world.notifier.look, []

    def look(shown: object) -> bool:
        looks.append(shown)
        if len(looks) == 1:
            raise ZeroDivisionError
        world.clock.move(seconds=2)
        return real(world.live.current)

    monkeypatch.setattr(world.notifier, "look", look)

    async def whole() -> None:
        stop = asyncio.Event()
        task = asyncio.create_task(world.notifier.run(stop))
        async with asyncio.timeout(10):
            world.live.publish(replace(CALM, version=2))
            while len(looks) < 2:
                await asyncio.sleep(0.001)
                world.live.publish(replace(CALM, version=world.live.current.version + 1))
            while not world.boxes[DESKTOP].letters:
                await asyncio.sleep(0.001)
                world.live.publish(replace(CLOSED, version=world.live.current.version + 1))
            stop.set()
            world.live.close()
            await task

    asyncio.run(whole())

    assert world.titles()[DESKTOP] == ["Seatwatch: Payroll was closed"]
    assert "ZeroDivisionError" in caplog.text


def test_a_stop_waits_for_no_service() -> None:
    """A service that hangs does not keep Seatwatch from ending, nor a letter to the next place from arriving."""
    world = World()

    class Hung:
        async def send(self, _letter: Letter) -> None:
            await asyncio.Event().wait()

    async def whole() -> None:
        world.notifier = Notifier(
            world.live, world.clock, ZONE, lambda name: Hung() if name == SERVICE else world.open(name)
        )
        stop = asyncio.Event()
        task = asyncio.create_task(world.notifier.run(stop))
        world.tell_of_a_closing()
        async with asyncio.timeout(5):
            while not world.boxes[DESKTOP].letters:
                await asyncio.sleep(0.001)
                world.notifier.look(CLOSED)
            stop.set()
            world.live.close()
            await task

    asyncio.run(whole())

    assert world.titles()[DESKTOP] == ["Seatwatch: Payroll was closed"]


def test_places_by_their_names() -> None:
    """The desktop is a place of its own; every other name is the address of a service."""
    assert isinstance(place_named(DESKTOP), Desktop)
    assert isinstance(place_named(SERVICE), Service)
    assert places_of(BOTH) == (DESKTOP, SERVICE)
