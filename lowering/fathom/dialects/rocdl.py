"""The rocdl dialect: what LLVM has for GPUs of AMD, of which only the attributes of functions are checked here.

Source of the rules: *'rocdl' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects import load_described
from fathom.dialects.llvm.for_others import ATTRIBUTES, TYPES
from fathom.irdl.code import DialectCode
from fathom.irdl.definition import Problem
from fathom.irdl.dialect import AttributeChecks

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation
    from fathom.ir.types import Type


def _on_operation(op: Operation, name: str, value: Attribute) -> Problem | None:
    del value
    if name == "rocdl.kernel" and op.name != "llvm.func":
        return Problem("'\"rocdl.kernel\"' attribute attached to unexpected op", bare=True)
    return None


def _nothing(op: Operation, type: Type, name: str, value: Attribute) -> Problem | None:
    del op, type, name, value
    return None


CODE: Final = DialectCode(
    type_constraints=TYPES,
    attribute_constraints=ATTRIBUTES,
    attribute_checks=AttributeChecks(_on_operation, _nothing, _nothing),
)
DIALECT: Final = load_described("rocdl", CODE)
