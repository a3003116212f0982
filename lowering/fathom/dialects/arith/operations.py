"""What code says of the operations of the arith dialect, beside their description.

Source of the rules: *'arith' Dialect*, "Operations".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from fathom.dialects.arith.casts import (
    Compatible,
    index_and_integer,
    narrower_float,
    narrower_integer,
    same_width,
    verify_cast,
    wider_float,
    wider_integer,
)
from fathom.dialects.arith.names import constant_names, product_names
from fathom.dialects.arith.select import SELECT
from fathom.ir.attributes import (
    DenseElementsAttr,
    DenseResourceAttr,
    DenseStringsAttr,
    FloatAttr,
    IntegerAttr,
    SparseElementsAttr,
    UnknownAttr,
)
from fathom.ir.operation import Operation
from fathom.ir.types import IntegerType, Type, VectorType
from fathom.irdl.code import OpCode
from fathom.irdl.definition import Problem
from fathom.rewriting.speculation import SIGNED_DIVISION, UNSIGNED_DIVISION

_ELEMENTS: Final = (DenseElementsAttr, DenseResourceAttr, DenseStringsAttr, SparseElementsAttr)


def _verify_constant(op: Operation) -> Sequence[Problem]:
    value, type = op.properties.get("value"), op.results[0].type
    if isinstance(type, IntegerType) and type.signedness:
        return (Problem("integer return type must be signless"),)
    if not isinstance(value, (IntegerAttr, FloatAttr, UnknownAttr, *_ELEMENTS)):
        return (Problem("value must be an integer, float, or elements attribute"),)
    if isinstance(type, VectorType) and any(type.scalable):
        if not isinstance(value, DenseElementsAttr) or not value.is_splat:
            # The misspelling is MLIR's own.
            message = "intializing scalable vectors with elements attribute is not supported unless it's a vector splat"
            return (Problem(message),)
    return ()


def _any_types(source: Type, target: Type) -> bool:
    """The constraints say all there is to say."""
    del source, target
    return True


_UNSIGNED: Final = OpCode(interfaces=(UNSIGNED_DIVISION,))
_SIGNED: Final = OpCode(interfaces=(SIGNED_DIVISION,))
_CASTS: Final[Mapping[str, Compatible]] = {
    **dict.fromkeys(("extui", "extsi"), wider_integer),
    **dict.fromkeys(("extf", "scaling_extf"), wider_float),
    "trunci": narrower_integer,
    **dict.fromkeys(("truncf", "scaling_truncf"), narrower_float),
    **dict.fromkeys(("uitofp", "sitofp", "fptoui", "fptosi"), _any_types),
    **dict.fromkeys(("index_cast", "index_castui"), index_and_integer),
    "bitcast": same_width,
}
OPERATIONS: Final = {
    "constant": OpCode(
        verify=_verify_constant,
        result_names=constant_names,
    ),
    "muli": OpCode(result_names=product_names),
    **dict.fromkeys(("divui", "ceildivui"), _UNSIGNED),
    **dict.fromkeys(("divsi", "ceildivsi"), _SIGNED),
    **{name: OpCode(verify=verify_cast(compatible)) for name, compatible in _CASTS.items()},
    "select": SELECT,
}
