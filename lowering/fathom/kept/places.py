"""Where code is kept, and whether it is.

Source of the rule: *XDG Base Directory Specification*. A path in its variables that is not absolute counts for none.
"""

from __future__ import annotations

import os
import sys
from typing import Final

from fathom.records import record

SWITCH: Final = "FATHOM_CACHE"
"""The environment variable that switches it off: `off`, `0`, `no` or `false`."""
_OFF: Final = ("off", "0", "no", "false")


@record
class Places:
    """The folder of what is kept, and the file of the key. They are apart, since a cache may be brought from elsewhere
    as a whole, as from one computer of a service to the next, and who made it is not who runs it."""

    folder: str
    key: str


def is_on() -> bool:
    """Whether the environment lets anything be kept."""
    return os.environ.get(SWITCH, "").lower() not in _OFF


def places() -> Places | None:
    """The places in the user's home; None where nothing says which that is."""
    cache, state = ("~/.cache", "~/.local/state")
    if sys.platform == "darwin":
        cache, state = ("~/Library/Caches", "~/Library/Application Support")
    folder, secret = _home("XDG_CACHE_HOME", cache), _home("XDG_STATE_HOME", state)
    if not folder or not secret:
        return None
    return Places(os.path.join(folder, "fathom", "code"), os.path.join(secret, "fathom", "key"))


def _home(variable: str, usual: str) -> str:
    named = os.environ.get(variable, "")
    home = named if os.path.isabs(named) else os.path.expanduser(usual)
    return home if os.path.isabs(home) else ""
