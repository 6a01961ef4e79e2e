"""The text that Prometheus reads, read by Prometheus' own tool."""

from __future__ import annotations

import subprocess

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as parse_open
from prometheus_client.parser import text_string_to_metric_families as parse

from app.export.measures import MEASURES, Facts
from app.export.prometheus import exposition
from tests.export.test_measures import machine
from tests.promtool import command
from tests.web.scenes import NOW, seven_of_eight

FULL = Facts(
    NOW, seven_of_eight(), machine(), sources=3, lag=0.5, last_line_at=NOW, put_off={"warm": 1, "user": 0},
    database_bytes=4096, rss_bytes=90_000_000, uptime_seconds=60.0,
)  # fmt: skip
OPEN = "application/openmetrics-text; version=1.0.0"


def test_promtool_finds_nothing_amiss() -> None:
    """Names, units, types and help are as Prometheus wants them, and every measure is there."""
    text, media_type = exposition(FULL, "text/plain")

    checked = subprocess.run([command("promtool"), "check", "metrics"], input=text, capture_output=True, check=False)

    assert (checked.returncode, checked.stdout, checked.stderr) == (0, b"", b"")
    assert media_type.startswith("text/plain; version=")
    names = {sample.name for family in parse(text.decode()) for sample in family.samples}
    missing = {one.full_name for one in MEASURES} - names
    assert missing == {"seatwatch_seats_reported"}  # the scene's app gave no count of its own


def test_open_metrics_have_their_own_types() -> None:
    """Who asks for OpenMetrics gets state sets and infos as such."""
    text, media_type = exposition(FULL, OPEN)

    types = {family.name: family.type for family in parse_open(text.decode())}  # type: ignore[no-untyped-call]

    assert media_type.startswith("application/openmetrics-text")
    assert types["seatwatch_pressure_level"] == "stateset"
    assert types["seatwatch_build"] == "info"
    assert types["seatwatch_evictions"] == "counter"


@pytest.mark.parametrize("accept", ["", "text/html", "*/*;q=nonsense"])
def test_any_wish_is_answered(accept: str) -> None:
    """A header that nobody understands gets the usual text."""
    assert exposition(FULL, accept)[0].startswith(b"# HELP seatwatch_build_info")


def test_what_is_not_known_is_left_out() -> None:
    """No family without a sample: a 0 would be a claim."""
    text = exposition(Facts(NOW, status="loading"), "")[0].decode()

    assert 'seatwatch_status{seatwatch_status="loading"} 1.0' in text
    assert "seatwatch_seats" not in text
    assert "seatwatch_memory" not in text
