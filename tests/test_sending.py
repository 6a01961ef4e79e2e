"""Sending while Seatwatch runs: only where it was asked for, and never in the way."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest
from starlette.testclient import TestClient

from app.live import Live
from app.sending import send
from app.settings import load_settings
from app.web.health import Inside
from tests.e2e.served import AppLog, Served, until
from tests.export.receiver import collecting
from tests.web.scenes import NOW, mark, site, snapshot


def sent_to(endpoint: str | None, seconds: float = 0.0) -> None:
    """Send from a scene in which a session has just been closed; stop after so many seconds."""
    live = Live(snapshot(marks=(mark("evicted_for_seat", 0, 5),)))

    async def play() -> None:
        stop = asyncio.Event()
        asyncio.get_running_loop().call_later(seconds, stop.set)
        await send(endpoint, live, clock=lambda: NOW, inside=Inside, pages=lambda: 3, stop=stop)

    asyncio.run(play())


def test_what_happens_and_how_it_stands_is_sent() -> None:
    """The event of the scene and its numbers arrive, pages among them, when it ends at the latest."""
    with collecting() as collector:
        sent_to(collector.endpoint, 0.2)
        until(lambda: bool(collector.records()) and bool(collector.metrics), "both")

    assert [one.event_name for one in collector.records()] == ["seatwatch.evicted_for_seat"]
    assert collector.numbers()["seatwatch_pages_open", ()] == 3


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("path", ["/", "/settings"])
def test_the_page_says_that_numbers_are_sent(path: str, language: str) -> None:
    """A page that promised to send nothing would be wrong by then; so in both languages, on every page."""
    place = site(snapshot())
    with TestClient(place.app, base_url="http://127.0.0.1") as browser:
        before, place.live.collected = browser.get(path, headers={"Accept-Language": language}).text, True
        after = browser.get(path, headers={"Accept-Language": language}).text

    assert "OpenTelemetry" not in before
    assert "OpenTelemetry" in after
    assert "sends nothing" not in after


def page_of(served: Served) -> str:
    """The first page as it is answered now."""
    with urlopen(served.address, timeout=10) as answer:  # noqa: S310 - our own server on loopback
        text: str = answer.read().decode()
        return text


def test_a_running_seatwatch_sends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a process of its own it sends what its app's log says; Ctrl-C sends the rest, and its end is a clean one."""
    log = AppLog(tmp_path / "logs")
    log.start()
    with collecting() as collector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint)
        served = Served(tmp_path / "logs", tmp_path / "own.sqlite", flags=("--no-probes",))
        try:
            served.start()
            # Nothing of before is sent: the page says from when on it is.
            until(lambda: "OpenTelemetry" in page_of(served), "the sender", 30)
            log.write("Memory pressure transition: critical")
            until(lambda: served.state()["pressure"]["level"] == "critical", "the line")
            rest = served.stop()
        finally:
            served.kill()
            log.close()

    assert "Traceback" not in rest
    assert "seatwatch.pressure_critical" in {one.event_name for one in collector.records()}
    assert collector.numbers()["seatwatch_app_running", ()] == 1
    assert collector.numbers()["seatwatch_pressure_level", ("critical",)] == 1


def test_nothing_is_sent_unasked(capsys: pytest.CaptureFixture[str]) -> None:
    """Without an address nothing is loaded and nothing is said."""
    sent_to(None)

    assert capsys.readouterr().out == ""
    assert load_settings({"tz": "UTC"}, {}).collector is None
    assert load_settings({"tz": "UTC"}, {"OTEL_EXPORTER_OTLP_ENDPOINT": ""}).collector is None


def test_the_environment_names_the_collector() -> None:
    """By the variable that every program knows."""
    env = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}

    assert load_settings({"tz": "UTC"}, env).collector == "http://127.0.0.1:4318"


def test_a_missing_package_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Who asked and lacks the extra is told how to get it; the rest runs on."""
    monkeypatch.setitem(sys.modules, "app.export.otlp", None)

    sent_to("http://127.0.0.1:4318")

    assert "pip install 'seatwatch[otel]'" in capsys.readouterr().out


@pytest.mark.parametrize("endpoint", ["not an address", "ftp://127.0.0.1", "http://[::1"])
def test_an_address_that_is_none_disturbs_nobody(endpoint: str) -> None:
    """It is for the log; sending ends and nothing is raised."""
    sent_to(endpoint, 0.1)

    assert load_settings({"tz": "UTC"}, {"OTEL_EXPORTER_OTLP_ENDPOINT": endpoint}).collector == endpoint
