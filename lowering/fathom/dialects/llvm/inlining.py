"""Which calls of LLVM functions may be inlined, and what becomes of memory on the stack and of what calls and arguments
say of memory.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.dlti import EntriesAttr
from fathom.dialects.llvm.data_layout import DataLayout
from fathom.dialects.llvm.functions import function_type
from fathom.dialects.llvm.inlined_accesses import COPY, append_to, finish_scopes, relocate_loops
from fathom.dialects.llvm.types import PTR
from fathom.ir.attributes import (
    FALSE,
    UNIT,
    ArrayAttr,
    Attribute,
    DictAttr,
    IntegerAttr,
    StringAttr,
    TypeAttr,
    i64_attr,
)
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.operation import Block, BlockArgument, Operation, Region, Value, is_module
from fathom.ir.traversal import ancestors
from fathom.ir.types import I64
from fathom.irdl.traits import AUTOMATIC_ALLOCATION_SCOPE, ISOLATED_FROM_ABOVE
from fathom.ops import llvm as ops
from fathom.rewriting.folding import constant_value
from fathom.rewriting.inlining_rules import InliningRules
from fathom.rewriting.rewriter import source_of

if TYPE_CHECKING:
    from fathom.rewriting.rewriter import Rewriter

REFUSING: Final = frozenset(("noduplicate", "presplitcoroutine", "returns_twice", "strictfp"))
"""What a function passes to LLVM that forbids inlining it."""


def _may_inline(call: Operation, function: Operation) -> bool:
    if not isinstance(call, ops.CallOp) or not isinstance(function, ops.FuncOp):
        return False
    if (call.no_inline, function.no_inline, function.personality) != (None, None, None):
        return False
    if function_type(function).varargs:
        return False
    of_arguments = function.arg_attrs.elements if function.arg_attrs is not None else ()
    if any(isinstance(argument, DictAttr) and "llvm.inalloca" in dict(argument.entries) for argument in of_arguments):
        return False
    words = function.passthrough.elements if function.passthrough is not None else ()
    return not any(isinstance(word, StringAttr) and word.value in REFUSING for word in words)


def _joins(block: Block) -> bool:
    """What does not come back is not joined with what follows the call."""
    return not isinstance(block.last, ops.UnreachableOp)


# ---- arguments


def _argument(
    call: ops.CallOp, function: ops.FuncOp, value: Value, attributes: Mapping[str, Attribute], rewriter: Rewriter
) -> Value:
    """A copy of what is passed by value; of any other argument a mark, by which accesses by it are found."""
    by_value = attributes.get("llvm.byval")
    if isinstance(by_value, TypeAttr):
        align = attributes.get("llvm.align")
        return _copy_of(call, function, value, by_value, align.value if isinstance(align, IntegerAttr) else 1, rewriter)
    mark = rewriter.create(COPY, [value], [value.type])
    if "llvm.noalias" in attributes:
        mark.attributes["llvm.noalias"] = UNIT
    return mark.result


def _copy_of(
    call: Operation, function: ops.FuncOp, value: Value, of: TypeAttr, wanted: int, rewriter: Rewriter
) -> Value:
    """The pointer itself, if nobody writes there and it is aligned as it should be; else one to a copy."""
    layout = DataLayout()
    least = layout.alignment(of.type)
    if _only_reads(function) and (wanted <= least or _enforced(value, wanted) >= wanted):
        return value
    block = value.parent_block
    region = block.parent if block is not None else None
    if region is None or region.first is None:
        return value
    with rewriter.standing_in(call):
        rewriter.span, rewriter.location = source_of(value)
        return _copied(value, of, max(wanted, least), layout.size(of.type), region.first, rewriter)


def _copied(value: Value, of: TypeAttr, alignment: int, size: int, entry: Block, rewriter: Rewriter) -> Value:
    """Memory at the entry, into which what the pointer points to is copied."""
    with rewriter.elsewhere():
        rewriter.set_insertion_to_start(entry)
        one = rewriter.create("llvm.mlir.constant", (), [I64], {"value": i64_attr(1)}).result
        properties = {"elem_type": of, "alignment": i64_attr(alignment)}
        memory = rewriter.create("llvm.alloca", [one], [value.type], properties).result
    bytes = rewriter.create("llvm.mlir.constant", (), [I64], {"value": i64_attr(size)}).result
    rewriter.create("llvm.intr.memcpy", [memory, value, bytes], (), {"isVolatile": FALSE})
    return memory


_WRITES: Final = (2, 3)
"""The numbers by which effects on memory say that it is written: alone, and read as well."""


def _only_reads(function: ops.FuncOp) -> bool:
    """Whether the function says that it writes to no memory that it gets by arguments."""
    effects = function.memory_effects
    return isinstance(effects, DialectAttr) and effects.parameter("argMem") not in _WRITES


def _enforced(value: Value, wanted: int) -> int:
    """The alignment that a pointer is known to have, or that memory on the stack is given."""
    op = value.defining_op
    if op is not None:
        alignment = op.alignment if isinstance(op, ops.AllocaOp) else _of_global(op)
        known = alignment.value if alignment is not None else 1
        natural = _stack_alignment(op)
        # More than the stack has would have it realigned at run time, unless it is already.
        may_grow = not natural or 8 * wanted <= natural or 8 * known > natural
        if not isinstance(op, ops.AllocaOp) or wanted <= known or not may_grow:
            return known
        op.properties["alignment"] = i64_attr(wanted)
        return wanted
    block = value.parent_block
    function = block.parent.parent if block is not None and block.parent is not None else None
    if not isinstance(value, BlockArgument) or not isinstance(function, ops.FuncOp):
        return 1
    own = function.arg_attrs.elements[value.index] if function.arg_attrs is not None else None
    align = dict(own.entries).get("llvm.align") if isinstance(own, DictAttr) else None
    return align.value if isinstance(align, IntegerAttr) else 1


def _stack_alignment(op: Operation) -> int:
    """The bits by which the stack is aligned, as the data layouts around say, the closest first; 0 for unknown."""
    for around in ancestors(op):
        layout = around.attribute("dlti.dl_spec")
        entries = dict(layout.entries) if isinstance(layout, EntriesAttr) else {}
        value = entries.get("dlti.stack_alignment")
        if isinstance(value, IntegerAttr):
            return value.value
    return 0


def _of_global(op: Operation) -> IntegerAttr | None:
    """The alignment of the global variable whose address this is."""
    around = next(filter(is_module, ancestors(op)), None)
    if not isinstance(op, ops.MlirAddressofOp) or around is None:
        return None
    for operation in around.regions[0].operations():
        if isinstance(operation, ops.MlirGlobalOp) and operation.sym_name.value == op.global_name.root:
            return operation.alignment
    return None


# ---- what came in


def _finish(call: ops.CallOp, blocks: Sequence[Block], rewriter: Rewriter) -> None:
    _finish_allocations(call, blocks, rewriter)
    finish_scopes(call, blocks, rewriter)
    if isinstance(call.access_groups, ArrayAttr):
        for op in (op for block in blocks for op in block):
            append_to(op, "access_groups", call.access_groups)
    relocate_loops(call, blocks)


def _entry_around(call: Operation) -> Block | None:
    """The entry of the region in which memory on the stack lives as long as the caller runs."""
    op = call
    while op.parent_op is not None:
        region = op.parent_region
        if op.parent_op.has(ISOLATED_FROM_ABOVE) or op.parent_op.has(AUTOMATIC_ALLOCATION_SCOPE):
            return region.first if region is not None else None
        op = op.parent_op
    return None


def _finish_allocations(call: Operation, blocks: Sequence[Block], rewriter: Rewriter) -> None:
    """Memory of a known size moves to the entry of the caller, and is marked for as long as the function runs; where
    the size is not known, the stack is put back."""
    entry, first = _entry_around(call), blocks[0]
    if entry is None or entry is first:
        return
    moved: list[tuple[Operation, IntegerAttr, bool]] = []
    for op in first:
        size = constant_value(op.arraySize) if isinstance(op, ops.AllocaOp) else None
        if isinstance(size, IntegerAttr):
            moved.append((op, size, size.value != 0 and not _is_marked(op)))
    is_dynamic = any(
        isinstance(op, ops.AllocaOp) and constant_value(op.arraySize) is None for block in blocks for op in block
    )
    if not moved and not is_dynamic:
        return
    stack: Value | None = None
    if is_dynamic:
        rewriter.stand_in(call)
        rewriter.set_insertion_to_start(first)
        stack = rewriter.create("llvm.intr.stacksave", (), [PTR]).result
    anchor = entry.first
    for op, size, is_marked in moved:
        rewriter.stand_in(op)
        rewriter.block, rewriter.anchor = entry, anchor
        constant = rewriter.create("llvm.mlir.constant", (), [op.operands[0].type], {"value": size})
        if is_marked:
            rewriter.set_insertion_before(op)
            rewriter.create("llvm.intr.lifetime.start", op.results)
        rewriter.move_before(op, entry, constant.next)
        op.set_operand(0, constant.result)
    if stack is None and not any(is_marked for _, _, is_marked in moved):
        return
    for block in blocks:
        end = block.last
        if end is None or end.name != INLINING.returns:
            continue
        rewriter.set_insertion_before(end)
        if stack is not None:
            rewriter.stand_in(call)
            rewriter.create("llvm.intr.stackrestore", [stack])
        for op, _, is_marked in moved:
            if is_marked:
                rewriter.stand_in(op)
                rewriter.create("llvm.intr.lifetime.end", op.results)


def _is_marked(op: Operation) -> bool:
    """Whether it is said already how long the memory is used."""
    pending = list(op.result.uses)
    while pending:
        user = pending.pop()
        if isinstance(user, (ops.IntrLifetimeStartOp, ops.IntrLifetimeEndOp)):
            return True
        if isinstance(user, ops.BitcastOp):
            pending += user.result.uses
    return False


_STAYING: Final = ("llvm.intr.vastart", "llvm.blocktag")
"""What belongs to the function in which it stands."""


def _holds(op: Operation, target: Region) -> bool:
    del target
    return op.name not in _STAYING


INLINING: Final = InliningRules("llvm.return", "llvm.br", _may_inline, _joins, _argument, _finish, holds=_holds)
