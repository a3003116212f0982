"""Who may speak to a server that listens on a port: those who know its token, and no page that a browser shows.

Every page in a browser can open a WebSocket to this machine, and send an HTTP request to any of its ports. A page
does not know the token, which is made at each start and shown to who started the server. A browser names the page
in `Origin`, and in `Host` the name by which it found the machine, which may be one that an attacker has pointed here.
"""

from __future__ import annotations

import hmac
import ipaddress
import os
import secrets
from collections.abc import Collection
from typing import Final
from urllib.parse import parse_qs, urlsplit

from fathom.records import record

HEADER: Final = "fathom-token"
"""The line of a message's head that has the token, on a bare socket."""
_FROM_OUTSIDE: Final = "FATHOM_TOKEN"
"""The environment variable that has the token, where two programs agree on one."""


def new_token() -> str:
    """The token of this start."""
    return os.environ.get(_FROM_OUTSIDE) or secrets.token_urlsafe(24)


@record
class Admission:
    """What a client must show. `origins` are those of pages that are welcome; `host` is the name listened on."""

    token: str
    host: str = "127.0.0.1"
    origins: Collection[str] = ()

    def knows(self, given: str | None) -> bool:
        """Whether this is the token."""
        return given is not None and hmac.compare_digest(given.encode("utf-8", "replace"), self.token.encode())

    def refusal(self, path: str, host: str | None, origin: str | None) -> str | None:
        """Why the handshake of a WebSocket is refused; None if it is welcome."""
        if origin is not None and origin not in self.origins:
            return f"pages of {origin} are not welcome: name it with --origin if they are to be"
        if not self.is_own(host):
            return f"this machine is not called {host}"
        tokens = parse_qs(urlsplit(path).query).get("token", [])
        if not any(self.knows(token) for token in tokens):
            return "the token is missing or wrong: use the URL that the server printed"
        return None

    def is_own(self, host: str | None) -> bool:
        """Whether a name is this machine's: an address, which nobody else can point here, or the name listened on."""
        try:
            name = urlsplit(f"//{host or ''}").hostname or ""
            ipaddress.ip_address(name)
        except ValueError:
            name = (host or "").rpartition(":")[0] or (host or "")
            return name.lower() in ("localhost", self.host.lower())
        return True
