"""Who is answered, and with which headers."""

from __future__ import annotations

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from app.web.security import HEADERS, POLICY, HostGuard, SecurityHeaders, split_authority
from tests.web.scenes import client


async def hello(scope: Scope, receive: Receive, send: Send) -> None:
    """An app that greets."""
    await PlainTextResponse("hello")(scope, receive, send)


def guarded(port: int, *names: str) -> TestClient:
    """A browser's stand-in for the greeting behind the guard, served at this port."""
    return TestClient(HostGuard(hello, names), base_url=f"http://127.0.0.1:{port}")


@pytest.mark.parametrize("path", ["/", "/healthz", "/static/app.css", "/nowhere", "/openapi.json"])
def test_every_answer_has_the_headers(path: str) -> None:
    """Pages, data, files and errors alike carry the policy."""
    with client() as browser:
        headers = browser.get(path).headers

    assert {name: headers[name] for name in HEADERS} == dict(HEADERS)


def test_policy_allows_nothing_but_our_own() -> None:
    """No inline code, no other origin, no frame around us."""
    assert POLICY.startswith("default-src 'none'; script-src 'self'; style-src 'self'")
    assert "unsafe" not in POLICY
    assert "frame-ancestors 'none'" in POLICY


def test_own_headers_of_an_answer_win() -> None:
    """A page with a policy of its own keeps it."""

    async def own(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse("x", headers={"Referrer-Policy": "origin"})(scope, receive, send)

    assert TestClient(SecurityHeaders(own)).get("/").headers["Referrer-Policy"] == "origin"


@pytest.mark.parametrize("host", ["127.0.0.1:8123", "localhost:8123", "LOCALHOST:8123", "[::1]:8123"])
def test_own_names_are_answered(host: str) -> None:
    """The loopback's names at the served port are ours."""
    assert guarded(8123).get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example:8123", "127.0.0.1:9", "127.0.0.1", "localhost.evil.example:8123", "a@127.0.0.1:8123", "", "[::1",
     ":8123", "127.0.0.1:8123/x", "127.0.0.1:99999"],
)  # fmt: skip
def test_foreign_names_are_refused(host: str) -> None:
    """A name that points here without being ours (DNS rebinding), or nonsense, gets a problem document."""
    answer = guarded(8123).get("/", headers={"Host": host})

    assert answer.status_code == 421
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["status"] == 421


def test_other_names_can_be_allowed() -> None:
    """Binding beyond the loopback adds its name."""
    assert guarded(8123, "Mac.local").get("/", headers={"Host": "mac.local:8123"}).status_code == 200


@pytest.mark.parametrize(
    ("origin", "status"),
    [("http://127.0.0.1:8123", 200), ("http://evil.example", 403), ("null", 403), ("http://127.0.0.1:9", 403)],
)
def test_scripts_of_other_sites_are_refused(origin: str, status: int) -> None:
    """A foreign origin may not read, not even the stream."""
    assert guarded(8123).get("/", headers={"Origin": origin}).status_code == status


def test_the_default_port_needs_no_number() -> None:
    """At port 80 the host has none."""
    assert guarded(80).get("/", headers={"Host": "localhost"}).status_code == 200


@pytest.mark.parametrize(
    ("authority", "parts"),
    [
        ("a:1", ("a", 1)),
        ("[::1]:1", ("::1", 1)),
        ("A", ("a", None)),
        ("a:x", None),
        ("u@a", None),
        ("a/b", None),
        ("", None),
    ],
)
def test_authorities_are_split(authority: str, parts: tuple[str, int | None] | None) -> None:
    """Name and port, or nothing where it is no authority."""
    assert split_authority(authority) == parts


def test_other_scopes_pass() -> None:
    """The lifespan goes through both."""
    seen: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(scope["type"])
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})

    with TestClient(SecurityHeaders(HostGuard(app))):
        assert seen == ["lifespan"]
