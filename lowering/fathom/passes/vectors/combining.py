"""Values combined by a kind of reduction, as arithmetic on vectors or scalars.

Source of the rules: *'vector' Dialect*, `vector.reduction`, and what mlir-opt 22 makes of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects import own_description
from fathom.dialects.vector.common import ARITHMETIC, INTEGER
from fathom.irdl.cases import case_of
from fathom.irdl.type_functions import is_float
from fathom.passes.arithmetic import select
from fathom.rewriting.folding import create_or_fold

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Value
    from fathom.ir.types import Type
    from fathom.rewriting.rewriter import Rewriter

COMBINE: Final = {
    "minui": "minui",
    "minsi": "minsi",
    "maxui": "maxui",
    "maxsi": "maxsi",
    "and": "andi",
    "or": "ori",
    "xor": "xori",
    "minnumf": "minnumf",
    "maxnumf": "maxnumf",
    "minimumf": "minimumf",
    "maximumf": "maximumf",
}
"""The operations of `arith` by which values are combined, but for those that differ for integers and floats."""

_OF_REDUCTIONS: Final = {
    **{f"{name}{letter}": name for name in ("add", "mul") for letter in "fi"},
    **{f"{name}{letter}": f"{name}{letter}i" for name in ("min", "max") for letter in "su"},
    **{f"{name}i": name for name in ("and", "or", "xor")},
}
"""The kinds of reductions of loops (`fathom.passes.reductions`) that vectors call otherwise."""


def combining_kind(reduction: str) -> Attribute:
    """`#vector.kind<add>`: how the elements of a vector are combined as a loop combines values."""
    made = case_of(own_description("vector").attributes["CombiningKindAttr"], _OF_REDUCTIONS.get(reduction, reduction))
    assert made is not None, f"{reduction} is a kind of reductions"
    return made


def is_combined(kind: str, type: Type) -> bool:
    """Whether values of a type are combined in this way."""
    return kind in ARITHMETIC or is_float(type) != (kind in INTEGER)


def combined(rewriter: Rewriter, kind: str, value: Value, start: Value, mask: Value | None = None) -> Value | None:
    """A value combined with another to start from; where the mask is not set, that other. None for a kind that elements
    of this type have not."""
    if not is_combined(kind, value.type):
        return None
    name = f"{kind}{'f' if is_float(value.type) else 'i'}" if kind in ARITHMETIC else COMBINE[kind]
    made = create_or_fold(rewriter, f"arith.{name}", [value, start], value.type)
    return made if mask is None else select(rewriter, mask, made, start)
