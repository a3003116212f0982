"""What accesses at affine subscripts, and those of vectors, are to pass when they run: the first element lies in the
memref, and the last. MLIR's own checks at run time leave them out.

Source of the rules: *'affine' Dialect*, "affine.load"; *'vector' Dialect*, "vector.load", "vector.transfer_read".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.vector.common import masking_op
from fathom.dialects.vector.transfer_maps import Transfer, in_bounds, map_of, transferred
from fathom.ir.affine import AffineConstant, AffineDim, AffineSymbol, substitute
from fathom.ir.types import INDEX, MemRefType, VectorType
from fathom.passes.affine_expansion import expand
from fathom.rewriting.folding import create_or_fold, integer_constant
from fathom.rewriting.pattern import Failure
from fathom.rewriting.runtime_checks import SGE

if TYPE_CHECKING:
    from fathom.ir.affine import AffineExpr
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type
    from fathom.ops import affine, vector
    from fathom.rewriting.runtime_checks import RuntimeCheck, RuntimeChecks


Affine: TypeAlias = "affine.LoadOp | affine.StoreOp | affine.VectorLoadOp | affine.VectorStoreOp"


def check_affine(op: Affine, checks: RuntimeChecks) -> None:
    """`affine.load` and the like: what the map makes of its operands."""
    memref, map, operands = op.memref, op.map.map, op.indices
    known = [integer_constant(operand) for operand in operands]
    exprs: list[AffineExpr] = [
        AffineDim(place) if place < map.dims else AffineSymbol(place - map.dims) for place in range(map.inputs)
    ]
    given = [AffineConstant(number) if number is not None else expr for number, expr in zip(known, exprs, strict=True)]
    indices: list[Value] = []
    for result in map.results:
        expr = substitute(result, given[: map.dims], given[map.dims :])
        value = expand(checks.rewriter, expr, operands[: map.dims], operands[map.dims :])
        if isinstance(value, Failure):
            return
        indices.append(value)
    _check_reach(memref, indices, _trailing(op, memref), checks)


def check_vector(op: vector.LoadOp | vector.StoreOp, checks: RuntimeChecks) -> None:
    """`vector.load` and `vector.store`."""
    _check_reach(op.base, op.indices, _trailing(op, op.base), checks)


def check_transfer(op: Transfer, checks: RuntimeChecks) -> None:
    """`vector.transfer_read` and `vector.transfer_write` in the dimensions that are said to be in bounds; with a mask,
    which may leave out what is not, in none. In the others what lies behind the memory is left out when they run, and
    what lies in front of it where that is known before (`fathom.passes.vectors.as_defined`)."""
    memref, type, map = op.base, transferred(op), map_of(op)
    if type.scalable or op.mask is not None or masking_op(op) is not None:
        return
    extents = {
        result.position: extent
        for result, extent, within in zip(map.results, type.ranked_shape, in_bounds(op), strict=True)
        if within and isinstance(result, AffineDim)
    }
    _check_reach(memref, op.indices, extents, checks)
    for result, within in zip(map.results, in_bounds(op), strict=True):
        if not within and isinstance(result, AffineDim):
            index = op.indices[result.position]
            if integer_constant(index) is None:
                checks.check(checks.compare(SGE, index, checks.index(0)), "it begins in front of its memory")


def _trailing(op: Operation, memref: Value) -> dict[int, int]:
    """How many elements an access goes along each dimension: as many as the vector has, which lies along the last
    ones."""
    accessed = next(iter((*op.results, *op.operands))).type
    type = memref.type
    rank = len(type.ranked_shape) if isinstance(type, MemRefType) else 0
    extents = dict.fromkeys(range(rank), 1)
    if isinstance(type, MemRefType) and type.element != accessed:
        shape = _fixed_shape(accessed)
        extents.update(zip(range(rank - len(shape), rank), shape, strict=True))
    return extents


def _fixed_shape(type: Type) -> Sequence[int]:
    return type.ranked_shape if isinstance(type, VectorType) and not type.scalable else ()


def _check_reach(memref: Value, indices: Sequence[Value], extents: Mapping[int, int], checks: RuntimeChecks) -> None:
    zero = checks.index(0)
    for position, extent in sorted(extents.items()):
        size = checks.size(memref, position)
        reason = f"out-of-bounds access in dimension {position}" if len(indices) > 1 else "out-of-bounds access"
        reached = [indices[position]]
        if extent > 1:
            steps = checks.index(extent - 1)
            reached.append(create_or_fold(checks.rewriter, "arith.addi", [*reached, steps], INDEX))
        for index in reached:
            checks.check(checks.in_bounds(index, zero, size), reason)


ACCESSES: Final[Mapping[str, RuntimeCheck]] = {
    **{f"affine.{name}": check_affine for name in ("load", "store", "vector_load", "vector_store")},
    **{f"vector.{name}": check_vector for name in ("load", "store")},
    **{f"vector.{name}": check_transfer for name in ("transfer_read", "transfer_write")},
}
