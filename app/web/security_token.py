"""The token that a server asks for which others may reach.

A person opens an address with ``?token=``; the answer puts a cookie in its place and leads to the same address without
it, so that the token stays in no history, bookmark or picture of the screen. Programs send it as a bearer. The cookie's
name and value are made from the token: every server on this host is sent it, and another Seatwatch has one of its own.
"""

from __future__ import annotations

import hmac
import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256
from urllib.parse import parse_qsl, quote, urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from app.web.problems import Answerer

COOKIE_SECONDS = 400 * 24 * 3600
"""The longest that browsers keep one: a screen on the wall is not asked again each month."""
MOST_WRONG = 10
WINDOW_SECONDS = 60.0
"""So many wrong tokens in so many seconds, and an address is refused until they are over."""
MOST_PEERS = 1024
"""Addresses that are remembered; beyond it the one longest unheard of is forgotten."""
OPEN = "/static/"
"""What the page that asks for the token is made of; it holds nothing of anybody's."""


def cookie_of(token: str) -> tuple[str, str]:
    """The name and the value of the cookie that stands for ``token``; with another token both are others."""
    digest = hmac.new(token.encode(), b"seatwatch cookie", sha256).hexdigest()
    return f"seatwatch_{digest[:8]}", digest[8:]


class Attempts:
    """Counts wrong tokens for each address, in bounded memory. ``seconds`` only grow."""

    def __init__(self, seconds: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._wrong: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def note(self, peer: str) -> None:
        """Count a wrong token from ``peer``."""
        now = self._seconds()
        begun, number = self._wrong.pop(peer, (now, 0))
        self._wrong[peer] = (now, 1) if now - begun >= WINDOW_SECONDS else (begun, number + 1)
        if len(self._wrong) > MOST_PEERS:
            self._wrong.popitem(last=False)

    def wait(self, peer: str) -> float:
        """For how many seconds ``peer`` is still refused; 0 when it is not."""
        begun, number = self._wrong.get(peer, (0.0, 0))
        left = begun + WINDOW_SECONDS - self._seconds()
        return left if number >= MOST_WRONG and left > 0 else 0.0

    def __len__(self) -> int:
        return len(self._wrong)


class TokenGuard:
    """Lets only those in who show ``token``."""

    def __init__(self, app: ASGIApp, answer: Answerer, token: str, attempts: Attempts | None = None) -> None:
        self.app = app
        self.answer = answer
        self._attempts = Attempts() if attempts is None else attempts
        self._token = token.encode()
        self._name, self._kept = cookie_of(token)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, exchange the token for a cookie, or ask for it."""
        if scope["type"] != "http" or scope["path"].startswith(OPEN):
            await self.app(scope, receive, send)
            return
        peer = peer_of(scope)
        if wait := self._attempts.wait(peer):
            await self.answer(Request(scope), 429, extra=_private({"Retry-After": str(int(wait) + 1)}))(
                scope, receive, send
            )
            return
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        offered = [value for name, value in query if name == "token"]
        if offered:
            await self._exchange(scope, receive, send, offered, [one for one in query if one[0] != "token"])
        elif (right := self._is_known(Request(scope))) is True:
            await self.app(scope, receive, send)
        else:
            await self._ask(scope, receive, send, wrong=right is False)

    async def _exchange(
        self, scope: Scope, receive: Receive, send: Send, offered: list[str], rest: list[tuple[str, str]]
    ) -> None:
        if len(offered) != 1 or not self._is_token(offered[0]):
            await self._ask(scope, receive, send, wrong=True)
            return
        # One slash at the front: two would name another host.
        target = "/" + quote(scope["path"].lstrip("/\\")) + (f"?{urlencode(rest)}" if rest else "")
        answer = RedirectResponse(target, 303, _private())
        answer.set_cookie(self._name, self._kept, max_age=COOKIE_SECONDS, httponly=True, samesite="strict", path="/")
        await answer(scope, receive, send)

    async def _ask(self, scope: Scope, receive: Receive, send: Send, *, wrong: bool) -> None:
        if wrong:
            self._attempts.note(peer_of(scope))
        answer = self.answer(Request(scope), 401, extra=_private({"WWW-Authenticate": 'Bearer realm="Seatwatch"'}))
        await answer(scope, receive, send)

    def _is_known(self, request: Request) -> bool | None:
        """Whether what was shown is right; None when nothing was shown."""
        scheme, _space, value = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return self._is_token(value.strip())
        cookie = request.cookies.get(self._name)
        return None if cookie is None else hmac.compare_digest(cookie.encode(), self._kept.encode())

    def _is_token(self, offered: str) -> bool:
        return hmac.compare_digest(offered.encode("utf-8", "surrogatepass"), self._token)


def peer_of(scope: Scope) -> str:
    """Whom to count wrong tokens for: an address, of IPv6 the network, in which a host may take any number of them."""
    host = (scope.get("client") or ("",))[0]
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return str(host)[:64]
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is None:
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)


def _private(headers: dict[str, str] | None = None) -> dict[str, str]:
    return {"Cache-Control": "no-store", **(headers or {})}
