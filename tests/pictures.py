"""Takes the pictures in ``docs/``: ``make pictures``. They show the demo, so nothing in them is anybody's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from app.config_file import change_config
from app.demo.config import Config
from app.demo.simulation import Simulation
from app.demo.writer import write_history
from app.settings import config_file
from tests.browser import find_chromium
from tests.conftest import CHROMIUM_FLAGS
from tests.e2e.served import AppLog, Served, until

DOCS = Path(__file__).parent.parent / "docs"
HOURS = timedelta(hours=3)
"""So much history the machines of other sizes have."""
WIDE, LAPTOP, PHONE, SCREEN = (1760, 1040), (1280, 900), (390, 844), (1920, 1080)


class Picture(NamedTuple):
    """One picture: its name, the size of the window, the colours, the reader's language, and what is asked for."""

    name: str
    size: tuple[int, int]
    colours: Literal["dark", "light"] = "dark"
    locale: str = "en-GB"
    asked: str = ""


OF_THE_DEMO = (
    Picture("dashboard-dark", WIDE),
    Picture("dashboard-light", WIDE, "light"),
    Picture("dashboard-ja", WIDE, locale="ja-JP"),
    Picture("dashboard-ja-light", LAPTOP, "light", "ja-JP"),
    Picture("dashboard-6h", LAPTOP, asked="range=6h"),
    Picture("phone-dark", PHONE),
    Picture("phone-ja", PHONE, "light", "ja-JP"),
)
EIGHT, MANY = Picture("wall-dark", SCREEN), Picture("wall-21-ja", SCREEN, locale="ja-JP")
"""The wall, with eight and with 21 seats."""

SHARE = Picture("share-page", LAPTOP)
SHARED = {"share-en": "lang=en&theme=dark", "share-ja": "lang=ja&theme=light"}
"""The share page, and pictures that are saved from it."""


STILL = (
    Picture("session-dark", LAPTOP, asked="sessions/{closed}"),
    Picture("session-ja", LAPTOP, "light", "ja-JP", "sessions/{closed}"),
    Picture("session-phone", PHONE, asked="sessions/{closed}"),
    Picture("why-dark", LAPTOP, asked="why?session={closed}"),
    Picture("why-ja", LAPTOP, "light", "ja-JP", "why?session={closed}"),
    Picture("why-phone-ja", PHONE, locale="ja-JP", asked="why?session={closed}"),
    Picture("census-light", LAPTOP, "light", asked="census"),
    Picture("census-ja", LAPTOP, locale="ja-JP", asked="census"),
)
"""Pages that stand still; ``{closed}`` becomes a session of the demo that the app has closed."""


def still_pages(browser: Browser) -> None:
    """The pages of a session, of why and of the census."""
    with serving("--demo") as served:
        until(lambda: bool(served.state()["counts"]["evicted"]["pressure"]), "an eviction in the demo")
        ended = {one["ended_by"]: one["id"] for one in served.state()["sessions"]}
        for picture in STILL:
            width, height = picture.size
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=picture.colours, locale=picture.locale
            )
            page = context.new_page()
            page.goto(f"{served.address}/{picture.asked.format(closed=ended['evicted_for_memory'])}")
            # What is seen at first: the lines of a session go on for pages.
            page.screenshot(path=DOCS / f"{picture.name}.png")
            context.close()


@contextmanager
def window(browser: Browser, address: str, picture: Picture) -> Iterator[Page]:
    """A window as the picture wants it, on an address."""
    width, height = picture.size
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=picture.colours, locale=picture.locale
    )
    page = context.new_page()
    page.goto(address)
    yield page
    context.close()


@contextmanager
def opened(browser: Browser, address: str, picture: Picture) -> Iterator[Page]:
    """The page as the picture wants it: live, its introduction read, the pointer out of the way."""
    with window(browser, f"{address}/?{picture.asked}", picture) as page:
        page.locator('#connection[data-state="live"]').wait_for()
        page.locator("#seats .tile").first.wait_for()
        page.locator('[data-dismiss="intro"]').click()
        page.mouse.move(0, 0)
        yield page


FILLED = {
    "notify": ("first_to_go", "evicted"), "notify_to": ("ntfy://ntfy.example/made-up-topic",), "home_line": "v6plus",
    "quiet_hours": "22:00-07:00",
}  # fmt: skip
"""What somebody has chosen on the settings page of the pictures."""
SETTINGS = (
    Picture("settings", LAPTOP), Picture("settings-ja", LAPTOP, "light", "ja-JP"),
    Picture("settings-phone", PHONE, "light"), Picture("settings-phone-ja", PHONE, "dark", "ja-JP"),
)  # fmt: skip


def settings(browser: Browser) -> None:
    """The settings page, with a file in a home folder of its own."""
    with TemporaryDirectory() as home, pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", home)
        patch.delenv("XDG_CONFIG_HOME", raising=False)
        change_config(config_file(), FILLED)
        with serving("--demo", "--theme", "auto") as served:
            for picture in SETTINGS:
                with window(browser, f"{served.address}/settings", picture) as page:
                    keep(page, picture)


@contextmanager
def on_the_wall(browser: Browser, address: str, picture: Picture) -> Iterator[Page]:
    """The wall as the picture wants it, live."""
    with window(browser, f"{address}/wall?{picture.asked}", picture) as page:
        page.locator('#connection[data-state="live"]').wait_for()
        page.locator("#seats .seat").first.wait_for()
        yield page


def keep_shared(browser: Browser, address: str) -> None:
    """Keep the share page and what it gives."""
    with window(browser, f"{address}/share", SHARE) as page:
        page.locator(".share-picture img").evaluate("image => image.decode()")
        keep(page, SHARE)
        for name, asked in SHARED.items():
            answer = page.request.get(f"{address}/share/seatwatch.png?{asked}")
            assert answer.ok, answer.text()  # without a Japanese face there is no Japanese picture
            (DOCS / f"{name}.png").write_bytes(answer.body())


def keep(page: Page, picture: Picture) -> None:
    """Keep what is seen."""
    page.screenshot(path=DOCS / f"{picture.name}.png", full_page=True)


@contextmanager
def serving(*flags: str, logs: Callable[[Path], object] | None = None) -> Iterator[Served]:
    """A Seatwatch on a log folder that ``logs`` has filled."""
    with TemporaryDirectory() as home:
        folder = Path(home) / "logs"
        if logs is not None:
            folder.mkdir()
            logs(folder)
        served = Served(folder, Path(home) / "db.sqlite", flags=flags)
        served.start()
        try:
            yield served
        finally:
            served.kill()


def machine(cap: int) -> Callable[[Path], object]:
    """Fills a folder with some hours of a machine with so many seats, up to now."""

    def fill(folder: Path) -> None:
        now = datetime.now(UTC).replace(microsecond=0)  # stories are told in whole seconds
        write_history(folder, Simulation(cap, Config(now - HOURS).with_cap(cap)), now)

    return fill


BARE = "--no-probes"
"""Machines of other sizes are made up: what this one holds is nobody's business."""


def just_started(folder: Path) -> None:
    """Fills a folder with the first lines of an app in which nothing was opened yet."""
    log = AppLog(folder)
    log.start()
    log.close()


def main() -> None:
    """Take all of them."""
    DOCS.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_FLAGS)
        with serving("--demo") as served:
            for picture in OF_THE_DEMO:
                with opened(browser, served.address, picture) as page:
                    keep(page, picture)
        for cap in (6, 42):
            with serving(BARE, logs=machine(cap)) as served:
                picture = Picture(f"seats-{cap}", WIDE)
                with opened(browser, served.address, picture) as page:
                    keep(page, picture)
        with (
            serving(BARE, logs=just_started) as served,
            opened(browser, served.address, Picture("empty", LAPTOP)) as page,
        ):
            keep(page, Picture("empty", LAPTOP))
        with serving("--demo") as served, on_the_wall(browser, served.address, EIGHT) as page:
            keep(page, EIGHT)
        with serving(BARE, logs=machine(21)) as served, on_the_wall(browser, served.address, MANY) as page:
            keep(page, MANY)
        settings(browser)
        still_pages(browser)
        # The history has been read once the first page is live.
        with serving("--demo") as served, opened(browser, served.address, SHARE):
            keep_shared(browser, served.address)
        stale = Picture("stale", LAPTOP, "light")
        with serving("--demo") as served, opened(browser, served.address, stale) as page:
            served.stop()
            page.locator('body[data-conn="stale"]').wait_for()
            keep(page, stale)
        browser.close()


if __name__ == "__main__":
    main()
