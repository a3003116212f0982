"""The canonicalisation of memory: sizes that are known become part of the type, memory that is only written goes.

Source of the rules: mlir-opt 22; the order of the patterns is MLIR's.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.memref import reshape_patterns, scope_patterns, view_patterns
from fathom.ir.attributes import IntegerAttr
from fathom.ir.types import DYNAMIC, INDEX, MemRefType
from fathom.irdl.build import segment_sizes
from fathom.records import replace
from fathom.rewriting.folding import constant_value
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter


def known_sizes(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """
        %m = memref.alloc(%c4, %n) : memref<?x?xf32>
    becomes
        %0 = memref.alloc(%n) : memref<4x?xf32>
        %m = memref.cast %0 : memref<4x?xf32> to memref<?x?xf32>
    """
    type = op.results[0].type
    groups = op.definition.operand_groups(op) if op.definition is not None else {}
    sizes = iter(groups.get("dynamicSizes", ()))
    if not isinstance(type, MemRefType) or type.shape is None:
        return Failure("it makes no memref of a known rank")
    shape: list[int] = []
    rest: list[Value] = []
    for extent in type.shape:
        if extent == DYNAMIC:
            size = next(sizes)
            constant = constant_value(size)
            if isinstance(constant, IntegerAttr) and constant.value >= 0:
                extent = constant.value
            else:
                rest.append(size)
        shape.append(extent)
    if tuple(shape) == type.shape:
        return Failure("no size is known")
    symbols = groups.get("symbolOperands", [])
    properties = {"operandSegmentSizes": segment_sizes(len(rest), len(symbols))}
    if "alignment" in op.properties:
        properties["alignment"] = op.properties["alignment"]
    made = rewriter.create(op.name, [*rest, *symbols], [replace(type, shape=tuple(shape))], properties)
    rewriter.replace_with(op, "memref.cast", made.results, [type])
    return None


def only_written(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Memory that is written and given back, but never read, goes with all that is done to it."""
    memory = op.results[0]
    for user in memory.uses:
        if user.name == "memref.store" and user.operands[0] is not memory:
            continue
        if user.name != "memref.dealloc":
            return Failure("the memory is used")
    for user in reversed(list(memory.uses)):
        rewriter.erase(user)
    rewriter.erase(op)
    return None


def copy_to_itself(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """`memref.copy %m, %m` does nothing."""
    if op.operands[0] is not op.operands[1]:
        return Failure("the memrefs differ")
    rewriter.erase(op)
    return None


def copy_of_nothing(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A copy of a memref without elements does nothing."""
    if not any(isinstance(each.type, MemRefType) and 0 in (each.type.shape or ()) for each in op.operands):
        return Failure("there may be elements")
    rewriter.erase(op)
    return None


def size_of_reshape(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A size of a reshaped memref is an element of its shape, loaded where the memref is reshaped."""
    source, index = operands
    reshape = source.defining_op
    if reshape is None or reshape.name != "memref.reshape" or reshape.parent is None:
        return Failure("the memref is not reshaped")
    if not _is_known_at(index, reshape, op):
        return Failure("the dimension is not known where the memref is reshaped")
    shape = reshape.operands[1]
    element = shape.type.element if isinstance(shape.type, MemRefType) else INDEX
    rewriter.block, rewriter.anchor = reshape.parent, reshape.next
    size = rewriter.create("memref.load", [shape, index], [element]).result
    if size.type != op.result.type:
        size = rewriter.create("arith.index_cast", [size], [op.result.type]).result
    rewriter.replace(op, [size])
    return None


def _is_known_at(value: Value, reshape: Operation, user: Operation) -> bool:
    """Whether a value is defined before `reshape`, as far as their blocks tell."""
    block = value.parent_block
    if block is reshape.parent:
        op = value.defining_op
        return op is None or not reshape.is_before_in_block(op)
    if user.parent is reshape.parent:
        return True
    region = block.parent if block is not None else None
    around = reshape.parent_region
    while around is not None and around.parent is not None:
        around = around.parent.parent_region
        if around is region:
            return True
    return False


CANONICALIZATION: Final = (
    Pattern("memref.alloc", known_sizes, name="SimplifyAllocConst"),
    Pattern("memref.alloc", only_written, name="SimplifyDeadAlloc"),
    Pattern("memref.alloca", known_sizes, name="SimplifyAllocConst"),
    Pattern("memref.alloca", only_written, name="SimplifyDeadAlloc"),
    Pattern("memref.dim", size_of_reshape, name="DimOfMemRefReshape"),
    Pattern("memref.realloc", only_written, name="SimplifyDeadAlloc"),
    *scope_patterns.PATTERNS,
    Pattern("memref.copy", copy_of_nothing, name="FoldEmptyCopy"),
    Pattern("memref.copy", copy_to_itself, name="FoldSelfCopy"),
    *reshape_patterns.PATTERNS,
    *view_patterns.PATTERNS,
)
