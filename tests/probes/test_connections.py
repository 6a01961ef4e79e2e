"""TCP connections through the router: recorded tables, and real connections on loopback."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, timedelta

import pytest

from app.core.samples import ConnectionsSample, Tcp, Unknown
from app.probes.connections import ConnectionsProbe
from app.probes.system import this_system
from tests.probes.machines import Machine, connection

AT = datetime(2026, 10, 2, 12, 0, tzinfo=UTC)

SERVER = """
import socket, sys
listeners = []
for family, host in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
    try:
        listener = socket.socket(family)
        listener.bind((host, 0))
        listener.listen(200)
    except OSError:
        continue
    listeners.append(listener)
print(*(f"{one.family.value}:{one.getsockname()[1]}" for one in listeners), flush=True)
taken = {}
for line in sys.stdin:
    word, port, number = line.split()
    if word == "take":
        listener = next(one for one in listeners if one.getsockname()[1] == int(port))
        for _ in range(int(number)):
            connection, peer = listener.accept()
            taken[listener.family.value, peer[1]] = connection
    else:
        connection = taken.pop((int(number), int(port)))
        connection.recv(1)
        connection.close()
    print("done", flush=True)
"""
"""Accepts as many connections as it is told; closes the one of a family and port once the other end has closed it."""


class Server:
    """The other end of real connections, in a process of its own, so that one side of each is ours alone."""

    def __init__(self, child: subprocess.Popen[str]) -> None:
        assert child.stdout is not None
        assert child.stdin is not None
        self._out, self._in = child.stdout, child.stdin
        self.ports = {
            int(family): int(port) for family, port in (one.split(":") for one in self._out.readline().split())
        }

    def tell(self, word: str, port: int, number: int) -> None:
        """Say a word and wait until it is done."""
        self._in.write(f"{word} {port} {number}\n")
        self._in.flush()
        assert self._out.readline() == "done\n"

    def connect(self, stack: ExitStack, family: int, host: str, number: int) -> list[socket.socket]:
        """So many connections to the listener of a family, by sockets of ``host``'s family."""
        port = self.ports[family]
        kind = socket.AF_INET6 if ":" in host else socket.AF_INET
        ours = [stack.enter_context(socket.socket(kind)) for _ in range(number)]
        for one in ours:
            one.connect((host, port))
        self.tell("take", port, number)
        return ours


@contextmanager
def serving() -> Iterator[Server]:
    """A server on loopback that ends with the test."""
    command = [sys.executable, "-I", "-S", "-c", SERVER]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        try:
            yield Server(child)
        finally:
            child.kill()


def mine(probe: ConnectionsProbe, seconds: float = 0) -> Tcp:
    """The connections of this very process."""
    sample = probe.look(AT + timedelta(seconds=seconds), {os.getpid()})
    assert sample.claude is not None, sample.unknown
    return sample.claude


def test_real_connections_are_counted_by_state_and_family() -> None:
    """150 real connections: each is in its family and state, in TIME_WAIT too, and still held when it is gone."""
    probe = ConnectionsProbe(this_system(), everywhere=True)
    before = mine(probe)
    with serving() as server, ExitStack() as stack:
        has_v6 = int(socket.AF_INET6) in server.ports
        four = server.connect(stack, socket.AF_INET, "127.0.0.1", 100)
        if has_v6:
            server.connect(stack, socket.AF_INET6, "::1", 50)
        opened = mine(probe)

        assert opened.v4.get("ESTABLISHED", 0) - before.v4.get("ESTABLISHED", 0) == 100
        assert opened.v6.get("ESTABLISHED", 0) - before.v6.get("ESTABLISHED", 0) == 50 * has_v6
        assert opened.in_use - before.in_use == 100

        for one in four[:30]:
            port = one.getsockname()[1]
            one.close()
            server.tell("close", port, socket.AF_INET)
        closed = mine(probe, 10)

        assert closed.v4.get("ESTABLISHED", 0) - before.v4.get("ESTABLISHED", 0) == 70
        assert closed.v4.get("TIME_WAIT", 0) - before.v4.get("TIME_WAIT", 0) == 30
        assert closed.in_use == opened.in_use
    gone = probe.look(AT + timedelta(seconds=20), {os.getpid()})

    assert gone.claude is not None
    assert gone.claude.in_use >= opened.in_use


def test_the_machine_has_what_its_processes_have() -> None:
    """The whole machine's count holds both ends of each connection on loopback, ours and the server's."""
    probe = ConnectionsProbe(this_system(), everywhere=True)
    with serving() as server, ExitStack() as stack:
        server.connect(stack, socket.AF_INET, "127.0.0.1", 20)
        sample = probe.look(AT)

    assert sample.host is not None
    assert sample.host.v4["ESTABLISHED"] >= 40


def test_ipv4_through_an_ipv6_socket_is_ipv4() -> None:
    """A program that uses IPv6 sockets for everything takes IPv4 ports when it talks to an IPv4 address."""
    probe = ConnectionsProbe(this_system(), everywhere=True)
    before = mine(probe)
    with serving() as server, ExitStack() as stack:
        server.connect(stack, socket.AF_INET, "::ffff:127.0.0.1", 5)
        after = mine(probe)

    assert after.v4.get("ESTABLISHED", 0) - before.v4.get("ESTABLISHED", 0) == 5
    assert after.v6.get("ESTABLISHED", 0) == before.v6.get("ESTABLISHED", 0)


def test_loopback_takes_no_port_of_the_line() -> None:
    """Without the parameter that lifts the rule, what stays on this machine is not counted."""
    probe = ConnectionsProbe(this_system())
    before = mine(probe)
    with serving() as server, ExitStack() as stack:
        server.connect(stack, socket.AF_INET, "127.0.0.1", 10)

        assert mine(probe).in_use == before.in_use


REMOTES = ["8.8.4.4", "8.8.4.5", "8.8.4.5", "192.168.0.1", "10.1.2.3", "100.64.0.9", "169.254.1.1", "127.0.0.1"]


@pytest.mark.parametrize(("everywhere", "counted", "remotes"), [(False, 3, 2), (True, 8, 7)])
def test_the_homes_own_addresses_are_left_out(everywhere: bool, counted: int, remotes: int) -> None:
    """Private, link-local and shared addresses take no port of the line, unless the rule is lifted."""
    machine = Machine(rows=[connection(remote, 50_000 + at) for at, remote in enumerate(REMOTES)])
    machine.rows.append(connection("2607:6bc0::10"))
    host = ConnectionsProbe(machine, everywhere=everywhere).look(AT).host

    assert host is not None
    assert (host.in_use, host.remotes_v4, dict(host.v6)) == (counted, remotes, {"ESTABLISHED": 1})


def test_a_row_that_is_told_twice_counts_once() -> None:
    """A table that changes while it is read may show a connection twice."""
    row = connection("8.8.4.4")
    host = ConnectionsProbe(Machine(rows=[row, row])).look(AT).host

    assert host is not None
    assert host.in_use == 1


def test_owners_are_asked_through_the_system() -> None:
    """Claude's connections are those of the pids that are given; the hold time can be chosen."""
    rows = [connection("8.8.4.4", 1), connection("8.8.4.4", 2)]
    machine = Machine(rows=rows, owners={rows[0].key: 40, rows[1].key: 41})
    probe = ConnectionsProbe(machine, hold=timedelta(seconds=15))
    first = probe.look(AT, [40]).claude
    machine.rows = []
    held = [probe.look(AT + timedelta(seconds=seconds), [40]).claude for seconds in (10, 20, 25)]

    assert first == Tcp({"ESTABLISHED": 1}, {}, 1)
    assert held == [Tcp(held=1), Tcp(held=1), Tcp()]


def test_trouble_is_a_sample_that_says_so() -> None:
    """A look never raises: nothing is known then, and why; the next one is whole again."""
    machine = Machine(rows=[connection("8.8.4.4")], fails=TimeoutError("netstat took more than 5 s"))
    probe = ConnectionsProbe(machine)
    broken = probe.look(AT)
    machine.fails = None

    assert broken == ConnectionsSample(
        AT, None, None, (Unknown("connections", "timeout", "netstat took more than 5 s"),)
    )
    assert probe.look(AT).host == Tcp({"ESTABLISHED": 1}, {}, 1)


def test_container_is_told_with_every_sample() -> None:
    """In a container the host's connections are somebody else's to count."""
    machine = Machine(blind=(Unknown("host_processes", "container"),))
    probe = ConnectionsProbe(machine)

    assert [probe.look(AT).unknown for _ in range(2)] == [(Unknown("host_connections", "container"),)] * 2
