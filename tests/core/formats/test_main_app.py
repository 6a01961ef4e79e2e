"""What the lines of the app's own life become."""

from __future__ import annotations

import pytest

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
from app.core.parser import parser_for
from tests.core.helpers import NOON, record

START = (
    "Starting app {\n  appVersion: '2.9939.4',\n  isPackaged: true,\n  platform: 'darwin',\n  arch: 'arm64',\n"
    "  nodeVersion: '24.18.1'\n}"
)


@pytest.mark.parametrize(
    ("body", "event"),
    [
        (START, AppStarted(NOON, "2.9939.4", "darwin", "arm64")),
        ("Starting app {\n  appVersion: '1.46388.2',\n} %o", AppStarted(NOON, "1.46388.2", None, None)),
        ("Starting app {", AppStarted(NOON, None, None, None)),
        ("beforeQuit: handler fired, going down", AppQuitBegan(NOON, False)),
        ("beforeQuitForUpdate handler fired, going down for update", AppQuitBegan(NOON, True)),
        ("Session stop before update took 812ms", AppQuitBegan(NOON, True)),
        ("Windows session ending (close-app) - quitting the app", AppQuitBegan(NOON, False)),
        ("Windows session ending (shutdown) - quitting the app", AppQuitBegan(NOON, False)),
        ("Quitting app on main window close since tray is disabled", AppQuitBegan(NOON, False)),
        ("willQuit: handler is ready for quit, so quitting", AppQuitCompleted(NOON)),
        ("Successfully run onQuitCleanup: cowork-vm-shutdown", VmShutDown(NOON)),
        ("Successfully run onQuitCleanup: pty-host", None),
        ("Successully ran all onQuitCleanup handlers, marking readyForQuit", None),
        ("[CCD] Stopping 3 active session(s) on quit", SessionsStopped(NOON, 3)),
        ("[CCD] Killing 2 PTY process tree(s) on quit", ShellsKilled(NOON, 2)),
        ("[updater] Version changed since last launch: 2.2553.0 → 2.9939.4", AppUpdated(NOON, "2.2553.0", "2.9939.4")),
        ("[updater] Found an update, downloading", UpdateStaged(NOON, None)),
        ("Update downloaded and ready to install { releaseName: 'Claude 2.9939.4' }", UpdateStaged(NOON, "2.9939.4")),
        ("Update downloaded and ready to install", UpdateStaged(NOON, None)),
        ("[stealth-update] Triggering stealth update after idle timeout", UpdateStaged(NOON, None)),
        ("Deferring auto-restart after 98 hours: Claude is working", UpdateDeferred(NOON, 98)),
        ("[updater] Deferring auto-restart after 4 hours: Claude is working", UpdateDeferred(NOON, 4)),
        ("[quit-cleanup] previous quit: {\n  for_update: true\n}", PreviousQuitReported(NOON, True)),
        ("[quit-cleanup] previous quit: { for_update: false }", PreviousQuitReported(NOON, False)),
        ("[quit-cleanup] previous quit: none", PreviousQuitReported(NOON, None)),
        (
            "[CCD] Relaunch auto-resume: ran — warmed 2 of 3 eligible (4 marked)",
            SessionsRewarmed(NOON, warmed=2, eligible=3, marked=4),
        ),
        ("[ScheduledTasks] tick 13815", HeartbeatSeen(NOON)),
        (
            "[event-loop-stall] main process blocked for 4210ms (task git=4100ms, total 3, rss 900MB)",
            EventLoopStalled(NOON, 4210),
        ),
        ("GPU process gone: { type: 'GPU', reason: 'crashed' }", AppComponentCrashed(NOON, "gpu")),
        ("Main webview render process gone: { reason: 'oom' }", AppComponentCrashed(NOON, "renderer")),
        ("Main webview is unresponsive, will kill and reload", AppComponentCrashed(NOON, "renderer")),
        ("[pty-host] worker exited (1) with 2 live PTY(s) before a real spawn ack", AppComponentCrashed(NOON, "pty")),
        ("[git] worker exited (0); will refork on next request", None),
    ],
)
def test_line_of_the_app(body: str, event: Event | None) -> None:
    """Each line of a start, a quit, an update or a crash means one thing."""
    assert parser_for("main.log").parse(record(body)) == event


OPENED = "[LocalSessionManager] Initialization succeeded — accountId=a1, orgId=b1, existingSessions=12"


def opened(body: str) -> AccountOpened:
    """The event of a line with which a manager opens an account."""
    event = parser_for("main.log").parse(record(body))
    assert isinstance(event, AccountOpened)
    return event


def test_account_is_told_apart_and_never_named() -> None:
    """Equal account and organization give equal marks, another of either gives another, and no id is kept."""
    first = opened(OPENED)

    assert (first.manager, first.existing, len(first.account)) == ("code", 12, 8)
    assert first.account != "a1"
    assert opened(OPENED.replace("=12", "=13")).account == first.account
    assert opened(OPENED.replace("a1", "a2")).account != first.account
    assert opened(OPENED.replace("b1", "b2")).account != first.account


def test_account_of_cowork_and_of_a_build_that_says_less() -> None:
    """Cowork's manager opens it too; organization and number may be missing, and the dash may be decoded wrongly."""
    event = opened("[LocalAgentModeSessionManager] Initialization succeeded ΓÇö accountId=a1")

    assert (event.manager, event.existing) == ("cowork", None)
    assert parser_for("main.log").parse(record("[LocalSessionManager] Initialization failed")) is None
