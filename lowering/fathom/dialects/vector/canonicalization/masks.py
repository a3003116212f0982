"""The canonicalisation of masks: those of known sizes, those around nothing, and what compares a step with a number.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.attributes import CMPI_PREDICATES
from fathom.dialects.arith.elements import dense, integer_value
from fathom.dialects.vector.canonicalization.sources import sizes
from fathom.dialects.vector.common import count_of, flags, vector
from fathom.ir.attributes import IntegerAttr
from fathom.rewriting.folding import constant_value
from fathom.rewriting.pattern import NO_MATCH, Failure, Operations, Pattern

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter


_COMPARISON: Final = Operations("arith.cmpi")


def known_mask(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """
        %m = vector.create_mask %c3, %c2 : vector<4x3xi1>
    becomes
        %m = vector.constant_mask [3, 2] : vector<4x3xi1>
    Of a scalable dimension all must be set, or nothing.
    """
    type = vector(op.result.type)
    if type is None:
        return NO_MATCH
    found: list[int] = []
    for size, extent, scalable in zip(operands, type.ranked_shape or (1,), flags(type) or (False,), strict=True):
        number = integer_value(constant_value(size))
        if number is not None:
            if scalable and number >= 0:
                return Failure("how far it goes in a scalable dimension is not known")
        else:
            number = _times_vscale(size)
            if number is None or number < extent:
                return Failure("how far it goes is not known")
        found.append(min(max(number, 0), extent))
    if 0 in found:
        found = [0] * len(found)
    rewriter.replace_with(op, "vector.constant_mask", (), [type], sizes(found))
    return None


def _times_vscale(value: Value) -> int | None:
    """The constant that the factor by which vectors scale is multiplied with."""
    op = value.defining_op
    match op.name if op is not None else "":
        case "vector.vscale":
            return 1
        case "arith.muli" if op is not None:
            for scale, factor in (op.operands, op.operands[::-1]):
                if scale.defining_op is not None and scale.defining_op.name == "vector.vscale":
                    return integer_value(constant_value(factor))
            return None
        case _:
            return None


def nothing_masked(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """
        %r = vector.mask %m, %other { vector.yield %a : vector<8xf32> } : vector<8xi1> -> vector<8xf32>
    becomes
        %r = arith.select %m, %a, %other : vector<8xi1>, vector<8xf32>
    """
    block = op.regions[0].first
    if len(operands) != 2 or block is None or block.first is None or block.first.name != "vector.yield":
        return NO_MATCH
    given = [operands[0], *block.first.operands, operands[1]]
    rewriter.replace_with(op, "arith.select", given, [result.type for result in op.results])
    return None


_BEYOND: Final = {"ult": True, "uge": False, "ule": True, "ugt": False, "eq": False, "ne": True}
"""What comparisons say of all elements of a step with a number that is too big for them."""


def compared_step(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """
        %s = vector.step : vector<3xindex>
        %r = arith.cmpi ugt, %s, %c7 : vector<3xindex>
    becomes
        %r = arith.constant dense<false> : vector<3xi1>
    """
    step = vector(op.result.type)
    if step is None:
        return NO_MATCH
    for user in reversed(list(op.result.uses)):
        if user not in _COMPARISON or user.operands[0] is not op.result:
            continue
        number, predicate = integer_value(constant_value(user.operands[1])), user.properties["predicate"]
        type = vector(user.result.type)
        if number is None or type is None or not isinstance(predicate, IntegerAttr):
            continue
        word = _PREDICATES[predicate.value]
        last = count_of(step) - (1 if word in ("ule", "ugt") else 0)
        if word not in _BEYOND or number < last:
            continue
        rewriter.stand_in(user)
        rewriter.set_insertion_before(user)
        rewriter.replace_with(user, "arith.constant", (), [type], {"value": dense([int(_BEYOND[word])], type)})
        return None
    return NO_MATCH


_PREDICATES: Final = {number: word for word, number in CMPI_PREDICATES.items()}

PATTERNS: Final = (
    Pattern("vector.create_mask", known_mask, name="CreateMaskFolder"),
    Pattern("vector.mask", nothing_masked, name="CanonializeEmptyMaskOp"),
    Pattern("vector.step", compared_step, name="StepCompareFolder"),
)
