"""`arm-neon-2d-to-intr`: sums of products of rows by the instruction of Neon, which takes the rows one after the other.

    %0 = arm_neon.2d.sdot %a, %b, %c : vector<4x4xi8>, vector<4x4xi8> to vector<4xi32>
->
    %1 = vector.shape_cast %b : vector<4x4xi8> to vector<16xi8>
    %2 = vector.shape_cast %c : vector<4x4xi8> to vector<16xi8>
    %0 = arm_neon.intr.sdot %a, %1, %2 : vector<16xi8>, vector<16xi8> to vector<4xi32>
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter


@record
class ConvertArmNeon2dToIntrPass(Pass):
    """`arm_neon.2d.sdot` becomes `arm_neon.intr.sdot`."""

    name = "arm-neon-2d-to-intr"
    summary = "writes products of rows in arm_neon as calls of its intrinsics"
    handles = ("arm_neon.2d.sdot",)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.rewriting.greedy_driver import apply_patterns
        from fathom.rewriting.pattern import Pattern

        apply_patterns(op, [Pattern("arm_neon.2d.sdot", _flattened, name="Sdot2dLoweringPattern")], context)
        return []


def _flattened(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> None:
    """See the module."""
    from fathom.dialects.vector.common import vector_of, vector_type
    from fathom.passes.vectors.building import shape_cast

    sums, *factors = operands
    type = vector_type(factors[0])
    flat = vector_of([prod(type.ranked_shape)], type.element)
    rows = [shape_cast(rewriter, factor, flat) for factor in factors]
    rewriter.replace_with(op, "arm_neon.intr.sdot", [sums, *rows], [op.results[0].type])
