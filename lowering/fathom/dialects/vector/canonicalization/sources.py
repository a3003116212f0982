"""What the patterns for vectors look at: what defines a value, which scalar it repeats, and what of it is one number.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

from fathom.dialects.vector.common import vector
from fathom.ir.attributes import ArrayAttr, Attribute, DenseArrayAttr, i64_attr
from fathom.ir.types import I64
from fathom.rewriting.pattern import defined_by

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value


def repeated(value: Value) -> Value | None:
    """The scalar that a vector holds everywhere, if it is a broadcast of one."""
    op = defined_by(value, "vector.broadcast")
    return op.operands[0] if op is not None and vector(op.operands[0].type) is None else None


def has_one_use(op: Operation) -> bool:
    """Whether the results of an operation are named once in all."""
    return sum(sum(result.uses.values()) for result in op.results) == 1


def indices_of(number: int, shape: Sequence[int]) -> list[int]:
    """Where an element stands, by its number in row-major order."""
    place: list[int] = []
    for extent in reversed(shape):
        number, rest = divmod(number, extent)
        place.insert(0, rest)
    return place


def number_of(place: Sequence[int], shape: Sequence[int]) -> int:
    """The number of an element in row-major order."""
    return sum(each * prod(shape[dim + 1 :]) for dim, each in enumerate(place))


def positions(values: Sequence[int]) -> dict[str, Attribute]:
    """The properties of an extraction at positions that are numbers."""
    return {"static_position": DenseArrayAttr(I64, tuple(values))}


def sizes(values: Sequence[int]) -> dict[str, Attribute]:
    """The properties of a `vector.constant_mask`."""
    return {"mask_dim_sizes": DenseArrayAttr(I64, tuple(values))}


def numbers(values: Sequence[int]) -> ArrayAttr:
    """`[1, 2]`, as 64-bit integers."""
    return ArrayAttr(tuple(map(i64_attr, values)))
