"""What MLIR's verifiers say of the operations of index."""

from __future__ import annotations

from fathom.ir.operation import Operation
from fathom.ir.types import IndexType
from fathom.irdl.verifying import Complaint, verifies


@verifies("index.casts", "index.castu")
def _verify_cast(op: Operation) -> Complaint:
    source, target = op.operands[0].type, op.results[0].type
    if isinstance(source, IndexType) != isinstance(target, IndexType):
        return None
    return f"operand type '{source}' and result type '{target}' are cast incompatible"
