"""Every shape of line that is known to exist, and the format that knows it: what is not on this list is not read.

The lines are other ones than the formats' own samples, so that a pattern that fits its samples alone is found out.
Those that stand deep in stacks and tool results, and belong to no format, have the event's name in brackets.
"""

from __future__ import annotations

import re
from typing import TypeAlias, get_args

import pytest

from app.core.checkpoint import Family
from app.core.parser import parser_for
from tests.core.helpers import record

S = "local_5f6e7d8c-1111-4222-8333-444455556666"
DITTO = "local_ditto_5f6e7d8c-1111-4222-8333-444455556666"
CLI = "9d8c7b6a-1111-4222-8333-444455556666"
Shape: TypeAlias = tuple[str, str]

GOVERNOR: tuple[Shape, ...] = (
    ("governor.would_evict", f"[CliGovernor] at cap=16; would evict {S} (idle 600s) for warm spawn"),
    ("governor.would_evict", f"[CliGovernor] at cap=10; would evict {S} (idle 53s) for user spawn"),
    ("governor.would_evict", f"[CliGovernor] at cap=10; would evict {S} (idle 53s)"),
    ("governor.evicting", f"[CliGovernor] at cap=8; evicting {S} (idle 61s) for warm spawn"),
    ("governor.yielding", "[CliGovernor] at cap; yielding warm spawn"),
    ("governor.yielding", "[CliGovernor] at cap; yielding user spawn"),
    ("governor.yielding", "[CliGovernor] at cap=8; yielding warm spawn"),
    ("governor.acquire", "[CliGovernor] acquire(user) effective=3/8"),
    ("governor.pressure", "[CliGovernor] memory pressure (warning): would evict 0 idle session(s), 0 effective"),
    ("governor.pressure", "[CliGovernor] memory pressure (critical): evicting 0 of 0 idle session(s)"),
    ("governor.pressure", "[CliGovernor] memory pressure (warning): swept 2 of 9 idle session(s) in 3ms"),
    ("governor.pressure_evicting", f"[CliGovernor] pressure evicting {S} (idle 747s)"),
    ("governor.pressure_evicting", f"[CliGovernor] sweep: evicting {S} (idle 747s)"),
    ("(Unrecognized)", "[CliGovernor] pressure sweep finished in 12ms"),
    ("governor.memory_unreadable", "[CliGovernor] getFreeMemoryRatio failed; treating memory pressure as clear {\n  e"),
    ("governor.evict_failed", f"[CliGovernor] evict pauseSession failed {{\n  sessionId: '{S}'\n}}"),
    ("autofix.deferred", f"[AutoFixEngine] CLI process cap hit; deferring wake for {S} to next sweep"),
)

PROCESS: tuple[Shape, ...] = (
    ("app.started", "Starting app {\n  appVersion: '1.40609.0',\n  isPackaged: true\n} %o"),
    ("app.account", "[LocalSessionManager] Initialization succeeded — accountId=a, orgId=o, existingSessions=3"),
    (
        "app.account",
        "[LocalAgentModeSessionManager] Initialization succeeded — accountId=a, orgId=o, existingSessions=3",
    ),
    ("known.start_asked", "LocalSessions.start:"),
    ("session.started", f"Starting local session {S} in /home/brave-red-fox"),
    ("session.started", f"Starting local session {S} in C:\\Users\\someone\\project"),
    ("session.resumed", f"Resuming session {S} in /Users/someone/project"),
    ("session.mapped", f"Mapping internal session {S} to CLI session {CLI}"),
    ("session.warming", f"[CCD] Warming session {S}"),
    ("session.warmed", f"[CCD] Session {S} warmed successfully in 134ms"),
    ("session.warm_skipped", f"[CCD] Skipping warm for {S} — trust check failed"),
    ("session.warm_skipped", f"[CCD] Skipping warm for {S} — WSL policy"),
    ("known.transcript_gone", f"[CCD] Transcript for {CLI} no longer exists, starting fresh"),
    ("session.warm_aborted", f"[CCD] warmSession for {S} aborted during setup; bailing before spawn"),
    ("lifecycle.warming", f"[WarmLifecycle:session] Warming up session {S}"),
    ("lifecycle.preview", f"[WarmLifecycle:preview] Warming up session {S}"),
    ("lifecycle.idle_armed", f"[WarmLifecycle:session] Starting idle timeout for {S}: 900s"),
    ("lifecycle.idle_fired", f"[WarmLifecycle:session] Idle timeout reached, disconnecting {S}"),
    ("lifecycle.preview", "[WarmLifecycle:preview] Starting idle timeout for p-1: 1800s"),
    ("lifecycle.initialized", "[WarmLifecycle:cowork] Initialized (arm=always)"),
    ("lifecycle.initialized", "[WarmLifecycle:session] Initialized (arm=when-hidden)"),
    ("lifecycle.initialized", "[WarmLifecycle:cowork] Destroyed"),
    (
        "lifecycle.declined",
        f"[WarmLifecycle:session] Session {S} has declined 8 consecutive idle pauses — its process is not being reaped",
    ),
    ("session.pause_skipped", f"[CCD] Skipping pause for session {S} - remote control is active (explicit bridge)"),
    ("session.pause_skipped", f"[CCD] Skipping pause for session {S} - 3 active background task(s)"),
    ("session.pause_skipped", f"[CCD] Skipping pause for session {S} - query is actively running"),
    ("session.pause_skipped", f"[CCD] Skipping pause for session {S} - 2 active cron job(s)"),
    ("session.pause_skipped", f"[CCD] Skipping pause for session {S} - loop wakeup pending in 90s"),
    ("session.pause_skipped", f"[CCD] Skipping idle-pause for session {S} - wsl backend persists across detach"),
    ("hold.schedule_expired", f"[CCD] Session {S} cron c9 expired after 3 days"),
    ("session.paused", f"[CCD] Pausing session {S} (idle_timeout)"),
    ("session.paused", f"[CCD] Pausing session {S} (governor_evict)"),
    ("session.paused_old", f"[CCD] Pausing session {S} due to idle"),
    ("lifecycle.idle_fired", f"[IdleManager:session] Idle timeout reached, disconnecting {S}"),
    ("session.query_completed", f"Session {S} query iterator completed"),
    (
        "session.torn_down",
        f"[CCD] Session {S} torn down with 1 live background task(s) — settling as stopped (paused)",
    ),
    (
        "session.timed_out",
        f"[CCD] Session {S} timed out after 999s of inactivity (hadFirstResponse=false, last_message_type=none)",
    ),
    ("session.stderr", f"[CCD] Session {S} stderr tail:\n    at process (node:internal:1:1)"),
    ("session.failed", f"Session {S} query error: Claude Code process exited with code 137"),
    ("session.failed", f"Session {S} query error: Claude Code process terminated by signal SIGKILL"),
    ("app.sessions_stopped", "[CCD] Stopping 9 active session(s) on quit"),
    ("app.shells_killed", "[CCD] Killing 1 PTY process tree(s) on quit"),
    ("session.stopping", f"Stopping session {S}"),
    ("session.interrupting", f"Interrupting session {S}"),
    ("session.clearing", f"Clearing session {S}"),
    ("session.archiving", f"LocalSessions.archive: sessionId={S}"),
    ("session.archived", f"Archived session {S}"),
    ("session.deleting", f"LocalSessions.delete: sessionId={S}"),
    ("session.deleted", f"Deleted session {S}"),
    ("app.rewarmed", "[CCD] Relaunch auto-resume: ran — warmed 0 of 0 eligible (1 marked)"),
    ("hold.workflow_started", f"[CCD] Session {S} workflow w9 started"),
    ("hold.workflow_ended", f"[CCD] Session {S} workflow w9 ended"),
    ("session.in_memory", f"Restore: Skipping {S} — live session already in memory"),
    ("scheduled.code", "[CCDScheduledTasks] Spawning new session for scheduled task weekly"),
    ("scheduled.cowork", "[ScheduledTasks] Spawning new session for scheduled task weekly"),
)

TURN: tuple[Shape, ...] = (
    ("turn.message", f"LocalSessions.sendMessage: sessionId={S}, messageLength=12"),
    ("turn.sending", f"Sending message to session {S}"),
    ("turn.answered", f"[CCD start-timing] {S} first_assistant=900ms | total_to_assistant=1200ms online=true"),
    ("turn.healthy", f"[CCD CycleHealth] healthy cycle for {S} (4s, hadFirstResponse=true)"),
    ("turn.unhealthy", f"[CCD CycleHealth] unhealthy cycle for {S} (4s, hadFirstResponse=false, reason=no_response)"),
    ("limit.api_error", f"[CCD CycleHealth] {S} cli_execution_error (error_during_execution): it ended"),
    ("turn.succeeded", f"[Result] Turn succeeded for session {S}"),
    ("turn.lifecycle", f"[Lifecycle] Session {S}: idle → initializing"),
    ("turn.lifecycle", f"[Lifecycle] Session {S}: initializing → running"),
    ("turn.lifecycle", f"[Lifecycle] Session {S}: running → idle"),
    ("turn.stop_hook", f"[Stop hook] Query completed for session {S}"),
    ("focus.session", f"[CCD] LocalSessions.setFocusedSession: sessionId={S}"),
    ("focus.session", "[CCD] LocalSessions.setFocusedSession: sessionId=null"),
    ("focus.window", "[SkillsPlugin] Window focused — polling now (last poll was 7ms ago)"),
    ("permission.requested", f"Emitted tool permission request {CLI} for Bash in session {S}"),
    ("permission.answered", f"Received permission response for {CLI}: once (tool: Bash)"),
    ("known.permission_mode", f"[CCD] LocalSessions.setPermissionMode: sessionId={S}, mode=plan"),
    ("known.permission_mode_spawn", f"[permissionMode] spawn session={S} requested=plan effective=default"),
    ("session.updated", f"Updated session {S}: {{ title: '<redacted>', titleSource: 'user' }}"),
    ("session.retitled", f'updateSession: sessionId={S}, options={{"title":"Plan"}}'),
    ("known.shell_started", f"LocalSessions.startShellPty: sessionId={S}, cols=80, rows=24"),
    ("known.shell_stopping", f"Stopping shell PTY for session {S}"),
    ("known.shell_exited", f"Shell PTY for session {S} exited (code 0)"),
    ("known.remote_verdict", "[rcAutoEnable] verdict: enable=false source=policy trigger=resume"),
    ("hold.remote_control", f"Enabling remote control for session {S}"),
    ("known.remote_address", "Remote control enabled: https://example.invalid/code/session_01Zz"),
    ("bridge.state", "[remote-control] bridge_state: connected"),
    ("bridge.state", "[remote-control] bridge_state: ready"),
    ("bridge.state", "[remote-control] bridge_state: reconnecting"),
    (
        "session.peer_message_lost",
        f"[LocalSessionManager] peer input {CLI} for {S} drew no acknowledgement from the CLI in 45001ms — settled as "
        "undelivered (no output)",
    ),
    ("session.save_failed", f"Failed to save session {S}: Error: EPERM: operation not permitted, rename"),
    ("known.dispatch_queued", f"[Dispatch] Queued notification for cold parent {DITTO} (child {S} completed)"),
    ("known.dispatch_drained", f"[Dispatch] Drained 1 queued notification(s) for {DITTO}"),
    ("cloud.folders", "LocalAgentModeSessions.grantRemoteSessionFolders: cse_01Zz [1]"),
    ("cloud.folders", "LocalAgentModeSessions.clearRemoteSessionFolderGrants: cse_01Zz"),
    ("cloud.guest", "[remote-bash] user=rcw-01zz mounts=a:ro,b:rw cmdLen=7"),
    ("cloud.work", "[sessions-bridge] Handling session work {\n  sessionId: 'cse_01Zz'\n}"),
    ("cloud.bridge", "[sessions-bridge] Received user message for session cse_01Zz"),
    ("cloud.bridge", "[sessions-bridge] Query completed for session cse_01Zz (pendingTurns=1, isError=true)"),
    ("cloud.bridge", "[sessions-bridge] Forwarded permission request r1 for cse_01Zz (Write)"),
    ("known.cloud_permission", "[sessions-bridge] Forwarded permission request r1 (Write)"),
)

HEALTH: tuple[Shape, ...] = (
    ("memory.sample", "[process-memory] trigger=interval tree_rss_sum=1MB sys_free=2MB/3MB sys_free_raw=1MB"),
    ("memory.sample", "[process-memory] trigger=stall tree_rss_sum=1MB"),
    ("app.stalled", "[event-loop-stall] main process blocked for 812ms (task x=800ms, total 1, cumulative 812ms)"),
    ("memory.transition", "Memory pressure transition: critical"),
    ("app.tick", "[ScheduledTasks] tick 4"),
    ("app.gpu_gone", "GPU process gone: { type: 'GPU', reason: 'killed', exitCode: 9, serviceName: 'GPU' }"),
    ("app.renderer_gone", "Main webview render process gone: { reason: 'crashed' }"),
    ("app.renderer_gone", "Main webview is unresponsive, will kill and reload"),
    ("app.pty_gone", "[pty-host] worker exited (1) with 0 live PTY(s) before a real spawn ack; backing off 1000ms"),
    ("known.git_worker", "[git] worker exited (0); will refork on next request"),
    ("app.before_quit", "beforeQuit: handler fired, going down"),
    ("known.cleanup", "Successfully run onQuitCleanup: mcp-servers"),
    ("app.cleanup_vm", "Successfully run onQuitCleanup: cowork-vm-shutdown"),
    ("known.cleanups_ran", "Successully ran all onQuitCleanup handlers, marking readyForQuit"),
    ("app.will_quit", "willQuit: handler is ready for quit, so quitting"),
    ("app.update_found", "[updater] Found an update, downloading"),
    ("app.update_downloaded", "Update downloaded and ready to install { releaseName: 'Claude 2.16120.0' }"),
    ("known.staged_current", "Staged version 2.16120.0 is still current (latest: 2.16120.0)"),
    ("known.staged_current", "[updater] Staged version 2.16120.0 is still current (latest: 2.16120.0)"),
    ("app.update_triggered", "[stealth-update] Triggering stealth update after idle timeout"),
    ("known.navigation", "[stealth-relaunch] Saved navigation history (1 entry)"),
    ("known.navigation", "[stealth-relaunch] Restoring navigation (1 entry)"),
    ("app.stopped_for_update", "Session stop before update took 91ms"),
    ("app.before_update", "beforeQuitForUpdate handler fired, going down for update"),
    ("app.windows_ending", "Windows session ending (close-app) - quitting the app"),
    ("app.windows_ending", "Windows session ending (shutdown) - quitting the app"),
    ("app.previous_quit", "[quit-cleanup] previous quit: {\n  for_update: false\n}"),
    ("app.updated", "[updater] Version changed since last launch: 2.1.0 → 2.2.0"),
    ("known.old_version_removed", "[CCD] Removing old version: 2.1.281"),
    ("known.cli_version", "[CCD] Initialized with version 2.1.286"),
    ("app.update_deferred", "Deferring auto-restart after 12 hours: Claude is working"),
    ("app.window_closed", "Quitting app on main window close since tray is disabled"),
)

SERVERS: tuple[Shape, ...] = (
    ("known.mcp_connecting", "[LocalMcpServerManager] Connecting to calendar"),
    ("known.mcp_command", "[LocalMcpServerManager] Using MCP server command: /usr/bin/x {\n  args: []\n}"),
    ("known.mcp_protocol", "[LocalMcpServerManager] calendar negotiated protocol version: 2025-06-18"),
    ("known.mcp_connected", "[LocalMcpServerManager] Connected to calendar (1 tool)"),
    ("known.mcp_disconnected", "[LocalMcpServerManager] calendar disconnected"),
    ("known.mcp_closing", "[LocalMcpServerManager] Closing calendar"),
    ("known.mcp_closing_all", "[LocalMcpServerManager] Closing all (7 servers)"),
    ("known.mcp_bridge", "[localMcpBridge] announcing calendar: 3 tool(s)"),
    ("known.mcp_requested_old", "MCP Server connection requested for: calendar"),
    ("known.mcp_launching_old", "Launching MCP Server: calendar"),
)

NODE: tuple[Shape, ...] = (
    ("vm.begin", "[VM:start] Beginning startup, bundlePath=/Users/someone/b, VM instance ID: 77"),
    ("vm.bundle", "[VM:start] Bundle version: 77aa"),
    ("vm.memory", "[VM:start] memory=8GB tier=flat"),
    *(
        ("vm.step_started", f"[VM:steps] {step} started")
        for step in (
            "download_and_sdk_prepare", "load_swift_api", "stop_existing_vm", "create_vm_config", "create_network",
            "vm_boot", "guest_vsock_connect", "add_plan9_shares",
        )
    ),
    ("vm.step_completed", "[VM:steps] stop_existing_vm completed (60201ms)"),
    ("vm.waiting", "[VM:start] Still waiting for guest connection... 10000ms elapsed, 20 polls"),
    ("vm.timeout", "[VM:start] Connection timeout, last completed step: create_network"),
    ("vm.startup_error", "Dispatching startup error: VM connection timeout after 60 seconds"),
    ("vm.startup_failed", "[VM:start] Startup failed: Error: no\n    at x (y:1:1)"),
    ("vm.boot_failed", "VM boot failed: VM is already running"),
    ("vm.boot_failed", "VM boot failed: Request timed out: configure"),
    ("vm.reinstall_skipped", "Skipping auto-reinstall (already attempted once)"),
    ("vm.ready", "[VM:start] Startup complete, total time: 5802ms"),
    ("vm.network", "[VM] Network status: NOT_CONNECTED"),
    *(("vm.api", f"[VM] API reachability: {word}") for word in ("REACHABLE", "PROBABLY_UNREACHABLE", "UNREACHABLE")),
    ("vm.connected", "[startVM] VM already connected"),
    ("vm.activity", "[vmOneShot] Running: ls [1 arg(s)]"),
    ("vm.guest_run", "[vmOneShot] Running: bash [3 arg(s)] as rcw-01zz"),
    ("vm.activity", "[postConnect] Starting"),
    ("vm.activity", "[Keepalive] Already running"),
    ("vm.keepalive_lost", "[Keepalive] ping timed out"),
    ("vm.housekeeping", "[KernelBugMonitor] State reset"),
    ("vm.housekeeping", "[warm] Skipped"),
    ("vm.housekeeping", "[Bundle:status] present"),
    ("vm.spawning_linux", "Using Claude VM spawn"),
    ("vm.spawned_linux", "Spawn succeeded"),
    ("vm.started_linux", "vmStarted"),
    ("vm.no_virtualization", "virtualization_not_available"),
)  # fmt: skip

SWIFT: tuple[Shape, ...] = (
    ("swift.asked", "startVM called for /Users/someone/b with memoryGB=8 cpuCount=6 networkMode=gvisor"),
    ("swift.step_started", "VM startup step: create_network started"),
    ("swift.step_completed", "VM startup step: create_network completed"),
    ("swift.configured", "Configuration created:"),
    ("swift.cpus", " - CPUs: 6"),
    ("swift.memory", " - Memory: 8GB"),
    ("swift.paths", " - Boot: EFI (GRUB)"),
    ("swift.paths", " - Rootfs: /Users/someone/r"),
    ("swift.paths", " - Session data: /Users/someone/s"),
    ("swift.started", "Linux VM started successfully"),
    ("swift.network", "Gvisor usernet started"),
    ("swift.network", "Gvisor network attachment stopped"),
    ("swift.console", "Console device attached: port 0 (coworkd/hvc0), port 1 (kernel boot/hvc1)"),
    ("swift.direct_boot", "Direct-boot artifacts not present in bundle; using EFI (GRUB) boot"),
    ("swift.stop_timeout", "Timeout waiting for VM to stop (state: 1), proceeding with cleanup"),
)

GUEST: tuple[Shape, ...] = (
    ("guest.starting", "starting coworkd"),
    ("guest.connected", "connected, waiting for commands"),
    ("guest.helper_updated", "sandbox-helper update detected (old=1 new=2)"),
    ("guest.process", f"[Process:{CLI}] Created"),
    ("guest.process", f"[Process:{CLI}] Cleaned up"),
)

SERVICE: tuple[Shape, ...] = (
    ("service.exited", '[HCS] x {"Id":"cowork-vm-9","Type":"SystemExit","Stopped":true,"ExitType":"ForcedExit"}'),
    ("service.called_running", "[Server] startVM: VM already running, reusing existing session"),
)

NETWORK: tuple[Shape, ...] = (
    *(
        ("limit.api_error", f"[CCD CycleHealth] {S} api_error (success): {text}")
        for text in (
            "You've hit your session limit · resets 3:10am (Europe/Paris)",
            "You've hit your weekly limit · resets 9am (Asia/Tokyo)",
            "You're out of extra usage · resets 5pm (UTC)",
            "You're out of extra usage · resets Nov 3 at 5pm (UTC)",
            "You've reached your Sonnet limit. Switch to another model, or wait.",
            "API Error: Server is temporarily limiting requests (not your usage limit) · Rate limited",
            "API Error: 529 Overloaded. Try again.",
        )
    ),
    ("auth.refresh", "[oauth] CLI requested token refresh after 401"),
    ("auth.failed", "oauth failed: authorize returned 403 {\n  status: 403\n}"),
    (
        "auth.stale",
        "[sessions-bridge] Cowork OAuth stale-session (session_stale_relogin); parking bridge until re-login",
    ),
    ("(NetworkFailed)", "Error loading page\n    at net::ERR_INSUFFICIENT_RESOURCES"),
    ("known.remote_tools", "[remote-tools-device] authenticated"),
    ("known.remote_tools", "[remote-tools-device] connecting wss://example.invalid"),
    ("known.remote_tools", "[remote-tools-device] close code=1006"),
    ("cloud.transport_closed", "[sessions-bridge] Transport permanently closed for session cse_01Zz code=4090"),
    ("cloud.bridge", "[sessions-bridge] Reconnecting transport for session cse_01Zz attempt 1/6, delay=2000ms"),
    ("known.cloud_reconnecting", "[sessions-bridge] Reconnecting transport, attempt 1/6, delay=2000ms"),
    (
        "cloud.budget_exhausted",
        "[sessions-bridge] Cap-redispatch budget exhausted for cse_01Zz (5); transport stays dead",
    ),
    ("cloud.bridge", "[sessions-bridge] Session cse_01Zz reconnected successfully"),
    ("known.bridge_socket", "[bridge-ws] using net.WebSocket transport for wss://example.invalid"),
    ("(VmDiskFilled)", "RPC error: ensure user: useradd failed: exit status 1\n  useradd: No space left on device"),
    ("(VmDiskFilled)", "ENOSPC: no space left on device, mkdir '/sessions/calm-blue-owl/tmp/a'"),
    ("known.files_staged", "[remote-file] staged 1 file, 0 files-api 429s retried"),
    ("known.logging", "[EventLogging] Failed to send 3 events"),
    ("known.logging_failed", "Failed to log event: HTTP 403"),
    ("known.title_bar", "Failed to set title bar overlay, this is probably expected"),
    ("known.pr_view", "gh pr view timed out"),
    ("known.permission_check", "Blocked permission check {\n  permission: 'media'\n}"),
)

SHAPES: dict[Family, tuple[Shape, ...]] = {
    "main.log": GOVERNOR + PROCESS + TURN + HEALTH + SERVERS + NETWORK,
    "cowork_vm_node.log": NODE,
    "cowork_vm_swift.log": SWIFT,
    "cowork-service.log": SERVICE,
    "coworkd.log": GUEST,
    "coworkd-user.log": GUEST,
}
ALL = [(family, name, line) for family, shapes in SHAPES.items() for name, line in shapes]
UNSEEN: dict[str, str] = {
    "swift.guest": "the guest's name and version, which only few builds write",
}
"""Formats of lines that are on no list, each with the reason that it is there."""


@pytest.mark.parametrize(("family", "name", "line"), ALL)
def test_known_shape_is_recognised(family: Family, name: str, line: str) -> None:
    """Each line is known by the one format that is named for it, or gives the event that is named in brackets."""
    parser, first = parser_for(family), line.partition("\n")[0]
    known = [one.name for one in parser.formats if re.match(one.pattern, first)]
    event = parser.parse(record(line))

    assert known == ([] if name.startswith("(") else [name])
    assert not name.startswith("(") or f"({type(event).__name__})" == name


def test_every_format_is_on_the_list() -> None:
    """No format is there for a line that nobody knows to exist."""
    formats = {one.name for family in get_args(Family) for one in parser_for(family).formats}

    assert formats - {name for _, name, _ in ALL} == set(UNSEEN)


def test_silent_shapes_cost_nothing() -> None:
    """Scopes of which every shape is silent are counted without being decoded."""
    wants = parser_for("main.log").wants

    assert not any(wants(key) for key in (b"[LocalMcpServerManager]", b"[git]", b"[bridge-ws]", b"Remote", b"[oauth]"))
    assert all(wants(key) for key in (b"[remote-control]", b"[LocalSessionManager]", b"[CCD]", b"Failed"))
