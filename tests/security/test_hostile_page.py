"""Hostile titles and log lines on every page, in every picture and every answer: text they came as, text they stay.

What is sent to others (exports, notifications, metrics) is tested where it is made.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

import pytest
from starlette.testclient import TestClient

from app.core.state import Phase
from tests.hostile_texts import HOSTILE, MARK
from tests.test_papers import routes
from tests.web.scenes import mark, session, sid, site, snapshot, state

BASE = "http://127.0.0.1"
CONTROLS = {chr(code) for code in (*range(32), *range(127, 160), *range(0x202A, 0x202F), *range(0x2066, 0x206A))}
ALLOWED = {"\n", "\t", "\r"}
LEADING = {"href", "src", "action", "formaction", "xlink:href", "data", "hx-get", "hx-post"}
"""Attributes whose value a browser goes to."""
PAGES = sorted(path for path in routes() if path not in {"/stream", "/openapi.json"})


@dataclass
class Scripts(HTMLParser):
    """What a page would run: scripts without a file of ours, handlers, links that are programs, foreign addresses."""

    found: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at each attribute."""
        given = dict(attrs)
        if tag == "script" and not (given.get("src") or "").startswith("/static/"):
            self.found.append(f"<script {given}>")
        if tag in {"iframe", "object", "embed", "base", "foreignobject", "img"} and not _is_ours(given):
            self.found.append(f"<{tag} {given}>")
        for name, value in attrs:
            address = (value or "").strip().lower()
            if name.startswith("on") or (name in LEADING and address.startswith(("javascript:", "data:text"))):
                self.found.append(f"{tag} {name}={value}")


def _is_ours(given: dict[str, str | None]) -> bool:
    return (given.get("src") or "").startswith(("/", "data:image/"))


@pytest.fixture(scope="module")
def browser() -> Iterator[TestClient]:
    """A site on which every title, folder and line is one of the hostile texts."""
    texts = [text[:2000].encode("utf-8", "replace").decode() for text in HOSTILE.values()]
    sessions = [
        session(n, Phase.IDLE if n % 2 else Phase.WORKING, idle=60 * n, title=text, cwd=text)
        for n, text in enumerate(texts, 1)
    ]
    marks = [mark("evicted_for_seat", n, n, text=text) for n, text in enumerate(texts, 1)]
    shown = snapshot(state(*sessions), tuple(marks), folder=texts[0], problem=texts[1], looked_in=tuple(texts[:3]))
    with TestClient(site(shown).app, base_url=BASE, raise_server_exceptions=False) as client:
        yield client


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_nothing_of_it_is_run(path: str, language: str, browser: TestClient) -> None:
    """No page has a script, a handler or an address that is not ours, nor anything that turns or hides its text."""
    address = path.replace("{id}", sid(1)).replace("{file}", "seatwatch.svg")
    answer = browser.get(address, params={"lang": language}, headers={"Accept": "text/html"})
    assert answer.status_code < 500 or path == "/readyz"
    kind = answer.headers["content-type"].partition(";")[0]

    if kind.endswith("json"):
        assert json.loads(answer.text) is not None
        return
    page = Scripts()
    page.feed(answer.text)
    assert page.found == []
    assert {char for char in answer.text if char in CONTROLS - ALLOWED} == set()
    assert "<b><b>" not in answer.text


def test_titles_are_on_the_page_as_text(browser: TestClient) -> None:
    """They are shown, not dropped: escaped, word for word."""
    text = browser.get("/").text

    assert MARK in text
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert" in text
    assert "{{7*7}} ${7*7}" in text


@pytest.mark.parametrize("name", HOSTILE)
def test_an_address_may_hold_anything(name: str, browser: TestClient) -> None:
    """What is asked for is never said back as markup, in pages and in documents for programs."""
    text = HOSTILE[name][:600].encode("utf-8", "replace").decode()
    for path in ("/", "/why", "/nowhere"):
        answer = browser.get(path, params={"session": text, "range": text, "at": text}, headers={"Accept": "text/html"})
        page = Scripts()
        page.feed(answer.text)
        assert page.found == []
        assert answer.status_code < 500
    assert browser.get("/api/why", params={"session": text[:200]}).status_code in {200, 400, 404, 422}
