"""The arm_sve dialect: Arm's Scalable Vector Extension, of which the types are checked here.

Source of the rules: *'arm_sve' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import TYPE_CHECKING, Final

from fathom.dialects import load_described
from fathom.dialects.vector.common import flags
from fathom.ir.types import BF16, F16, F32, F64, I1, I8, I16, I32, I64, Type, VectorType
from fathom.irdl.code import DialectCode
from fathom.irdl.type_functions import of_each

if TYPE_CHECKING:
    from fathom.ir.operation import Operation

LENGTHS: Final = {2: (I64, F64), 4: (I32, F32), 8: (I16, F16, BF16), 16: (I8,)}
"""The types of the elements of a register, by their number."""
NAMES: Final = {
    2: "64-bit signless integer or 64-bit float",
    4: "32-bit signless integer or 32-bit float",
    8: "16-bit signless integer or 16-bit float or bfloat16 type",
    16: "8-bit signless integer",
}
"""What messages call them."""


def _fills(*lengths: int) -> Callable[[object], bool]:
    """Whether a type is one of a whole register, with so many elements."""
    return lambda value: (
        isinstance(value, VectorType)
        and value.scalable == (True,)
        and value.ranked_shape[0] in lengths
        and value.element in LENGTHS[value.ranked_shape[0]]
    )


def _is_mask(lengths: Container[int]) -> Callable[[object], bool]:
    """Whether a type is a vector of flags whose last dimension alone is scalable, and of one of these lengths."""
    return lambda value: (
        isinstance(value, VectorType)
        and value.element == I1
        and sum(flags(value)) == 1
        and flags(value)[-1]
        and value.ranked_shape[-1] in lengths
    )


def _widened(type: Type) -> Type | None:
    """The predicate of a whole register."""
    if not isinstance(type, VectorType) or not type.shape:
        return None
    return VectorType((*type.shape[:-1], 16), type.element, type.scalable)


PREDICATES: Final = (1, 2, 4, 8, 16)


def _is_predicate(*lengths: int) -> Callable[[Operation], bool]:
    """Whether the result is a predicate of one of these lengths."""
    expected = [VectorType((length,), I1, (True,)) for length in lengths]
    return lambda op: op.result.type in expected


CODE: Final = DialectCode(
    predicates={
        **{
            f"a 1-D scalable vector with length {length} of {elements} values": _fills(length)
            for length, elements in NAMES.items()
        },
        "SVBoolMask": _is_mask((16,)),
        "SVEPredicateMask": _is_mask(PREDICATES),
    },
    relations={
        "'res' is vector<[16]xi1>": _is_predicate(16),
        "'res' is vector<[1]xi1>, vector<[2]xi1>, vector<[4]xi1>, vector<[8]xi1>, or vector<[16]xi1>": _is_predicate(
            *PREDICATES
        ),
    },
    matches={"expected corresponding svbool type widened to [16]xi1": of_each(_widened)},
)
DIALECT: Final = load_described("arm_sve", CODE)
