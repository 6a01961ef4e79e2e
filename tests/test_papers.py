"""The papers hold what the code has: every setting, every command, every address, and nothing that is not there."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest
import typer
from fastapi.routing import iter_route_contexts

from app.settings import FLAGS, NAMES

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
READMES = ["README.md", "README.ja.md"]
PAPERS = [
    *READMES,
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    *sorted(paper.relative_to(ROOT).as_posix() for paper in (ROOT / "docs").rglob("*.md")),
]
UNSHOWN = {"/static", "/{path}"}
"""Addresses that serve the page itself and that nobody types."""


def section(title: str) -> str:
    """The part of the README under a heading."""
    return README.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


@cache
def routes() -> set[str]:
    """Every address that the application answers."""
    from app.core.recorder import Recorder  # noqa: PLC0415  the papers' other tests need no web server
    from app.core.state import State  # noqa: PLC0415
    from app.live import Live, Snapshot  # noqa: PLC0415
    from app.main import Parts, create_app  # noqa: PLC0415
    from app.settings import load_settings  # noqa: PLC0415

    settings = load_settings({"tz": "UTC"}, {})
    live = Live(Snapshot(0, State(), Recorder()))
    app = create_app(Parts(settings, live, cast(Any, None)))
    return {path for route in iter_route_contexts(app.routes) if (path := getattr(route, "path", None))} - UNSHOWN


def commands() -> set[str]:
    """Every command of the command line."""
    from app.cli import cli  # noqa: PLC0415

    return set(cast(Any, typer.main.get_command(cli)).commands)


def test_every_setting_is_in_the_reference() -> None:
    """The table of settings has each variable and its flag, and no other."""
    text = (ROOT / "docs/reference/settings.md").read_text("utf-8")

    assert set(re.findall(r"`(SEATWATCH_\w+)`", text)) == {f"SEATWATCH_{name.upper()}" for name in NAMES}
    assert set(re.findall(r"\| `--([a-z-]+)` \|", text)) == {name.replace("_", "-") for name in FLAGS}


def test_every_command_is_in_the_readme() -> None:
    """The table of commands has each command, and no other."""
    assert set(re.findall(r"^\| `seatwatch (\w+)", section("Commands"), re.MULTILINE)) == commands()


def test_every_address_is_in_the_reference() -> None:
    """The table of addresses has each route, and no other."""
    text = (ROOT / "docs/reference/addresses.md").read_text("utf-8")

    assert set(re.findall(r"^\| `(/[^`]*)` \|", text, re.MULTILINE)) == routes()


def outline(readme: str) -> dict[str, list[str]]:
    """What the two READMEs have in common whatever their language is."""
    text = (ROOT / readme).read_text("utf-8")
    return {
        "headings": re.findall(r"^(#+) ", text, re.MULTILINE),
        "commands": re.findall(r"`(seatwatch [^`]+|make [^`]+)`|^(make \w+)", text, re.MULTILINE),
        "pictures": [re.sub(r"-(dark|en|ja|21)", "", one) for one in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text)],
        "links": [one for one in re.findall(r"(?<!!)\[[^\]]+\]\(([^)]+)\)", text) if one not in READMES],
        "rows": [len(row) for row in re.findall(r"^(\|)", text, re.MULTILINE)],
    }


def test_both_readmes_say_the_same() -> None:
    """Headings, commands, pictures, links and rows of the tables are the same in English and in Japanese."""
    english, japanese = map(outline, READMES)

    assert len(english["headings"]) >= 6
    assert len(english["pictures"]) == 3
    for part in english:
        assert sorted(english[part]) == sorted(japanese[part]), part


def test_readme_takes_three_minutes() -> None:
    """A newcomer reads about 230 words in a minute; tables are looked at, not read."""
    words = re.sub(r"^\|.*$", "", README, flags=re.MULTILINE).split()

    assert len(words) <= 3 * 230


@pytest.mark.parametrize("paper", PAPERS)
def test_links_lead_somewhere(paper: str) -> None:
    """What a paper links to within the project is there; pictures are made with the page."""
    text = (ROOT / paper).read_text("utf-8")
    targets = re.findall(r"(?<!!)\[[^\]]+\]\((?!https?:)([^)#]+)", text)

    assert [target for target in targets if not (ROOT / paper).parent.joinpath(target).exists()] == []


def test_makefile_has_the_commands_of_the_papers() -> None:
    """Every ``make`` command that a paper names is a target."""
    makefile = (ROOT / "Makefile").read_text("utf-8")
    named = {
        word
        for paper in PAPERS
        for word in re.findall(r"(?:^|`)make ([a-z]+)", (ROOT / paper).read_text("utf-8"), re.MULTILINE)
    }

    assert {"run", "test", "check"} <= named
    assert {word for word in named if f"\n{word}:" not in makefile} == set()


def test_architecture_names_every_layer() -> None:
    """Every file and folder that ARCHITECTURE.md names is there."""
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    named = set(re.findall(r"`(app/[\w./]+|migrations|templates|static|tests)`", text))

    assert "app/pipeline.py" in named
    assert {name for name in named if not (ROOT / name).exists()} == set()
