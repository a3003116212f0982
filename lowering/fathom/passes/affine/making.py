"""Affine loops and accesses, made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects.affine.composition import canonicalize, compose
from fathom.ir.affine import AffineMap, identity_map
from fathom.ir.attributes import AffineMapAttr, index_attr
from fathom.ir.operation import Block, Region, types_of
from fathom.ir.types import INDEX, MemRefType
from fathom.irdl.build import segment_sizes
from fathom.ops.affine import ApplyOp, ForOp
from fathom.records import replace
from fathom.rewriting.pattern import defined_by

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter


def compose_applied(map: AffineMap, operands: Sequence[Value]) -> tuple[AffineMap, list[Value]]:
    """The map composed with the `affine.apply` that its operands come from; as it is where there is none."""
    if not any(defined_by(operand, ApplyOp) is not None for operand in operands):
        return map, [*operands]
    return compose(map, operands)


def make_loop(
    rewriter: Rewriter,
    lower: tuple[AffineMap, Sequence[Value]],
    upper: tuple[AffineMap, Sequence[Value]],
    step: int = 1,
    inits: Sequence[Value] = (),
) -> ForOp:
    """An `affine.for` between bounds. Without initial values its body ends."""
    block = Block([INDEX, *types_of(inits)])
    for argument in block.arguments:
        argument.span, argument.location = rewriter.span, rewriter.location
    properties = {
        "lowerBoundMap": AffineMapAttr(lower[0]),
        "upperBoundMap": AffineMapAttr(upper[0]),
        "step": index_attr(step),
        "operandSegmentSizes": segment_sizes(len(lower[1]), len(upper[1]), len(inits)),
    }
    operands = [*lower[1], *upper[1], *inits]
    made = rewriter.create("affine.for", operands, types_of(inits), properties, regions=[Region([block])])
    assert isinstance(made, ForOp), "the loop is made of its name"
    if not inits:
        with rewriter.elsewhere():
            rewriter.set_insertion_to_end(block)
            rewriter.create("affine.yield")
    return made


def make_canonical_loop(
    rewriter: Rewriter, lower: tuple[AffineMap, Sequence[Value]], upper: tuple[AffineMap, Sequence[Value]]
) -> ForOp:
    """The same with bounds that are composed and canonical, each said once."""

    def tidy(bound: tuple[AffineMap, Sequence[Value]]) -> tuple[AffineMap, list[Value]]:
        map, values = canonicalize(*compose_applied(*bound))
        return replace(map, results=tuple(dict.fromkeys(map.results))), values

    return make_loop(rewriter, tidy(lower), tidy(upper))


def load(rewriter: Rewriter, memref: Value, map: AffineMap, operands: Sequence[Value]) -> Value:
    """An `affine.load`."""
    assert isinstance(memref.type, MemRefType), "loads are from memrefs"
    properties = {"map": AffineMapAttr(map)}
    return rewriter.create("affine.load", [memref, *operands], [memref.type.element], properties).result


def store(rewriter: Rewriter, value: Value, memref: Value, map: AffineMap, operands: Sequence[Value]) -> Operation:
    """An `affine.store`."""
    return rewriter.create("affine.store", [value, memref, *operands], [], {"map": AffineMapAttr(map)})


def subscripts(values: Sequence[Value]) -> tuple[AffineMap, list[Value]]:
    """Values as subscripts, one each."""
    return identity_map(len(values)), [*values]


def apply_map(rewriter: Rewriter, map: AffineMap, operands: Sequence[Value]) -> Value:
    """An `affine.apply`, as it is."""
    return rewriter.create("affine.apply", operands, [INDEX], {"map": AffineMapAttr(map)}).result
