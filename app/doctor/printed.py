"""What the doctor says, on a terminal: a word for how it is, never a colour alone, and what to do beneath it."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from app.doctor.findings import Finding, problems
from app.terminal_census import safe

COLOURS = {"ok": "green", "note": "yellow", "problem": "red"}


def print_findings(findings: Sequence[Finding], console: Console | None = None) -> None:
    """One line for each finding, and a last one that sums up."""
    out = console or Console()
    for one in findings:
        colour = COLOURS[one.level]
        out.print(f"[{colour}]{one.level:<8}[/] [bold]{one.topic:<13}[/] {safe(one.what)}", soft_wrap=True)
        if one.todo:
            out.print(f"{'':<22} {safe(one.todo)}", soft_wrap=True)
    number = problems(findings)
    out.print("Nothing to do." if number == 0 else f"Things to put right: {number}.")
