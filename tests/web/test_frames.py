"""What all pages beside the first one share."""

from __future__ import annotations

import pytest

from app.core.state import State
from app.web.frames import nav_links
from app.web.language import speaking
from tests.web.scenes import HOSTILE, client, snapshot

PAGES = ("/why", "/census", "/share", "/sessions/nobody")


def test_nav_marks_the_page_that_is_open() -> None:
    """Each page has a link in its words; the one that is open is marked, and a language of the address goes along."""
    with speaking("ja"):
        links = nav_links("why", "ja")
    plain = nav_links("")

    assert [(one.label, one.href) for one in links[:3]] == [
        ("席", "/?lang=ja"), ("理由", "/why?lang=ja"), ("集計", "/census?lang=ja"),
    ]  # fmt: skip
    assert [one.code for one in links if one.current] == ["why"]
    assert not any(one.current for one in plain)
    assert [one.href for one in plain] == ["/", "/why", "/census", "/share", "/wall", "/settings"]


def test_what_is_looked_at_is_what_is_shared() -> None:
    """The link to sharing takes the window along, and the language of the address; the others need no window."""
    hrefs = {one.code: one.href for one in nav_links("seats", "ja", "range=6h")}

    assert hrefs["share"] == "/share?range=6h&lang=ja"
    assert hrefs["wall"] == "/wall?lang=ja"
    assert {one.code: one.href for one in nav_links("seats", "", "range=6h")}["share"] == "/share?range=6h"


@pytest.mark.parametrize("path", PAGES)
def test_every_page_leads_to_the_others(path: str) -> None:
    """The brand leads home, the nav to all pages, and the switch to the same page in the other language."""
    with client() as browser:
        page = browser.get(f"{path}?session=a%26b").text

    assert '<a href="/">Seatwatch</a>' in page
    assert page.count('aria-current="page"') == (0 if path.startswith("/sessions") else 1)
    assert f'<a href="{path}?session=a%26b&amp;lang=ja" lang="ja"' in page
    assert "data-theme-choice" in page
    assert "As of 19:24:00, all times are JST." in page


@pytest.mark.parametrize("path", PAGES)
def test_a_page_speaks_the_language_asked_for(path: str) -> None:
    """By address, by cookie or by the browser's wish; the answer says which it is and is never kept."""
    with client() as browser:
        by_address = browser.get(f"{path}?lang=ja")
        by_cookie = browser.get(path, headers={"Cookie": "seatwatch_lang=ja"})
        english = browser.get(path)

    assert '<html lang="ja">' in by_address.text
    assert '<html lang="ja">' in by_cookie.text
    assert '<html lang="en">' in english.text
    assert (by_address.headers["content-language"], by_address.headers["cache-control"]) == ("ja", "no-store")
    assert "Cookie" in english.headers["vary"]


@pytest.mark.parametrize("path", PAGES)
def test_trouble_and_demo_are_said_on_every_page(path: str) -> None:
    """What is true of all pages stands on all of them."""
    with client(snapshot(problem="The disk is full.")) as browser:
        troubled = browser.get(path).text
    with client(snapshot(demo=True)) as browser:
        demo = browser.get(path).text

    assert "The disk is full." in troubled
    assert "These sessions are made up." in demo


@pytest.mark.parametrize("path", ["/why", "/sessions/x"])
def test_nothing_is_missing_while_the_history_is_read(path: str) -> None:
    """Until all has been read a page says so, and when to come back, instead of what it cannot know."""
    with client(snapshot(State(), ready=False)) as browser:
        answer = browser.get(path)

    assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
    assert "Reload this page in a moment." in answer.text


def test_hostile_addresses_stay_text() -> None:
    """Whatever stands in an address, the links of the page carry it as text, and not without bound."""
    with client() as browser:
        page = browser.get("/why", params={"session": HOSTILE, "x": "y" * 5000, "<b>": '"onclick='}).text

    assert "<script>alert" not in page
    assert "<b>=" not in page
    assert len(page) < 20_000
