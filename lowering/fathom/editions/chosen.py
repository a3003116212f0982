"""Which edition of MLIR a text says that it is in: by a comment `// MLIR: 15` among the lines before its code."""

from __future__ import annotations

import re
from typing import Final

from fathom.editions.edition import nearest
from fathom.ir.language import MARK

_SAID: Final = re.compile(rf"[ \t]*{MARK}[ \t]*(v?\d+(?:\.\d+)*)[ \t]*\r?")


def said_in(text: str) -> str | None:
    """The name of the edition; None where nothing says one, or one that is not known."""
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        line = text[start:end]
        if (said := _SAID.fullmatch(line)) is not None:
            return nearest(said[1])
        if line.strip() and not line.lstrip().startswith("//"):
            return None
        start = end + 1
    return None
