"""Whether the home line was nearly out of ports when a turn failed: the network then fails though the line is up."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.core.events import Observed, PortsCrossed, PortsEased

SCARCE = 85
"""From this mark on new connections may fail: other devices at home take ports that nobody here can count."""
LASTS = timedelta(minutes=15)
"""A mark is told again every ten minutes while it lasts, so after this the probes have stopped and nothing is known."""
AFTER = timedelta(minutes=2)
"""What fails so shortly after the count fell had waited for its connection before."""

_NETWORK = re.compile(
    r"net::ERR_|\bE(?:CONN\w*|TIMEDOUT|AI_AGAIN|NOTFOUND|ADDRNOTAVAIL|HOSTUNREACH|NETUNREACH|PIPE)\b"
    r"|connection (?:error|reset|refused|timed out|closed)|socket hang up|fetch failed|unable to connect"
    r"|no response|timed? ?out",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PortsTrail:
    """The newest mark from `SCARCE` on, and since when the count has fallen below it (None: it has not)."""

    scarce: Observed | None = None
    eased_at: datetime | None = None

    def after(self, one: Observed) -> PortsTrail:
        """The trail after an event of the ports; others leave it as it is."""
        match one.event:
            case PortsCrossed(mark=mark) if mark >= SCARCE:
                return PortsTrail(one)
            case PortsEased():
                return PortsTrail(self.scarce, one.event.at)
            case _:
                return self

    def proof(self, at: datetime) -> Observed | None:
        """The event that says that ports were scarce at ``at``; None where nothing says so."""
        if self.scarce is None or not timedelta() <= at - self.scarce.event.at <= LASTS:
            return None
        return None if self.eased_at is not None and at - self.eased_at > AFTER else self.scarce


def names_network(text: str) -> bool:
    """Whether an error's own words are those of a connection that failed or got no answer."""
    return _NETWORK.search(text) is not None
