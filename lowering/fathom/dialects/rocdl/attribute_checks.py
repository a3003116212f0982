"""What the rocdl dialect asks of its attributes.

Source of the rules: *'rocdl' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.irdl.definition import Problem
from fathom.irdl.verifying import AttributeChecks
from fathom.ops.llvm import FuncOp

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation


def _on_operation(op: Operation, name: str, value: Attribute) -> Problem | None:
    del value
    if name == "rocdl.kernel" and not isinstance(op, FuncOp):
        return Problem("'\"rocdl.kernel\"' attribute attached to unexpected op", bare=True)
    return None


ATTRIBUTE_CHECKS: Final = AttributeChecks(_on_operation)
