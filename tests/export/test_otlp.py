"""What a collector gets, and that nothing it does or does not do disturbs anybody."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from app.core.history import Mark
from app.export.measures import MEASURES, Facts
from app.export.otlp import Sender, run
from tests.e2e.served import until
from tests.export.receiver import Collector, collecting
from tests.export.test_prometheus import FULL
from tests.web.scenes import HOSTILE, NOW, mark

CLOSED = replace(mark("evicted_for_memory", 1, 5), text=HOSTILE, source="/Users/someone/main.log")


def sender(collector: Collector) -> Sender:
    """Sends to this collector, several times a second."""
    return Sender(collector.endpoint, lambda: FULL, demo=True, every_seconds=0.2)


def test_numbers_and_events_arrive() -> None:
    """Every measure with its attributes, and an event as a log record, with the resource that sends them."""
    with collecting() as collector:
        sending = sender(collector)
        sending.tell([CLOSED])
        until(lambda: ("seatwatch_seats_taken", ()) in collector.numbers(), "the numbers")
        sending.close(10)
        numbers, (record,) = collector.numbers(), collector.records()
        resource = {one.key: one.value for one in collector.logs[0].resource_logs[0].resource.attributes}

    assert numbers["seatwatch_seats_taken", ()] == 7
    assert numbers["seatwatch_put_offs", ("warm",)] == 1
    assert numbers["seatwatch_pressure_level", ("normal",)] == 1
    names = {name for name, _labels in numbers}
    assert {one.full_name.removesuffix("_total") for one in MEASURES} - names == {"seatwatch_seats_reported"}
    assert record.event_name == "seatwatch.evicted_for_memory"
    assert record.time_unix_nano == int(CLOSED.at.timestamp()) * 1_000_000_000
    assert (record.severity_text, record.body.string_value.startswith("The governor closed")) == ("WARN", True)
    assert resource["service.name"].string_value == "seatwatch"
    assert resource["seatwatch.demo"].bool_value
    named = {name for name in resource if not name.startswith("telemetry.sdk.")}
    # No host, no user, no process; the instance is a number that the library draws at each start.
    assert named == {"service.name", "service.version", "service.instance.id", "seatwatch.demo"}


def test_counters_are_sums_that_only_grow() -> None:
    """A collector knows counts from levels, and bytes from seconds."""
    with collecting() as collector:
        sending = sender(collector)
        until(lambda: bool(collector.metrics), "the numbers")
        sending.close(10)
        scope = collector.metrics[0].resource_metrics[0].scope_metrics[0]
    by_name = {one.name: one for one in scope.metrics}

    assert by_name["seatwatch_evictions"].sum.is_monotonic
    assert by_name["seatwatch_seats_taken"].WhichOneof("data") == "gauge"
    assert by_name["seatwatch_memory_free_bytes"].unit == "By"
    assert by_name["seatwatch_uptime_seconds"].unit == "s"


def test_nothing_that_identifies_is_sent() -> None:
    """No title, id, path, nor any text of a log, in any byte of any request."""
    with collecting() as collector:
        sending = sender(collector)
        sending.tell([CLOSED])
        until(lambda: bool(collector.metrics), "the numbers")
        sending.close(10)
        sent = b"".join(collector.bodies)

    assert len(collector.records()) == 1
    hidden = (b"Meeting notes", b"local_", b"someone", b"main.log", b"script")
    assert [word for word in hidden if word in sent] == []


def test_a_collector_that_refuses_or_is_gone_disturbs_nobody() -> None:
    """Whatever it answers, telling returns at once and the end waits half a second at most."""
    with collecting(503) as refusing:
        endpoints = [refusing.endpoint, "http://127.0.0.1:9", "http://name.invalid:4318"]
        for endpoint in endpoints:
            sending = Sender(endpoint, lambda: FULL, every_seconds=0.2)
            began = time.monotonic()
            sending.tell([CLOSED] * 100)
            told = time.monotonic() - began
            sending.close()
            assert told < 1
            assert time.monotonic() - began < 3


def test_facts_that_fail_are_no_end() -> None:
    """A look that fails sends nothing and is tried again."""
    looks: list[Facts] = []

    def facts() -> Facts:
        looks.append(FULL)
        if len(looks) == 1:
            raise RuntimeError("not now")
        return FULL

    with collecting() as collector:
        sending = Sender(collector.endpoint, facts, every_seconds=0.2)
        until(lambda: ("seatwatch_seats_taken", ()) in collector.numbers(), "the numbers")
        sending.close(10)

    assert len(looks) >= 2


def test_events_are_handed_over_until_the_end() -> None:
    """A look that fails does not end it; what happened last is sent when it is told to stop, once."""
    asked: list[datetime] = []
    stop = asyncio.Event()

    def marks(start: datetime, _end: datetime) -> Sequence[Mark]:
        asked.append(start)
        if len(asked) == 1:
            raise RuntimeError("not now")
        stop.set()
        return [replace(CLOSED, at=NOW)]

    with collecting() as collector:
        asyncio.run(run(Sender(collector.endpoint, lambda: FULL), marks, lambda: NOW, stop, 0.01))
        until(lambda: len(collector.records()) == 1, "the event")

    assert len(asked) == 3
