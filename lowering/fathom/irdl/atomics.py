"""The checks of atomic operations, which acc and omp share.

Source of the rules: *'omp' Dialect*, *'acc' Dialect*; the texts are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.types import MemRefType
from fathom.irdl.cases import word
from fathom.irdl.checking import bare, directly_in, group
from fathom.irdl.verifying import Complaint

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type


def element(type: Type) -> Type | None:
    return type.element if isinstance(type, MemRefType) else None


def _order(op: Operation, other: str, kind: str) -> Complaint:
    if word(op, "memory_order") in ("acq_rel", other):
        return bare(f"memory-order must not be acq_rel or {other} for atomic {kind}")
    return None


def atomic_read(op: Operation) -> Complaint:
    if op.operands[0] == op.operands[1]:
        return bare("read and write must not be to the same location for atomic reads")
    return _order(op, "release", "reads")


def atomic_write(op: Operation) -> Complaint:
    pointee = element(op.operands[0].type)
    if pointee is not None and pointee != op.operands[1].type:
        return bare("address must dereference to value type")
    return _order(op, "acquire", "writes")


def atomic_update(op: Operation) -> Complaint:
    block = op.regions[0].first
    arguments = block.arguments if block is not None else []
    if len(arguments) != 1:
        return bare("the region must accept exactly one argument")
    pointee = element(op.all_of("x")[0].type)
    if pointee is not None and pointee != arguments[0].type:
        return bare(
            "the type of the operand must be a pointer type whose element type is the same as that of the region "
            "argument"
        )
    return _order(op, "acquire", "updates")


def atomic_update_regions(op: Operation) -> Complaint:
    block = op.regions[0].first
    last = block.last if block is not None else None
    if block is None or last is None:
        return None
    if len(last.operands) != 1:
        return bare("only updated value must be returned")
    if block.arguments and last.operands[0].type != block.arguments[0].type:
        return bare("input and yielded value must have the same type")
    return None


def _variable(op: Operation) -> Value | None:
    return next(iter(group(op, "x")), None)


def atomic_capture_regions(op: Operation) -> Complaint:
    inside = directly_in(op)
    if len(inside) != 3:
        return bare("expected three operations in atomic.capture region (one terminator, and two atomic ops)")
    first, second = inside[0], inside[1]
    pair = (first.name.rpartition(".")[2], second.name.rpartition(".")[2])
    if pair not in (("update", "read"), ("read", "update"), ("read", "write")):
        return bare("invalid sequence of operations in the capture region", first)
    if _variable(first) != _variable(second):
        if pair[0] == "update":
            return bare("updated variable in atomic.update must be captured in second operation", first)
        return bare("captured variable in atomic.read must be updated in second operation", first)
    if op.dialect != "omp":
        return None
    for clause in ("hint", "memory_order"):
        if clause in first.properties or clause in second.properties:
            return f"operations inside capture region must not have {clause} clause"
    return None
