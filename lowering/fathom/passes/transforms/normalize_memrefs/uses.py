"""Uses of a memref, changed to uses of one without its layout: part of `normalize-memrefs`.

Source of the rules: the behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.affine.composition import canonicalize, compose
from fathom.dialects.affine.dma import MAPS
from fathom.dialects.affine.syntax import map_of
from fathom.ir.affine import AffineExpr, AffineMap, identity_map
from fathom.ir.affine_simplification import simplify_map
from fathom.ir.attributes import AffineMapAttr
from fathom.ir.operation import Operation, Value, types_of
from fathom.ir.types import INDEX, MemRefType
from fathom.ops.affine import DmaStartOp, DmaWaitOp
from fathom.ops.memref import DeallocOp, LoadOp, StoreOp
from fathom.rewriting.pattern import Operations

if TYPE_CHECKING:
    from fathom.rewriting.rewriter import Rewriter

TRAIT: Final = "MemRefsNormalizable"
FOLLOWING: Final = Operations(
    "func.call",
    "func.return",
    "memref.cast",
    "memref.dealloc",
    "memref.dim",
    "memref.load",
    "memref.memory_space_cast",
    "memref.reinterpret_cast",
    "memref.store",
)
"""What is as good with a memref that has no layout, besides operations whose description says so."""

WITH_MAPS: Final = "AffineMapAccessInterface"


def follows(op: Operation) -> bool:
    """Whether an operation can take a memref without the layout that it had."""
    return op in FOLLOWING or _says(op, TRAIT)


def _says(op: Operation, trait: str) -> bool:
    return op.definition is not None and any(own_trait.name == trait for own_trait in op.definition.traits)


def replace_uses(
    old: Value, new: Value, layout: AffineMap, rewriter: Rewriter, symbols: Sequence[Value] = (), *, deallocations: bool
) -> bool:
    """Gives all users the new memref, and what accesses elements the indices that the layout makes of the old ones.
    False where a user cannot follow: then nothing is changed. Deallocations are left alone unless it is said."""
    users = [user for user in dict.fromkeys(old.uses) if deallocations or not isinstance(user, DeallocOp)]
    if not all(_says(user, WITH_MAPS) or follows(user) for user in users):
        return False
    if any(_accesses(user) and sum(operand is old for operand in user.operands) > 1 for user in users):
        return False
    for user in users:
        if _accesses(user):
            _replace_access(user, old, new, layout, symbols, rewriter)
        else:
            for index, operand in enumerate(user.operands):
                if operand is old:
                    user.set_operand(index, new)
    return True


def _accesses(op: Operation) -> bool:
    return isinstance(op, (LoadOp, StoreOp)) or _says(op, WITH_MAPS)


def _map_name(op: Operation, place: int) -> str | None:
    """The attribute with the map of the memref among the operands at a place; None for an access without."""
    if not _says(op, WITH_MAPS):
        return None
    if not isinstance(op, (DmaStartOp, DmaWaitOp)):
        return "map"
    start = 0
    for name in MAPS if isinstance(op, DmaStartOp) else MAPS[-1:]:
        if start == place:
            return name
        start += map_of(op, name).inputs + 1
    return None


def _replace_access(
    op: Operation, old: Value, new: Value, layout: AffineMap, symbols: Sequence[Value], rewriter: Rewriter
) -> None:
    place = next(index for index, operand in enumerate(op.operands) if operand is old)
    name = _map_name(op, place)
    type = old.type
    assert isinstance(type, MemRefType), "what is replaced is a memref"
    before = map_of(op, name) if name is not None else identity_map(len(type.ranked_shape))
    rewriter.set_insertion_before(op)
    rewriter.stand_in(op)
    given = op.operands[place + 1 : place + 1 + before.inputs]
    behind = op.operands[place + 1 + before.inputs :]
    made: list[Operation] = []
    indices = _applied(rewriter, before, given, made)
    map, values = _composed(_applied(rewriter, layout, [*indices, *symbols], made))
    for apply in made:
        if not apply.result.uses:
            apply.erase()
    properties, attributes = dict(op.properties), dict(op.attributes)
    if name is None:
        values = [_apply(rewriter, map, result, values).result for result in map.results]
    else:
        (properties if name in properties else attributes)[name] = AffineMapAttr(map)
    operands = [*op.operands[:place], new, *values, *behind]
    again = rewriter.create(op.name, operands, types_of(op.results), properties, attributes)
    again.properties = properties
    rewriter.replace(op, again.results)


def _applied(rewriter: Rewriter, map: AffineMap, values: Sequence[Value], made: list[Operation]) -> list[Value]:
    """A value for each result of a map; `made` gets what is inserted for that."""
    if map == identity_map(map.dims):
        return [*values]
    applies = [_apply(rewriter, map, result, values) for result in map.results]
    made += applies
    return [apply.result for apply in applies]


def _apply(rewriter: Rewriter, map: AffineMap, result: AffineExpr, values: Sequence[Value]) -> Operation:
    attribute = AffineMapAttr(AffineMap(map.dims, map.symbols, (result,)))
    return rewriter.create("affine.apply", values, [INDEX], {"map": attribute})


def _composed(values: Sequence[Value]) -> tuple[AffineMap, list[Value]]:
    """The map that makes these values of those that they were made of."""
    map, operands = compose(identity_map(len(values)), values)
    return canonicalize(simplify_map(map), operands)
