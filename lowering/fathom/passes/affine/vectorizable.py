"""Which affine loops can be made vectors of: what their bodies do, and how it moves through memory.

Source of the rules: `LoopAnalysis.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from fathom.dialects.affine.composition import canonicalize, compose
from fathom.ir.affine import AffineDim, AffineSymbol, identity_map, leaves
from fathom.ir.types import VECTOR_ELEMENT, FloatType, IndexType, IntegerType, MemRefType, VectorType
from fathom.ops.affine import ForOp, IfOp, LoadOp, StoreOp
from fathom.ops.vector import TransferReadOp, TransferWriteOp
from fathom.passes.affine.domains import variable
from fathom.passes.affine.effort import OF_COMPOSING, count_steps
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type

    Access: TypeAlias = "LoadOp | StoreOp"


def is_vector_element(type: Type) -> bool:
    """Whether a vector may have elements of a type."""
    return isinstance(type, (IntegerType, IndexType, FloatType)) or VECTOR_ELEMENT in type.interfaces


def is_invariant(index: Value, of: Value) -> bool:
    """Whether an index does not follow from the variable of a loop."""
    count_steps(OF_COMPOSING)
    map, values = canonicalize(*compose(identity_map(1), [index]))
    place = next((place for place, value in enumerate(values) if value is of), None)
    return place is None or AffineDim(place) not in leaves(map.results[0])


@record
class Moves:
    """Which dimension of the memrefs that a loop accesses its variable moves along, counted from the last; None where
    it moves along none."""

    dimension: int | None


def moves_along(loop: ForOp) -> Moves | None:
    """How a loop that can be vectorized moves; None for any other."""
    if not has_vectorizable_body(loop):
        return None
    dimension: int | None = None
    for op in loop.walk_postorder():
        if not isinstance(op, (LoadOp, StoreOp)):
            continue
        moves = moves_of(op, variable(loop))
        if moves is None:
            return None
        if moves.dimension is None:
            continue
        if dimension is not None and dimension != moves.dimension:
            return None
        dimension = moves.dimension
    return Moves(dimension)


def moves_of(op: Access, index: Value) -> Moves | None:
    """None where several subscripts follow from the variable of a loop, or the layout is not known."""
    map, type = op.map.map, op.memref.type
    assert isinstance(type, MemRefType), "accesses are to memrefs"
    if type.layout is not None:
        return None
    varying: int | None = None
    for place, result in enumerate(map.results):
        for leaf in leaves(result):
            if not isinstance(leaf, (AffineDim, AffineSymbol)):
                continue
            operand = op.indices[leaf.position + (map.dims if isinstance(leaf, AffineSymbol) else 0)]
            if is_invariant(operand, index):
                continue
            if varying is not None:
                return None
            varying = place
    return Moves(None if varying is None else len(map.results) - varying - 1)


def has_vectorizable_body(loop: ForOp) -> bool:
    """Whether all that a loop does can be done by vectors: on scalars, without conditions."""
    return all(is_vectorizable(op) for op in loop.walk())


def is_vectorizable(op: Operation) -> bool:
    count_steps(4)
    if isinstance(op, (IfOp, TransferReadOp, TransferWriteOp)) or (op.regions and not isinstance(op, ForOp)):
        return False
    if not all(is_vector_element(result.type) for result in op.results):
        return False
    return all(_is_scalar(operand.type) for operand in op.operands)


def _is_scalar(type: Type) -> bool:
    if isinstance(type, MemRefType):
        return is_vector_element(type.element) and not isinstance(type.element, VectorType)
    return is_vector_element(type)


def sequence_of(indices: Sequence[Value], of: Value) -> list[int]:
    """The places of the indices that follow from the variable of a loop."""
    return [place for place, index in enumerate(indices) if not is_invariant(index, of)]
