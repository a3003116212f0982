"""Operations that take or put a part of a tensor or memref, made with numbers where offsets, sizes and strides are
known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from fathom.irdl.build import segment_sizes
from fathom.irdl.index_lists import separated
from fathom.irdl.slices import LISTS

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type
    from fathom.rewriting.rewriter import Rewriter

    Numbers = Sequence[Value | int]


def sliced(
    rewriter: Rewriter, name: str, source: Value, type: Type, offsets: Numbers, sizes: Numbers, strides: Numbers
) -> Value:
    """What takes a part of a value out, or sees it as another."""
    return create_slice(rewriter, name, [source], (offsets, sizes, strides), [type]).result


def inserted(
    rewriter: Rewriter, source: Value, dest: Value, offsets: Numbers, sizes: Numbers, strides: Numbers
) -> Value:
    """`tensor.insert_slice`."""
    lists = (offsets, sizes, strides)
    return create_slice(rewriter, "tensor.insert_slice", [source, dest], lists, [dest.type]).result


def create_slice(
    rewriter: Rewriter, name: str, heads: Sequence[Value], lists: Iterable[Numbers], types: Sequence[Type]
) -> Operation:
    """An operation with offsets, sizes and strides behind other operands, one of each group."""
    separate = [separated(list_) for list_ in lists]
    properties: dict[str, Attribute] = {
        f"static_{which}": numbers for which, (_, numbers) in zip(LISTS, separate, strict=True)
    }
    groups = [values for values, _ in separate]
    properties["operandSegmentSizes"] = segment_sizes(*(1 for _ in heads), *map(len, groups))
    return rewriter.create(name, [*heads, *(value for group in groups for value in group)], types, properties)
