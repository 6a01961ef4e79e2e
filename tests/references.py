"""Writes docs/reference from the code: ``python -m tests.references``, or ``make reference``.

A reference that is written by hand is wrong after the second change. These pages say what the command line, the
settings and the metrics are; the guides say what they are good for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import typer

from app.checks import HINTS, MEANINGS
from app.cli import cli
from app.export.measures import MEASURES, Measure
from app.export.told import TOLD
from app.settings import FLAGS, NAMES

FOLDER = Path(__file__).parents[1] / "docs" / "reference"
WRITTEN = "<!-- Written by `make reference`; change the code. -->"
SETTINGS = f"""\
# Settings

{WRITTEN}

Flags win over variables, variables over `config.toml`, that over what holds without any of them. `config.toml` lies in
the platform's config folder (`~/.config/seatwatch` on Linux, `~/Library/Application Support/seatwatch` on macOS,
`%LOCALAPPDATA%\\seatwatch` on Windows). Lists have commas in a variable and are lists in the file. `/settings` on the
page changes what one prefers (from `range` on), keeps your comments, and says where each value comes from.
`OTEL_EXPORTER_OTLP_ENDPOINT`, which is no setting of ours, is read too: [OpenTelemetry](opentelemetry.md).

| in config.toml | variable | flag | meaning | value |
|---|---|---|---|---|"""
METRICS = f"""\
# Metrics

{WRITTEN}

What `/metrics` tells, and with the extra `otel` an OpenTelemetry collector is told. No title, id, path or text of a log
is among the labels. What is not known is left out: a 0 would be a claim. A *state set* has one sample for each state,
1 for the one that holds; its label has the metric's own name. Counters go on over restarts. The
[guide](../guides/teams.md) says how to use them.

| metric | type | labels | meaning |
|---|---|---|---|"""

OPENTELEMETRY = f"""\
# OpenTelemetry

{WRITTEN}

Off until asked for. With the extra (`pip install 'seatwatch[otel]'`) and `OTEL_EXPORTER_OTLP_ENDPOINT` set, such as
`http://127.0.0.1:4318`, Seatwatch sends over OTLP and HTTP (protobuf): each minute every [metric](metrics.md), to
`/v1/metrics`, and each happening of the table below as a log record, to `/v1/logs`. `OTEL_EXPORTER_OTLP_HEADERS`,
`OTEL_EXPORTER_OTLP_COMPRESSION`, `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_SERVICE_NAME` are read by the library as always;
name the machine in `OTEL_RESOURCE_ATTRIBUTES`, for Seatwatch does not.

A collector that is slow or not there changes nothing for the page: what cannot be sent is dropped after a few tries.
What happened while Seatwatch did not run is not sent later. No title, id, path or text of a log is in anything sent.

## Resource

| attribute | meaning |
|---|---|
| `service.name` | `seatwatch`, unless the environment names another |
| `service.version` | the version of Seatwatch |
| `service.instance.id` | drawn by the library at each start; it tells of nothing |
| `seatwatch.demo` | true when everything it tells is made up |
| `telemetry.sdk.*` | the library that sends |

## Metrics

Names, meanings and labels (as attributes) are those of [metrics](metrics.md), counters without `_total`; they are
cumulative sums, everything else is a gauge. Units are `By` and `s`.

## Log records

The event name is `seatwatch.` and the kind, which `seatwatch.event` has too; the time is that of the log line.

| `seatwatch.event` | severity | body |
|---|---|---|"""


def opentelemetry_page() -> str:
    """What is sent to a collector."""
    rows = [f"| `{kind}` | {severity.upper()} | {sentence} |" for kind, (severity, sentence) in TOLD.items()]
    return "\n".join([OPENTELEMETRY, *rows]) + "\n"


def cli_page() -> str:
    """Every command with its arguments and options, in the words of its ``--help``."""
    root = cast(Any, typer.main.get_command(cli))
    lines = ["# Commands", "", WRITTEN, "", root.help, ""]
    lines += [
        "`seatwatch --install-completion` lets your shell complete commands and flags (bash, zsh, fish, PowerShell)."
    ]
    lines += ["", *_parameters(root), ""]
    for words, command in _commands(root, ("seatwatch",)):
        lines += [f"## {' '.join(words)}", "", command.help, "", *_parameters(command), ""]
    lines += [
        "## Exit codes", "",
        "| code | meaning |", "|---|---|", "| 0 | fine |", "| 1 | a fault of Seatwatch itself |", "| 2 | wrong usage |",
        "| 3 | nothing to read; it says where it looked |",
        "| 4 | the port or the database is held by another Seatwatch |", "",
        "An error says what, why and what to do, on stderr. `--debug` before the command shows the traceback as well.",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _commands(group: Any, words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, command in group.commands.items():
        yield (*words, name), command
        if hasattr(command, "commands"):
            yield from _commands(command, (*words, name))


def _parameters(command: Any) -> list[str]:
    rows = []
    for one in command.params:
        if one.name in {"install_completion", "show_completion", "help"}:
            continue
        if one.param_type_name == "argument":
            names = f"`{one.metavar or one.name.upper()}`"
        else:
            value = "" if one.is_flag else f" {one.metavar or 'VALUE'}"
            names = ", ".join(f"`{name}{value}`" for name in (*one.opts, *one.secondary_opts))
        rows.append(f"| {names} | {_cell(one.help or '')} |")
    return ["| argument or option | meaning |", "|---|---|", *rows] if rows else ["It takes no options."]


def settings_page() -> str:
    """Every setting with the places where it may be given."""
    lines = [SETTINGS]
    for name in NAMES:
        flag = f"`--{name.replace('_', '-')}`" if name in FLAGS else "–"
        words = f"{_cell(MEANINGS[name])} | {_cell(_hint(HINTS[name]))}"
        lines.append(f"| `{name}` | `SEATWATCH_{name.upper()}` | {flag} | {words} |")
    return "\n".join(lines) + "\n"


def _hint(text: str) -> str:
    return text[:1].upper() + text[1:]


def metrics_page() -> str:
    """Every metric with its type, labels and meaning."""
    lines = [METRICS]
    lines += [f"| `{one.full_name}` | {_sort(one)} | {_labels(one)} | {_cell(one.help)} |" for one in MEASURES]
    return "\n".join(lines) + "\n"


def _sort(measure: Measure) -> str:
    return "state set" if measure.sort == "states" else measure.sort


def _labels(measure: Measure) -> str:
    return ", ".join(f"`{label}`" for label in measure.all_labels) or "–"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


PAGES: Mapping[str, Callable[[], str]] = {
    "cli.md": cli_page,
    "settings.md": settings_page,
    "metrics.md": metrics_page,
    "opentelemetry.md": opentelemetry_page,
}
"""Each page by its name in the folder."""


def main() -> None:
    """Write all of them."""
    FOLDER.mkdir(exist_ok=True)
    for name, page in PAGES.items():
        (FOLDER / name).write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
