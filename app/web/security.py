"""What keeps other sites and hostile log text out: headers on every answer, and a list of names we answer to.

A page of another site can make its own name point at this machine (DNS rebinding); the ``Host`` it sends gives it
away. A form on such a page can send a request here without reading the answer; its ``Origin`` or ``Sec-Fetch-Site``
tell where it came from. All parts are plain ASGI: they pass a stream on message by message.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web.problems import Answerer

LOOPBACK_NAMES = frozenset({"127.0.0.1", "localhost", "::1"})
"""The names of this machine to itself."""
READING = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing."""
OWN_SITES = frozenset({"same-origin", "none"})
"""What ``Sec-Fetch-Site`` says of a page of ours, and of an address that a person typed."""
DEFAULT_PORTS = (80, 443)
"""Ports that a browser leaves out."""
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "form-action 'self'",
    )
)
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@dataclass(frozen=True, slots=True)
class Access:
    """Who is answered: ``names`` besides those of the loopback, ``anywhere`` for a server on all addresses.

    ``token`` is what is to be shown, None when nothing is.
    """

    names: tuple[str, ...] = ()
    anywhere: bool = False
    token: str | None = field(default=None, repr=False)


class SecurityHeaders:
    """Adds `HEADERS` to every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and mark the start of its answer."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, marked)


def split_authority(authority: str) -> tuple[str, int | None] | None:
    """Host name (lower case, without brackets) and port; None when it is neither."""
    try:
        parts = urlsplit(f"//{authority}")
        if parts.hostname is None or parts.username is not None or parts.path or parts.query or parts.fragment:
            return None
        return parts.hostname.lower(), parts.port
    except ValueError:
        return None


class HostGuard:
    """Answers only who calls us by a name of ours and at our port; refuses what other sites send.

    ``names`` are the names besides those of the loopback; one with a port is answered at that port, for a proxy before
    us. ``anywhere`` tells that we listen on all addresses: then the one that a connection came in by is ours as well.
    """

    def __init__(self, app: ASGIApp, answer: Answerer, names: Iterable[str] = (), *, anywhere: bool = False) -> None:
        self.app = app
        self.answer = answer
        parted = [split_authority(name) or split_authority(f"[{name}]") for name in names]
        self.names = {*((name, None) for name in LOOPBACK_NAMES), *(one for one in parted if one is not None)}
        self.anywhere = anywhere

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or say why not."""
        if scope["type"] == "http" and (status := self._refusal(scope)) is not None:
            await self.answer(Request(scope), status)(scope, receive, send)
            return
        await self.app(scope, receive, send)

    def _refusal(self, scope: Scope) -> int | None:
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._is_ours(hosts[0], scope):
            return 421
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        # Under the policy of no referrer, a form of our own page has the origin "null": then the site alone tells.
        is_own_form = origin == "null" and site in OWN_SITES
        if origin is not None and not is_own_form and not self._is_ours(origin.partition("://")[2], scope):
            return 403
        if scope["method"] not in READING and not _from_our_page(hosts[0], origin, site):
            return 403
        return None

    def _is_ours(self, authority: str, scope: Scope) -> bool:
        named = split_authority(authority)
        if named is None:
            return False
        name, port = named
        if (name, port) in self.names and port is not None:
            return True
        if port is None and any((name, usual) in self.names for usual in DEFAULT_PORTS):
            return True
        address, served = scope.get("server") or (None, None)
        if (name, None) not in self.names and not (self.anywhere and _same_address(name, address)):
            return False
        default = 443 if scope.get("scheme") == "https" else 80
        return served is None or (port or default) == served


def _from_our_page(host: str, origin: str | None, site: str | None) -> bool:
    """Whether a request that may change something comes from a page of ours: where both are told, both must say so."""
    if site is not None and site not in OWN_SITES:
        return False
    if origin is None or origin == "null":
        return site is not None
    return split_authority(origin.partition("://")[2]) == split_authority(host)


def _same_address(name: str, address: str | None) -> bool:
    try:
        asked, came_in = ipaddress.ip_address(name), ipaddress.ip_address(address or "")
    except ValueError:
        return False
    mapped = getattr(came_in, "ipv4_mapped", None)
    return asked in (came_in, mapped)
