"""What keeps other sites and hostile log text out: headers on every answer, and a list of names we answer to.

A page of another site can make its own name point at this machine (DNS rebinding); the ``Host`` it sends gives it
away. Both parts are plain ASGI: they pass a stream on message by message.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web.problems import problem_response

LOOPBACK_NAMES = frozenset({"127.0.0.1", "localhost", "::1"})
"""The names of this machine to itself."""
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
    """Answers only who calls us by a name of ours and at our port; refuses scripts of other sites.

    ``names`` are the names besides those of the loopback.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str] = ()) -> None:
        self.app = app
        self.names = LOOPBACK_NAMES | {name.lower().strip("[]") for name in names}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or say why not."""
        if scope["type"] == "http" and (refusal := self._refusal(scope)) is not None:
            status, detail = refusal
            await problem_response(scope, status, detail)(scope, receive, send)
            return
        await self.app(scope, receive, send)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._is_ours(hosts[0], scope):
            return 421, "This server answers to the names of its own machine only. Open it as http://127.0.0.1."
        origin = headers.get("origin")
        if origin is not None and not self._is_ours(origin.partition("://")[2], scope):
            return 403, "Pages of other sites may not read this server."
        return None

    def _is_ours(self, authority: str, scope: Scope) -> bool:
        named = split_authority(authority)
        if named is None or named[0] not in self.names:
            return False
        served = (scope.get("server") or (None, None))[1]
        default = 443 if scope.get("scheme") == "https" else 80
        return served is None or (named[1] or default) == served
