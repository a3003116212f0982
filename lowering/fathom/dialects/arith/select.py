"""`arith.select`, whose text leaves out the type of the condition when it is `i1`.

Source of the rules: *'arith' Dialect*, "arith.select".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.elements import truth_type
from fathom.ir.types import I1, TensorType, VectorType
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomDirective
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops.arith import SelectOp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp


def _parse_types(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`type`, or with the type of the condition before it."""
    condition, result = arguments
    types = parser.type_list()
    if len(types) > 2:
        parser.fail(f"custom op '{parsed.name}' expected at most two types")
    parsed.types[result] = types[-1:]
    if len(types) == 2:
        parsed.types[condition] = types[:1]
    else:
        parsed.composed_types[condition] = parser.composed_type(lambda _, __: I1)


def _print_types(op: SelectOp, p: OpPrinter, _: Sequence[str]) -> None:
    types = [op.condition.type, op.result.type]
    p.types(types[1:] if types[0] == I1 else types)


def has_matching_condition(op: SelectOp) -> bool:
    """Whether a condition of several elements has the shape of the result."""
    condition, type = op.condition.type, op.result.type
    if condition == I1 or not isinstance(condition, (VectorType, TensorType)):
        return condition == I1
    return isinstance(type, condition.__class__) and condition.shape == type.shape


@verifies("arith.select")
def _verify(op: SelectOp) -> Complaint:
    """A condition of several elements is of the type of the result, but for the elements."""
    condition, expected = op.condition.type, truth_type(op.result.type)
    if condition in (I1, expected):
        return None
    message = f"expected condition type to have the same shape as the result type, expected '{expected}'"
    return f"{message}, but got '{condition}'"


TYPES: Final = CustomDirective(_parse_types, _print_types)
SELECT: Final = OpCode(
    custom=two_way(
        "$condition `,` $true_value `,` $false_value attr-dict `:` custom<SelectTypes>(type($condition), type($result))"
    )
)
