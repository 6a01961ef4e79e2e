"""A courier: order, time limit, back-off, bounds, and that nothing ends it but us."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

import pytest

from app.core.notices import Letter
from app.errors import Undelivered
from app.notify.courier import BACK_OFF, MOST_WAITING, TOO_OLD, Courier

NOON = datetime(2026, 10, 2, 12, tzinfo=UTC)


def letter(n: int) -> Letter:
    """A letter with a number."""
    return Letter(f"letter {n}", "")


class Town:
    """A place that fails as told, a clock, and sleeps that only move the clock."""

    def __init__(self, *failures: BaseException) -> None:
        self.failures = list(failures)
        self.arrived: list[str] = []
        self.slept: list[float] = []
        self.told = 0
        self.now = NOON

    async def send(self, letter: Letter) -> None:
        """Fail as long as there is a failure left."""
        await asyncio.sleep(0)
        if self.failures:
            raise self.failures.pop(0)
        self.arrived.append(letter.title)

    async def sleep(self, seconds: float) -> None:
        """Pass the time at once."""
        self.slept.append(seconds)
        self.now += timedelta(seconds=seconds)
        await asyncio.sleep(0)

    def note(self) -> None:
        """Count what is told of deliveries."""
        self.told += 1


async def carried(town: Town, letters: int, done: Callable[[], bool]) -> Courier:
    """A courier that has got so many letters and run until ``done``."""
    courier = Courier("json://…", town, lambda: town.now, town.note, sleep=town.sleep)
    task = asyncio.create_task(courier.run())
    for n in range(letters):
        courier.post(letter(n))
    for _turn in range(10_000):
        await asyncio.sleep(0)
        if done():
            break
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    return courier


def run(case: Awaitable[Courier]) -> Courier:
    """Run a case to its end."""

    async def whole() -> Courier:
        return await case

    return asyncio.run(whole())


def test_letters_arrive_in_order() -> None:
    """Each letter is brought once, in the order in which they were posted."""
    town = Town()
    courier = run(carried(town, 3, lambda: town.told == 3))

    assert town.arrived == ["letter 0", "letter 1", "letter 2"]
    assert courier.delivery is not None
    assert (courier.delivery.place, courier.delivery.failure, town.told) == ("json://…", "", 3)


def test_failures_slow_it_down_and_lose_nothing() -> None:
    """The same letter is tried again, after longer and longer waits, until it arrives; then all is as before."""
    town = Town(*(Undelivered("refused") for _ in range(3)))
    courier = run(carried(town, 1, lambda: bool(town.arrived)))

    assert town.arrived == ["letter 0"]
    assert town.slept == list(BACK_OFF[:3])
    assert courier.delivery is not None
    assert courier.delivery.failure == ""


def test_old_letters_are_dropped() -> None:
    """A letter that could not be brought for ten minutes is no news; the place is not asked about it again."""
    town = Town(*(Undelivered("refused") for _ in range(50)))
    courier = run(carried(town, 1, lambda: town.now - NOON > TOO_OLD))
    tried = 50 - len(town.failures)

    assert (tried, town.arrived) == (5, [])
    assert max(town.slept) == BACK_OFF[-1]
    assert courier.delivery is not None
    assert courier.delivery.failure == "refused"


def test_waiting_letters_are_bounded() -> None:
    """When a place is away, only the newest letters are kept."""
    town = Town()
    run(carried(town, MOST_WAITING + 5, lambda: len(town.arrived) == MOST_WAITING))

    assert town.arrived[0] == "letter 5"
    assert town.arrived[-1] == f"letter {MOST_WAITING + 4}"


@pytest.mark.parametrize(
    ("failure", "reason"), [(Undelivered("no_desktop"), "no_desktop"), (ValueError("a bug"), "refused")]
)
def test_every_failure_has_a_reason(failure: Exception, reason: str, caplog: pytest.LogCaptureFixture) -> None:
    """A place's failure is kept by its name, and even a bug in it does not end the courier."""
    town = Town(failure)

    async def once() -> Courier:
        courier = Courier("desktop", town, lambda: NOON, town.note)
        assert not await courier.bring(letter(1))
        return courier

    courier = run(once())

    assert courier.delivery is not None
    assert courier.delivery.failure == reason
    assert ("a bug" in caplog.text) == (reason == "refused")


def test_a_place_that_does_not_answer_is_given_up() -> None:
    """A delivery has a time limit."""

    class Mute:
        async def send(self, _letter: Letter) -> None:
            await asyncio.Event().wait()

    async def once() -> Courier:
        courier = Courier("json://…", Mute(), lambda: NOON, lambda: None, limit=0.01)
        assert not await courier.bring(letter(1))
        return courier

    courier = run(once())

    assert courier.delivery is not None
    assert courier.delivery.failure == "late"
