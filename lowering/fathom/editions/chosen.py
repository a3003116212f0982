"""Which edition of MLIR a text says that it is in: by a comment `// MLIR: 15` among the lines before its code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from fathom.editions.edition import nearest
from fathom.ir.language import MARK

if TYPE_CHECKING:
    from fathom.context import Context

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


def context_for(text: str, context: Context) -> Context:
    """A context in the edition that a text says; the context itself where it says none."""
    said = said_in(text) if MARK in text else None
    return context.in_edition(said) if said is not None else context
