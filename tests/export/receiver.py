"""A collector on loopback: takes what is posted and decodes it as the protocol has it."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest


class Collector(ThreadingHTTPServer):
    """Keeps what it was sent; answers with ``status``."""

    daemon_threads = True

    def __init__(self, status: int = 200) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.status = status
        self.bodies: list[bytes] = []
        self.metrics: list[Any] = []
        self.logs: list[Any] = []

    @property
    def endpoint(self) -> str:
        """What the environment would name."""
        return f"http://127.0.0.1:{self.server_port}"

    def numbers(self) -> dict[tuple[str, tuple[str, ...]], float]:
        """The newest value of each metric by its name and the values of its attributes."""
        found: dict[tuple[str, tuple[str, ...]], float] = {}
        for request in list(self.metrics):
            for metric in _metrics(request):
                points = metric.sum.data_points or metric.gauge.data_points
                for point in points:
                    labels = tuple(sorted(one.value.string_value for one in point.attributes))
                    found[metric.name, labels] = getattr(point, point.WhichOneof("value"))
        return found

    def records(self) -> list[Any]:
        """Every log record."""
        return [
            record
            for request in list(self.logs)
            for resource in request.resource_logs
            for scope in resource.scope_logs
            for record in scope.log_records
        ]


def _metrics(request: Any) -> Iterator[Any]:
    for resource in request.resource_metrics:
        for scope in resource.scope_metrics:
            yield from scope.metrics


class _Handler(BaseHTTPRequestHandler):
    server: Collector

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        self.server.bodies.append(body)
        if self.path == "/v1/metrics":
            self.server.metrics.append(ExportMetricsServiceRequest.FromString(body))
        elif self.path == "/v1/logs":
            self.server.logs.append(ExportLogsServiceRequest.FromString(body))
        self.send_response(self.server.status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def collecting(status: int = 200) -> Iterator[Collector]:
    """A collector that runs until the end of the block."""
    collector = Collector(status)
    thread = threading.Thread(target=collector.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield collector
    finally:
        collector.shutdown()
        thread.join()
        collector.server_close()
