"""``/healthz`` and ``/readyz``: whether Seatwatch lives and whether what it shows is up to date, for supervisors.

``/healthz`` answers 200 for as long as the process answers at all: who restarts on it should not restart for a log
that is missing. ``/readyz`` answers 503 while the logs are read for the first time, and while something is amiss.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from fastapi import APIRouter, Response
from starlette.concurrency import run_in_threadpool

from app import __version__
from app.live import Live, Snapshot


@dataclass(frozen=True, slots=True)
class Inside:
    """What the parts behind the pages say of themselves; None where nobody tells.

    ``waiting`` are events and batches that are read and not yet stored, ``database_bytes`` the size of the database
    with its journals, ``put_off`` are put-off starts by what asked for them, the rest is what the process takes.
    """

    waiting: int = 0
    database_bytes: int | None = None
    uptime_seconds: float | None = None
    cpu_seconds: float | None = None
    rss_bytes: int | None = None
    threads: int | None = None
    open_files: int | None = None
    put_off: Mapping[Literal["warm", "user"], int] | None = None


def health_router(
    live: Live, clock: Callable[[], datetime], inside: Callable[[], Inside], pages: Callable[[], int]
) -> APIRouter:
    """The routes. ``inside`` may block for a moment; ``pages`` is how many streams are open."""
    router = APIRouter()

    async def found(response: Response) -> dict[str, Any]:
        response.headers["Cache-Control"] = "no-store"
        return health(live, clock(), await run_in_threadpool(inside), pages())

    @router.head("/healthz", include_in_schema=False)
    @router.get("/healthz", summary="That Seatwatch lives, and how it is")
    async def healthz(response: Response) -> dict[str, Any]:
        return await found(response)

    @router.head("/readyz", include_in_schema=False)
    @router.get(
        "/readyz",
        summary="Whether what Seatwatch shows is complete and up to date",
        responses={503: {"description": "It still reads, or something is amiss: `status` and `problem` say what."}},
    )
    async def readyz(response: Response) -> dict[str, Any]:
        told = await found(response)
        response.status_code = 200 if told["status"] == "ok" else 503
        return told

    return router


def health(live: Live, at: datetime, inside: Inside | None = None, pages: int = 0) -> dict[str, Any]:
    """``status`` (ok, loading, degraded), and how far each source is behind, in seconds since it was looked at last."""
    snapshot, inside = live.current, inside or Inside()
    sources = [
        {
            "path": source.path,
            "bytes": source.bytes,
            "lines": source.lines,
            "lag_seconds": None if source.read_at is None else max(0.0, (at - source.read_at).total_seconds()),
            "problem": source.problem,
        }
        for source in live.sources()
    ]
    return {
        "status": status_of(snapshot),
        "version": __version__,
        "demo": snapshot.demo,
        "problem": snapshot.problem,
        "sources": sources,
        "last_line_at": None if snapshot.last_line_at is None else snapshot.last_line_at.isoformat(),
        "unrecognized": snapshot.state.counts.unrecognized,
        "pages": pages,
        "writer": {"waiting": inside.waiting},
        "database": {"bytes": inside.database_bytes},
        "process": {
            "uptime_seconds": inside.uptime_seconds,
            "cpu_seconds": inside.cpu_seconds,
            "rss_bytes": inside.rss_bytes,
            "threads": inside.threads,
            "open_files": inside.open_files,
        },
    }


def status_of(snapshot: Snapshot) -> str:
    """``loading`` until the logs are read once, ``degraded`` when something is amiss, else ``ok``."""
    troubled = bool(snapshot.problem) or any(source.problem for source in snapshot.sources)
    return "loading" if not snapshot.ready else "degraded" if troubled else "ok"
