"""Which addresses lie beyond the home's router."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address


@lru_cache(maxsize=4096)
def unmapped(text: str) -> IPv4Address | IPv6Address | None:
    """An address as it goes over the wire: IPv4 in IPv6's clothes is IPv4. None when it is no address."""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


@lru_cache(maxsize=4096)
def through_router(text: str) -> bool:
    """Whether a connection to this address passes the router and its address translation.

    Not so: this machine, the home's own network, link-local addresses, shared address space (100.64.0.0/10, which
    carriers and private overlay networks use), multicast, and what is reserved.
    """
    address = unmapped(text)
    return address is not None and address.is_global and not address.is_multicast
