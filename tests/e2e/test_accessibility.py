"""axe finds nothing to complain of, in both colours and at three widths."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.served import Served

pytestmark = pytest.mark.e2e

VENDOR = Path(__file__).parent.parent / "vendor"
AXE = VENDOR / "axe-4.14.1.min.js"
RUN = """async () => (await axe.run(document, {resultTypes: ['violations']})).violations.map(
  one => one.id + ': ' + one.nodes.map(node => node.target.join(' ')).join(', '))"""
LOOKED_AT = [*((path, width) for path in ("/", "/?lang=ja") for width in (390, 1280, 1760)), ("/wall", 1280)]
COLOURS: tuple[Literal["dark", "light"], ...] = ("dark", "light")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The demo, served for all tests here."""
    home = tmp_path_factory.mktemp("demo")
    served = Served(home, home / "db.sqlite", flags=("--demo",))
    served.start()
    yield served
    served.kill()


def opened(browser: Browser, served: Served, path: str, width: int, colours: Literal["dark", "light"]) -> Page:
    """A live page in a window of this width, in these colours, with the introduction still on it."""
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=colours)
    page = context.new_page()
    page.goto(served.address + path)
    expect(page.locator("#connection")).to_have_attribute("data-state", "live", timeout=15_000)
    return page


@pytest.mark.parametrize("colours", COLOURS)
@pytest.mark.parametrize(("path", "width"), LOOKED_AT)
def test_axe_finds_nothing(
    browser: Browser, demo: Served, path: str, width: int, colours: Literal["dark", "light"]
) -> None:
    """No violation of any of its rules on the live page, and no scrolling sideways."""
    page = opened(browser, demo, path, width, colours)
    page.evaluate(AXE.read_text("utf-8"))

    assert page.evaluate(RUN) == []
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.context.close()


def test_vendored_checker_is_the_published_one() -> None:
    """The checker's hash is the one in its table."""
    assert hashlib.sha256(AXE.read_bytes()).hexdigest() in (VENDOR / "VENDOR.md").read_text("utf-8")
