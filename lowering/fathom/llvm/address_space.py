"""How much of the address space this process has taken."""

from __future__ import annotations

import os
from pathlib import Path


def address_space() -> int | None:
    """The bytes, those of libraries and files among them; None where there is no /proc."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except OSError:
        return None
    return pages * os.sysconf("SC_PAGESIZE")
