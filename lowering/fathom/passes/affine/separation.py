"""Tiles that are whole, with loops of their own: their bounds are so far apart as the tile is long.

    affine.for %i = %t to min (d0 + 32, s0)(%t)[%n] { … }
->
    affine.if (d0)[s0] : (-d0 + s0 - 32 >= 0)(%t)[%n] {
      affine.for %i = %t to (d0 + 32)(%t) { … }
    } else {
      affine.for %i = %t to min (d0 + 32, s0)(%t)[%n] { … }
    }

Source of the rules: `LoopUtils.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects.affine.composition import canonicalize
from fathom.ir.affine import AffineConstant, AffineDim, AffineMap, substitute
from fathom.ir.attributes import IntegerSetAttr
from fathom.ir.operation import Block, Region
from fathom.passes.affine.domains import index_set
from fathom.passes.affine.extents import extent
from fathom.passes.affine.flattening import expression
from fathom.passes.affine.integer_sets import set_of
from fathom.passes.affine.making import make_canonical_loop
from fathom.passes.affine.representations import local_expressions
from fathom.records import replace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.dialects.affine.composition import Applied
    from fathom.ir.affine import IntegerSet
    from fathom.ir.operation import Value
    from fathom.ops.affine import ForOp
    from fathom.passes.affine.system import System
    from fathom.rewriting.rewriter import Rewriter


def separate_full_tiles(nest: Sequence[ForOp], rewriter: Rewriter) -> None:
    """Gives tiles that are whole loops of their own, if loops by one are over what is in a tile, and what there is to
    ask is known."""
    bounds = [_full_bounds(loop) for loop in nest]
    condition = _is_full(nest)
    if condition is None:
        return
    root = nest[0]
    rewriter.set_insertion_before(root)
    rewriter.stand_in(root)
    blocks = _branch(rewriter, *condition)
    values: dict[Value, Value] = {}
    rewriter.set_insertion_to_start(blocks[0])
    for loop, bound in zip(nest, bounds, strict=True):
        if bound is None:
            return
        lower, upper = bound
        made = make_canonical_loop(rewriter, _through(lower, values), _through(upper, values))
        values[loop.region.entry.arguments[0]] = made.region.entry.arguments[0]
        rewriter.set_insertion_before(made.region.entry.end)
    for op in list(nest[-1].region.entry)[:-1]:
        rewriter.clone(op, values)
    rewriter.move_before(root, blocks[1], blocks[1].last)


def _through(bound: Applied, values: dict[Value, Value]) -> Applied:
    map, operands = bound
    return map, [values.get(operand, operand) for operand in operands]


def _branch(rewriter: Rewriter, condition: IntegerSet, operands: Sequence[Value]) -> list[Block]:
    """An `affine.if` with two regions that only end."""
    blocks = [Block(), Block()]
    property = {"condition": IntegerSetAttr(condition)}
    rewriter.create("affine.if", operands, (), property, regions=[Region([block]) for block in blocks])
    for block in blocks:
        with rewriter.elsewhere():
            rewriter.set_insertion_to_end(block)
            rewriter.create("affine.yield")
    return blocks


def _full_bounds(loop: ForOp) -> tuple[Applied, Applied] | None:
    """Two of the bounds of a loop that are a number of iterations apart."""
    if loop.step.value != 1:
        return None
    system = index_set([loop])
    if system is None:
        return None
    system.separate(1)
    known = extent(system, 0)
    if known is None or known.lower_row == known.upper_row:
        return None
    system.separate(system.named)
    return _bound(system, known.lower_row), _bound(system, known.upper_row)


def _bound(system: System, index: int) -> Applied:
    """What an inequality says that the first variable is at least, or less than."""
    first, *row = system.inequalities[index]
    if first > 0:
        row = [-factor for factor in row]
    else:
        row[-1] += 1
    # Without the first variable, which no quotient is made of, the others count from zero.
    exprs = local_expressions(system)[system.named :]
    dims = system.named - 1
    shifted = [AffineConstant(0), *map(AffineDim, range(dims))]
    known = [substitute(expr, shifted, ()) for expr in exprs if expr is not None]
    assert len(known) == len(exprs), "the quotients of bounds are known"
    return AffineMap(dims, 0, (expression(row, dims, 0, known),)), _known_values(system, 1)


def _known_values(system: System, start: int) -> list[Value]:
    values = [value for value in system.values[start:] if value is not None]
    assert len(values) == system.named - start, "the variables stand for values"
    return values


def _is_full(nest: Sequence[ForOp]) -> tuple[IntegerSet, list[Value]] | None:
    """What holds where a tile is whole: the bounds that are a number apart are the sharpest."""
    system = index_set(nest)
    if system is None or any(_full_bounds(loop) is None for loop in nest):
        return None
    count = len(nest)
    system.inequalities = [row for row in system.inequalities if any(row[:count])]
    system.equalities = [row for row in system.equalities if any(row[:count])]
    for _ in nest:
        system.separate(1)
        known = extent(system, 0)
        if known is None:
            return None
        lowers, uppers, _ = system.bounds_on(0)
        low, high = system.inequalities[known.lower_row], system.inequalities[known.upper_row]
        for index in lowers:
            row = system.inequalities[index]
            system.inequalities[index] = [one - other for one, other in zip(low, row, strict=True)]
        for index in uppers:
            row = system.inequalities[index]
            system.inequalities[index] = [one - other for one, other in zip(row, high, strict=True)]
        system.remove(0, 1)
    system.remove_trivial()
    system.separate(system.named)
    found_set = set_of(system)
    if found_set is None:
        return None
    constraints = found_set.constraints
    map = AffineMap(found_set.dims, found_set.symbols, tuple(expr for expr, _ in constraints))
    map, operands = canonicalize(map, _known_values(system, 0))
    kinds = [is_equality for _, is_equality in constraints]
    kept = tuple(zip(map.results, kinds, strict=True))
    return replace(found_set, dims=map.dims, symbols=map.symbols, constraints=kept), operands
