"""The canonicalisation of affine operations: their maps are composed with those that made the operands, and simplified.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.affine.composition import compose
from fathom.dialects.affine.ranges import simplify_by_ranges
from fathom.dialects.affine.syntax import map_of
from fathom.ir.attributes import AffineMapAttr
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter


def simplified_map(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """
        %0 = affine.apply affine_map<(d0) -> (d0 + 1)>(%i)
        %1 = affine.load %m[%0 * 2] : memref<8xf32>
    becomes
        %1 = affine.load %m[%i * 2 + 2] : memref<8xf32>
    """
    before = map_of(op)
    first = len(operands) - before.inputs
    map, values = compose(before, operands[first:])
    map = simplify_by_ranges(map, values)
    if map == before and all(new is old for new, old in zip(values, operands[first:], strict=True)):
        return Failure("the map is as simple as it can be")
    types = [result.type for result in op.results]
    properties = {**op.properties, "map": AffineMapAttr(map)}
    rewriter.replace_with(op, op.name, [*operands[:first], *values], types, properties)
    return None


PATTERNS: Final = tuple(
    Pattern(f"affine.{name}", simplified_map, name=f"SimplifyAffineOp<Affine{label}Op>")
    for name, label in (
        ("apply", "Apply"),
        ("load", "Load"),
        ("store", "Store"),
        ("prefetch", "Prefetch"),
        ("vector_load", "VectorLoad"),
        ("vector_store", "VectorStore"),
    )
)
