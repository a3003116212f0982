"""Between which numbers the variables of loops lie."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.types import DYNAMIC
from fathom.rewriting.int_ranges import Inference, of_loops

if TYPE_CHECKING:
    from fathom.ir.attributes import DenseArrayAttr
    from fathom.ir.operation import Value
    from fathom.ops.scf import ForallOp, ForOp, ParallelOp


def _for(op: ForOp) -> list[tuple[Value, list[int | Value]]]:
    return [(op.region.arguments[0], [op.lowerBound, op.upperBound, op.step])]


def _parallel(op: ParallelOp) -> list[tuple[Value, list[int | Value]]]:
    bounds = zip(op.lowerBound, op.upperBound, op.step, strict=True)
    return [(variable, list(bound)) for variable, bound in zip(op.region.arguments, bounds, strict=False)]


def _forall(op: ForallOp) -> list[tuple[Value, list[int | Value]]]:
    lower = _mixed(op.staticLowerBound, op.dynamicLowerBound)
    upper, step = _mixed(op.staticUpperBound, op.dynamicUpperBound), _mixed(op.staticStep, op.dynamicStep)
    bounds = zip(lower, upper, step, strict=False)
    return [(variable, list(bound)) for variable, bound in zip(op.region.arguments, bounds, strict=False)]


def _mixed(static: DenseArrayAttr, dynamic: Sequence[Value]) -> list[int | Value]:
    values = iter(dynamic)
    return [next(values) if number == DYNAMIC else int(number) for number in static.values]


INT_RANGES: Final[Mapping[str, Inference]] = {
    "scf.for": of_loops(_for),
    "scf.parallel": of_loops(_parallel),
    "scf.forall": of_loops(_forall),
}
