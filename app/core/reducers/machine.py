"""What the probes found: the host's memory pressure and the home line's ports."""

from __future__ import annotations

from typing import assert_never

from app.core.events import HostDisagreed, HostPressureRead, MachineEvent, PortsCrossed, PortsEased
from app.core.evolve import replace
from app.core.pressure import HOST_HOLDS
from app.core.state import State


def reduce_machine(state: State, event: MachineEvent) -> State:
    """The state after an event of the probes. None of them says anything of the app or moves the log's time."""
    match event:
        case HostPressureRead():
            return _pressure(state, event)
        case PortsCrossed():
            return replace(state, ports=event)
        case PortsEased():
            return replace(state, ports=None)
        case HostDisagreed():
            return state
        case _:
            assert_never(event)


def _pressure(state: State, event: HostPressureRead) -> State:
    """A level lasts as long as it is read again in time; after a pause of the probe it begins anew."""
    old = state.pressure
    goes_on = old.host_level == event.level and old.host_last is not None and event.at - old.host_last < HOST_HOLDS
    since = old.host_since if goes_on else event.at
    return replace(state, pressure=replace(old, host_level=event.level, host_since=since, host_last=event.at))
