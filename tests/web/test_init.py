"""Mounting the web part."""

from __future__ import annotations

from tests.web.scenes import Site, client, site


def test_mounts_every_route_with_one_call() -> None:
    """One call gives the page, the stream, the facts for programs and the static files."""
    with client() as browser:
        found = [browser.get(path).status_code for path in ("/", "/api/state", "/healthz", "/static/app.js")]
        described = browser.get("/openapi.json").json()["paths"]

    assert found == [200] * 4
    assert set(described) == {
        "/stream", "/api/state", "/api/why", "/api/census", "/api/events", "/api/sessions", "/api/timeline", "/healthz",
        "/readyz",
    }  # fmt: skip


def test_two_sites_share_nothing() -> None:
    """Nothing is created at import: each call has its own board."""
    one, other = site(), site()

    assert isinstance(one, Site)
    assert one.board is not other.board
