"""Takes the pictures in ``docs/``: ``make pictures``. They show the demo, so nothing in them is anybody's."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, NamedTuple

from playwright.sync_api import Browser, sync_playwright

from tests.browser import find_chromium
from tests.conftest import CHROMIUM_FLAGS
from tests.e2e.served import Served

DOCS = Path(__file__).parent.parent / "docs"


class Picture(NamedTuple):
    """One picture: its name, the size of the window, and the colours."""

    name: str
    width: int
    height: int
    colours: Literal["dark", "light"]


PICTURES = (
    Picture("dashboard-dark", 1760, 1040, "dark"),
    Picture("dashboard-light", 1760, 1040, "light"),
    Picture("phone-dark", 390, 844, "dark"),
)


def take(browser: Browser, address: str, picture: Picture) -> None:
    """Open the page, wait until it is live, dismiss the introduction, and keep what is seen."""
    context = browser.new_context(
        viewport={"width": picture.width, "height": picture.height}, color_scheme=picture.colours, locale="en-GB"
    )
    page = context.new_page()
    page.goto(address)
    page.locator('#connection[data-state="live"]').wait_for()
    page.locator('[data-dismiss="intro"]').click()
    page.mouse.move(0, 0)
    page.screenshot(path=DOCS / f"{picture.name}.png", full_page=True)
    context.close()


def main() -> None:
    """Take all of them."""
    DOCS.mkdir(exist_ok=True)
    with TemporaryDirectory() as home, sync_playwright() as playwright:
        served = Served(Path(home), Path(home) / "db.sqlite", flags=("--demo",))
        served.start()
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_FLAGS)
        for picture in PICTURES:
            take(browser, served.address, picture)
        browser.close()
        served.stop()


if __name__ == "__main__":
    main()
