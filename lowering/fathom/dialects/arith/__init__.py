"""The arith dialect: arithmetic on integers, floats, and vectors and tensors of them."""

from __future__ import annotations

from typing import Final

from fathom.dialects import load_described
from fathom.dialects.arith.attributes import FASTMATH, OVERFLOW
from fathom.dialects.arith.casts import same_tensor_dims
from fathom.dialects.arith.operations import OPERATIONS
from fathom.dialects.arith.select import TYPES, has_matching_condition
from fathom.irdl.code import DialectCode
from fathom.irdl.constraints import enum_reader
from fathom.irdl.dialect import Dialect
from fathom.records import replace

CODE: Final = DialectCode(
    OPERATIONS,
    attribute_constraints={"FastMathFlagsAttr": FASTMATH, "IntegerOverflowFlagsAttr": OVERFLOW},
    directives={"SelectTypes": TYPES},
    relations={
        "input and output have the same tensor dimensions": same_tensor_dims,
        "condition is signless i1 or has matching shape": has_matching_condition,
    },
)


def completed(described: Dialect) -> Dialect:
    """The dialect that a description of it makes, with what code reads."""
    return replace(described, attributes={"fastmath": enum_reader(FASTMATH), "overflow": enum_reader(OVERFLOW)})


DIALECT: Final = completed(load_described("arith", CODE))
VERIFY_PARTS: Final = ("casts", "operations", "select")
