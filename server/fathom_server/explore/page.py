"""The files of the page, as answers to requests of HTTP.

Nothing is given away: the files are those of the wheel, the same for everybody, and what they show comes over the
WebSocket, for which one needs the token. It stands in the address behind `#`, which no browser sends anywhere, and the
page takes it out of there when it starts.

What the page may do is said in its headers: run its own scripts, speak to this server, and nothing else. So what a file
holds cannot run in it, whatever becomes of it, nor can it be sent elsewhere.
"""

from __future__ import annotations

import mimetypes
import secrets
from http import HTTPStatus
from pathlib import Path
from typing import Final

from fathom.records import record

FOLDER: Final = Path(__file__).parent / "page"
"""Where `make page` puts what it makes of `explore/`."""
START: Final = "index.html"
NONCE: Final = "NONCE-OF-THE-PAGE"
"""What stands in the page for the number by which its style sheets are known."""
_TYPES: Final = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml"}
_SAME: Final = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


@record
class Answer:
    """An answer of HTTP."""

    status: HTTPStatus
    headers: dict[str, str]
    body: bytes


def is_made() -> bool:
    """Whether the page is there: a checkout has it when it has been built."""
    return (FOLDER / START).is_file()


def answer(path: str, host: str) -> Answer:
    """The answer to a request for a path, by whoever calls the server `host`. What comes behind `?` plays no part."""
    name = path.partition("?")[0].removeprefix("/") or START
    nonce = secrets.token_urlsafe(16)
    headers = {**_SAME, "Content-Security-Policy": policy(nonce, host)}
    if name not in _names():
        return Answer(HTTPStatus.NOT_FOUND, {**headers, "Content-Type": "text/plain; charset=utf-8"}, b"not found\n")
    file = FOLDER / name
    kind = _TYPES.get(file.suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    body = file.read_bytes()
    if name == START:
        body = body.replace(NONCE.encode(), nonce.encode())
    return Answer(HTTPStatus.OK, {**headers, "Content-Type": f"{kind}; charset=utf-8"}, body)


def policy(nonce: str, host: str) -> str:
    """What the page may do. Pictures are made from what it draws itself."""
    rules = {
        "default-src": "'none'",
        "script-src": "'self' 'wasm-unsafe-eval'",
        "worker-src": "'self'",
        "style-src": f"'self' 'nonce-{nonce}'",
        "connect-src": f"ws://{host}",
        "img-src": "blob: data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "default dompurify",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def _names() -> frozenset[str]:
    """The files that there are; nothing else is looked at, whatever a path says."""
    return frozenset(file.name for file in FOLDER.iterdir()) if FOLDER.is_dir() else frozenset()
