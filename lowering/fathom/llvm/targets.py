"""What LLVM knows of the machines that it makes code for."""

from __future__ import annotations

from functools import cache
from typing import Final

from fathom.llvm import LAYOUT
from fathom.llvm.process import Died, Refused, ask

_POINTER_BITS: Final = 64
"""Where a layout says nothing of pointers (*LLVM Language Reference Manual*, "Data Layout")."""


class UnknownTarget(ValueError):
    """A target that LLVM does not have, in its words."""


@cache
def layout_of_target(triple: str) -> str:
    """The data layout of a target triple; raises UnknownTarget."""
    try:
        return ask(LAYOUT, triple)
    except Refused as problem:
        raise UnknownTarget(str(problem)) from None
    except Died as problem:
        raise UnknownTarget(str(problem) or f"LLVM has no machine for '{triple}'") from None


def pointer_bits(layout: str) -> int:
    """How wide the pointers of the default address space are in a data layout, in bits."""
    for part in layout.split("-"):
        kind, _, rest = part.partition(":")
        if kind in ("p", "p0") and rest:
            return int(rest.partition(":")[0])
    return _POINTER_BITS
