"""``/wall`` as it is first sent."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from app.core.history import History
from app.core.state import App, Phase, State
from app.live import Snapshot
from app.web.rendering import StaticUrls
from app.web.wall_page import FILES, wall_version
from tests.web.scenes import ROOT, FixedRecorder, ago, client, session, seven_of_eight, snapshot, state

STATIC = ROOT / "static"


def test_page_is_whole_without_scripts() -> None:
    """The number, the sentence, the seats, the picture and the bottom row are in the first answer; nothing is kept."""
    with client() as browser:
        answer = browser.get("/wall")

    assert answer.headers["cache-control"] == "no-store"
    assert '<span class="taken">7</span>' in answer.text
    assert "<b>Meeting notes</b> goes first, silent for 14 minutes." in answer.text
    assert answer.text.count('<li id="seat-') == 8
    assert 'class="places columns-4 rows-2"' in answer.text
    assert 'class="plot" data-start' in answer.text
    assert '<p class="edge now">19:24</p>' in answer.text


def test_short_title_is_not_torn_in_japanese() -> None:
    """Lines break between phrases, and the comma after a title may not begin the next: its spaces hold it together."""
    with client() as browser:
        page = browser.get("/wall?lang=ja").text

    assert "<b>Meeting\u00a0notes</b>、" in page


def test_page_has_no_controls() -> None:
    """Nothing to press, to follow or to fill in: who looks at a wall has no mouse."""
    with client() as browser:
        page = browser.get("/wall").text

    assert not re.search(r"<(a|button|input|select|form|nav|dialog)\b", page)


def test_page_connects_once_to_the_walls_stream() -> None:
    """One stream, on an element that no update has as its target, with what the address asks for."""
    with client() as browser:
        plain, private = browser.get("/wall").text, browser.get("/wall?titles=hide&lang=ja").text

    assert plain.count("hx-sse:connect") == 1
    assert 'hx-sse:connect="/stream?view=wall&amp;lang=en"' in plain
    assert 'hx-sse:connect="/stream?view=wall&amp;lang=ja&amp;titles=hide"' in private
    assert '<html lang="ja">' in private


def test_hidden_titles_are_nowhere_in_the_page() -> None:
    """Titles that are hidden by the address are in no part of the answer."""
    with client() as browser:
        page = browser.get("/wall?titles=hide").text

    assert "Session E" in page
    assert not [one.title for one in seven_of_eight().sessions.values() if str(one.title) in page]


def test_the_night_is_told_to_the_script() -> None:
    """The hours of dimming stand on the wall in minutes; what makes no sense is said, and nothing is dimmed."""
    with client() as browser:
        night, nonsense = browser.get("/wall?dim=22:30-7").text, browser.get("/wall?dim=<b>").text

    assert 'data-night="1350-420"' in night
    assert "unclear" not in night
    assert "data-night" not in nonsense
    assert "“&lt;b&gt;” is no night such as 22-7" in nonsense


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        (snapshot(demo=True), "Demo data. These sessions are made up."),
        (snapshot(State(), ready=False), "Reading the history."),
        (Snapshot(1, State(), FixedRecorder(History(ago(hours=2), ago())), ready=True), "No Claude logs found."),
        (snapshot(state()), "No session holds a seat."),
        (snapshot(state(app=App(running=False, down_since=ago(minutes=26)))), "Claude is not running."),
        (snapshot(problem="The disk is full."), "Not everything can be read."),
        (snapshot(state(*(session(n) for n in range(9)))), 'class="number over"'),
        (snapshot(state(*(session(n, Phase.IDLE, idle=n * 30) for n in range(42)), cap=42)), "columns-7 rows-6"),
        (snapshot(state(cap=900)), "and 836 more free seats"),
    ],
)
def test_every_state_is_drawn(shown: Snapshot, words: str) -> None:
    """Demo, loading, no logs, empty, not running, trouble, over the cap, many seats, far too many."""
    with client(shown) as browser:
        answer = browser.get("/wall")

    assert answer.status_code == 200
    assert words in answer.text


def test_head_and_kind() -> None:
    """The wall's script asks whether a new version answers, without its content; writing is refused."""
    with client() as browser:
        assert browser.head("/wall").status_code == 200
        assert browser.head("/wall").text == ""
        assert browser.post("/wall").status_code in (403, 405)


def test_page_is_light() -> None:
    """Compressed, the first answer stays far below 60 KB, with 42 seats too."""
    shown = snapshot(replace(state(*(session(n, Phase.IDLE, idle=n * 30) for n in range(42))), cap=42))
    with client(shown) as browser:
        answer = browser.get("/wall", headers={"Accept-Encoding": "gzip"})

    assert int(answer.headers["content-length"]) < 8000


def test_the_version_follows_the_files(tmp_path: Path) -> None:
    """An open wall is outdated when a file that it has loaded changes, whatever the number of the version."""
    for name in FILES:
        shutil.copy(STATIC / name, tmp_path / name)
    before = wall_version(StaticUrls(tmp_path))
    (tmp_path / "wall.css").write_text("/* another */", "utf-8")

    assert before == wall_version(StaticUrls(STATIC))
    assert wall_version(StaticUrls(tmp_path)) != before
