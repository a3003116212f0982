"""The canonicalisation of reductions over dimensions of 1, and of sums to which a contraction adds.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.attributes import FASTMATH_PROPERTY
from fathom.dialects.arith.elements import zero_of
from fathom.dialects.vector.canonicalization.sources import positions
from fathom.dialects.vector.common import ARITHMETIC, count_of, kind_of, mask_of, masking_op, rank, vector_type
from fathom.ir.attributes import Attribute
from fathom.ir.types import I1, FloatType, Type, VectorType, element_type
from fathom.ops.arith import AddfOp, AddiOp
from fathom.ops.vector import ContractOp, MaskOp, MultiReductionOp, ReductionOp
from fathom.rewriting.folding import constant_value, create_or_fold
from fathom.rewriting.pattern import Replacement, defined_by, replacing

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter

COMBINE: Final = {"and": "andi", "or": "ori", "xor": "xori"}
"""The operations of `arith` that are not called as the kinds are, but for sums and products."""


def _combine(
    rewriter: Rewriter, kind: str, one: Value, other: Value, fastmath: Attribute | None, mask: Value | None
) -> Value:
    """The two combined; where the mask is not set, the second."""
    is_float = isinstance(element_type(one.type), FloatType)
    name = f"{kind}{'f' if is_float else 'i'}" if kind in ARITHMETIC else COMBINE.get(kind, kind)
    properties = {FASTMATH_PROPERTY.name: fastmath} if is_float and fastmath is not None else None
    combined = create_or_fold(rewriter, f"arith.{name}", [one, other], one.type, properties)
    if mask is None:
        return combined
    return rewriter.create("arith.select", [mask, combined, other], [combined.type]).result


def _element(rewriter: Rewriter, value: Value, type: Type) -> Value:
    """The only element of a vector."""
    zeros = positions([0] * rank(value.type))
    return rewriter.create("vector.extract", [value], [type], zeros).result


def _masking(op: Operation, rewriter: Rewriter) -> tuple[MaskOp | None, Value | None]:
    """The `vector.mask` around an operation, before which is rewritten, and its mask."""
    masking = masking_op(op)
    if masking is None:
        return None, None
    rewriter.set_insertion_before(masking)
    return masking, masking.mask


def unit_dimensions(op: MultiReductionOp, rewriter: Rewriter) -> Replacement:
    """
        %r = vector.multi_reduction <add>, %v, %acc [1] : vector<4x1xf32> to vector<4xf32>
    becomes
        %0 = vector.shape_cast %v : vector<4x1xf32> to vector<4xf32>
        %r = arith.addf %acc, %0 : vector<4xf32>
    """
    shape, type = vector_type(op.source).ranked_shape, op.result.type
    if any(shape[dim] != 1 for dim in op.reduction_dims.values):
        return None
    masking, mask = _masking(op, rewriter)
    if isinstance(type, VectorType):
        if mask is not None:
            mask = rewriter.create("vector.shape_cast", [mask], [mask_of(type)]).result
        value = rewriter.create("vector.shape_cast", [op.source], [type]).result
    else:
        mask = _element(rewriter, mask, I1) if mask is not None else None
        value = _element(rewriter, op.source, type)
    result = _combine(rewriter, kind_of(op.kind), op.acc, value, None, mask)
    rewriter.replace(masking or op, [result])
    return op


def single_element(op: ReductionOp, rewriter: Rewriter) -> Replacement:
    """
        %r = vector.reduction <add>, %v, %acc : vector<1xf32> into f32
    becomes
        %0 = vector.extract %v[0] : f32 from vector<1xf32>
        %r = arith.addf %0, %acc : f32
    """
    if count_of(vector_type(op.vector)) != 1:
        return None
    masking, mask = _masking(op, rewriter)
    mask = _element(rewriter, mask, I1) if mask is not None else None
    result = _element(rewriter, op.vector, op.result.type)
    if op.acc is not None:
        result = _combine(rewriter, kind_of(op.kind), result, op.acc, op.fastmath, mask)
    rewriter.replace(masking or op, [result])
    return op


def sum_of_contraction(op: AddfOp | AddiOp, rewriter: Rewriter) -> Replacement:
    """
        %0 = vector.contract … %a, %b, %zero : …
        %r = arith.addf %0, %c : …
    becomes
        %r = vector.contract … %a, %b, %c : …
    """
    for contracted, other in (op.operands, op.operands[::-1]):
        contract = defined_by(contracted, ContractOp)
        if contract is None:
            continue
        constant = constant_value(contract.acc)
        if constant is None or constant != zero_of(contract.acc.type):
            continue
        given = [other if operand is contract.acc else operand for operand in contract.operands]
        types = [contract.result.type]
        rewriter.stand_in(contract)
        return rewriter.create(contract.name, given, types, contract.properties, contract.attributes)
    return None


PATTERNS: Final = (
    replacing("vector.multi_reduction", unit_dimensions, name="ElideUnitDimsInMultiDimReduction"),
    replacing("vector.reduction", single_element, name="ElideSingleElementReduction"),
    replacing("arith.addi", sum_of_contraction, name="CanonicalizeContractAdd"),
    replacing("arith.addf", sum_of_contraction, name="CanonicalizeContractAdd"),
)
