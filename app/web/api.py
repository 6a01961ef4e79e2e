"""``/api/state``: the same facts for programs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, tzinfo
from typing import Any

from fastapi import APIRouter, Response

from app.live import Live


def api_router(live: Live, zone: tzinfo, clock: Callable[[], datetime]) -> APIRouter:
    """The routes for programs. Nothing they answer may be kept: it is about now."""
    router = APIRouter()

    @router.get("/api/state", summary="What is true now: the same object as `seatwatch inspect --json`")
    async def state(response: Response) -> dict[str, Any]:
        from app.core.report import state_report  # noqa: PLC0415

        snapshot = live.current
        response.headers["Cache-Control"] = "no-store"
        sources, machine = live.sources(), snapshot.machine
        return dict(state_report(snapshot.state, clock(), zone, sources, snapshot.processes, machine=machine))

    return router
