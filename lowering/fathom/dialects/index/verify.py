"""What MLIR's verifiers say of the operations of index."""

from __future__ import annotations

from fathom.ir.types import IndexType
from fathom.irdl.checking import cast_incompatible
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops.index import CastsOp, CastuOp


@verifies("index.casts", "index.castu")
def _verify_cast(op: CastsOp | CastuOp) -> Complaint:
    source, target = op.input.type, op.result.type
    if isinstance(source, IndexType) != isinstance(target, IndexType):
        return None
    return cast_incompatible(op)
