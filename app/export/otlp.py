"""The measures and the governor's events to an OpenTelemetry collector, over OTLP and HTTP, for who asked for it.

The SDK sends from threads of its own. Whether the collector answers, is slow or is not there changes nothing for the
pages: what cannot be sent is dropped after a few tries, and the end waits for nobody.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import datetime

from opentelemetry._logs import SeverityNumber
from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.metrics import CallbackOptions, Observation
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import BatchLogRecordProcessor
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource

from app import __version__
from app.core.history import Mark
from app.export.measures import MEASURES, Facts, Measure
from app.export.told import TOLD, News

NAME = "seatwatch"
EVERY_SECONDS = 60.0
"""How often numbers are sent: OpenTelemetry's own default."""
LOOK_SECONDS = 5.0
"""How often it is asked what happened."""
TRY_SECONDS = 10.0
END_SECONDS = 0.5
"""So long the end waits for what is on its way; Ctrl-C is out within a second."""
SAME_SECONDS = 1.0
"""The SDK asks for each measure by itself; within this time all of them are of one instant."""
UNITS = {"bytes": "By", "seconds": "s", "": ""}
SEVERITIES = {"info": SeverityNumber.INFO, "warn": SeverityNumber.WARN, "error": SeverityNumber.ERROR}


class Sender:
    """Sends to ``endpoint`` (the part before ``/v1/…``). ``facts`` gives the facts of now and may be asked anywhere.

    ``demo`` goes with everything that is sent: made-up numbers must not pass for real ones.
    """

    def __init__(
        self, endpoint: str, facts: Callable[[], Facts], *, demo: bool = False, every_seconds: float = EVERY_SECONDS
    ) -> None:
        # A collector that is not there would be told on the terminal, each minute.
        for name in ("opentelemetry", "urllib3"):
            logging.getLogger(name).addHandler(logging.NullHandler())
        logging.getLogger("opentelemetry").propagate = False
        self._facts = facts
        self._known: tuple[float, Facts] | None = None
        base = endpoint.rstrip("/")
        resource = Resource.create({"service.name": NAME, "service.version": __version__, "seatwatch.demo": demo})
        reader = PeriodicExportingMetricReader(
            OTLPMetricExporter(endpoint=f"{base}/v1/metrics", timeout=TRY_SECONDS), every_seconds * 1000
        )
        self._meters = MeterProvider([reader], resource, shutdown_on_exit=False)
        self._logs = LoggerProvider(resource, shutdown_on_exit=False)
        exporter = OTLPLogExporter(endpoint=f"{base}/v1/logs", timeout=TRY_SECONDS)
        self._logs.add_log_record_processor(BatchLogRecordProcessor(exporter, LOOK_SECONDS * 1000))
        self._logger = self._logs.get_logger(NAME, __version__)
        self._instruments()

    def tell(self, marks: Iterable[Mark]) -> None:
        """Hand over what happened. Nothing of a mark's own text, session or file goes with it."""
        for mark in marks:
            severity, sentence = TOLD[mark.kind]
            self._logger.emit(
                timestamp=int(mark.at.timestamp()) * 1_000_000_000,
                severity_number=SEVERITIES[severity],
                severity_text=severity.upper(),
                body=sentence,
                event_name=f"{NAME}.{mark.kind}",
                attributes={"seatwatch.event": mark.kind},
            )

    def close(self, seconds: float = END_SECONDS) -> None:
        """Send what waits, for so long at most; what is not sent by then never is."""

        def end() -> None:
            with suppress(Exception):
                self._logs.shutdown()
            with suppress(Exception):
                self._meters.shutdown()

        ending = threading.Thread(target=end, daemon=True)
        ending.start()
        ending.join(seconds)

    def _now(self) -> Facts:
        now = time.monotonic()
        if self._known is None or now - self._known[0] > SAME_SECONDS:
            self._known = (now, self._facts())
        return self._known[1]

    def _instruments(self) -> None:
        meter = self._meters.get_meter(NAME, __version__)
        for measure in MEASURES:
            counts = measure.sort == "counter"
            make = meter.create_observable_counter if counts else meter.create_observable_gauge
            # Without the suffix that Prometheus wants of counters: who turns these into those adds it.
            name = measure.full_name.removesuffix("_total") if counts else measure.full_name
            make(name, [self._observe(measure)], UNITS[measure.unit], measure.help)

    def _observe(self, measure: Measure) -> Callable[[CallbackOptions], list[Observation]]:
        def look(_options: CallbackOptions) -> list[Observation]:
            found = measure.look(self._now())
            return [Observation(value, dict(zip(measure.all_labels, labels, strict=True))) for labels, value in found]

        return look


async def run(
    sender: Sender,
    marks: Callable[[datetime, datetime], Sequence[Mark]],
    clock: Callable[[], datetime],
    stop: asyncio.Event,
    look_seconds: float = LOOK_SECONDS,
) -> None:
    """Tell ``sender`` what happens until ``stop``, then close it. ``marks`` gives what happened between instants."""
    news = News(clock().replace(microsecond=0))  # the times of log lines are whole seconds

    def look() -> None:
        at = clock()
        try:
            sender.tell(news.pick(marks(news.since(at), at), at))
        except Exception:  # whatever it is, the pages go on
            logging.getLogger(__name__).exception("events could not be handed over")

    while not stop.is_set():
        look()
        with suppress(TimeoutError):
            async with asyncio.timeout(look_seconds):
                await stop.wait()
    look()
    await asyncio.to_thread(sender.close)
