"""cowork-service.log: the VM as Windows' service sees it.

How its lines begin is not documented. Those with the prefix of the app's other logs are read, all others are counted.
"""

from __future__ import annotations

from app.core.events import VmCalledRunning, VmExited
from app.core.formats.base import Format

FORMATS = (
    Format(
        "service.exited",
        r"\[HCS\] (?=[^\n]*\"Stopped\":\s?true)(?:[^\n]*\"ExitType\":\s?\"(?P<how>\w{1,40})\")?",
        VmExited,
        (
            '[HCS] Exit {"Id":"cowork-vm-0a1b","Owner":"cowork","Stopped":true,"ExitType":"ForcedExit"}',
            '[HCS] Notification: {"Id": "cowork-vm-0a1b", "Stopped": true, "ExitType": "GracefulExit"}',
            '[HCS] Exit {"Id":"cowork-vm-0a1b","Stopped":true}',
        ),
    ),
    Format(
        "service.called_running",
        r"\[Server\] startVM: VM already running",
        VmCalledRunning,
        ("[Server] startVM: VM already running, reusing existing session",),
    ),
)

MUST_KNOW: tuple[str, ...] = ()
"""What else the service writes is not documented; it is counted with all lines."""
