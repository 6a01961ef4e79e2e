"""A server that others may reach: who is let in, and what is left of the token afterwards."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from app.web.problems import Answerer
from app.web.rendering import Renderer
from app.web.security_token import (
    MOST_PEERS,
    MOST_WRONG,
    WINDOW_SECONDS,
    Attempts,
    TokenGuard,
    cookie_of,
    peer_of,
)
from tests.web.scenes import ROOT

TOKEN = "made-up-token-" + "x" * 30
WRONG = "y" * 43
COOKIE, VALUE = cookie_of(TOKEN)
PAGE = {"Accept": "text/html"}


async def hello(scope: Scope, receive: Receive, send: Send) -> None:
    """An app that says what it was asked."""
    await PlainTextResponse(f"{scope['path']}?{scope['query_string'].decode()}")(scope, receive, send)


class Seconds:
    """Time that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def seconds() -> Seconds:
    """The time of the guard."""
    return Seconds()


@pytest.fixture
def browser(seconds: Seconds) -> TestClient:
    """A browser on another machine."""
    guard = TokenGuard(hello, Answerer(Renderer(ROOT / "templates", str)), TOKEN, Attempts(seconds))
    return TestClient(guard, base_url="http://192.0.2.7:8585", follow_redirects=False)


def test_without_a_token_the_page_says_what_to_do(browser: TestClient) -> None:
    """A person gets a page, a program a document; both know which scheme is spoken."""
    page, document = browser.get("/", headers=PAGE), browser.get("/api/state")

    assert (page.status_code, document.status_code) == (401, 401)
    assert "?token=" in page.text
    assert document.json()["title"] == "Unauthorized"
    assert page.headers["www-authenticate"] == document.headers["www-authenticate"] == 'Bearer realm="Seatwatch"'
    assert page.headers["cache-control"] == "no-store"


def test_the_token_is_exchanged_for_a_cookie_at_once(browser: TestClient) -> None:
    """The answer leads to the same address without it, and the cookie is out of reach of scripts and other sites."""
    answer = browser.get(f"/why?at=1&token={TOKEN}&lang=ja")
    cookie = answer.headers["set-cookie"]

    assert (answer.status_code, answer.headers["location"]) == (303, "/why?at=1&lang=ja")
    assert TOKEN not in cookie
    assert cookie.startswith(f"{COOKIE}={VALUE};")
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))
    assert answer.headers["cache-control"] == "no-store"
    assert browser.get("/why?at=1&lang=ja").text == "/why?at=1&lang=ja"


@pytest.mark.parametrize(
    "path", ["//evil.example/", "/\\evil.example/", "/%5cevil.example/", "/a%0d%0aX:%20y", "/%2f%2fevil.example"]
)
def test_the_way_on_stays_on_this_server(path: str, browser: TestClient) -> None:
    """Whatever the address looks like, the browser is led to no other host and given no other header."""
    answer = browser.get(f"{path}?token={TOKEN}")
    location = answer.headers["location"]

    assert answer.status_code == 303
    assert location.startswith("/")
    assert location[1:2] not in {"/", "\\"}
    assert "x" not in answer.headers


def test_programs_show_it_as_a_bearer(browser: TestClient) -> None:
    """Prometheus and scripts send a header with each request; no cookie is set."""
    answer = browser.get("/metrics", headers={"Authorization": f"bearer {TOKEN}"})

    assert (answer.status_code, answer.text) == (200, "/metrics?")
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    "shown",
    [
        {"headers": {"Authorization": f"Bearer {WRONG}"}}, {"headers": {"Authorization": "Bearer"}},
        {"headers": {"Cookie": f"{COOKIE}={WRONG}"}}, {"headers": {"Cookie": f"{COOKIE}={TOKEN}"}},
        {"params": {"token": WRONG}}, {"params": {"token": ""}}, {"params": {"token": [TOKEN, TOKEN]}},
        {"params": {"token": "席\ud800".encode("utf-8", "surrogatepass")}},
        {"headers": {"Cookie": b'\xff=";\\'}}, {"headers": {"Authorization": b"Bearer \xff\xfe"}},
        {"headers": {"Authorization": f"Basic {TOKEN}"}},
    ],
)  # fmt: skip
def test_what_is_not_the_token_lets_nobody_in(shown: dict[str, Any], browser: TestClient) -> None:
    """Wrong, empty, twice, in the wrong place, or no text at all: it is asked for."""
    assert browser.get("/", **shown).status_code == 401


def test_the_cookie_of_another_token_is_none(browser: TestClient) -> None:
    """One from before the token was changed, or of another Seatwatch on this host, is no guess and does no harm."""
    name, value = cookie_of(WRONG)
    answers = {browser.get("/", headers={"Cookie": f"{name}={value}"}).status_code for _ in range(3 * MOST_WRONG)}

    assert name != COOKIE
    assert answers == {401}
    assert browser.get("/", headers={"Cookie": f"{name}={value}; {COOKIE}={VALUE}"}).status_code == 200


def test_guessing_is_limited(browser: TestClient, seconds: Seconds) -> None:
    """After so many wrong ones even the right one has to wait, and then it is let in."""
    for _ in range(MOST_WRONG):
        assert browser.get("/", params={"token": WRONG}).status_code == 401
    seconds.now += 10
    refused = browser.get("/", params={"token": TOKEN}, headers=PAGE)
    seconds.now += WINDOW_SECONDS

    assert refused.status_code == 429
    assert refused.headers["retry-after"] == "51"
    assert browser.get("/", params={"token": TOKEN}).status_code == 303


def test_asking_without_a_token_is_no_guess(browser: TestClient) -> None:
    """A page that reconnects for hours is not refused for it."""
    answers = {browser.get("/stream").status_code for _ in range(3 * MOST_WRONG)}

    assert answers == {401}


def test_static_files_are_open(browser: TestClient) -> None:
    """The page that asks is made of them."""
    assert browser.get("/static/app.css").status_code == 200


def test_addresses_are_counted_apart_and_forgotten(seconds: Seconds) -> None:
    """The table is bounded: who has been quiet the longest is forgotten first."""
    attempts = Attempts(seconds)
    for _ in range(MOST_WRONG):
        attempts.note("first")
    blocked = attempts.wait("first")
    for number in range(MOST_PEERS):
        attempts.note(f"peer {number}")

    assert blocked == WINDOW_SECONDS
    assert attempts.wait("peer 5") == 0
    assert attempts.wait("first") == 0
    assert len(attempts) == MOST_PEERS


def test_the_window_begins_anew(seconds: Seconds) -> None:
    """Wrong ones now and then never add up."""
    attempts = Attempts(seconds)
    for _ in range(3 * MOST_WRONG):
        attempts.note("peer")
        seconds.now += WINDOW_SECONDS / 3

    assert attempts.wait("peer") == 0


@pytest.mark.parametrize(
    ("client", "peer"),
    [
        (("192.0.2.7", 1), "192.0.2.7"),
        (("2001:db8:1:2:3:4:5:6", 1), "2001:db8:1:2::/64"),
        (("::ffff:192.0.2.7", 1), "::ffff:192.0.2.7"),
        (None, ""),
        (("testclient", 1), "testclient"),
    ],
)
def test_who_is_counted(client: Any, peer: str) -> None:
    """Of IPv6 the whole network of a host: it may take any address in it."""
    found = peer_of({"client": client})

    assert found == peer or found.endswith("c000:207")
