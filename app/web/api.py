"""``/api/state`` and ``/healthz``: the same facts for programs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, tzinfo
from typing import Any

from fastapi import APIRouter, Response

from app import __version__
from app.live import Live


def api_router(live: Live, zone: tzinfo, clock: Callable[[], datetime]) -> APIRouter:
    """The routes for programs. Nothing they answer may be kept: it is about now."""
    router = APIRouter()

    @router.get("/api/state", summary="What is true now: the same object as `seatwatch inspect --json`")
    async def state(response: Response) -> dict[str, Any]:
        from app.core.report import state_report  # noqa: PLC0415

        snapshot = live.current
        response.headers["Cache-Control"] = "no-store"
        return dict(state_report(snapshot.state, clock(), zone, live.sources(), snapshot.processes))

    @router.head("/healthz", include_in_schema=False)
    @router.get("/healthz", summary="Whether Seatwatch reads its sources")
    async def healthz(response: Response) -> dict[str, Any]:
        response.headers["Cache-Control"] = "no-store"
        return health(live, clock())

    return router


def health(live: Live, at: datetime) -> dict[str, Any]:
    """Status, version, and how far each source is behind, in seconds since it was looked at last."""
    snapshot = live.current
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
    troubled = bool(snapshot.problem) or any(source.problem for source in snapshot.sources)
    status = "loading" if not snapshot.ready else "degraded" if troubled else "ok"
    return {
        "status": status,
        "version": __version__,
        "demo": snapshot.demo,
        "problem": snapshot.problem,
        "sources": sources,
        "unrecognized": snapshot.state.counts.unrecognized,
    }
