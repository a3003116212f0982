"""Operations that take or put a part of a tensor or memref, made with numbers where offsets, sizes and strides are
known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.irdl.build import segment_sizes
from fathom.irdl.index_lists import separated
from fathom.irdl.slices import LISTS

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Value
    from fathom.ir.types import Type
    from fathom.rewriting.rewriter import Rewriter

    Numbers = Sequence[Value | int]


def sliced(
    rewriter: Rewriter, name: str, source: Value, type: Type, offsets: Numbers, sizes: Numbers, strides: Numbers
) -> Value:
    """What takes a part of a value out, or sees it as another."""
    return _made(rewriter, name, [source], type, (offsets, sizes, strides))


def inserted(
    rewriter: Rewriter, source: Value, dest: Value, offsets: Numbers, sizes: Numbers, strides: Numbers
) -> Value:
    """`tensor.insert_slice`."""
    return _made(rewriter, "tensor.insert_slice", [source, dest], dest.type, (offsets, sizes, strides))


def _made(rewriter: Rewriter, name: str, values: Sequence[Value], type: Type, lists: Sequence[Numbers]) -> Value:
    parts = [separated(each) for each in lists]
    operands = [value for group, _ in parts for value in group]
    properties: dict[str, Attribute] = {
        f"static_{which}": numbers for which, (_, numbers) in zip(LISTS, parts, strict=True)
    }
    properties["operandSegmentSizes"] = segment_sizes(*([1] * len(values)), *(len(group) for group, _ in parts))
    return rewriter.create(name, [*values, *operands], [type], properties).result
