"""What the LLVM dialect asks of its attributes on operations, and on the arguments and results of functions.

Source of the rules: *'llvm' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.llvm.data_layout import layout_problem
from fathom.dialects.llvm.types import LLVMPointerType, is_compatible
from fathom.ir.attributes import Attribute, IntegerAttr, StringAttr, TypeAttr, UnitAttr
from fathom.ir.operation import Operation
from fathom.ir.types import IntegerType, Type
from fathom.irdl.checking import bare
from fathom.irdl.definition import Problem
from fathom.irdl.verifying import AttributeChecks
from fathom.text.escapes import quote


def _names(words: str) -> frozenset[str]:
    return frozenset(f"llvm.{word}" for word in words.split())


_FLAGS_OF_POINTERS: Final = _names("noalias readonly readnone writeonly nest nocapture nofree nonnull")
_TYPES_OF_POINTERS: Final = _names("sret byval byref elementtype inalloca preallocated")
_FLAGS_OF_INTEGERS: Final = _names("signext zeroext")
_NUMBERS_OF_POINTERS: Final = _names("align dereferenceable dereferenceable_or_null")
_NUMBERS: Final = _names("alignstack")
_FLAGS: Final = _names("noundef inreg returned")
_NOT_OF_RESULTS: Final = _names(
    "allocalign allocptr byval byref inalloca nest nocapture nofree preallocated readnone readonly returned alignstack "
    "sret writeonly"
)

_KINDS: Final = (
    (_FLAGS_OF_POINTERS | _FLAGS_OF_INTEGERS | _FLAGS, UnitAttr, "a unit attribute"),
    (_TYPES_OF_POINTERS, TypeAttr, "a type attribute"),
    (_NUMBERS_OF_POINTERS | _NUMBERS, IntegerAttr, "an integer attribute"),
)
_TARGETS: Final = (
    (_FLAGS_OF_POINTERS | _TYPES_OF_POINTERS | _NUMBERS_OF_POINTERS, LLVMPointerType, "non-pointer"),
    (_FLAGS_OF_INTEGERS, IntegerType, "non-integer"),
)


def _on_argument(op: Operation, type: Type, name: str, value: Attribute) -> Problem | None:
    del op
    for names, kind, noun in _KINDS:
        if name in names and not isinstance(value, kind):
            return bare(f"{quote(name)} should be {noun}")
    # Of a type that is yet to be converted nobody knows what it will be.
    if not is_compatible(type):
        return None
    for names, kind, noun in _TARGETS:
        if name in names and not isinstance(type, kind):
            return bare(f"{quote(name)} attribute attached to {noun} LLVM type")
    return None


def _on_result(op: Operation, type: Type, name: str, value: Attribute) -> Problem | None:
    if name in _NOT_OF_RESULTS:
        return bare(f"{quote(name)} is not a valid result attribute")
    return _on_argument(op, type, name, value)


def _on_operation(op: Operation, name: str, value: Attribute) -> Problem | None:
    del op
    if name != "llvm.data_layout":
        return None
    if not isinstance(value, StringAttr):
        return Problem("expected 'llvm.data_layout' to be a string attributes")
    problem = layout_problem(value.value)
    return Problem(problem) if problem is not None else None


ATTRIBUTE_CHECKS: Final = AttributeChecks(_on_operation, _on_argument, _on_result)
