"""What the doctor prints."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from app.doctor.findings import Finding
from app.doctor.printed import print_findings
from tests.hostile_texts import HOSTILE


def printed(*findings: Finding) -> str:
    """The lines as a pipe gets them."""
    out = StringIO()
    print_findings(findings, Console(file=out, width=80))
    return out.getvalue()


def test_a_word_tells_how_it_is() -> None:
    """No colour is needed to see what is wrong; what to do stands beneath."""
    told = printed(Finding("port", "ok", "It is free."), Finding("logs", "problem", "None found.", "Start the app."))

    assert told.splitlines() == [
        "ok       port          It is free.",
        "problem  logs          None found.",
        " " * 23 + "Start the app.",
        "Things to put right: 1.",
    ]


def test_nothing_wrong_is_said() -> None:
    """The last line sums up."""
    assert printed(Finding("port", "note", "x")).endswith("Nothing to do.\n")


@pytest.mark.parametrize("name", HOSTILE)
def test_paths_command_no_terminal(name: str) -> None:
    """A folder may be called anything."""
    told = printed(Finding("logs", "ok", HOSTILE[name][:1000]))

    assert {char for char in told if not char.isprintable()} <= {"\n"}
    assert "[red]x[/red]" in printed(Finding("logs", "ok", "[red]x[/red]"))
