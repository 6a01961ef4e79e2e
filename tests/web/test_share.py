"""``/share`` and its files, as a browser gets them."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.core.history import History
from app.core.state import App, State
from app.errors import DatabaseUnusable
from app.web.past import HistoryOf, PastWindows
from app.web.ranges import Window
from app.web.share import Sharing, share_router
from app.web.share_files import FORMS
from tests.web.scenes import NOW, ago, client, mark, past, seven_of_eight, site, snapshot
from tests.web.sharing import MARKERS, TRACES, eventful, marked_snapshot, studio


def told(start: datetime, end: datetime) -> tuple[State, History]:
    """A store that knows one window: the app did not run at its end."""
    return seven_of_eight(at=end, app=App(running=False, down_since=start)), replace(
        past(seven_of_eight(), (mark("app_quit", 400),)), start=start, end=end
    )


def broken(start: datetime, end: datetime) -> tuple[State, History]:
    """A store that cannot answer."""
    raise DatabaseUnusable("seatwatch.sqlite", "disk full")


def shop(*folders: Path, history_of: HistoryOf | None = None) -> TestClient:
    """The share pages alone, with these folders of faces and this store."""
    place = site(eventful())
    app = FastAPI()
    store = PastWindows(history_of) if history_of is not None else None
    app.include_router(share_router(place.board, studio(*folders), store))
    return TestClient(app, base_url="http://127.0.0.1")


def test_the_page_shows_what_is_sent() -> None:
    """The picture with its words for who cannot see it, the choices, a file of each form, and what the tables hold."""
    with client(eventful()) as browser:
        answer = browser.get("/share")
    page = answer.text

    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    assert re.search(r'<img src="/share/seatwatch\.png\?range=2h&amp;theme=dark&amp;lang=en"', page)
    assert 'alt="Seatwatch: 7 of 8 seats taken. One seat left.' in page
    for suffix in FORMS:
        assert f'href="/share/seatwatch.{suffix}?range=2h&amp;theme=dark&amp;lang=en"' in page
        assert re.search(rf'download="seatwatch-2026-10-02-\d{{4}}\.{re.escape(suffix)}"', page)
    assert "Session H was closed to free memory" in page
    assert 'id="share-copy"' in page
    assert '<a href="/share" aria-current="page">' in page


def test_no_title_is_on_the_page() -> None:
    """The page is as bare as its files, so that a screenshot of it may be sent as well."""
    with client(replace(marked_snapshot(), problem=None, looked_in=())) as browser:
        page = browser.get("/share").text.lower()

    assert [trace for trace in TRACES if trace in page] == []


@pytest.mark.parametrize("suffix", FORMS)
def test_each_file_is_sent_to_be_saved(suffix: str) -> None:
    """A file has its type, a safe name to be saved under, a policy that lets it do nothing, and is not kept."""
    with client(marked_snapshot()) as browser:
        answer = browser.get(f"/share/seatwatch.{suffix}?theme=light")

    assert answer.status_code == 200
    assert answer.headers["content-type"] == FORMS[suffix].media_type
    assert re.fullmatch(
        rf'attachment; filename="seatwatch-[\d-]{{15}}\.{re.escape(suffix)}"', answer.headers["content-disposition"]
    )
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert "sandbox" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-store"
    bare = re.sub(rb"base64,[\w+/=]+", b"", answer.content).lower()
    assert [trace for trace in TRACES if trace.encode() in bare] == []


@pytest.mark.parametrize("name", ["other.png", "seatwatch.gif", "seatwatch", "seatwatch.png.exe", "x%2fseatwatch.png"])
def test_other_names_are_nothing(name: str) -> None:
    """Only the known files are there."""
    with client() as browser:
        assert browser.get(f"/share/{name}").status_code == 404


@pytest.mark.parametrize("path", ["/share", "/share/seatwatch.csv"])
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_nothing_can_be_changed(path: str, method: str) -> None:
    """The page and its files are read, and nothing else."""
    with shop() as browser:
        assert browser.request(method, path).status_code == 405


def test_language_theme_and_range_come_from_the_address() -> None:
    """The address alone decides what a file shows; an unknown theme is the dark one."""
    with client(eventful()) as browser:
        dark, light, strange = (
            browser.get(f"/share/seatwatch.svg?theme={theme}&lang=ja&range=1h").text
            for theme in ("dark", "light", "%3Cb%3E")
        )

    assert "タスク E" in dark
    assert 'fill="#0d1014"' in dark
    assert 'fill="#f6f5f1"' in light
    assert strange == dark


def test_a_range_that_makes_no_sense() -> None:
    """The page says so and shows the usual range; a file is refused with the reason."""
    with client() as browser:
        page, file = browser.get("/share?range=3h"), browser.get("/share/seatwatch.json?range=3h")

    assert "There is no range “3h”." in page.text
    assert file.status_code == 400
    assert "There is no range" in file.json()["detail"]


def test_a_window_of_the_past_is_shown_as_it_was() -> None:
    """State and sentence are those of the window's end, told by the store."""
    with shop(history_of=told) as browser:
        window = "from=2026-10-02T06:00Z&to=2026-10-02T08:00Z"
        plain = browser.get(f"/share/seatwatch.json?{window}").json()
        page = browser.get(f"/share?{window}")

    assert plain["at"] == "2026-10-02T17:00:00+09:00"
    assert plain["sentence"].startswith("Claude is not running.")
    assert page.status_code == 200
    assert "<figcaption>15:00 to 17:00</figcaption>" in page.text


def test_a_window_that_reaches_beyond_now_is_about_now() -> None:
    """What has not come yet is empty; the moment is now."""
    sharing = Sharing(site(eventful()).board, PastWindows(told))
    shown = asyncio.run(sharing.scene(Window(None, ago(hours=1), NOW.replace(hour=NOW.hour + 1))))

    assert shown.at == NOW
    assert shown.history.end > NOW
    assert shown.state.app.running


def test_a_store_that_cannot_answer() -> None:
    """The page shows the present and says why; a file is refused as our own fault."""
    window = "from=2026-10-02T06:00Z&to=2026-10-02T08:00Z"
    with shop(history_of=broken) as browser:
        page, file = browser.get(f"/share?{window}"), browser.get(f"/share/seatwatch.csv?{window}")

    assert "disk full" in page.text
    assert "range=2h" in page.text
    assert file.status_code == 503


def test_without_a_japanese_face_the_page_says_so(tmp_path: Path) -> None:
    """The picture is then the SVG, which the browser draws; no PNG is offered, and asking for one gives the reason."""
    with shop(tmp_path) as browser:
        page, file = browser.get("/share?lang=ja").text, browser.get("/share/seatwatch.png?lang=ja")
        english = browser.get("/share?lang=en").text

    assert 'src="/share/seatwatch.svg?' in page
    assert "seatwatch.png" not in page
    assert "日本語フォントが見つからない" in page
    assert file.status_code == 400
    assert "no face for them was found" in file.json()["detail"]
    assert 'src="/share/seatwatch.png?' in english


def test_letters_of_a_part_are_not_kept() -> None:
    """A picture that is taken while the logs are still read gives nobody a letter for later."""
    place = site(snapshot(ready=False, filling=True))
    asyncio.run(Sharing(place.board, None).scene(Window()))

    assert len(place.live.aliases) == 0


def test_letters_stay_from_file_to_file() -> None:
    """A session that is gone from the present keeps its letter, so that files saved one after the other agree."""
    place = site(eventful())
    sharing = Sharing(place.board, None)
    first = asyncio.run(sharing.scene(Window()))
    place.live.publish(replace(snapshot(seven_of_eight(sessions={}), version=2), history=eventful().history))
    second = asyncio.run(sharing.scene(Window()))

    assert [one.session for one in first.history.marks] == [one.session for one in second.history.marks]
    assert {one.session for one in first.history.spans} == {one.session for one in second.history.spans}
    assert MARKERS["title"] not in repr(second)
