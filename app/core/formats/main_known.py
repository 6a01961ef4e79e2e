"""main.log: lines that are known and say nothing about seats.

A scope of which all shapes are silent is never decoded (`app.core.parser.Parser.wants`), so knowing these costs no
time. Why each is silent:

- what names no session (the verdict of `rcAutoEnable`, the address of a remote control that came on) cannot be given
  to one without guessing; the line that does name it stands beside it;
- a shell of the terminal pane, a server of MCP and a cloud transport are no process that holds a seat;
- a permission mode protects nobody, and a queued notification of Dispatch does not tell whether its child lives on;
- the device of remote tools reconnects by itself within seconds, and the app's own statistics fail often: network
  errors in such lines are everyday, and whatever they say is silent;
- a worker of git is started again by itself, and the rest is an update's housekeeping or only looks like trouble.
"""

from __future__ import annotations

from app.core.formats.base import SESSION, Format

_S = "local_0a1b2c3d-0000-4000-8000-000000000001"
_D = "local_ditto_0a1b2c3d-0000-4000-8000-000000000009"
_MCP = r"(?:\[LocalMcpServerManager\] )?"

SESSIONS = (
    Format("known.start_asked", r"LocalSessions\.start:", None, ("LocalSessions.start:",)),
    Format(
        "known.transcript_gone",
        r"\[CCD\] Transcript for \S+ no longer exists",
        None,
        ("[CCD] Transcript for 38e8f5a3-8cc2-44c2-93ad-d8ee3b3fa4ab no longer exists, starting fresh",),
    ),
    Format(
        "known.permission_mode",
        r"\[CCD\] LocalSessions\.setPermissionMode: sessionId=" + SESSION,
        None,
        (f"[CCD] LocalSessions.setPermissionMode: sessionId={_S}, mode=acceptEdits",),
    ),
    Format(
        "known.permission_mode_spawn",
        r"\[permissionMode\] spawn\b",
        None,
        (f"[permissionMode] spawn {_S} requested=default effective=default",),
    ),
    Format(
        "known.shell_started",
        r"LocalSessions\.startShellPty: sessionId=" + SESSION,
        None,
        (f"LocalSessions.startShellPty: sessionId={_S}, cols=120, rows=40",),
    ),
    Format(
        "known.shell_stopping",
        r"Stopping shell PTY for session " + SESSION,
        None,
        (f"Stopping shell PTY for session {_S}",),
    ),
    Format(
        "known.shell_exited",
        r"Shell PTY for session " + SESSION + r" exited",
        None,
        (f"Shell PTY for session {_S} exited (code=0, signal=none)",),
    ),
    Format(
        "known.remote_verdict",
        r"\[rcAutoEnable\] verdict:",
        None,
        ("[rcAutoEnable] verdict: enable=true source=preference trigger=session-start",),
    ),
    Format(
        "known.remote_address",
        r"Remote control enabled: ",
        None,
        ("Remote control enabled: https://example.invalid/code/session_01AbC",),
    ),
    Format(
        "known.dispatch_queued",
        r"\[Dispatch\] Queued notification for cold parent \S+",
        None,
        (f"[Dispatch] Queued notification for cold parent {_D} (child {_S} completed)",),
    ),
    Format(
        "known.dispatch_drained",
        r"(?:\[Dispatch\] )?Drained \d+ queued notification\(s\) for \S+",
        None,
        (
            f"[Dispatch] Drained 2 queued notification(s) for {_D}",
            f"Drained 2 queued notification(s) for {_D}",
        ),
    ),
)

UPDATES = (
    Format(
        "known.cli_version",
        r"\[CCD\] Initialized with version ",
        None,
        ("[CCD] Initialized with version 2.1.289",),
    ),
    Format(
        "known.old_version_removed",
        r"\[CCD\] Removing old version: ",
        None,
        ("[CCD] Removing old version: 2.1.286",),
    ),
    Format(
        "known.staged_current",
        r"(?:\[updater\] )?Staged version \S+ is still current",
        None,
        (
            "[updater] Staged version 2.9939.4 is still current (latest: 2.9939.4, lastTarget: null)",
            "Staged version 2.9939.4 is still current (latest: 2.9939.4)",
        ),
    ),
    Format(
        "known.navigation",
        r"\[stealth-relaunch\] (?:Saved navigation history|Restoring navigation)",
        None,
        (
            "[stealth-relaunch] Saved navigation history (3 entries)",
            "[stealth-relaunch] Restoring navigation (3 entries)",
        ),
    ),
    Format(
        "known.cleanup",
        r"Successfully run onQuitCleanup: (?!cowork-vm-shutdown)",
        None,
        ("Successfully run onQuitCleanup: pty-host",),
    ),
    Format(
        "known.cleanups_ran",
        r"Success?f?ully ran all onQuitCleanup handlers",
        None,
        (
            "Successully ran all onQuitCleanup handlers, marking readyForQuit",
            "Successfully ran all onQuitCleanup handlers, marking readyForQuit",
        ),
    ),
)

MCP = (
    Format(
        "known.mcp_connecting",
        _MCP + r"Connecting to \S+",
        None,
        ("[LocalMcpServerManager] Connecting to notes", "Connecting to notes"),
    ),
    Format(
        "known.mcp_command",
        _MCP + r"Using MCP server command: ",
        None,
        (
            "[LocalMcpServerManager] Using MCP server command: node {\n  args: [ 'server.js' ]\n}",
            "Using MCP server command: node {\n  args: [ 'server.js' ]\n}",
        ),
    ),
    Format(
        "known.mcp_protocol",
        r"\[LocalMcpServerManager\] \S+ negotiated protocol version: ",
        None,
        ("[LocalMcpServerManager] notes negotiated protocol version: 2025-06-18",),
    ),
    Format(
        "known.mcp_connected",
        _MCP + r"Connected to \S+ \(\d+ tools?\)",
        None,
        ("[LocalMcpServerManager] Connected to files (14 tools)", "Connected to notes (1 tool)"),
    ),
    Format(
        "known.mcp_disconnected",
        r"\[LocalMcpServerManager\] \S+ disconnected",
        None,
        ("[LocalMcpServerManager] notes disconnected",),
    ),
    Format(
        "known.mcp_closing_all",
        _MCP + r"Closing all \(\d+ servers?\)",
        None,
        ("[LocalMcpServerManager] Closing all (3 servers)", "Closing all (3 servers)"),
    ),
    Format(
        "known.mcp_closing",
        _MCP + r"Closing (?!all \()\S+",
        None,
        ("[LocalMcpServerManager] Closing notes", "Closing notes"),
    ),
    Format(
        "known.mcp_bridge",
        r"\[localMcpBridge\] announcing \S+",
        None,
        ("[localMcpBridge] announcing files: 14 tool(s)",),
    ),
    Format(
        "known.mcp_requested_old",
        r"MCP Server connection requested for: ",
        None,
        ("MCP Server connection requested for: notes",),
    ),
    Format(
        "known.mcp_launching_old",
        r"Launching MCP Server: ",
        None,
        ("Launching MCP Server: notes",),
    ),
)

NETWORK = (
    Format(
        "known.cloud_permission",
        r"\[sessions-bridge\] Forwarded permission request(?![^\n]*?\b(?:cse|rcw)[-_])",
        None,
        ("[sessions-bridge] Forwarded permission request 0a1b2c3d-0000-4000-8000-0000000000aa (Bash)",),
    ),
    Format(
        "known.cloud_reconnecting",
        r"\[sessions-bridge\] Reconnecting transport(?![^\n]*?\b(?:cse|rcw)[-_])",
        None,
        ("[sessions-bridge] Reconnecting transport: attempt 2/6, delay=4000ms",),
    ),
    Format(
        "known.bridge_socket",
        r"\[bridge-ws\] using \S+ transport for ",
        None,
        ("[bridge-ws] using net.WebSocket transport for wss://example.invalid/v1/sessions",),
    ),
    Format(
        "known.remote_tools",
        r"\[remote-tools-device\] ",
        None,
        (
            "[remote-tools-device] authenticated",
            "[remote-tools-device] connecting wss://example.invalid/v1/device",
            "[remote-tools-device] close (code 1006), reconnecting in 2000ms",
        ),
    ),
)

HARMLESS = (
    Format(
        "known.git_worker",
        r"\[git\] worker exited \(-?\d+\)",
        None,
        ("[git] worker exited (0); will refork on next request",),
    ),
    Format(
        "known.files_staged",
        r"\[remote-file\] staged ",
        None,
        ("[remote-file] staged 3 files, 0 files-api 429s retried",),
    ),
    Format(
        "known.logging",
        r"\[EventLogging\] ",
        None,
        ("[EventLogging] Failed to log event: HTTP 403 (request 529, pid 429)",),
    ),
    Format(
        "known.logging_failed",
        r"Failed to log event",
        None,
        ("Failed to log event: HTTP 403",),
    ),
    Format(
        "known.title_bar",
        r"Failed to set title bar overlay",
        None,
        ("Failed to set title bar overlay, this is probably expected",),
    ),
    Format("known.pr_view", r"gh pr view timed out", None, ("gh pr view timed out",)),
    Format(
        "known.permission_check",
        r"Blocked permission check \{",
        None,
        ("Blocked permission check {\n  permission: 'background-sync',\n  isMainFrame: false\n}",),
    ),
)

FORMATS = SESSIONS + UPDATES + MCP + NETWORK + HARMLESS
