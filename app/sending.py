"""Sends numbers and events to an OpenTelemetry collector while Seatwatch runs, where the environment names one."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from datetime import datetime

from app.core.history import Mark
from app.live import Live
from app.web.health import Inside
from app.web.metrics import facts_of

LOG = logging.getLogger("seatwatch.sending")
MISSING = (
    "OTEL_EXPORTER_OTLP_ENDPOINT is set, and the package that sends is not installed: pip install 'seatwatch[otel]'. "
    "Nothing is sent."
)


async def send(
    endpoint: str | None,
    live: Live,
    *,
    clock: Callable[[], datetime],
    inside: Callable[[], Inside],
    pages: Callable[[], int],
    stop: asyncio.Event,
) -> None:
    """Send until ``stop``; nothing without an ``endpoint`` or without the extra ``otel``, of which it then tells."""
    if endpoint is None:
        return
    try:
        from app.export.otlp import Sender, run  # noqa: PLC0415  half a second that nobody else need pay
    except ImportError:
        LOG.warning("the extra otel is not installed, nothing is sent")
        print(MISSING, flush=True)  # noqa: T201 - the terminal is the interface
        return

    def marks(start: datetime, end: datetime) -> Sequence[Mark]:
        shown = live.current
        return shown.history.marks(start, end) if shown.ready else ()

    try:
        sender = await asyncio.to_thread(
            Sender, endpoint, lambda: facts_of(live, clock(), inside(), pages()), demo=live.current.demo
        )
    except Exception:  # an address that the library does not take, say: the pages go on without it
        LOG.exception("nothing can be sent")
        return
    live.collected = True  # the page says so: it would say otherwise that nothing is sent
    await run(sender, marks, clock, stop)
