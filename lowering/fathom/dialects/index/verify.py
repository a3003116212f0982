"""What MLIR's verifiers say of the operations of index."""

from __future__ import annotations

from collections.abc import Sequence

from fathom.ir.operation import Operation
from fathom.ir.types import IndexType
from fathom.irdl.definition import Problem
from fathom.irdl.verifying import verifies


@verifies("index.casts", "index.castu")
def _verify_cast(op: Operation) -> Sequence[Problem]:
    source, target = op.operands[0].type, op.results[0].type
    if isinstance(source, IndexType) != isinstance(target, IndexType):
        return ()
    return (Problem(f"operand type '{source}' and result type '{target}' are cast incompatible"),)
