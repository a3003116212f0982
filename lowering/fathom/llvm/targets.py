"""What LLVM knows of the machines that it makes code for."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Final

from fathom.llvm import MACHINE
from fathom.llvm.process import Died, Refused, ask
from fathom.records import record

_POINTER_BITS: Final = 64
"""Where a layout says nothing of pointers (*LLVM Language Reference Manual*, "Data Layout")."""
_MOST_MACHINES: Final = 256
"""So many are remembered,"""
_LONGEST: Final = 4096
"""of those that are named in so few characters."""


class UnknownTarget(ValueError):
    """A target that LLVM does not have, in its words."""


@record
class Machine:
    """A processor of a target, with features. `target` is what LLVM calls the part of it that makes code: `x86-64`;
    `layout` the data layout."""

    target: str
    layout: str


def machine(triple: str, chip: str = "", features: str = "") -> Machine:
    """The machine of a target triple; `features` are words as `+avx`, with commas. Raises UnknownTarget."""
    is_short = len(triple) + len(chip) + len(features) < _LONGEST
    return (_known_machine if is_short else _machine)(triple, chip, features)


def _machine(triple: str, chip: str, features: str) -> Machine:
    try:
        answer = json.loads(ask(MACHINE, json.dumps({"triple": triple, "chip": chip, "features": features})))
    except Refused as problem:
        raise UnknownTarget(str(problem)) from None
    except Died as problem:
        raise UnknownTarget(str(problem) or f"LLVM has no machine for '{triple}'") from None
    return Machine(answer["target"], answer["layout"])


_known_machine: Final = lru_cache(_MOST_MACHINES)(_machine)


def pointer_bits(layout: str) -> int:
    """How wide the pointers of the default address space are in a data layout, in bits."""
    for part in layout.split("-"):
        kind, _, rest = part.partition(":")
        if kind in ("p", "p0") and rest:
            return int(rest.partition(":")[0])
    return _POINTER_BITS
