"""``/share`` in a real browser: the picture is seen, every file is saved, the button copies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from app.web.share_files import FORMS
from tests.e2e.served import SESSION, AppLog, Served
from tests.e2e.test_accessibility import AXE, RUN

pytestmark = pytest.mark.e2e

COPIED = """async () => {
  const [item] = await navigator.clipboard.read();
  const start = await (await item.getType("image/png")).slice(0, 24).arrayBuffer();
  return [item.types, [...new Uint8Array(start)]];
}"""
"""What is on the clipboard: its types, and how the picture begins."""
SECRETS = ("someone", "alpha", "00000000-0000-4000-8000")


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A server that follows an app with two sessions, one of which was closed."""
    app = AppLog(tmp_path / "logs")
    app.start()
    app.begin(1, "alpha")
    app.begin(2, "beta")
    app.write(f"[CCD] Pausing session {SESSION.format(2)} (idle)")
    server = Served(app.folder, tmp_path / "seatwatch.sqlite")
    server.start()
    yield server
    server.kill()
    app.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A reader by day who lets pages use the clipboard."""
    opened = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB", color_scheme="light")
    opened.grant_permissions(["clipboard-read", "clipboard-write"])
    yield opened
    opened.close()


@pytest.fixture
def page(context: BrowserContext, served: Served) -> Iterator[Page]:
    """The share page, open; whatever its console complains of fails the test."""
    opened = context.new_page()
    complaints: list[str] = []
    opened.on("console", lambda told: complaints.append(told.text) if told.type in ("error", "warning") else None)
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.goto(f"{served.address}/share")
    opened.wait_for_url("**/share?theme=light")
    yield opened
    assert complaints == []


def assert_anybody_can_read(page: Page, width: int) -> None:
    """Expect that a checker of accessibility finds nothing and that nothing scrolls sideways."""
    page.evaluate(AXE.read_text("utf-8"))
    assert page.evaluate(RUN) == []
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_the_picture_is_seen_saved_and_copied(page: Page, tmp_path: Path) -> None:
    """The page shows the picture in the reader's colours, saves every file, and copies the PNG."""
    image = page.locator(".share-picture img")
    expect(image).to_have_js_property("complete", True)
    assert image.evaluate("image => image.naturalWidth") == 2400
    assert "theme=light" in (image.get_attribute("src") or "")
    assert_anybody_can_read(page, 1280)

    links = page.locator(".share-files a")
    assert links.count() == len(FORMS)
    for n, suffix in enumerate(FORMS):
        with page.expect_download() as download:
            links.nth(n).click()
        saved = tmp_path / download.value.suggested_filename
        download.value.save_as(saved)
        made = saved.read_bytes().lower()
        assert saved.name.startswith("seatwatch-20")
        assert saved.name.endswith(f".{suffix}")
        assert len(made) > 100
        assert [secret for secret in SECRETS if secret.encode() in made] == []

    page.locator("#share-copy").click()
    expect(page.locator("#share-said")).to_have_text("Copied. Paste it where you need it.", timeout=20_000)
    types, start = page.evaluate(COPIED)
    assert types == ["image/png"]
    assert bytes(start).startswith(b"\x89PNG")
    assert int.from_bytes(bytes(start)[16:20], "big") == 2400

    page.locator("#share-themes a", has_text="Dark").click()
    expect(page.locator("#share-themes [aria-current]")).to_have_text("Dark")


def test_a_saved_page_opens_by_itself(page: Page, context: BrowserContext, tmp_path: Path) -> None:
    """The saved HTML file shows picture and table from disk, loads nothing else, and is read with its own face."""
    with page.expect_download() as download:
        page.locator(".share-files a", has_text="HTML").click()
    saved = tmp_path / "saved.html"
    download.value.save_as(saved)
    asked: list[str] = []
    reader = context.new_page()
    reader.on("request", lambda request: asked.append(request.url))
    reader.goto(saved.as_uri())

    expect(reader.locator("svg text", has_text="Seatwatch").first).to_be_visible()
    expect(reader.locator("table tbody tr").first).to_contain_text("Claude 2.26454.0 started")
    assert reader.evaluate("document.fonts.ready.then(() => [...document.fonts].some(f => f.status === 'loaded'))")
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []


def test_a_copy_that_fails_is_said(browser: Browser, served: Served) -> None:
    """A phone that may not use the clipboard is told what to do instead."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, locale="en-GB", color_scheme="dark")
    page = context.new_page()
    page.goto(f"{served.address}/share")
    page.route("**/share/seatwatch.png*", lambda route: route.fulfill(status=503, body="no"))
    page.locator("#share-copy").click()

    expect(page.locator("#share-said")).to_have_text("The browser did not copy it. Save the PNG instead.")
    assert_anybody_can_read(page, 390)
    context.close()
