"""The composition root: everything is made here, from settings, and nothing before."""

from __future__ import annotations

import asyncio
import logging
import socket
import sys
import tempfile
import threading
import time
import webbrowser
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from fastapi import FastAPI

from app import __version__
from app.access import EVERYWHERE, address_of, kept_token, names_of, token_file
from app.beside import Beside
from app.config_file import change_config
from app.core.probed import Probed, is_probe
from app.core.recorder import Recorder
from app.core.state import State
from app.errors import NoLogsFound
from app.ingest.tailer import FolderTailer
from app.live import Live, Snapshot
from app.logs import log_file, own_log
from app.notify.notifier import Notifier
from app.notify.services import problem_of
from app.pipeline import Pipeline
from app.probing import Probes, Probing, system_probes
from app.reading import reading_for
from app.retold import Retold
from app.sending import send
from app.server import listen, run
from app.settings import Settings, config_file, find_logs, resource_dir, told_path, watch_logs
from app.storage.retention import Limits
from app.storage.store import Store
from app.terminal_progress import reading_shown
from app.web import build_web
from app.web.asked import Asked
from app.web.health import Inside
from app.web.security import Access
from app.web.settings_desk import Desk

if TYPE_CHECKING:
    from app.demo.world import World
    from app.demo.writer import DemoWriter

LOG = logging.getLogger("seatwatch")
DEMO_SEED = 8
ZONE_FACT = "zone of the logs"


def utc_now() -> datetime:
    """The time of the host, in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Parts:
    """What one running Seatwatch is made of."""

    settings: Settings
    live: Live
    pipeline: Pipeline
    access: Access = field(default_factory=Access)
    probing: Probing | None = None


def assemble(settings: Settings, closing: ExitStack) -> Parts:
    """Choose the logs (or the demo), open the store, and put the pipeline together. ``closing`` undoes all of it.

    Raises what `find_logs` and `Store.open` raise.
    """
    folder, looked_in = _choose_logs(settings)
    database, demo = settings.database, folder is None
    writer: DemoWriter | None = None
    if folder is None:
        from app.demo.writer import DemoWriter  # noqa: PLC0415  who has logs need not wait for a simulation

        home = Path(
            closing.enter_context(tempfile.TemporaryDirectory(prefix="seatwatch-demo-", ignore_cleanup_errors=True))
        )
        folder, database = home / "logs", home / "demo.sqlite"
        writer = closing.enter_context(DemoWriter(folder, DEMO_SEED))
        writer.start()
    store = closing.enter_context(Store.open(database, resource_dir("migrations")))
    closing.enter_context(own_log(log_file(store.path)))
    zone = UTC if demo else settings.zone
    _keep_to_zone(store, zone)
    files = [one for one in store.checkpoints().values() if not is_probe(one)]
    tailer = FolderTailer(folder, files, reading_for(zone))
    closing.callback(tailer.close)
    if store.set_aside is not None:
        print(f"The database was damaged. It is kept as {store.set_aside}; the logs are read again.")  # noqa: T201
    first = Snapshot(0, State(), Recorder(), folder=str(folder), looked_in=looked_in, demo=demo)
    live = Live(first, settings.preferences)
    moved_to = (lambda: None) if demo else watch_logs(settings, folder)
    probed = Probed(next((one.offset for one in store.checkpoints().values() if is_probe(one)), 0))
    pipeline = Pipeline(
        tailer, store, live, utc_now, Beside.of(folder), moved_to=moved_to, probed=probed,
        limits=Limits(timedelta(days=settings.keep_days), settings.keep_mb * 1_000_000), poll=settings.poll,
        progress=lambda: reading_shown(sys.stderr),
    )  # fmt: skip
    probing = _probing(settings, pipeline, probed, writer)
    return Parts(settings, live, pipeline, _access(settings, store.path), probing)


def _probing(settings: Settings, pipeline: Pipeline, probed: Probed, writer: DemoWriter | None) -> Probing | None:
    """The probes beside the pipeline, those of the demo's machine for the demo; None where they are not wanted."""
    if not settings.probes:
        return None
    store = pipeline.store

    def demo_probes(world: World) -> Probes:
        from app.demo import machine  # noqa: PLC0415

        store.samples.keep(machine.history(world.config.total_mb, utc_now()))
        looks = machine.HostLook(world), machine.ProcessesLook(world), machine.ConnectionsLook(world)
        return Probes(*looks, line=machine.LINE)

    make = system_probes if writer is None else partial(demo_probes, writer.simulation.world)
    return Probing(
        make, pipeline.live, samples=store.samples, probed=probed, clock=utc_now, zone=settings.zone,
        sessions=lambda: pipeline.beside.pids,
    )  # fmt: skip


def _access(settings: Settings, database: Path) -> Access:
    """Who is answered. Beyond this machine a token is needed, one that was chosen is asked for on it as well."""
    if settings.loopback:
        return Access(settings.allow_host, token=settings.token)
    names = names_of(settings.host, socket.gethostname(), settings.allow_host)
    return Access(names, settings.host in EVERYWHERE, settings.token or kept_token(token_file(database)))


def _choose_logs(settings: Settings) -> tuple[Path | None, tuple[str, ...]]:
    """The log folder, None for the demo; and where it was looked for in vain, where nobody named one."""
    if settings.demo:
        return None, ()
    try:
        return find_logs(settings).folder, ()
    except NoLogsFound as missing:
        if settings.logs is not None:
            raise
        return None, missing.looked_in


def _keep_to_zone(store: Store, zone: tzinfo) -> None:
    """Times are stored in UTC as one zone reads them: under another zone the logs must be read anew."""
    name = str(zone)
    if store.fact(ZONE_FACT) not in (None, name):
        store.forget()
    store.keep_fact(ZONE_FACT, name)


def create_app(parts: Parts) -> FastAPI:
    """The web application; its lifespan runs the pipeline."""

    notifier = Notifier(parts.live, utc_now, parts.settings.zone)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        stop = asyncio.Event()
        runs = [
            parts.pipeline.run(stop),
            notifier.run(stop),
            *([parts.probing.run(stop)] if parts.probing is not None else []),
            send(
                parts.settings.collector, parts.live,
                clock=utc_now, inside=inside, pages=lambda: board.pages, stop=stop,
            ),
        ]  # fmt: skip
        tasks = [asyncio.create_task(run) for run in runs]
        for task in tasks:
            task.add_done_callback(_tell_of_failure)
        try:
            yield
        finally:
            parts.live.close()
            stop.set()
            # One that broke must not keep the others from putting away what they have.
            await asyncio.gather(*tasks, return_exceptions=True)

    app = FastAPI(title="Seatwatch", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None)
    retold, inside = Retold(parts.pipeline), _inside(parts)
    board = build_web(
        app,
        live=parts.live,
        zone=parts.settings.zone,
        templates_dir=resource_dir("templates"),
        static_dir=resource_dir("static"),
        clock=utc_now,
        asked=Asked(retold.told, retold.census),
        access=parts.access,
        inside=inside,
        history_of=retold.history,
        archive=retold,
        desk=_desk(parts, notifier),
    )
    return app


def _tell_of_failure(task: asyncio.Task[None]) -> None:
    """Our own log says when a part has ended by an error of ours; the others go on without it."""
    if not task.cancelled() and (error := task.exception()) is not None:
        LOG.error("a part has ended", exc_info=error)


def _desk(parts: Parts, notifier: Notifier) -> Desk:
    """Where the settings page changes preferences: in what runs, and in the file."""
    config = parts.settings.config or config_file()
    return Desk(
        parts.live, parts.settings.origins, str(config), told_path(config), partial(change_config, config),
        notifier.test, problem_of,
    )  # fmt: skip


def _inside(parts: Parts) -> Callable[[], Inside]:
    """What tells of the store and of this process; time counts from now."""
    started = time.monotonic()

    def look() -> Inside:
        from app.probes.own import own_usage  # noqa: PLC0415  the first one who asks pays for loading psutil

        usage, keeper = own_usage(), parts.pipeline.keeper
        return Inside(
            waiting=keeper.waiting,
            database_bytes=keeper.store.size,
            uptime_seconds=round(time.monotonic() - started, 1),
            cpu_seconds=usage.cpu_seconds,
            rss_bytes=usage.rss_bytes,
            threads=usage.threads,
            open_files=usage.open_files,
            put_off=parts.pipeline.fold.census.put_off.copy(),
        )

    return look


def serve(settings: Settings) -> None:
    """Run until a signal ends it. Raises `PortTaken`, what `assemble` raises, and what ended the pipeline early."""
    with ExitStack() as closing:
        listener = closing.enter_context(listen(settings.host, settings.port))
        parts = assemble(settings, closing)
        host, port = listener.getsockname()[:2]
        address = address_of(host, port, socket.gethostname())
        token = parts.access.token
        _say(parts.live.current, address, token)
        # Others on this machine see the arguments of a browser that is started, and the token is there because of them.
        if settings.open_browser and token is None:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        LOG.info("started", extra={"facts": {"version": __version__, "port": port, "demo": parts.live.current.demo}})
        run(create_app(parts), listener, parts.live.close)
        LOG.info("stopped", extra={"facts": {"failed": parts.pipeline.failure is not None}})
        if parts.pipeline.failure is not None:
            raise parts.pipeline.failure


def _say(snapshot: Snapshot, address: str, token: str | None) -> None:
    """What a person wants to know at the start."""
    if snapshot.looked_in:
        print("No logs of the Claude desktop app were found. Looked in:")  # noqa: T201 - the terminal is the interface
        for place in snapshot.looked_in:
            print(f"  {place}")  # noqa: T201
    if snapshot.demo:
        print("Showing demo data: nothing on the page is real.")  # noqa: T201
    else:
        print(f"Reading {snapshot.folder}")  # noqa: T201
    if token is not None:
        print("Whoever opens it needs the token that stands at the end of the address; keep it to yourself.")  # noqa: T201
        address = f"{address}/?token={token}"
    print(f"Seatwatch {__version__} is at {address}  (Ctrl-C ends it)")  # noqa: T201
    sys.stdout.flush()
