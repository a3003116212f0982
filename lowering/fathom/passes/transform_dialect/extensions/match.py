"""Transforms that ask something of one operation.

Source of the rules: *Transform Dialect*, `TransformOps.cpp` and `LinalgMatchOps.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import IntegerAttr, StringAttr
from fathom.irdl.cases import word
from fathom.ops import transform as ops
from fathom.passes.transform_dialect.models import transforms
from fathom.passes.transform_dialect.single import single

if TYPE_CHECKING:
    from fathom.passes.transform_dialect.application import Application

PARTS: Final = ("structured_matching",)


@transforms("transform.match.operation_name")
def operation_name(op: ops.MatchOperationNameOp, run: Application) -> None:
    names = [element.value for element in op.op_names.elements if isinstance(element, StringAttr)]
    if single(run, op.operand_handle).name not in names:
        raise run.silenceable("wrong operation name")


@transforms("transform.match.operation_empty")
def operation_empty(op: ops.MatchOperationEmptyOp, run: Application) -> None:
    if run.ops(op.operand_handle):
        raise run.silenceable("operation is not empty")


_COMPARISONS: Final[Mapping[str, tuple[str, Callable[[int, int], bool]]]] = MappingProxyType(
    {
        "eq": ("equal to", lambda value, other: value == other),
        "ne": ("not equal to", lambda value, other: value != other),
        "lt": ("less than", lambda value, other: value < other),
        "le": ("less than or equal to", lambda value, other: value <= other),
        "gt": ("greater than", lambda value, other: value > other),
        "ge": ("greater than or equal to", lambda value, other: value >= other),
    }
)


@transforms("transform.match.param.cmpi")
def compare(op: ops.MatchParamCmpiOp, run: Application) -> None:
    values, references = run.params(op.param), run.params(op.reference)
    if len(values) != len(references):
        sizes = f"({len(values)} vs {len(references)})"
        raise run.silenceable(f"parameters have different payload lengths {sizes}")
    direction, holds = _COMPARISONS[word(op, "predicate")]
    for place, (value, reference) in enumerate(zip(values, references, strict=True)):
        if not isinstance(value, IntegerAttr) or not isinstance(reference, IntegerAttr):
            raise run.definite("non-integer parameter value not expected")
        if value.type != reference.type:
            raise run.definite(f"mismatching integer attribute types in parameter #{place}")
        if not holds(value.value, reference.value):
            message = f"expected parameter to be {direction} {reference.value}, got {value.value}"
            note = f"value # {place} associated with the parameter defined here"
            raise run.silenceable(message, (note, op.param))
