"""The pages of sessions, why and the census on the real server: from the dashboard, and by keyboard alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e.served import SESSION, AppLog, Served, until
from tests.e2e.test_accessibility import AXE, RUN

pytestmark = pytest.mark.e2e

HOSTILE = "<script>document.title='taken'</script>\x1b[31m<img src=x onerror=alert(1)>"
PATHS = (f"/why?session={SESSION.format(0)}", "/census", f"/sessions/{SESSION.format(0)}", "/sessions/nobody")
WIDTHS: tuple[tuple[int, Literal["dark", "light"], str], ...] = (
    (390, "light", "ja"), (1280, "dark", "en"), (1760, "light", "en"),
)  # fmt: skip


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server on a log in which one session was closed for memory, one works, and one line is hostile."""
    home = tmp_path_factory.mktemp("pages")
    log = AppLog(home / "logs")
    log.start()
    for number, folder in enumerate(("alpha", "beta")):
        log.begin(number, folder)
    log.write(
        f"[CCD CycleHealth] healthy cycle for {SESSION.format(0)} (67s, hadFirstResponse=true)",
        f"[CliGovernor] pressure evicting {SESSION.format(0)} (idle 400s)",
        f"[CCD] Pausing session {SESSION.format(0)} (governor_evict)",
        f"[CliGovernor] something new about {HOSTILE}{' word' * 100}",
    )
    log.close()
    server = Served(log.folder, home / "db.sqlite")
    server.start()
    until(lambda: server.state()["counts"]["evicted"]["pressure"] == 1, "the eviction")
    yield server
    server.kill()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A context whose pages may not complain."""
    one = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB")
    yield one
    one.close()


def on_dashboard(context: BrowserContext, served: Served) -> Page:
    """The first page, live."""
    page = context.new_page()
    page.goto(served.address)
    expect(page.locator("#connection")).to_have_attribute("data-state", "live", timeout=15_000)
    return page


@pytest.mark.parametrize(("width", "colours", "language"), WIDTHS)
def test_axe_finds_nothing_and_nothing_overflows(
    browser: Browser, served: Served, width: int, colours: Literal["dark", "light"], language: str
) -> None:
    """Each page at a width, in a theme and a language: no violation, no scrolling sideways, no hostile text run."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=colours)
    page = context.new_page()
    for path in PATHS:
        page.goto(f"{served.address}{path}{'&' if '?' in path else '?'}lang={language}")
        page.evaluate(AXE.read_text("utf-8"))

        assert page.evaluate(RUN) == [], path
        assert page.evaluate("document.documentElement.scrollWidth") == width, path
        assert page.locator("img").count() == 0, path
        assert "taken" not in page.title(), path
    context.close()


def test_from_the_dashboard_to_the_proof(context: BrowserContext, served: Served) -> None:
    """From what happened to why, from there to the session, from there to its lines: links all the way."""
    page = on_dashboard(context, served)
    row = page.locator("#happened details", has_text="alpha was closed to free memory")
    row.locator("summary").click()
    row.get_by_role("link", name="Why it stopped").click()
    expect(page.locator("#verdict")).to_have_text(re.compile(r"alpha was closed by the app to free memory"))
    proof = page.locator("section[aria-labelledby=proof]")
    expect(proof.locator(".where")).to_have_text([re.compile(r"main\.log:\d+"), re.compile(r"main\.log:\d+")])
    expect(page.locator("#ask-session")).to_have_value(SESSION.format(0))

    page.get_by_role("link", name="All about alpha").click()
    expect(page.locator("h1")).to_have_text("alpha")
    expect(page.locator("#log li").first).to_contain_text("Paused: closed by the app")
    expect(page.locator(".mark.evicted")).to_have_count(1)
    page.get_by_role("link", name="Census", exact=True).click()
    expect(page.locator("h1")).to_have_text("Census")


def test_by_keyboard_alone(context: BrowserContext, served: Served) -> None:
    """A tile is reached and opened with the keyboard; on the page of why the form is filled in and sent with it."""
    page = on_dashboard(context, served)
    page.locator("#seats li", has_text="beta").locator("a").focus()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("beta")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()

    page.goto(f"{served.address}/why")
    page.locator("#ask-session").focus()
    page.keyboard.type("alpha")
    page.keyboard.press("Tab")
    page.locator("button", has_text="Ask why").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".verdict")).to_have_attribute("data-verdict", "evicted_for_memory")
    page.keyboard.press("t")
    expect(page.locator("[data-theme-choice=light]")).to_have_attribute("aria-pressed", "true")


def test_the_focused_tile_outlives_an_update(context: BrowserContext, tmp_path: Path) -> None:
    """Who has stepped to a tile stays on it when the tile's session falls silent."""
    log = AppLog(tmp_path / "logs")
    log.start()
    log.begin(0, "alpha")
    server = Served(log.folder, tmp_path / "db.sqlite")
    server.start()
    try:
        page = on_dashboard(context, server)
        page.locator("#seat-1 a").focus()
        log.write(f"[CCD CycleHealth] healthy cycle for {SESSION.format(0)} (6s, hadFirstResponse=true)")
        expect(page.locator("#seat-1")).to_contain_text("silent", timeout=10_000)
        expect(page.locator("#seat-1 a")).to_be_focused()
    finally:
        server.kill()
        log.close()


def test_a_long_line_unfolds_and_pages_need_no_script(browser: Browser, served: Served) -> None:
    """With scripts off every page says the same; the fold of a long line and the form are the browser's own."""
    context = browser.new_context(java_script_enabled=False, locale="en-GB")
    page = context.new_page()
    page.goto(f"{served.address}/census")
    sample = page.locator("#unknown details").first
    sample.locator("summary").click()
    expect(sample.locator("code").nth(1)).to_be_visible()
    expect(page.locator("#unknown")).to_contain_text("<script>document.title='taken'</script>")

    page.goto(f"{served.address}/why")
    page.locator("#ask-session").select_option(SESSION.format(0))
    page.locator("button", has_text="Ask why").click()
    expect(page.locator(".verdict")).to_contain_text("was closed by the app to free memory")
    page.goto(f"{served.address}/sessions/nobody")
    expect(page.locator("h1")).to_have_text("No such session")
    context.close()
