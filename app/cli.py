"""The ``seatwatch`` command. What a command needs is imported when it runs: ``inspect`` starts without a web server."""

from __future__ import annotations

import codecs
import gc
import io
import json
import os
import sys
import traceback
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from app import __version__
from app.errors import SeatwatchError

cli = typer.Typer(
    name="seatwatch",
    help="See who holds a seat in the Claude desktop app, who would be closed next, and why a task stopped.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
)

Logs = Annotated[
    Path | None, typer.Option("--logs", metavar="DIR", help="The app's log folder; found by itself if left out.")
]
Zone = Annotated[
    str | None, typer.Option("--tz", metavar="ZONE", help="The zone of the log's times, such as Asia/Tokyo.")
]
At = Annotated[str | None, typer.Option("--at", metavar="TIME", help="The moment to judge from; else the last line's.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"seatwatch {__version__}")
        raise typer.Exit


@cli.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
) -> None:
    """Options that stand before any command; `main` reads ``--debug`` itself, since it catches the error."""


@cli.command()
def serve(  # noqa: PLR0917 - Typer makes options of the parameters
    logs: Logs = None,
    host: Annotated[str | None, typer.Option(help="The address to listen on; 127.0.0.1 if left out.")] = None,
    port: Annotated[int | None, typer.Option(help="The port to listen on; 8585 if left out, 0 for a free one.")] = None,
    db: Annotated[Path | None, typer.Option("--db", metavar="PATH", help="The database file.")] = None,
    tz: Zone = None,
    demo: Annotated[bool, typer.Option("--demo", help="Show made-up sessions instead of the app's logs.")] = False,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")] = False,
    probes: Annotated[
        bool | None, typer.Option(help="Look at this machine's memory, processes and connections too; on if left out.")
    ] = None,
    range_: Annotated[str | None, typer.Option("--range", help="The stretch of time a page shows at first.")] = None,
    language: Annotated[str | None, typer.Option(help="auto, en or ja.")] = None,
    theme: Annotated[str | None, typer.Option(help="auto, light or dark.")] = None,
    privacy: Annotated[bool | None, typer.Option(help="Hide titles on the wall.")] = None,
    home_line: Annotated[str | None, typer.Option(help="The home line, or its number of ports.")] = None,
) -> None:
    """Follow the logs and serve the page."""
    # What is imported stays. The collector of cycles would look at it again and again, for a tenth of the start.
    gc.disable()
    from app import heap  # noqa: PLC0415
    from app.main import serve as run  # noqa: PLC0415
    from app.settings import load_settings  # noqa: PLC0415

    gc.freeze()
    gc.enable()
    heap.keep_one()

    flags = {"logs": logs, "host": host, "port": port, "db": db, "tz": tz, "probes": probes, "range": range_}
    likes = {"language": language, "theme": theme, "privacy": privacy, "home_line": home_line}
    run(load_settings({**flags, **likes, "demo": demo or None, "no_open": no_open or None}))


@cli.command()
def inspect(
    logdir: Annotated[Path | None, typer.Argument(metavar="[LOGDIR]", help="The log folder.")] = None,
    at: At = None,
    tz: Zone = None,
    as_json: AsJson = False,
) -> None:
    """Read a log folder once and print what was true at a moment."""
    from app.core.report import state_report  # noqa: PLC0415

    zone, reading = _read(logdir, tz)
    moment = _moment(at, zone) or reading.last_at
    state = reading.state_at(moment)
    if as_json:
        _print_json(state_report(state, moment, zone, reading.sources, reading.processes))
        return
    from app.terminal import print_state  # noqa: PLC0415

    print_state(state, moment, zone, reading)


@cli.command()
def why(
    session: Annotated[
        str | None, typer.Argument(metavar="[SESSION]", help="A session's id, its beginning, or its title.")
    ] = None,
    at: At = None,
    logs: Logs = None,
    tz: Zone = None,
    as_json: AsJson = False,
) -> None:
    """Say why a session stopped, with the log lines that prove it; without a session, what stopped around a time."""
    from app.explain import explain  # noqa: PLC0415

    zone, reading = _read(logs, tz)
    answer = explain(reading, session, _moment(at, zone) or reading.last_at, zone)
    if as_json:
        _print_json(answer)
        return
    from app.terminal import print_why  # noqa: PLC0415

    print_why(answer)


@cli.command()
def export(  # noqa: PLR0917 - Typer makes options of the parameters
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="The file to write; one that is there is replaced.")
    ],
    logdir: Annotated[Path | None, typer.Argument(metavar="[LOGDIR]", help="The log folder.")] = None,
    span: Annotated[str, typer.Option("--range", help="15m, 1h, 2h, 6h, 24h or 7d, up to the moment.")] = "2h",
    since: Annotated[str, typer.Option("--from", metavar="TIME", help="The window's beginning, in its place.")] = "",
    until: Annotated[str, typer.Option("--to", metavar="TIME", help="The window's end.")] = "",
    at: At = None,
    form: Annotated[
        str, typer.Option("--format", help="png, svg, html, csv, json or trace.json; else by the file's name.")
    ] = "",
    titles: Annotated[bool, typer.Option("--titles", help="Leave sessions their titles.")] = False,
    lang: Annotated[str, typer.Option("--lang", help="en or ja.")] = "en",
    theme: Annotated[str, typer.Option("--theme", help="dark or light.")] = "dark",
    tz: Zone = None,
) -> None:
    """Write a picture, a table or a trace to send to others: no title, id, path or log line is in it."""
    from app.exporting import Order  # noqa: PLC0415
    from app.exporting import export as write  # noqa: PLC0415

    zone, reading = _read(logdir, tz)
    asked = {"range": span, "from": since, "to": until}
    _form, replaced = write(reading, zone, _moment(at, zone), asked, Order(out, form, lang, theme, titles))
    typer.echo(f"{'Replaced' if replaced else 'Wrote'} {out}")


@cli.command()
def demo(
    write: Annotated[Path, typer.Option("--write", metavar="DIR", help="The folder to write the logs into.")],
    speed: Annotated[
        float, typer.Option("--speed", help="Simulated seconds for each real one.", min=0.1, max=3600)
    ] = 1,
    seed: Annotated[int, typer.Option("--seed", help="The same seed writes the same story.")] = 1,
    tz: Zone = None,
) -> None:
    """Write logs as the desktop app would, for trying things out, until Ctrl-C."""
    from app.demo.command import write_demo  # noqa: PLC0415
    from app.settings import load_settings  # noqa: PLC0415

    write_demo(write, seed, speed, load_settings({"tz": tz}).zone)


@cli.command()
def doctor(  # noqa: PLR0917 - Typer makes options of the parameters
    logs: Logs = None,
    host: Annotated[str | None, typer.Option(help="The address that serve is to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="The port that serve is to listen on.")] = None,
    db: Annotated[Path | None, typer.Option("--db", metavar="PATH", help="The database file.")] = None,
    tz: Zone = None,
    as_json: AsJson = False,
    bundle: Annotated[
        Path | None,
        typer.Option(
            "--bundle", metavar="FILE.zip", help="Write what a bug report needs, without names, titles, paths."
        ),
    ] = None,
) -> None:
    """Look at everything that Seatwatch needs here, say how it is, and what to do. Changes nothing."""
    from app.doctor.examine import examine  # noqa: PLC0415
    from app.doctor.findings import plain  # noqa: PLC0415
    from app.terminal_progress import reading_shown  # noqa: PLC0415

    with reading_shown(sys.stderr) as tell:
        report = examine({"logs": logs, "host": host, "port": port, "db": db, "tz": tz}, datetime.now(UTC), tell=tell)
    if bundle is not None:
        from app.doctor.bundle import write_bundle  # noqa: PLC0415

        write_bundle(bundle, __version__, report.findings, report.shapes, report.names)
    if as_json:
        _print_json(plain(report.findings, __version__))
        return
    from app.doctor.printed import print_findings  # noqa: PLC0415

    print_findings(report.findings)
    if bundle is not None:
        typer.echo(f"{bundle} is what a bug report needs. Look into it before you send it.")


DryRun = Annotated[bool, typer.Option("--dry-run", help="Print the file and the commands, and do nothing.")]
service = typer.Typer(
    help="Let Seatwatch run from each login on: launchd, systemd, or a scheduled task.", no_args_is_help=True
)
cli.add_typer(service, name="service")


@service.command("install")
def service_install(dry_run: DryRun = False) -> None:
    """Let the system start Seatwatch now and at each login; done again, it puts right what differs."""
    from app.service import unseen  # noqa: PLC0415
    from app.settings import COLLECTOR, load_settings  # noqa: PLC0415

    settings = load_settings()
    if variables := unseen(settings.origins):
        typer.echo(
            f"The service sees no variables of this terminal: put into config.toml what is in {', '.join(variables)}."
        )
    if settings.collector is not None:
        typer.echo(f"The service does not see {COLLECTOR} either: the system must give it that, or nothing is sent.")
    _service(dry_run).install()


@service.command("status")
def service_status() -> None:
    """Say whether the service is installed and whether it runs."""
    _service().status()


@service.command("remove")
def service_remove(dry_run: DryRun = False) -> None:
    """Stop the service and remove it. The database and the settings stay."""
    _service(dry_run).remove()


def _service(dry_run: bool = False) -> Any:
    from app.service import Service, plan_here  # noqa: PLC0415
    from app.settings import config_file  # noqa: PLC0415

    return Service(plan_here(config_file().parent.parent), typer.echo, dry_run=dry_run)


def _read(logs: Path | None, tz: str | None) -> tuple[tzinfo, Any]:
    from app.reading import read_folder  # noqa: PLC0415
    from app.settings import find_logs, load_settings  # noqa: PLC0415
    from app.terminal_progress import reading_shown  # noqa: PLC0415

    settings = load_settings({"logs": logs, "tz": tz})
    with reading_shown(sys.stderr) as tell:
        return settings.zone, read_folder(find_logs(settings).folder, settings.zone, tell)


def _moment(text: str | None, zone: tzinfo) -> datetime | None:
    """A time as a person writes it: ISO 8601, in the log's zone unless it has an offset of its own."""
    from app.explain import moment_of  # noqa: PLC0415

    return None if text is None else moment_of(text, zone)


def _print_json(value: dict[str, Any]) -> None:
    utf8 = codecs.lookup(sys.stdout.encoding or "ascii").name == "utf-8"
    typer.echo(json.dumps(value, indent=1, ensure_ascii=not utf8))


def _give_words_somewhere_to_go() -> None:
    """A program without a window (Windows' pythonw, as a service) has no streams at all, and still wants to print."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123 - until the process ends


def _spell_out_what_cannot_be_written() -> None:
    """Titles and paths may hold characters that the terminal's or the pipe's encoding lacks."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _fail(error: BaseException, code: int, lines: tuple[str, ...]) -> NoReturn:
    if "--debug" in sys.argv:
        traceback.print_exception(error)
    for line in lines:
        typer.echo(line, err=True)
    raise SystemExit(code)


def main() -> None:
    """Run the command. Errors go to stderr as what, why and what to do; a traceback only with ``--debug``."""
    _give_words_somewhere_to_go()
    _spell_out_what_cannot_be_written()
    try:
        cli()
    except SeatwatchError as error:
        _fail(error, error.exit_code, (error.what, error.why, error.todo))
    except Exception as error:  # the last net: a person gets words, not a traceback
        what = "Seatwatch made a mistake of its own."
        todo = "Run the command again with --debug before its name, and report what it prints."
        _fail(error, 1, (what, f"{type(error).__name__}: {error}", todo))
