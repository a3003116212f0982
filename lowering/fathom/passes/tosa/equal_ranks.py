"""Operands of as many dimensions, by dimensions of one in front. Source of the rules: *TOSA specification*,
"Broadcasting", and the order of the operations that mlir-opt 22 makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects.tosa.canonicalization import constant_shape
from fathom.ir.types import DYNAMIC
from fathom.passes.tensors import ranked
from fathom.records import replace

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.rewriting.rewriter import Rewriter


def with_equal_ranks(rewriter: Rewriter, one: Value, other: Value) -> tuple[Value, Value] | None:
    """Two values, of which the one with fewer dimensions is reshaped; None where their sizes do not fit."""
    types = ranked(one.type), ranked(other.type)
    if types[0] is None or types[1] is None:
        return None
    ranks = [len(type.ranked_shape) for type in types if type is not None]
    if ranks[0] == ranks[1]:
        return one, other
    if ranks[0] > ranks[1]:
        raised = _raised(rewriter, other, types[0].ranked_shape)
        return (one, raised) if raised is not None else None
    raised = _raised(rewriter, one, types[1].ranked_shape)
    return (raised, other) if raised is not None else None


def _raised(rewriter: Rewriter, value: Value, target: tuple[int, ...]) -> Value | None:
    """A value with as many dimensions as a shape has."""
    type = ranked(value.type)
    assert type is not None, "it has a rank"
    shape = type.ranked_shape
    behind = target[len(target) - len(shape) :]
    if any(a != b and not {1, DYNAMIC} & {a, b} for a, b in zip(shape, behind, strict=True)):
        return None
    raised = (1,) * (len(target) - len(shape)) + shape
    return rewriter.create(
        "tosa.reshape", [value, constant_shape(raised, rewriter)], [replace(type, shape=raised)]
    ).result
