"""``/static``: files that browsers keep for good when their address names their version."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from app.web.rendering import StaticUrls

FOR_GOOD = "public, max-age=31536000, immutable"
ASK_FIRST = "no-cache"


class VersionedFiles(StaticFiles):
    """Static files; the address' ``v``, or a vendored name, decides how long they may be kept."""

    def __init__(self, folder: Path, urls: StaticUrls) -> None:
        super().__init__(directory=folder)
        self._urls = urls

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file, with how long it holds."""
        response = await super().get_response(path, scope)
        if response.status_code in (200, 304):
            response.headers["Cache-Control"] = FOR_GOOD if self._is_versioned(path, scope) else ASK_FIRST
        return response

    def _is_versioned(self, path: str, scope: Scope) -> bool:
        asked = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("v")
        name = path.replace("\\", "/")
        if name.startswith("vendor/"):
            return not name.endswith(".md")
        return asked == [self._urls.fingerprint(name)]
