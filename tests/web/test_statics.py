"""Static files: for good when their address names their version."""

from __future__ import annotations

import re

import pytest

from app.web.rendering import StaticUrls
from app.web.statics import ASK_FIRST, FOR_GOOD
from tests.web.scenes import ROOT, client


def test_versioned_addresses_are_kept_for_good() -> None:
    """The address with the right version may be kept; any other is asked for again."""
    url = StaticUrls(ROOT / "static").url("app.css")
    with client() as browser:
        kept, plain, old = (browser.get(path) for path in (url, "/static/app.css", "/static/app.css?v=00000000"))

    assert [one.headers["cache-control"] for one in (kept, plain, old)] == [FOR_GOOD, ASK_FIRST, ASK_FIRST]


def test_vendored_names_are_versions() -> None:
    """A vendored file may be kept; the list of them changes."""
    with client() as browser:
        script = browser.get("/static/vendor/htmx-4.0.1.min.js")
        listing = browser.get("/static/vendor/VENDOR.md")

    assert (script.headers["cache-control"], listing.headers["cache-control"]) == (FOR_GOOD, ASK_FIRST)


@pytest.mark.parametrize("path", ["/static/../pyproject.toml", "/static/%2e%2e/pyproject.toml", "/static/no.css"])
def test_nothing_else_is_served(path: str) -> None:
    """Tricks with the path lead nowhere."""
    with client() as browser:
        assert browser.get(path).status_code == 404


def test_the_script_is_small_and_names_no_address() -> None:
    """At most 200 lines, and no address outside this machine in anything we serve of our own."""
    own = [path for path in (ROOT / "static").glob("*.*") if path.suffix in (".js", ".css")]

    assert len((ROOT / "static" / "app.js").read_text("utf-8").splitlines()) <= 200
    assert {path.name for path in own if re.search(r"https?://", path.read_text("utf-8"))} == set()
