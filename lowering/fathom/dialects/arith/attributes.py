"""The enumerations of the arith dialect: predicates, and flags that give the optimiser leave.

Source of the rules: *'arith' Dialect*, "Attributes" and "Enums".
"""

from __future__ import annotations

from typing import Final

from fathom.irdl.constraints import dialect_flags, enum_attribute
from fathom.irdl.definition import Property


def _numbered(words: str) -> dict[str, int]:
    return {word: number for number, word in enumerate(words.split())}


CMPI_PREDICATES: Final = _numbered("eq ne slt sle sgt sge ult ule ugt uge")
CMPF_PREDICATES: Final = _numbered("false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true")
FASTMATH_FLAGS: Final = {
    "none": 0,
    "reassoc": 1,
    "nnan": 2,
    "ninf": 4,
    "nsz": 8,
    "arcp": 16,
    "contract": 32,
    "afn": 64,
    "fast": 127,
}
OVERFLOW_FLAGS: Final = {"none": 0, "nsw": 1, "nuw": 2}
FASTMATH: Final = dialect_flags(
    "Floating point fast math flags", "arith.fastmath", FASTMATH_FLAGS, ",", "::mlir::arith::FastMathFlags"
)
OVERFLOW: Final = dialect_flags(
    "Integer overflow arith flags",
    "arith.overflow",
    OVERFLOW_FLAGS,
    class_name="::mlir::arith::IntegerOverflowFlags",
)

NO_FASTMATH: Final = enum_attribute(FASTMATH, 0)
NO_OVERFLOW: Final = enum_attribute(OVERFLOW, 0)

FASTMATH_PROPERTY: Final = Property("fastmath", FASTMATH, default=NO_FASTMATH)
