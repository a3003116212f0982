"""Affine accesses to one memref, made to another one with other subscripts.

Source of the rules: `replaceAllMemRefUsesWith` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from fathom.dialects.affine.composition import canonicalize, compose
from fathom.ir.affine import AffineMap, identity_map
from fathom.ir.affine_simplification import simplify_map
from fathom.ir.attributes import AffineMapAttr
from fathom.ir.operation import types_of
from fathom.ir.types import INDEX
from fathom.irdl.interfaces import EffectKind
from fathom.ops.affine import PrefetchOp
from fathom.passes.affine.accesses import ACCESSES
from fathom.rewriting.effects import has_only_effect_on

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter

    Applied: TypeAlias = "tuple[AffineMap, list[Value]]"

SUBSCRIPTED = (*ACCESSES, PrefetchOp)
"""What has one memref, and a map of subscripts behind it."""


def replace_memref(
    old: Value,
    new: Value,
    remap: AffineMap,
    outer: Sequence[Value],
    rewriter: Rewriter,
    concerns: Callable[[Operation], bool],
) -> bool:
    """Has those that `concerns` holds of access another memref. Its subscripts are `remap` of `outer` and the old
    ones. False, and nothing done, where one of them is no affine access; who frees the memref stays."""
    users: list[Operation] = []
    for user in [*old.uses]:
        if not concerns(user) or has_only_effect_on(user, EffectKind.FREE, old):
            continue
        if not isinstance(user, SUBSCRIPTED) or old.uses[user] > 1:
            return False
        users.append(user)
    for user in users:
        _replace_in(user, old, new, remap, outer, rewriter)
    return True


def _replace_in(
    op: Operation, old: Value, new: Value, remap: AffineMap, outer: Sequence[Value], rewriter: Rewriter
) -> None:
    attribute = op.properties["map"]
    assert isinstance(attribute, AffineMapAttr), "affine accesses have a map"
    map = attribute.map
    at = next(place for place, value in enumerate(op.operands) if value is old)
    indices = op.operands[at + 1 : at + 1 + map.inputs]
    rewriter.set_insertion_before(op)
    with rewriter.standing_in(op):
        composed, values = _remapped(map, indices, remap, outer, rewriter)
        operands = [*op.operands[:at], new, *values, *op.operands[at + 1 + map.inputs :]]
        properties = {**op.properties, "map": AffineMapAttr(composed)}
        rewriter.replace_with(op, op.name, operands, types_of(op.results), properties, op.attributes)


def _remapped(
    map: AffineMap, indices: Sequence[Value], remap: AffineMap, outer: Sequence[Value], rewriter: Rewriter
) -> Applied:
    """A map of outer values and of the results of a map of indices, as one map.

    Those results are made, as MLIR makes them. They are not taken away again where others were made of them in between,
    though nobody uses those.
    """
    inner = [*indices] if map == identity_map(map.dims) else _applied(map, indices, rewriter)
    if remap == identity_map(remap.dims):
        made = compose_values([*outer, *inner])
        if map != identity_map(map.dims):
            _erase_unused(inner, rewriter)
        return made
    results = _applied(remap, [*outer, *inner], rewriter)
    made = compose_values(results)
    for value in results:
        _erase_unused([value], rewriter)
    return made


def _applied(map: AffineMap, operands: Sequence[Value], rewriter: Rewriter) -> list[Value]:
    """The results of a map, each by an `affine.apply`."""
    return [
        rewriter.create(
            "affine.apply", operands, [INDEX], {"map": AffineMapAttr(AffineMap(map.dims, map.symbols, (result,)))}
        ).result
        for result in map.results
    ]


def _erase_unused(values: Sequence[Value], rewriter: Rewriter) -> None:
    for value in values:
        if not value.uses and value.defining_op is not None:
            rewriter.erase(value.defining_op)


def compose_values(values: Sequence[Value]) -> Applied:
    """The map that gives values, composed with all that they come from."""
    map, operands = canonicalize(*compose(identity_map(len(values)), values))
    return canonicalize(simplify_map(map), operands)
