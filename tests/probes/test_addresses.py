"""Which addresses lie beyond the home's router."""

from __future__ import annotations

import pytest

from app.probes.addresses import through_router, unmapped


@pytest.mark.parametrize("address", ["203.0.114.1", "160.79.104.10", "8.8.8.8", "2607:6bc0::10", "::ffff:8.8.8.8"])
def test_addresses_of_the_internet_pass_the_router(address: str) -> None:
    """A global address is reached through the router, however it is written."""
    assert through_router(address)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "127.8.9.10", "::1", "10.0.0.2", "172.16.4.5", "192.168.0.1", "169.254.10.1", "100.64.0.1",
        "100.127.255.254", "fe80::1", "fe80::1%en0", "fd00::5", "224.0.0.251", "ff02::fb", "0.1.2.3", "::",
        "255.255.255.255", "::ffff:192.168.0.4", "no address", "",
    ],
)  # fmt: skip
def test_addresses_of_the_home_do_not(address: str) -> None:
    """This machine, private and link-local ranges, shared address space, multicast: none takes a port of the line."""
    assert not through_router(address)


def test_ipv4_in_ipv6_is_ipv4() -> None:
    """An address that an IPv6 socket writes for an IPv4 peer is that peer's."""
    assert str(unmapped("::ffff:8.8.4.4")) == "8.8.4.4"
    assert str(unmapped("2001:0db8::0001")) == "2001:db8::1"
    assert unmapped("*") is None
