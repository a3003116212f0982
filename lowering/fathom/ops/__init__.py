"""The operations of MLIR's dialects as code reads them, a module a dialect, made by `make dialects` of the definitions.

    from fathom.ops.vector import ExtractOp, InsertOp

    def fold_extract(op: ExtractOp, …):
        inner = op.source.defining_op
        if isinstance(inner, InsertOp):
            … inner.valueToStore …

At run time there is one class of operations, `fathom.ir.operation.Operation`, and `isinstance` asks for the name. For
whoever checks types, each is a class of its own that has its operands, results, properties, regions and successors by
their names (`fathom.irdl.named_parts`): the stub beside the module. Its promises hold of operations that are valid.
"""

from __future__ import annotations

from typing import Any


class OpClass:
    """Stands for the class of the operations of one name."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __instancecheck__(self, op: Any) -> bool:
        # One that nobody has described, or whose text is wrong, has no parts.
        return op is not None and op.name == self.name and op.definition is not None
