"""What the emitters read off an operation: fast-math flags, kinds of types, strings."""

from __future__ import annotations

from functools import lru_cache

from fathom.dialects.llvm.types import LLVMArrayType, LLVMStructType
from fathom.ir.attributes import Attribute, StringAttr
from fathom.ir.operation import Operation
from fathom.ir.types import Type
from fathom.irdl.cases import word_of
from fathom.irdl.type_functions import is_float
from fathom.llvmir.words import FAST_MATH


@lru_cache(maxsize=256)
def _fastmath(attribute: Attribute) -> tuple[str, ...]:
    flags = {flag.strip() for flag in word_of(attribute).split(",")}
    return FAST_MATH if "fast" in flags else tuple(flag for flag in FAST_MATH if flag in flags)


def fastmath(op: Operation) -> tuple[str, ...]:
    """The fast-math flags."""
    attribute = op.properties.get("fastmathFlags")
    return _fastmath(attribute) if attribute is not None else ()


def result_fastmath(op: Operation) -> tuple[str, ...]:
    """The fast-math flags of an operation that has them if its result is of floats."""
    return fastmath(op) if op.results and _takes_fastmath(op.result.type) else ()


def _takes_fastmath(type: Type) -> bool:
    """Whether LLVM has flags for an instruction of this type: of floats, vectors, arrays or plain structs of them."""
    if isinstance(type, LLVMStructType):
        fields = type.body or ()
        if type.name is not None or not fields or any(field != fields[0] for field in fields):
            return False
        return is_float(fields[0])
    while isinstance(type, LLVMArrayType):
        type = type.element
    return is_float(type)


def text_of_string(attribute: Attribute | None) -> str | None:
    """A string attribute's value; None for any other."""
    return attribute.value if isinstance(attribute, StringAttr) else None
