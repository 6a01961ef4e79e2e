"""``/metrics``: the numbers of now for a Prometheus that watches many machines."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from fastapi import APIRouter, Request, Response
from starlette.concurrency import run_in_threadpool

from app.export.measures import Facts
from app.live import Live
from app.web.health import Inside, status_of


def metrics_router(
    live: Live, clock: Callable[[], datetime], inside: Callable[[], Inside], pages: Callable[[], int]
) -> APIRouter:
    """The route. ``inside`` may block for a moment; ``pages`` is how many streams are open."""
    router = APIRouter()

    # It is no JSON, which is what the description of the addresses is about.
    @router.get("/metrics", include_in_schema=False)
    async def metrics(request: Request) -> Response:
        facts = facts_of(live, clock(), await run_in_threadpool(inside), pages())
        text, media_type = await run_in_threadpool(_exposition, facts, request.headers.get("accept", ""))
        return Response(text, headers={"Content-Type": media_type, "Cache-Control": "no-store"})

    return router


def facts_of(live: Live, at: datetime, inside: Inside, pages: int = 0) -> Facts:
    """What can be measured at ``at``: the newest snapshot, and the parts behind it."""
    snapshot, sources = live.current, live.sources()
    looked = [one.read_at for one in sources if one.read_at is not None]
    return Facts(
        at=at,
        state=snapshot.state if snapshot.ready else None,
        machine=snapshot.machine.fresh(at),
        status=status_of(snapshot),
        demo=snapshot.demo,
        sources=len(sources),
        unreadable=sum(one.problem is not None for one in sources),
        lag=max(0.0, (at - min(looked)).total_seconds()) if looked else None,
        last_line_at=snapshot.last_line_at,
        put_off=inside.put_off,
        waiting=inside.waiting,
        pages=pages,
        database_bytes=inside.database_bytes,
        rss_bytes=inside.rss_bytes,
        uptime_seconds=inside.uptime_seconds,
    )


def _exposition(facts: Facts, accept: str) -> tuple[bytes, str]:
    from app.export.prometheus import exposition  # noqa: PLC0415  the first scrape pays for loading the library

    return exposition(facts, accept)
