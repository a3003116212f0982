"""Where the elements of a memref lie, drawn.

    byte   0      4      8      12
    0      ·      [0,0]  [0,1]  ·
    16     ·      [1,0]  [1,1]

Source of the rules: *Builtin Dialect*, "MemRefType", "Layout".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Final

from fathom.dialects.llvm.type_layout import layout_around
from fathom.ir.strides import strides_and_offset
from fathom.ir.types import DYNAMIC, MemRefType
from fathom_server.features.hover.texts import code

MOST_DRAWN: Final = 64
"""A memref of more elements is not drawn."""
MOST_COLUMNS: Final = 16
MOST_ROWS: Final = 12
DIMENSIONS: Final = "ijklmn"


def layout_lines(type: MemRefType) -> Iterator[str]:
    """Where an element is, how many bytes there are, and a picture of a small one."""
    layout = strides_and_offset(type) if type.shape is not None else None
    if layout is None:
        return
    strides, offset = layout
    shape = type.ranked_shape
    if len(shape) > len(DIMENSIONS):
        return
    size = _size(type)
    parts = [_place(shape, strides, offset, size), _extent(shape, strides, size)]
    yield "; ".join(filter(None, parts))
    if size is not None and (drawn := _drawn(shape, strides, offset, size)):
        yield code(drawn, "text")


def _size(type: MemRefType) -> int | None:
    """The bytes of an element; None where only a data layout would tell."""
    try:
        return layout_around(None).size(type.element)
    except TypeError:
        return None


def _sum(strides: Sequence[int], offset: int, scale: int) -> str:
    """The place of an element in units of which an element has so many: `1 + 4·i + j`."""
    terms = ["offset" if offset == DYNAMIC else str(offset * scale)] if offset else []
    for number, stride in enumerate(strides):
        if stride == 0:
            continue
        factor = f"stride{number}" if stride == DYNAMIC else str(stride * scale)
        terms.append(DIMENSIONS[number] if factor == "1" else f"{factor}·{DIMENSIONS[number]}")
    return " + ".join(terms) or "0"


def _place(shape: Sequence[int], strides: Sequence[int], offset: int, size: int | None) -> str:
    """Where the element of some indices is; of the only one there is nothing to say."""
    if not shape and not offset:
        return ""
    text = f"`[{', '.join(DIMENSIONS[: len(shape)])}]` is element `{_sum(strides, offset, 1)}`"
    if size is None:
        return text
    if DYNAMIC in (offset, *strides) or size == 1:
        return f"{text}, of {size} byte{'' if size == 1 else 's'} each"
    return f"{text}, at byte `{_sum(strides, offset, size)}`"


def _extent(shape: Sequence[int], strides: Sequence[int], size: int | None) -> str:
    """How many elements there are, and in how many bytes they lie."""
    if size is None or DYNAMIC in (*shape, *strides):
        return ""
    count, span = prod(shape), _span(shape, strides)
    joined = "," if span == count else " in"
    return f"{count:,} element{'' if count == 1 else 's'}{joined} {span * size:,} bytes"


def _span(shape: Sequence[int], strides: Sequence[int]) -> int:
    """The elements from the first to the last one, with those between that are none of its."""
    if 0 in shape:
        return 0
    return 1 + sum((extent - 1) * abs(stride) for extent, stride in zip(shape, strides, strict=True))


def _drawn(shape: Sequence[int], strides: Sequence[int], offset: int, size: int) -> str:
    """Memory from left to right and from top to bottom, each element with its indices; empty where it is not known or
    too large, or where elements lie in the same place."""
    if not shape or DYNAMIC in (*shape, *strides, offset) or not 0 < prod(shape) <= MOST_DRAWN:
        return ""
    places = {
        offset + sum(index * stride for index, stride in zip(indices, strides, strict=True)): indices
        for indices in product(*map(range, shape))
    }
    columns = _columns(shape, strides)
    first, last = min(places) // columns * columns, max(places)
    if len(places) < prod(shape) or first < 0 or (last - first) // columns >= MOST_ROWS:
        return ""
    rows = [["byte", *(f"+{column * size}" for column in range(columns))]]
    for start in range(first, last + 1, columns):
        cells = [_cell(places.get(place)) for place in range(start, min(start + columns, last + 1))]
        rows.append([str(start * size), *cells])
    widths = [max(len(row[n]) for row in rows if n < len(row)) for n in range(columns + 1)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip() for row in rows
    )


def _cell(indices: tuple[int, ...] | None) -> str:
    return f"[{','.join(map(str, indices))}]" if indices is not None else "·"


def _columns(shape: Sequence[int], strides: Sequence[int]) -> int:
    """The elements in a line of the picture: from one to the next of the dimension around the innermost one."""
    steps = sorted({abs(stride) for stride, extent in zip(strides, shape, strict=True) if extent > 1 and stride})
    wanted = steps[1] if len(steps) > 1 else (steps[0] if steps else 1) * max(shape)
    return min(max(wanted, 1), MOST_COLUMNS)
