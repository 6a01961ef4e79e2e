"""Everything else that the app writes: lines that mean nothing here, and some that look as if they did."""

from __future__ import annotations

from app.demo import wording
from app.demo.world import Severity, World

PLAIN: tuple[str, ...] = (
    "[EventLogging] Flushing {n} events",
    "[growthbook] next refresh in 60 min",
    "[git] worker exited (0); will refork on next request",
    "[LocalMcpServerManager] Connected to files (14 tools)",
    "[LocalMcpServerManager] Connecting to notes",
    "[localMcpBridge] announcing files: 14 tool(s)",
    "[PluginsFetcher] fetchAccountEnabledPlugins: 0 plugins",
    "[SkillsPlugin] Window focused — polling now (last poll was {n}ms ago)",
    "[updater] Staged version {version} is still current (latest: {version}, lastTarget: null)",
    "[remote-file] staged 3 files, 0 files-api 429s retried",
    "[remote-tools-device] close (code 1006), reconnecting in 2000ms",
    "[bridge-ws] using net.WebSocket transport for wss://example.invalid/v1/sessions",
    "[oauth] CLI requested token refresh after 401",
    "Config file written",
)

DECOYS: tuple[tuple[Severity, str], ...] = (
    (
        "error",
        "Failed to get commands from temporary query {{\n  error: Error: spawn failed\n"
        "      at ChildProcess.spawn (node:internal/child_process:441:11)\n"
        "  [CliGovernor] at cap=99; would evict local_fake (idle 999s) for warm spawn\n"
        "  [CCD] Pausing session local_fake (governor_evict)\n}}",
    ),
    (
        "error",
        "Tool output was cut {{\n  stdout: 'first line\n[CliGovernor] pressure evicting local_fake (idle 77s)\n"
        "Memory pressure transition: critical\n  Starting app {{\n',\n  [length]: 4\n}}",
    ),
    ("info", "[LocalMcpServerManager] files stderr: [CliGovernor] at cap=3; yielding user spawn"),
    ("warn", "Blocked permission check {{\n  permission: 'background-sync',\n  isMainFrame: false\n}}"),
    ("warn", "[EventLogging] Failed to log event: HTTP 403 (request 529, pid 429)"),
    ("warn", "Failed to set title bar overlay, this is probably expected"),
    (
        "info",
        "using oauth config {{\n  apiHost: 'https://example.invalid',\n  scope: 'user:inference user:profile'\n}}",
    ),
)

DECOY_SHARE = 0.06


UNREAD: tuple[str, ...] = tuple(
    text for text in PLAIN if not text.startswith(("[SkillsPlugin]", "[updater]", "[oauth]", "[remote-tools-device]"))
)
"""What a very chatty app says most of: scopes that have nothing to do with sessions."""


def start(world: World) -> None:
    """Begin to chatter, and to tick once or twice in two minutes, as long as the app runs."""
    world.after(_pause(world), lambda: _chatter(world))
    world.after(world.rng.randint(20, 60), lambda: _tick(world))


def _pause(world: World) -> float:
    return max(1.0, world.rng.expovariate(world.config.noise_per_minute / 60))


def _chatter(world: World) -> None:
    _say_something(world)
    # The story's clock has whole seconds: an app that says more than a line in one says several at once.
    for _ in range(round(world.config.noise_per_minute / 60) - 1):
        world.say(world.rng.choice(UNREAD).format(n=world.rng.randint(8, 95000)))
    world.after(_pause(world), lambda: _chatter(world))


def _say_something(world: World) -> None:
    fields = {"n": world.rng.randint(8, 95000), "version": world.version}
    if world.chance(DECOY_SHARE):
        severity, text = world.rng.choice(DECOYS)
        world.say(text.format(**fields), severity)
    else:
        world.say(world.rng.choice(PLAIN).format(**fields))


def _tick(world: World) -> None:
    world.say(wording.TICK.format(n=world.rng.randint(1000, 99999)))
    world.after(world.rng.randint(55, 110), lambda: _tick(world))
