"""Sums up the random runs at the end of the tests."""

from __future__ import annotations

import pytest

FIGURES = "faults: events, lost, doubled"
"""The property under which a random run leaves its three numbers."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many runs there were and what they came to."""
    ended = [report for outcome in ("passed", "failed") for report in terminalreporter.getreports(outcome)]
    runs = [value for report in ended for name, value in report.user_properties if name == FIGURES]
    if runs:
        events, lost, doubled = (sum(column) for column in zip(*runs, strict=True))
        terminalreporter.write_line(f"{len(runs)} random runs: {events:,} events, {lost} lost, {doubled} doubled")
