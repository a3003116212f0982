"""The enumerations of the arith dialect: predicates, and flags that give the optimiser leave.

Source of the rules: *'arith' Dialect*, "Attributes" and "Enums".
"""

from __future__ import annotations

from typing import Final

from fathom.irdl.constraints import dialect_flags, enum_attribute
from fathom.irdl.definition import Property

CMPI_PREDICATES: Final = {
    "eq": 0,
    "ne": 1,
    "slt": 2,
    "sle": 3,
    "sgt": 4,
    "sge": 5,
    "ult": 6,
    "ule": 7,
    "ugt": 8,
    "uge": 9,
}
CMPF_PREDICATES: Final = {
    "false": 0,
    "oeq": 1,
    "ogt": 2,
    "oge": 3,
    "olt": 4,
    "ole": 5,
    "one": 6,
    "ord": 7,
    "ueq": 8,
    "ugt": 9,
    "uge": 10,
    "ult": 11,
    "ule": 12,
    "une": 13,
    "uno": 14,
    "true": 15,
}
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
