"""Memrefs that are allocated or reinterpreted, without their layout: part of `normalize-memrefs`.

Source of the rules: the behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.affine import AffineMap
from fathom.ir.attributes import AffineMapAttr
from fathom.ir.operation import Operation, Value
from fathom.ir.types import DYNAMIC, INDEX, MemRefType
from fathom.ops.memref import AllocaOp, AllocOp, ReinterpretCastOp
from fathom.passes.arithmetic import binary, constant
from fathom.passes.buffers import allocate
from fathom.passes.transforms.normalize_memrefs.layouts import layout_map, normalized, size_of_tile, tiles_of
from fathom.passes.transforms.normalize_memrefs.uses import replace_uses
from fathom.rewriting.slicing import sliced

if TYPE_CHECKING:
    from fathom.rewriting.rewriter import Rewriter


def normalize_allocation(op: AllocOp | AllocaOp, rewriter: Rewriter) -> None:
    """`memref.alloc` and `memref.alloca`. What deallocates the memory deallocates that without the layout."""
    layout = _layout_to_remove(op)
    if layout is None:
        return
    old, new, map = layout
    rewriter.set_insertion_before(op)
    rewriter.stand_in(op)
    sizes: list[Value] = []
    if DYNAMIC in new.ranked_shape and tiles_of(map):
        given = iter(op.dynamicSizes)
        inputs = [next(given) if size == DYNAMIC else constant(rewriter, size) for size in old.ranked_shape]
        for place, size in enumerate(new.ranked_shape):
            if size == DYNAMIC:
                attribute = AffineMapAttr(AffineMap(map.inputs, map.symbols, (size_of_tile(map, place),)))
                sizes.append(rewriter.create("affine.apply", inputs, [INDEX], {"map": attribute}).result)
    made = allocate(rewriter, new, sizes, op.alignment, on_stack=isinstance(op, AllocaOp))
    _take_over(op, made, map, op.symbolOperands, rewriter)


def normalize_reinterpretation(op: ReinterpretCastOp, rewriter: Rewriter) -> None:
    """`memref.reinterpret_cast`: the last index in each dimension tells the new sizes."""
    layout = _layout_to_remove(op)
    strides = op.strides
    if layout is None or layout[2].symbols != len(strides):
        return
    old, new, map = layout
    rewriter.set_insertion_before(op)
    rewriter.stand_in(op)
    given = iter(op.sizes)
    last: list[Value] = []
    for size in old.ranked_shape:
        if size == DYNAMIC:
            one = constant(rewriter, 1)
            last.append(binary(rewriter, "subi", next(given), one))
        else:
            last.append(constant(rewriter, size - 1))
    applied = [
        rewriter.create(
            "affine.apply",
            [*last, *strides],
            [INDEX],
            {"map": AffineMapAttr(AffineMap(map.dims, map.symbols, (map.results[place],)))},
        ).result
        for place, size in enumerate(new.ranked_shape)
        if size == DYNAMIC
    ]
    sizes = iter([binary(rewriter, "addi", value, constant(rewriter, 1)) for value in applied])
    shape = [next(sizes) if size == DYNAMIC else size for size in new.ranked_shape]
    rank = len(shape)
    made = sliced(rewriter, op.name, op.source, new, [0] * rank, shape, [1] * rank)
    _take_over(op, made, map, strides, rewriter)


def _layout_to_remove(op: Operation) -> tuple[MemRefType, MemRefType, AffineMap] | None:
    """The type of a result, that without its layout, and the layout's map; None where it stays."""
    old = op.result.type
    new, map = normalized(old), layout_map(old)
    if not isinstance(old, MemRefType) or not isinstance(new, MemRefType) or map is None or new == old:
        return None
    return old, new, map


def _take_over(op: Operation, made: Value, map: AffineMap, symbols: list[Value], rewriter: Rewriter) -> None:
    """Replaces the result of an operation by a memref without its layout, which goes again where a user cannot
    follow."""
    if not replace_uses(op.result, made, map, rewriter, symbols, deallocations=False):
        if made.defining_op is not None:
            made.defining_op.erase()
        return
    rewriter.replace(op, [made])
