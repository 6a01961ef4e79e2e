"""main.log: the app's own life."""

from __future__ import annotations

import hashlib
import re

from app.core.events import (
    AccountOpened,
    AppComponentCrashed,
    AppQuitBegan,
    AppQuitCompleted,
    AppStarted,
    AppUpdated,
    Event,
    EventLoopStalled,
    HeartbeatSeen,
    PreviousQuitReported,
    SessionsRewarmed,
    SessionsStopped,
    ShellsKilled,
    UpdateDeferred,
    UpdateStaged,
    VmShutDown,
)
from app.core.formats.base import ARROW, Format, whole
from app.core.records import Record


def _started(match: re.Match[str], record: Record) -> Event:
    def value(name: str) -> str | None:
        for line in record.more:
            found = re.match(rf"\s+{name}: '([^']*)'", line)
            if found:
                return found[1]
        return None

    return AppStarted(record.at, value("appVersion"), value("platform"), value("arch"))


def _previous_quit(match: re.Match[str], record: Record) -> Event:
    found = re.search(r"for_update: (true|false)", "\n".join((match.string, *record.more)))
    return PreviousQuitReported(record.at, found[1] == "true" if found else None)


def _account(match: re.Match[str], record: Record) -> Event:
    """Which account it is nobody needs to know, only whether it is another one; its id does not leave the log."""
    org = re.search(r"orgId=([^\s,]+)", match.string)
    existing = re.search(r"existingSessions=(\d+)", match.string)
    both = f"{match['account']} {org[1] if org else ''}"
    return AccountOpened(
        at=record.at,
        manager="cowork" if match["manager"] == "LocalAgentModeSessionManager" else "code",
        account=hashlib.blake2b(both.encode("utf-8", "replace"), digest_size=4).hexdigest(),
        existing=whole(existing[1]) if existing else None,
    )


FORMATS = (
    Format(
        "app.started",
        r"Starting app \{",
        _started,
        (
            "Starting app {\n  appVersion: '2.9939.4',\n  isPackaged: true,\n  platform: 'darwin',\n"
            "  arch: 'arm64',\n  nodeVersion: '24.18.1'\n}",
            "Starting app {",
        ),
    ),
    Format(
        "app.before_quit",
        r"beforeQuit: handler fired",
        AppQuitBegan,
        ("beforeQuit: handler fired, going down",),
        {"for_update": False},
    ),
    Format(
        "app.before_update",
        r"beforeQuitForUpdate handler fired",
        AppQuitBegan,
        ("beforeQuitForUpdate handler fired, going down for update",),
        {"for_update": True},
    ),
    Format(
        "app.stopped_for_update",
        r"Session stop before update took \d+ms",
        AppQuitBegan,
        ("Session stop before update took 812ms",),
        {"for_update": True},
    ),
    Format(
        "app.windows_ending",
        r"Windows session ending \([\w-]+\)",
        AppQuitBegan,
        (
            "Windows session ending (close-app) - quitting the app",
            "Windows session ending (shutdown) - quitting the app",
        ),
        {"for_update": False},
    ),
    Format(
        "app.window_closed",
        r"Quitting app on main window close",
        AppQuitBegan,
        ("Quitting app on main window close since tray is disabled",),
        {"for_update": False},
    ),
    Format(
        "app.will_quit",
        r"willQuit: handler is ready for quit",
        AppQuitCompleted,
        ("willQuit: handler is ready for quit, so quitting",),
    ),
    Format(
        "app.cleanup_vm",
        r"Successfully run onQuitCleanup: cowork-vm-shutdown",
        VmShutDown,
        ("Successfully run onQuitCleanup: cowork-vm-shutdown",),
    ),
    Format(
        "app.sessions_stopped",
        r"\[CCD\] Stopping (?P<count>\d+) active session\(s\) on quit",
        SessionsStopped,
        ("[CCD] Stopping 3 active session(s) on quit",),
    ),
    Format(
        "app.shells_killed",
        r"\[CCD\] Killing (?P<count>\d+) PTY process tree\(s\) on quit",
        ShellsKilled,
        ("[CCD] Killing 2 PTY process tree(s) on quit",),
    ),
    Format(
        "app.account",
        r"\[(?P<manager>LocalSessionManager|LocalAgentModeSessionManager)\] Initialization succeeded"
        + ARROW
        + r"accountId=(?P<account>[^\s,]+)",
        _account,
        (
            "[LocalSessionManager] Initialization succeeded — accountId=0a1b2c3d-0000-4000-8000-0000000000a1, "
            "orgId=0a1b2c3d-0000-4000-8000-0000000000b1, existingSessions=12",
            "[LocalAgentModeSessionManager] Initialization succeeded ΓÇö accountId=0a1b2c3d-0000-4000-8000-00000000a1",
        ),
    ),
    Format(
        "app.updated",
        r"\[updater\] Version changed since last launch: (?P<old>\S+)" + ARROW + r"(?P<new>\S+)",
        AppUpdated,
        ("[updater] Version changed since last launch: 2.2553.0 → 2.9939.4",),
    ),
    Format(
        "app.update_found",
        r"\[updater\] Found an update, downloading",
        lambda match, record: UpdateStaged(record.at, None),
        ("[updater] Found an update, downloading",),
    ),
    Format(
        "app.update_downloaded",
        r"(?:\[updater\] )?Update downloaded and ready to install(?: \{ releaseName: 'Claude (?P<version>[^']+)')?",
        UpdateStaged,
        (
            "Update downloaded and ready to install { releaseName: 'Claude 2.9939.4' }",
            "[updater] Update downloaded and ready to install { releaseName: 'Claude 2.9939.4' }",
        ),
    ),
    Format(
        "app.update_triggered",
        r"\[stealth-update\] Triggering stealth update",
        lambda match, record: UpdateStaged(record.at, None),
        ("[stealth-update] Triggering stealth update after idle timeout",),
    ),
    Format(
        "app.update_deferred",
        r"(?:\[updater\] )?Deferring auto-restart after (?P<hours>\d+) hours",
        UpdateDeferred,
        (
            "Deferring auto-restart after 98 hours: Claude is working",
            "[updater] Deferring auto-restart after 4 hours: Claude is working",
        ),
    ),
    Format(
        "app.previous_quit",
        r"\[quit-cleanup\] previous quit:",
        _previous_quit,
        ("[quit-cleanup] previous quit: {\n  for_update: true\n}", "[quit-cleanup] previous quit: none"),
    ),
    Format(
        "app.rewarmed",
        r"\[CCD\] Relaunch auto-resume: ran\s+\S{1,3}\s+warmed (?P<warmed>\d+) of (?P<eligible>\d+) eligible "
        r"\((?P<marked>\d+) marked\)",
        SessionsRewarmed,
        ("[CCD] Relaunch auto-resume: ran — warmed 2 of 3 eligible (3 marked)",),
    ),
    Format(
        "app.tick",
        r"\[ScheduledTasks\] (?!Spawning)",
        HeartbeatSeen,
        ("[ScheduledTasks] tick 13815",),
    ),
    Format(
        "app.stalled",
        r"\[event-loop-stall\] main process blocked for (?P<blocked_ms>\d+)ms",
        EventLoopStalled,
        ("[event-loop-stall] main process blocked for 4210ms (task git=4100ms, total 3, rss 900MB)",),
    ),
    Format(
        "app.gpu_gone",
        r"GPU process gone:",
        AppComponentCrashed,
        ("GPU process gone: { type: 'GPU', reason: 'crashed', exitCode: 101457950, serviceName: 'GPU' }",),
        {"component": "gpu"},
    ),
    Format(
        "app.renderer_gone",
        r"Main webview (?:render process gone|is unresponsive)",
        AppComponentCrashed,
        ("Main webview render process gone: { reason: 'oom' }", "Main webview is unresponsive, will kill and reload"),
        {"component": "renderer"},
    ),
    Format(
        "app.pty_gone",
        r"\[pty-host\] worker exited",
        AppComponentCrashed,
        ("[pty-host] worker exited (1) with 2 live PTY(s) before a real spawn ack; backing off 500ms before refork",),
        {"component": "pty"},
    ),
)
