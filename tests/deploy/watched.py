"""A Prometheus that runs with what ``deploy/prometheus`` has, only quicker, and three machines for it to watch."""

from __future__ import annotations

import json
import re
import shutil
import socket
import subprocess
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import urlopen

from tests.promtool import command

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy" / "prometheus"


def quick(folder: Path, targets: dict[str, str], token: str) -> Path:
    """A copy of ``deploy/prometheus`` in ``folder`` that scrapes each half second; its configuration file.

    ``targets`` maps the name of an owner to an address. Alerts wait for a second where they wait for minutes.
    """
    shutil.copytree(DEPLOY, folder)
    for example in (folder / "machines").iterdir():
        example.unlink()
    (folder / "seatwatch.token").write_text(token, "utf-8")
    groups = [{"targets": [address], "labels": {"owner": owner}} for owner, address in targets.items()]
    (folder / "machines" / "team.yml").write_text(json.dumps(groups), "utf-8")  # JSON is YAML as well
    config, rules = folder / "prometheus.yml", folder / "seatwatch.rules.yml"
    config.write_text(re.sub(r"(scrape|evaluation)_interval: 15s", r"\1_interval: 500ms", config.read_text("utf-8")))
    rules.write_text(re.sub(r"\bfor: \d+m", "for: 1s", rules.read_text("utf-8")))
    return config


@dataclass
class Prometheus:
    """A server on loopback with its data in ``folder``."""

    config: Path
    folder: Path
    address: str = ""
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def start(self) -> None:
        """Start it at a free port."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            place = f"127.0.0.1:{free.getsockname()[1]}"
        flags = {"config.file": self.config, "storage.tsdb.path": self.folder, "web.listen-address": place}
        self.process = subprocess.Popen(
            [command("prometheus"), *(f"--{name}={value}" for name, value in flags.items())],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self.address = f"http://{place}"

    def stop(self) -> None:
        """End it."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait(10)

    def ask(self, path: str, **query: str) -> Any:
        """What its interface answers under ``data``; None while it does not answer yet."""
        try:
            with urlopen(f"{self.address}/api/v1/{path}?{urlencode(query)}", timeout=5) as answer:  # noqa: S310 - loopback
                return json.load(answer)["data"]
        except URLError:
            return None

    def values(self, query: str) -> dict[str, float]:
        """The present value for each owner."""
        found = self.ask("query", query=query) or {"result": []}
        return {one["metric"].get("owner", ""): float(one["value"][1]) for one in found["result"]}

    def firing(self, alert: str) -> set[str]:
        """The owners of the machines for which ``alert`` fires now."""
        found = self.ask("alerts") or {"alerts": []}
        return {
            one["labels"].get("owner", "")
            for one in found["alerts"]
            if one["labels"]["alertname"] == alert and one["state"] == "firing"
        }


def say(log: Path, body: str) -> None:
    """Let the app say something now, in UTC."""
    with log.open("ab") as file:
        file.write(f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} [info] {body}\n".encode())
