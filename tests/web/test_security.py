"""Who is answered, and with which headers."""

from __future__ import annotations

import asyncio

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from app.web.problems import Answerer
from app.web.rendering import Renderer
from app.web.security import HEADERS, POLICY, HostGuard, SecurityHeaders, split_authority
from app.web.security_token import TokenGuard
from tests.web.scenes import ROOT, client

ANSWER = Answerer(Renderer(ROOT / "templates", str))


async def hello(scope: Scope, receive: Receive, send: Send) -> None:
    """An app that greets."""
    await PlainTextResponse("hello")(scope, receive, send)


def guarded(port: int, *names: str) -> TestClient:
    """A browser's stand-in for the greeting behind the guard, served at this port."""
    return TestClient(HostGuard(hello, ANSWER, names), base_url=f"http://127.0.0.1:{port}")


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
    """The lifespan goes through all of them."""
    seen: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(scope["type"])
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})

    with TestClient(SecurityHeaders(HostGuard(TokenGuard(app, ANSWER, "t" * 43), ANSWER))):
        assert seen == ["lifespan"]


SAME, EVIL = "http://127.0.0.1:8123", "http://evil.example"


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 403),
        ({"Origin": SAME}, 200),
        ({"Origin": "http://localhost:8123"}, 403),
        ({"Sec-Fetch-Site": "same-origin"}, 200),
        ({"Sec-Fetch-Site": "none"}, 200),
        ({"Origin": SAME, "Sec-Fetch-Site": "same-origin"}, 200),
        ({"Origin": "null", "Sec-Fetch-Site": "same-origin"}, 200),
        ({"Origin": "null"}, 403),
        ({"Origin": EVIL}, 403),
        ({"Origin": EVIL, "Sec-Fetch-Site": "same-origin"}, 403),
        ({"Origin": SAME, "Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
    ],
)
def test_only_our_own_page_may_change_something(method: str, headers: dict[str, str], status: int) -> None:
    """A form on another site can be sent here, but not without telling where it comes from."""
    assert guarded(8123).request(method, "/", headers=headers).status_code == status


@pytest.mark.parametrize("site", ["cross-site", "same-site", "none"])
def test_links_from_elsewhere_may_be_followed(site: str) -> None:
    """Reading is free to who follows a link; the answer is kept from scripts by the browser."""
    assert guarded(8123).get("/", headers={"Sec-Fetch-Site": site}).status_code == 200


@pytest.mark.parametrize("path", ["/", "/api/state", "/stream", "/openapi.json"])
def test_no_other_origin_is_ever_allowed(path: str) -> None:
    """There is no header that lets scripts of other sites in, asked for or not."""
    with client() as browser:
        asked = {"Origin": EVIL, "Access-Control-Request-Method": "POST"}
        answers = [browser.options(path, headers=asked), browser.get(path, headers={"Origin": EVIL})]

    assert [answer.status_code for answer in answers] == [403, 403]
    assert [name for answer in answers for name in answer.headers if name.startswith("access-control")] == []


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("192.0.2.7:8123", 200), ("[::ffff:192.0.2.7]:8123", 421), ("192.0.2.8:8123", 421), ("192.0.2.7:80", 421),
        ("mac.lan:8123", 200), ("other.lan:8123", 421), ("proxy.lan", 200), ("proxy.lan:443", 200),
        ("proxy.lan:8123", 421),
    ],
)  # fmt: skip
def test_on_all_addresses_the_one_that_was_called_is_ours(host: str, status: int) -> None:
    """An address cannot be pointed here by somebody's name server; names are ours only if they were given."""
    guard = HostGuard(hello, ANSWER, ("mac.lan", "proxy.lan:443"), anywhere=True)
    browser = TestClient(guard, base_url="http://192.0.2.7:8123")

    assert browser.get("/", headers={"Host": host}).status_code == status


def test_an_address_of_the_old_kind_within_one_of_the_new_is_known() -> None:
    """A server on all addresses of IPv6 sees callers of IPv4 in a longer form."""
    guard = HostGuard(hello, ANSWER, anywhere=True)
    browser = TestClient(guard, base_url="http://[::ffff:192.0.2.7]:8123")

    assert browser.get("/", headers={"Host": "192.0.2.7:8123"}).status_code == 200


def test_two_hosts_are_none() -> None:
    """A request with two names is refused, whatever the first one says."""
    answer = guarded(8123).get("/", headers=[("Host", "127.0.0.1:8123"), ("Host", "evil.example")])

    assert answer.status_code == 421


def test_people_are_refused_with_a_page() -> None:
    """A browser shows words, not a document."""
    answer = guarded(8123).get("/", headers={"Host": "mac.lan:8123", "Accept": "text/html"})

    assert answer.status_code == 421
    assert "SEATWATCH_ALLOW_HOST" in answer.text


def test_the_page_with_a_form_lets_its_own_origin_be_told() -> None:
    """A browser tells it to us alone, and without it a form that came over a network could not be known as ours."""
    with client() as browser:
        headers = browser.get("/settings").headers

    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["Content-Security-Policy"] == POLICY


@pytest.mark.parametrize(
    "headers", [[], [(b"host", b"")], [(b"host", b"127.0.0.1:8123"), (b"host", b"127.0.0.1:8123")]]
)
def test_no_name_or_two_are_refused(headers: list[tuple[bytes, bytes]]) -> None:
    """Old programs send no host at all, and nobody sends two: neither says that it is us who is meant."""
    sent: list[Message] = []
    scope = {
        "type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": headers, "scheme": "http",
        "server": ("127.0.0.1", 8123),
    }  # fmt: skip

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(HostGuard(hello, ANSWER)(scope, receive, send))

    assert sent[0]["status"] == 421
