"""`affine.delinearize_index` and `affine.linearize_index` as arithmetic, for several passes."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import FALSE
from fathom.ir.operation import Region
from fathom.ir.types import DYNAMIC
from fathom.irdl.traits import LOOP_LIKE
from fathom.passes.arithmetic import binary, compare, constant, select
from fathom.passes.index_arithmetic import NO_SIGNED_WRAP, NO_WRAP
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Value
    from fathom.ops.affine import DelinearizeIndexOp, LinearizeIndexOp
    from fathom.rewriting.rewriter import Rewriter


def strides_of(
    rewriter: Rewriter, basis: Sequence[int], dynamic: Sequence[Value], flags: Mapping[str, Attribute]
) -> list[Value]:
    """For each number of a basis its product with those behind it. Operands stand for DYNAMIC; those in front that are
    too many are left out."""
    rest = list(dynamic)
    known, unknown = 1, None
    values: list[Value] = []
    for extent in reversed(basis):
        if extent == DYNAMIC:
            value = rest.pop()
            unknown = value if unknown is None else binary(rewriter, "muli", unknown, value, flags)
        else:
            known *= extent
        if unknown is None:
            values.append(constant(rewriter, known))
        elif known == 1:
            values.append(unknown)
        else:
            values.append(binary(rewriter, "muli", unknown, constant(rewriter, known), flags))
    return values[::-1]


def convert_delinearize(op: DelinearizeIndexOp, operands: list[Value], rewriter: Rewriter) -> Failure | None:
    """
        %0:3 = affine.delinearize_index %i into (4, 5, 6) : index, index, index
    becomes, with the strides 30 and 6: `i floordiv 30`, `(i mod 30) / 6` and `i mod 6`, where `x mod y` is
        %r = arith.remsi %x, %y
        %m = arith.select %r < 0, %r + %y, %r
    """
    linear, *dynamic = operands
    basis = op.static_basis.values
    inner = basis[1:] if len(basis) == len(op.results) else basis
    if not inner:
        rewriter.replace(op, [linear] * len(op.results))
        return None
    strides = strides_of(rewriter, inner, dynamic, NO_WRAP)
    zero = constant(rewriter, 0)

    def remainder(stride: Value) -> Value:
        value = binary(rewriter, "remsi", linear, stride)
        is_negative = compare(rewriter, "slt", value, zero)
        corrected = binary(rewriter, "addi", value, stride, NO_SIGNED_WRAP)
        return select(rewriter, is_negative, corrected, value)

    parts = [binary(rewriter, "floordivsi", linear, strides[0])]
    for stride, following in pairwise(strides):
        parts.append(binary(rewriter, "divsi", remainder(stride), following))
    parts.append(remainder(strides[-1]))
    rewriter.replace(op, parts)
    return None


def convert_linearize(op: LinearizeIndexOp, operands: list[Value], rewriter: Rewriter) -> Failure | None:
    """
        %0 = affine.linearize_index [%i, %j] by (4, 5) : index
    becomes `i * 5 + j`, where what changes in fewer loops around it is added first.
    """
    parts, dynamic = op.multi_index, op.dynamic_basis
    if not parts:
        rewriter.replace(op, [constant(rewriter, 0)])
        return None
    basis = op.static_basis.values
    inner = basis[1:] if len(basis) == len(parts) else basis
    strides = strides_of(rewriter, inner, dynamic, NO_WRAP if op.disjoint != FALSE else NO_SIGNED_WRAP)
    scaled = [
        binary(rewriter, "muli", part, stride, NO_SIGNED_WRAP) for part, stride in zip(parts[:-1], strides, strict=True)
    ]
    scaled.append(parts[-1])
    order = sorted(range(len(parts)), key=lambda index: -_invariant_loops(op, parts[index]))
    total = scaled[order[0]]
    for index in order[1:]:
        total = binary(rewriter, "addi", total, scaled[index], NO_SIGNED_WRAP)
    rewriter.replace(op, [total])
    return None


def _invariant_loops(op: Operation, value: Value) -> int:
    """In how many loops around `op`, from the inside out, a value is the same all the time."""
    count = 0
    regions = _ancestors(value)
    around = op.parent_op
    while around is not None:
        if around.has(LOOP_LIKE):
            if around in regions:
                break
            count += 1
        around = around.parent_op
    return count


def _ancestors(value: Value) -> set[Operation]:
    """The operations in which a value is defined."""
    block = value.parent_block
    region: Region | None = block.parent if block is not None else None
    ops: set[Operation] = set()
    while region is not None and region.parent is not None:
        ops.add(region.parent)
        region = region.parent.parent_region
    return ops


PATTERNS: Final = (
    Pattern("affine.delinearize_index", convert_delinearize, name="LowerDelinearizeIndexOps"),
    Pattern("affine.linearize_index", convert_linearize, name="LowerLinearizeIndexOps"),
)
