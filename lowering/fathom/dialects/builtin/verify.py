"""What MLIR's verifiers say of the operations of builtin."""

from __future__ import annotations

from fathom.ir.operation import Operation
from fathom.irdl.verifying import Complaint, verifies


@verifies("builtin.module")
def _verify_module(op: Operation) -> Complaint:
    for name in op.attributes:
        if "." not in name:
            return f"can only contain attributes with dialect-prefixed names, found: '{name}'"
    return None


@verifies("builtin.unrealized_conversion_cast")
def _verify_cast(op: Operation) -> Complaint:
    return None if op.results else "expected at least one result for cast operation"
