"""The patterns of `tosa-to-scf`.

Source of the rules: *TOSA specification*, "Control Flow" and "scatter", and the order of the operations that mlir-opt
22 makes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.operation import Block, Region
from fathom.ir.types import DYNAMIC, INDEX, TensorType
from fathom.passes.arithmetic import constant
from fathom.passes.buffers import loop
from fathom.passes.tensors import extract, extract_slice, insert_slice, tensor_type
from fathom.rewriting.pattern import Pattern
from fathom.rewriting.result_shapes import folded_dim_value

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops import tosa as ops
    from fathom.rewriting.conversion_rewriter import ConversionRewriter


def _cond_if(op: ops.CondIfOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> None:
    """The arguments of the regions are the values that were handed in."""
    condition = extract(rewriter, op.condition)
    types = [result.type for result in op.results]
    regions = [Region([Block()]), Region([Block()])]
    made = rewriter.create("scf.if", [condition], types, regions=regions)
    for source, target in zip((op.then_graph, op.else_graph), made.regions, strict=True):
        assert source.first is not None and target.first is not None, "each has a block"
        rewriter.inline_block_before(source.first, target.first, None, op.input_list)
        _end(rewriter, target.first)
    rewriter.replace(op, list(made.results))


def _while_loop(op: ops.WhileLoopOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> None:
    """What decides hands on what it got."""
    types = [result.type for result in op.results]
    made = rewriter.create("scf.while", op.input_list, types, regions=[Region(), Region()])
    before, after = made.regions
    rewriter.inline_region_before(op.cond_graph, before, None)
    rewriter.inline_region_before(op.body_graph, after, None)
    assert before.first is not None and after.first is not None, "each has a block"
    _end(rewriter, before.first, decides=True)
    _end(rewriter, after.first)
    rewriter.replace(op, list(made.results))


def _end(rewriter: ConversionRewriter, block: Block, *, decides: bool = False) -> None:
    """Ends a block as scf has it."""
    last = block.last
    assert last is not None, "a block ends with what it yields"
    with rewriter.elsewhere(), rewriter.standing_in(last):
        rewriter.set_insertion_before(last)
        if decides:
            rewriter.create("scf.condition", [extract(rewriter, last.operands[0]), *block.arguments])
        else:
            rewriter.create("scf.yield", last.operands)
        rewriter.erase(last)


def _scatter(op: ops.ScatterOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> None:
    """Each row of the input goes where its index says."""
    extents = [folded_dim_value(rewriter, op.input, dimension) for dimension in range(3)]
    zero, one = constant(rewriter, 0), constant(rewriter, 1)
    sizes, strides = [one, one, extents[2]], [one, one, one]
    slice_type = TensorType((DYNAMIC,) * 3, tensor_type(op.input).element)

    def write(places: Sequence[Value], target: Value) -> Value:
        row = rewriter.create("arith.index_cast", [extract(rewriter, op.indices, places)], [INDEX]).result
        lists = [[*places, zero], sizes, strides]
        part = extract_slice(rewriter, op.input, slice_type, lists).result
        return insert_slice(rewriter, part, target, [[places[0], row, zero], sizes, strides]).result

    def nest(places: Sequence[Value], target: Value) -> Value:
        if len(places) == 2:
            return write(places, target)
        bounds = (zero, extents[len(places)], one)
        return loop(rewriter, bounds, [target], lambda index, carried: [nest([*places, index], carried[0])]).result

    rewriter.replace(op, [nest([], op.values_in)])


PATTERNS: Final = (
    Pattern("tosa.cond_if", _cond_if, name="IfOpConverter"),
    Pattern("tosa.scatter", _scatter, name="ScatterOpConverter"),
    Pattern("tosa.while_loop", _while_loop, name="WhileOpConverter"),
)
