"""Affine loops that only hold one another, as one loop; which of them may become one, also of those of scf.

    affine.for %i = 0 to %n { affine.for %j = 0 to %k { "use"(%i, %j) } }
->
    %0 = affine.apply (d0)[s0] -> (d0 * s0)(%n)[%k]
    affine.for %ij = 0 to %0 { %j = affine.apply (d0 mod s0)  %i = affine.apply (d0 floordiv s0)  … }

Affine loops that carry values become one only where those stay what they began with, since the values of several
iterations would have to be told apart: MLIR does not look.
Source of the rules: `LoopUtils.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.affine.loop_folds import set_bound
from fathom.dialects.affine.scope import affine_scope, is_symbol
from fathom.dialects.affine.syntax import constant_bound
from fathom.ir.affine import AffineDim, AffineExpr, AffineMap, AffineSymbol, divide, multiply
from fathom.ir.attributes import AffineMapAttr
from fathom.ir.operation import BlockArgument, OpResult
from fathom.ir.types import INDEX
from fathom.ops import scf
from fathom.ops.affine import ForOp
from fathom.passes.affine.nests import perfect_nest
from fathom.passes.loops.coalescing import coalesce_scf, scf_chains

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter

    L = TypeVar("L", ForOp, scf.ForOp)

_PRODUCT: Final = multiply(AffineDim(0), AffineSymbol(0))
_QUOTIENT: Final = divide("floordiv", AffineDim(0), AffineSymbol(0))
_REMAINDER: Final = divide("mod", AffineDim(0), AffineSymbol(0))


def coalesce_all(root: Operation, rewriter: Rewriter) -> None:
    """Makes one loop of what can be one, the outer ones first."""
    pending = [root]
    while pending:
        op = pending.pop()
        if isinstance(op, scf.ForOp):
            loops = perfect_nest(op, scf.ForOp)
            bounds = [loop.operands[:3] for loop in loops]
            _coalesce_bands(loops, bounds, scf_chains(loops), lambda band: coalesce_scf(band, rewriter))
        elif isinstance(op, ForOp):
            nest = perfect_nest(op, ForOp)
            chains = [0] * len(nest)
            _coalesce_bands(nest, [loop.operands for loop in nest], chains, lambda band: _coalesce(band, rewriter))
        pending += reversed([inner for region in op.regions for inner in region.operations()])


def _coalesce_bands(
    loops: Sequence[L],
    needed: Sequence[Sequence[Value]],
    chains: Sequence[int],
    coalesce: Callable[[Sequence[L]], None],
) -> None:
    """Coalesces the loops of a nest from the inside out, as many at once as need nothing of one another; `chains` says
    from which loop on each hands on what it carries."""
    above = [_outermost_without(loops[: place + 1], values) for place, values in enumerate(needed)]
    end = len(loops)
    while end > 0:
        start = next(
            (start for start in range(end - 1) if max(above[start:end]) <= start and chains[end - 1] <= start),
            None,
        )
        if start is not None:
            coalesce(loops[start:end])
        end = end - 1 if start is None else start


def _outermost_without(loops: Sequence[Operation], values: Sequence[Value]) -> int:
    """The place of the outermost of these loops, one in the other, that does not define any of these values; at most
    the last one."""
    places = {loop: place for place, loop in enumerate(loops)}
    outermost = 0
    for value in values:
        op = _holder(value)
        while op is not None:
            if op in places:
                outermost = max(outermost, places[op] + 1)
                break
            op = op.parent_op
    return min(outermost, len(loops) - 1)


def _holder(value: Value) -> Operation | None:
    """The operation in which a value is defined."""
    if isinstance(value, OpResult):
        return value.defining_op.parent_op if value.defining_op is not None else None
    return value.block.parent.parent if isinstance(value, BlockArgument) and value.block.parent is not None else None


def _coalesce(loops: Sequence[ForOp], rewriter: Rewriter) -> None:
    if any(loop.step.value != 1 or constant_bound(loop.lowerBoundMap) != 0 for loop in loops):
        return
    if not _hand_on(loops) or not _have_symbols(loops):
        return
    outermost, second, innermost = loops[0], loops[1], loops[-1]
    rewriter.set_insertion_before(outermost)
    rewriter.stand_in(outermost)
    total = _upper_bound(outermost, rewriter)
    extents = [total]
    for loop in loops[1:]:
        extents.append(_upper_bound(loop, rewriter))
        total = _apply(rewriter, _PRODUCT, total, extents[-1])
    set_bound(outermost, AffineMap(0, 1, (AffineSymbol(0),)), [total], is_upper=True)

    for loop in loops[1:]:
        for argument, initial in zip(loop.region.entry.arguments[1:], loop.inits, strict=True):
            rewriter.replace_all_uses(argument, initial)
        for result, initial in zip(loop.results, loop.inits, strict=True):
            rewriter.replace_all_uses(result, initial)
    body = outermost.region.entry
    rewriter.set_insertion_to_start(body)
    rest: Value = body.arguments[0]
    users = list(rest.uses)
    for place in range(len(loops) - 1, -1, -1):
        if place < len(loops) - 1:
            rest = _apply(rewriter, _QUOTIENT, rest, extents[place + 1])
        index = rest if place == 0 else _apply(rewriter, _REMAINDER, rest, extents[place])
        variable = loops[place].region.entry.arguments[0]
        for user in users if place == 0 else list(variable.uses):
            rewriter.use_instead(user, variable, index)
    rewriter.erase(innermost.region.entry.end)
    for op in list(innermost.region.entry):
        rewriter.move_before(op, body, second)
    rewriter.erase(second)


def _hand_on(loops: Sequence[ForOp]) -> bool:
    """Whether loops end with the values that they began with."""
    inner: ForOp | None = None
    for loop in reversed(loops):
        carried = loop.region.entry.arguments[1:]
        for value, argument in zip(loop.region.entry.end.operands, carried, strict=True):
            given = value
            if inner is not None and isinstance(value, OpResult) and value.defining_op is inner:
                given = inner.inits[value.index]
            if given is not argument:
                return False
        inner = loop
    return True


def _have_symbols(loops: Sequence[ForOp]) -> bool:
    """Whether the variables of loops can be divided by how often they run: MLIR does not look, and what it makes is not
    valid."""
    region = loops[0].parent_region
    if region is not None and region is affine_scope(loops[0]):
        return True
    return all(is_symbol(value) for loop in loops for value in loop.upperBoundOperands)


def _upper_bound(loop: ForOp, rewriter: Rewriter) -> Value:
    map = loop.upperBoundMap
    name = "affine.apply" if len(map.map.results) == 1 else "affine.min"
    return rewriter.create(name, loop.upperBoundOperands, [INDEX], {"map": map}).result


def _apply(rewriter: Rewriter, expr: AffineExpr, dim: Value, symbol: Value) -> Value:
    property = {"map": AffineMapAttr(AffineMap(1, 1, (expr,)))}
    return rewriter.create("affine.apply", [dim, symbol], [INDEX], property).result
