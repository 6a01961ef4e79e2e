"""``/api/why`` and ``/api/census``: what is asked of the past, for programs.

Where the answers come from is not this part's matter: whoever puts it together hands in two functions.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Annotated, Any, TypeAlias

from fastapi import APIRouter, HTTPException, Query, Response

from app.core.counted import Census
from app.errors import DatabaseUnusable, OwnFault, SeatwatchError
from app.explain import Told, explain, moment_of
from app.web.ranges import LOST_PLUS

FRESH = {"Cache-Control": "no-store"}

Tell: TypeAlias = Callable[[datetime], Awaitable[Told]]
Take: TypeAlias = Callable[[], Awaitable[tuple[Census, Mapping[str, str]]]]


@dataclass(frozen=True, slots=True)
class Asked:
    """Where answers come from: ``told`` is what was said around a moment, ``census`` with the sources' names by id.

    Both may raise `SeatwatchError`.
    """

    told: Tell
    census: Take


def asked_router(asked: Asked, zone: tzinfo, clock: Callable[[], datetime]) -> APIRouter:
    """The two routes. One *why* is answered at a time: each folds a week of events anew."""
    router = APIRouter()
    turn = asyncio.Semaphore(1)

    @router.get("/api/why", summary="Why a session stopped: the same object as `seatwatch why --json`")
    async def why(
        response: Response,
        session: Annotated[
            str | None, Query(max_length=200, description="Its id, the beginning of its id, or its title")
        ] = None,
        at: Annotated[
            str | None, Query(max_length=80, description="The moment to judge from; now, if left out")
        ] = None,
    ) -> dict[str, Any]:
        response.headers.update(FRESH)
        try:
            moment = None if at is None else moment_asked(at, zone)
            async with turn:
                moment = moment or clock()
                told = await asked.told(moment)
                return await asyncio.to_thread(explain, told, session or None, moment, zone)
        except SeatwatchError as error:
            raise problem_of(error) from error

    @router.get("/api/census", summary="What the log is made of, line by line and event by event")
    async def census(response: Response) -> dict[str, Any]:
        response.headers.update(FRESH)
        try:
            found, names = await asked.census()
        except SeatwatchError as error:
            raise problem_of(error) from error
        return found.as_plain(zone, names)

    return router


def moment_asked(text: str, zone: tzinfo) -> datetime:
    """The moment that an address names; raises `WrongUsage`."""
    return moment_of(LOST_PLUS.sub("+", text), zone)


def problem_of(error: SeatwatchError) -> HTTPException:
    """The error for who asked: what, why and what to do. A wrong question is theirs, the rest is not."""
    ours = isinstance(error, OwnFault | DatabaseUnusable)
    return HTTPException(503 if ours else 400, str(error), dict(FRESH))
