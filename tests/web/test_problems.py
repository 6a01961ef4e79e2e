"""Errors: a document for programs, a page for people."""

from __future__ import annotations

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.web.language import speaking
from app.web.problems import Answerer, advice, heading, install_problems, title_of_status
from app.web.rendering import Renderer
from tests.web.scenes import ROOT, client

PAGE = {"Accept": "text/html,application/xhtml+xml"}


def test_programs_get_a_problem_document() -> None:
    """RFC 9457: type, title, status, detail, and the path as instance."""
    with client() as browser:
        answer = browser.get("/nowhere")

    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json() == {
        "type": "about:blank",
        "title": "Not Found",
        "status": 404,
        "detail": "There is nothing at this address. The page itself is at /.",
        "instance": "/nowhere",
    }


def test_people_get_a_page() -> None:
    """A browser that asks for a page gets one that says what to do."""
    with client() as browser:
        answer = browser.get("/<script>", headers=PAGE)

    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert "There is nothing at this address" in answer.text
    assert 'href="/"' in answer.text


def test_writing_is_refused() -> None:
    """What others read cannot be written; the answer says what can."""
    with client() as browser:
        answer = browser.post("/api/state", headers={"Sec-Fetch-Site": "same-origin"})

    assert (answer.status_code, answer.json()["detail"]) == (405, advice(405))
    assert answer.headers["allow"] == "GET"


def test_our_own_faults_and_wrong_values_are_said() -> None:
    """A fault gives no inside away; a wrong value is named."""
    app = FastAPI()
    install_problems(app, Answerer(Renderer(ROOT / "templates", str)), {"X-Own": "yes"})

    @app.get("/broken")
    def broken() -> None:
        raise RuntimeError("secret")

    @app.get("/number")
    def number(n: int) -> int:
        return n

    browser = TestClient(app, raise_server_exceptions=False)
    fault, wrong = browser.get("/broken"), browser.get("/number?n=x")

    assert fault.status_code == 500
    assert "secret" not in fault.text
    assert fault.headers["x-own"] == "yes"
    assert wrong.status_code == 422
    assert wrong.json()["detail"].startswith("query.n: ")


def test_unknown_statuses_have_a_title() -> None:
    """A status without a phrase is an error all the same."""
    assert (title_of_status(404), title_of_status(799)) == ("Not Found", "Error")


@pytest.mark.parametrize("status", [401, 403, 404, 405, 421, 429, 500])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_known_status_says_what_to_do(status: int, language: str) -> None:
    """Its heading and its advice are in the words of the page, in each language, and no phrase of the standard's."""
    with speaking(language):
        said, title = advice(status), heading(status)

    assert said is not None
    assert len(said) > 10
    assert language == "en" or title != title_of_status(status)


def test_problems_are_part_of_the_description() -> None:
    """Programs read from it what a refusal looks like, also for wrong values."""
    with client() as browser:
        described = browser.get("/openapi.json").json()["paths"]["/api/why"]["get"]["responses"]

    assert {"200", "400", "401", "403", "404", "421", "422", "429", "503"} <= set(described)
    assert {tuple(one["content"]) for status, one in described.items() if status != "200"} == {
        ("application/problem+json",)
    }
