"""What MLIR's verifiers say of omp's recipes: of reductions, private variables and mappers.

Source of the rules: *'omp' Dialect*; the texts are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from fathom.dialects.omp.checks import argument_type
from fathom.ir.operation import Operation, Region
from fathom.ir.types import Type
from fathom.ir.values import types_of
from fathom.irdl.atomics import element
from fathom.irdl.cases import word
from fathom.irdl.checking import bare
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import omp as ops


def _yields(region: Region) -> list[Operation]:
    return [op for block in region.blocks for op in block if isinstance(op, ops.YieldOp)]


def _yields_other(region: Region, type: Type | None) -> bool:
    return any(types_of(yield_.operands) != [type] for yield_ in _yields(region))


@verifies("omp.declare_reduction", regions=True)
def declare_reduction(op: ops.DeclareReductionOp) -> Complaint:
    type, allocation, initial, combiner = op.type.type, op.allocRegion, op.initializerRegion, op.reductionRegion
    atomic, cleanup = op.atomicReductionRegion, op.cleanupRegion
    if _yields_other(allocation, type):
        return "expects alloc region to yield a value of the reduction type"
    if initial.first is None:
        return "expects non-empty initializer region"
    count = len(initial.first.arguments)
    if count == 1 and not allocation.is_empty:
        return "expects two arguments to the initializer region when an allocation region is used"
    if count == 2 and allocation.is_empty:
        return "expects one argument to the initializer region when no allocation region is used"
    if count not in (1, 2):
        return "expects one or two arguments to the initializer region"
    if any(argument.type != type for argument in initial.first.arguments):
        return "expects initializer region argument to match the reduction type"
    if _yields_other(initial, type):
        return "expects initializer region to yield a value of the reduction type"
    if combiner.first is None:
        return "expects non-empty reduction region"
    if types_of(combiner.first.arguments) != [type, type]:
        return "expects reduction region with two arguments of the reduction type"
    if _yields_other(combiner, type):
        return "expects reduction region to yield a value of the reduction type"
    if atomic.first is not None:
        types = types_of(atomic.first.arguments)
        if len(types) != 2 or types[0] != types[1]:
            return "expects atomic reduction region with two arguments of the same type"
        pointee = element(types[0])
        is_pointer = pointee is not None or bool(types[0].full_name)
        if not is_pointer or (pointee is not None and pointee != type):
            return "expects atomic reduction region arguments to be accumulators containing the reduction type"
    if cleanup.first is not None and types_of(cleanup.first.arguments) != [type]:
        return "expects cleanup region with one argument of the reduction type"
    return None


@verifies("omp.private", regions=True)
def private_recipe(op: ops.PrivateOp) -> Complaint:
    type = argument_type(op.regions)
    initial, copy, free = op.init_region, op.copy_region, op.dealloc_region
    for region in op.regions:
        for argument in region.arguments:
            if argument.type != type:
                return bare(f"Region argument type mismatch: got '{argument.type}' expected '{type}'.")
    if not initial.is_empty and (complaint := _recipe_region(initial, 2, "init", type)):
        return complaint
    is_copied = "firstprivate" in word(op, "data_sharing_type")
    if not is_copied and not copy.is_empty:
        return bare("`private` clauses do not require a `copy` region.")
    if is_copied and copy.is_empty:
        return bare("`firstprivate` clauses require at least a `copy` region.")
    if is_copied and (complaint := _recipe_region(copy, 2, "copy", type)):
        return complaint
    return _recipe_region(free, 1, "dealloc", None) if not free.is_empty else None


def _recipe_region(region: Region, count: int, name: str, yielded: Type | None) -> Complaint:
    arguments = region.arguments
    if len(arguments) != count:
        return bare(f"`{name}`: expected {count} region arguments, got: {len(arguments)}")
    for block in region.blocks:
        last = block.last
        if last is None or last.successors:
            continue
        if not isinstance(last, ops.YieldOp):
            return bare("expected exit block terminator to be an `omp.yield` op.", last)
        types = types_of(last.operands)
        if yielded is None and types:
            return bare("Did not expect any values to be yielded.", last)
        if yielded is not None and types != [yielded]:
            got = ", ".join(f"'{type_}'" for type_ in types) or "None"
            return bare(f"Invalid yielded value. Expected type: '{yielded}', got: {got}", last)
    return None


@verifies("omp.declare_mapper", regions=True)
def declare_mapper(op: ops.DeclareMapperOp) -> Complaint:
    block = op.body.first
    is_info = block is not None and isinstance(block.last, ops.DeclareMapperInfoOp)
    return None if is_info else "expected terminator to be a DeclareMapperInfoOp"
