"""The ways of joining values that reductions and atomic updates name by a keyword: with which operation, and from which
value on.

Source of the rules: *'arith' Dialect*, `AtomicRMWKind`; the values are those of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.ir import floats
from fathom.ir.attributes import FloatAttr, IntegerAttr
from fathom.ir.types import FloatType, IndexType, IntegerType, Type

JOINED_BY: Final[Mapping[str, str]] = {
    "addf": "addf",
    "addi": "addi",
    "andi": "andi",
    "maximumf": "maximumf",
    "maxnumf": "maxnumf",
    "maxs": "maxsi",
    "maxu": "maxui",
    "minimumf": "minimumf",
    "minnumf": "minnumf",
    "mins": "minsi",
    "minu": "minui",
    "mulf": "mulf",
    "muli": "muli",
    "ori": "ori",
    "xori": "xori",
}
"""The operation of the arith dialect for each keyword."""


def neutral(kind: str, type: Type) -> FloatAttr | IntegerAttr | None:
    """What changes no value that it is joined with, of a type; None where a way of joining has none of this type."""
    match type:
        case FloatType(name=name):
            bits = _neutral_float(kind, name)
            return FloatAttr(bits, type) if bits is not None else None
        case IntegerType(width=width, signedness=signedness) if width:
            number = _neutral_integer(kind, width)
            if number is None:
                return None
            return IntegerAttr(number % (1 << width) if signedness == "u" else number, type)
        case IndexType() if kind in ("addi", "maxu", "muli", "ori", "xori"):
            return IntegerAttr(int(kind == "muli"), type)
        case _:
            return None


def _neutral_float(kind: str, name: str) -> int | None:
    match kind:
        case "addf":
            return 0
        case "mulf":
            return floats.from_float(1.0, name)
        case "maximumf" | "minimumf":
            return floats.infinity(name, negative=kind == "maximumf")
        case "minnumf":
            return floats.nan(name)
        case "maxnumf":
            return floats.nan(name, negative=True)
        case _:
            return None


def _neutral_integer(kind: str, width: int) -> int | None:
    half = 1 << (width - 1)
    match kind:
        case "addi" | "maxu" | "ori" | "xori":
            return 0
        case "muli":
            return 1
        case "andi" | "minu":
            return -1
        case "maxs":
            return -half
        case "mins":
            return half - 1
        case _:
            return None
