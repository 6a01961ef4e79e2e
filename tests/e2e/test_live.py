"""The whole chain for real: an app writes its log, a server follows it, a browser shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from app.web.happened import MOST_ROWS
from tests.e2e.served import SESSION, AppLog, Served, until

pytestmark = pytest.mark.e2e


@pytest.fixture
def log(tmp_path: Path) -> Iterator[AppLog]:
    """A running app with three sessions, the first of them silent."""
    app = AppLog(tmp_path / "logs")
    app.start()
    for number, folder in enumerate(("alpha", "beta", "gamma")):
        app.begin(number, folder)
    app.write(f"[CCD CycleHealth] healthy cycle for {SESSION.format(0)} (67s, hadFirstResponse=true)")
    yield app
    app.close()


@pytest.fixture
def served(log: AppLog, tmp_path: Path) -> Iterator[Served]:
    """A server that follows the app's log."""
    server = Served(log.folder, tmp_path / "seatwatch.sqlite")
    server.start()
    yield server
    server.kill()


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    """The dashboard, open and live; whatever its console complains of fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB")
    opened = context.new_page()
    complaints: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.goto(served.address)
    expect(opened.locator("#connection")).to_have_attribute("data-state", "live", timeout=15_000)
    yield opened
    context.close()
    assert complaints == []


def taken(page: Page, text: str) -> None:
    """Expect the number on the page."""
    expect(page.locator("#number")).to_have_text(re.compile(rf"^\s*{text}\s*$"), timeout=10_000)


def test_new_lines_are_painted_over_a_rotation(page: Page, served: Served, log: AppLog) -> None:
    """Lines appended before, during and after a rotation reach the API and the open page."""
    taken(page, r"3\s*/\s*8")

    log.begin(3, "delta")
    taken(page, r"4\s*/\s*8")
    log.rotate()
    log.begin(4, "epsilon")
    taken(page, r"5\s*/\s*8")

    expect(page.locator("#seats")).to_contain_text("epsilon")
    state = served.state()
    assert state["seats"]["taken"] == 5
    assert {session["cwd"].rpartition("/")[2] for session in state["sessions"]} == {
        "alpha", "beta", "gamma", "delta", "epsilon",
    }  # fmt: skip


def test_a_page_outlives_the_server(page: Page, served: Served, log: AppLog) -> None:
    """While the server restarts the page says so; then it shows what happened meanwhile, each thing once."""
    taken(page, r"3\s*/\s*8")
    rest = served.stop()
    expect(page.locator("#connection")).not_to_have_attribute("data-state", "live", timeout=15_000)
    log.write(
        f"[CliGovernor] pressure evicting {SESSION.format(0)} (idle 99s)",
        f"[CCD] Pausing session {SESSION.format(0)} (governor_evict)",
    )

    served.start()
    taken(page, r"2\s*/\s*8")
    expect(page.locator("#connection")).to_have_attribute("data-state", "live", timeout=15_000)
    expect(page.locator("#happened")).to_contain_text("closed to free memory")

    assert rest == ""
    assert served.state()["counts"]["evicted"] == {"cap": 0, "pressure": 1}


def test_ctrl_c_ends_open_streams(browser: Browser, served: Served) -> None:
    """With several pages open the server still ends by itself, and says nothing while it does."""
    context = browser.new_context()
    for _ in range(3):
        opened = context.new_page()
        opened.goto(served.address)
        expect(opened.locator("#connection")).to_have_attribute("data-state", "live", timeout=15_000)

    assert served.stop() == ""
    context.close()


def test_a_second_seatwatch_is_told_what_to_do(served: Served, tmp_path: Path) -> None:
    """The same port, and the same database, are refused with a sentence each and exit code 4."""
    until(lambda: served.state()["seats"]["taken"] == 3, "the first state")
    same_port = Served(served.logs, tmp_path / "other.sqlite", served.port)
    same_database = Served(served.logs, served.database)

    for second, words in ((same_port, "is taken"), (same_database, "is in use")):
        with pytest.raises(AssertionError, match=words):
            second.start()
        assert second.process is not None
        assert second.process.wait(timeout=10) == 4
        second.kill()


def test_what_happens_comes_on_top_and_nothing_else_moves(page: Page, log: AppLog) -> None:
    """A row that is read stays open and the same element; and the list keeps its length."""
    for number in range(3, 12):
        log.write(f"[CCD] Pausing session {SESSION.format(number)} (idle_timeout)")
        log.write(f"Session {SESSION.format(number)} query error: Claude Code process exited with code {number}")
        log.begin(number, f"room{number}")
        log.write(f"Session {SESSION.format(number)} query error: Claude Code process exited with code {number}")
    rows = page.locator("#happened details")
    expect(rows).to_have_count(MOST_ROWS)
    rows.first.locator("summary").click()
    page.evaluate("() => { window.kept = document.querySelector('#happened details'); }")

    log.write(f"[CliGovernor] pressure evicting {SESSION.format(0)} (idle 86s)")
    log.write(f"[CCD] Pausing session {SESSION.format(0)} (governor_evict)")
    expect(rows.first).to_contain_text("alpha was closed to free memory")

    expect(rows).to_have_count(MOST_ROWS)
    expect(page.locator("#happened > header .aside")).to_contain_text("1 eviction")
    expect(page.locator("#happened > header")).to_have_count(1)
    assert page.evaluate("window.kept === document.querySelectorAll('#happened details')[1] && window.kept.open")
