"""Every documented address, asked with whatever its description allows and what it does not: it keeps to what it says.

Schemathesis makes the requests from ``/openapi.json``, and checks each answer against it: no status that is not
described, no other content, no fault of ours. The pages, which no program reads, are asked with anything at all.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, cast

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.testclient import TestClient

from app.core.recorder import Recorder
from app.core.state import State
from app.live import Live, Snapshot
from app.main import Parts, assemble, create_app
from app.settings import load_settings
from tests.e2e.served import SESSION
from tests.hostile_texts import HOSTILE
from tests.test_papers import routes

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "12"))
"""Requests for each address: few in every run, many in ``make fuzz``."""
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
BASE = "http://127.0.0.1"
LOG = "".join(
    f"2026-10-02 09:0{minute}:01 [info] {body}\n"
    for minute, body in enumerate(
        (
            f"Starting local session {SESSION.format(1)} in /Users/someone/alpha",
            f"[CliGovernor] at cap=6; would evict {SESSION.format(1)} (idle 99s)",
            f"[CCD] Pausing session {SESSION.format(1)} (idle_timeout)",
            "[CliGovernor] something new",
        )
    )
)
MOST = settings(
    max_examples=EXAMPLES,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
    database=None,
)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """The whole of Seatwatch over a small log, as a program sees it."""
    home = tmp_path_factory.mktemp("requests")
    (home / "main.log").write_text(LOG)
    flags = {"logs": home, "db": home / "own" / "x.sqlite", "tz": "UTC", "no_open": True, "probes": False}
    with ExitStack() as closing:
        parts = assemble(load_settings(flags, {}, home / "no.toml"), closing)
        client = TestClient(create_app(parts), base_url=BASE, raise_server_exceptions=False)
        yield closing.enter_context(client)


def described() -> Any:
    """What the application says of itself, without the stream, which has no end."""
    live = Live(Snapshot(0, State(), Recorder()))
    app = create_app(Parts(load_settings({"tz": "UTC"}, {}), live, cast(Any, None)))
    return schemathesis.openapi.from_dict(app.openapi()).exclude(path="/stream")


OPERATIONS = {one.ok().label: one.ok() for one in described().get_all_operations()}


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=lambda mode: mode.value)
@pytest.mark.parametrize("label", OPERATIONS)
def test_every_documented_address_keeps_to_its_description(
    label: str, mode: GenerationMode, browser: TestClient
) -> None:
    """Its statuses, its content and its shape, for good and bad values alike, and a fault for none."""

    @given(case=OPERATIONS[label].as_strategy(generation_mode=mode))
    @MOST
    def ask(case: Any) -> None:
        asked = case.as_transport_kwargs(base_url=BASE)
        sent = {name: asked[name] for name in ("method", "url", "params", "json") if name in asked}
        answer = browser.request(**sent, headers={"Sec-Fetch-Site": "same-origin"})
        case.validate_response(answer, checks=CHECKS)
        assert answer.status_code < 500 or case.path == "/readyz"

    if mode is GenerationMode.NEGATIVE and not any(True for _ in OPERATIONS[label].iter_parameters()):
        assert browser.get(OPERATIONS[label].path, params={"x": "\x00"}).status_code in {200, 503}
        return
    ask()


QUERIES = st.dictionaries(
    st.sampled_from(["range", "from", "to", "at", "session", "lang", "privacy", "scale", "view", "dim", "now", "x"]),
    st.one_of(
        st.text(max_size=40),
        st.sampled_from([text[:3000].encode("utf-8", "replace").decode() for text in HOSTILE.values()]),
        st.sampled_from(
            [
                "2026-10-02T09:00:00Z",
                "9999-12-31T23:59:59+00:00",
                "0001-01-01T00:00:00",
                "-1",
                "1e999",
                SESSION.format(1),
            ]
        ),
    ),
    max_size=4,
)
PAGES = sorted(path for path in routes() if path not in {"/stream", "/openapi.json"} and not path.startswith("/api/"))


@pytest.mark.parametrize("path", PAGES)
@given(query=QUERIES, part=st.sampled_from(["x", SESSION.format(1), "..%2f..%2fetc%2fpasswd", "%00", "a.png", "%ff"]))
@MOST
def test_pages_take_any_query(path: str, query: dict[str, str], part: str, browser: TestClient) -> None:
    """What makes no sense is said or left alone: a page is an answer or a refusal, never a fault of ours."""
    address = path.replace("{id}", part).replace("{file}", part)
    answer = browser.get(address, params=query, headers={"Accept": "text/html"}, follow_redirects=False)

    assert answer.status_code in {200, 303, 400, 404, 405, 409, 422}
    assert "Traceback" not in answer.text
