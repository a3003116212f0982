"""The enumerations of the arith dialect: predicates, and flags that give the optimiser leave.

Source of the rules: *'arith' Dialect*, "Attributes" and "Enums".
"""

from __future__ import annotations

from typing import Final

from fathom.ir.types import I32, I64
from fathom.irdl.constraints import UNIT_ATTRIBUTE, dialect_flags, enum_attribute, integer_enum
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
ROUNDING_MODES: Final = {
    "to_nearest_even": 0,
    "downward": 1,
    "upward": 2,
    "toward_zero": 3,
    "to_nearest_away": 4,
}

CMPI_PREDICATE: Final = integer_enum(CMPI_PREDICATES, I64)
CMPF_PREDICATE: Final = integer_enum(CMPF_PREDICATES, I64)
FASTMATH: Final = dialect_flags(
    "Floating point fast math flags", "arith.fastmath", FASTMATH_FLAGS, ",", "::mlir::arith::FastMathFlags"
)
OVERFLOW: Final = dialect_flags(
    "Integer overflow arith flags",
    "arith.overflow",
    OVERFLOW_FLAGS,
    class_name="::mlir::arith::IntegerOverflowFlags",
)
ROUNDING: Final = integer_enum(ROUNDING_MODES, I32)

NO_FASTMATH: Final = enum_attribute(FASTMATH, 0)
NO_OVERFLOW: Final = enum_attribute(OVERFLOW, 0)

FASTMATH_PROPERTY: Final = Property("fastmath", FASTMATH, default=NO_FASTMATH)
OPTIONAL_FASTMATH_PROPERTY: Final = Property("fastmath", FASTMATH, optional=True)
OVERFLOW_PROPERTY: Final = Property("overflowFlags", OVERFLOW, default=NO_OVERFLOW)
ROUNDING_PROPERTY: Final = Property("roundingmode", ROUNDING, optional=True)
EXACT_PROPERTY: Final = Property("isExact", UNIT_ATTRIBUTE, optional=True)
