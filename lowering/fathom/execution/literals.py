"""JSON-like values of memrefs and vectors: nested lists, or an object that describes the contents, to shape and bytes.

The objects are `{"shape": [2, 3], "fill": x}`, `{"shape": …, "data": flat or nested list}` and
`{"shape": …, "iota": start}` (0, 1, 2, … in row-major order). The shape may be left out where the type says it.
`"strides"` and `"offset"`, in elements, place the data in memory where the type leaves that open.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Final, TypeGuard

from fathom.execution.outcome import ArgumentProblem, Json
from fathom.execution.scalars import describe, element_size, encode, encode_all
from fathom.ir.types import DYNAMIC, ComplexType, Type, VectorType
from fathom.records import record

_KEYS: Final = ("shape", "fill", "data", "iota", "strides", "offset", "type")
_CONTENTS: Final = ("fill", "data", "iota")
LARGEST: Final = 1 << 40
"""No extent is larger; it keeps sizes in bytes well within 64 bits."""


@record
class Contents:
    """The elements of a memref: row-major bytes, or one element that is repeated if `is_fill`."""

    shape: tuple[int, ...]
    data: bytes
    is_fill: bool = False
    strides: tuple[int, ...] | None = None
    offset: int | None = None


def read_contents(value: Json, shape: tuple[int, ...] | None, element: Type, path: str) -> Contents:
    """What an argument holds. `shape` is that of the type, None if it has no rank. Raises ArgumentProblem."""
    if isinstance(value, Mapping):
        return _read_object(value, shape, element, path)
    inferred = _infer_shape(value, shape, element, path)
    return Contents(inferred, _encode_rows(value, inferred, element, path))


def _is_list(value: Json) -> TypeGuard[Sequence[Json]]:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _read_object(value: Mapping[str, Json], shape: tuple[int, ...] | None, element: Type, path: str) -> Contents:
    for key in value:
        if key not in _KEYS:
            raise ArgumentProblem(f"{path}.{key}", f"one of the keys {', '.join(_KEYS[:-1])}", f'"{key}"')
    given = [key for key in _CONTENTS if key in value]
    if len(given) != 1:
        got = " and ".join(given) or "none of them"
        raise ArgumentProblem(path, 'one of "fill", "data" and "iota"', got)
    data = value.get("data")
    if "shape" in value:
        shape = _match(_integers(value["shape"], f"{path}.shape", lowest=0), shape, f"{path}.shape")
    elif "data" in value:
        shape = _infer_shape(data, shape, element, f"{path}.data")
    elif shape is None or DYNAMIC in shape:
        raise ArgumentProblem(path, f'"shape", as the type leaves it open: {_spell(shape)}', "no shape")
    strides = _integers(value["strides"], f"{path}.strides", len(shape)) if "strides" in value else None
    offset = _integer(value["offset"], f"{path}.offset", 0) if "offset" in value else None
    if "fill" in value:
        return Contents(shape, _encode_fill(value["fill"], element, f"{path}.fill"), True, strides, offset)
    if "iota" in value:
        encoded = _encode_iota(value["iota"], shape, element, f"{path}.iota")
        return Contents(shape, encoded, False, strides, offset)
    if _is_list(data) and len(shape) != 1 and math.prod(shape) == len(data) and not any(map(_is_list, data)):
        lane = element.element if isinstance(element, VectorType) else element
        return Contents(shape, encode_all(data, lane, lambda i: f"{path}.data[{i}]"), False, strides, offset)
    return Contents(shape, _encode_rows(data, shape, element, f"{path}.data"), False, strides, offset)


def _integers(value: Json, path: str, count: int | None = None, lowest: int = -LARGEST) -> tuple[int, ...]:
    expected = f"{'a list of' if count is None else f'{count}'} integers"
    if not _is_list(value) or (count is not None and len(value) != count):
        raise ArgumentProblem(path, expected, describe(value))
    return tuple(_integer(extent, f"{path}[{i}]", lowest) for i, extent in enumerate(value))


def _integer(value: Json, path: str, lowest: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not lowest <= value <= LARGEST:
        raise ArgumentProblem(path, f"an integer from {lowest} to {LARGEST}", describe(value))
    return value


def _match(inferred: tuple[int, ...], shape: tuple[int, ...] | None, path: str) -> tuple[int, ...]:
    """The shape given, if it fits that of the type."""
    if shape is None:
        return inferred
    if len(inferred) != len(shape):
        raise ArgumentProblem(path, f"the rank {len(shape)} of {_spell(shape)}", f"{len(inferred)}")
    for i, (extent, wanted) in enumerate(zip(inferred, shape, strict=True)):
        if wanted not in (DYNAMIC, extent):
            raise ArgumentProblem(f"{path}[{i}]", f"{wanted}, from the type's shape {_spell(shape)}", f"{extent}")
    return inferred


def _spell(shape: tuple[int, ...] | None) -> str:
    if shape is None:
        return "any rank"
    return "x".join("?" if extent == DYNAMIC else str(extent) for extent in shape) or "a single element"


def _infer_shape(value: Json, shape: tuple[int, ...] | None, element: Type, path: str) -> tuple[int, ...]:
    """The shape of nested lists, along their first elements; behind an empty list those of the type, or 0."""
    inner = len(element.ranked_shape) if isinstance(element, VectorType) else int(isinstance(element, ComplexType))
    extents, rank = list[int](), len(shape) if shape is not None else _depth(value) - inner
    for level in range(max(rank, 0)):
        if not _is_list(value):
            here = path + "[0]" * level
            raise ArgumentProblem(here, f"a list (dimension {level + 1} of {rank})", describe(value))
        wanted = shape[level] if shape else DYNAMIC
        if wanted not in (DYNAMIC, len(value)):
            raise ArgumentProblem(path + "[0]" * level, f"a list of {wanted}", describe(value))
        extents.append(len(value))
        if not value:
            rest = shape[level + 1 :] if shape else ()
            return (*extents, *(max(extent, 0) for extent in rest))
        value = value[0]
    return tuple(extents)


def _depth(value: Json) -> int:
    depth = 0
    while _is_list(value):
        depth += 1
        value = value[0] if value else None
    return depth


def _place(path: str, shape: Sequence[int], index: int) -> str:
    """The path of the element with this row-major index."""
    suffix = ""
    for extent in reversed(shape):
        index, last = divmod(index, extent)
        suffix = f"[{last}]{suffix}"
    return path + suffix


def _encode_rows(value: Json, shape: tuple[int, ...], element: Type, path: str) -> bytes:
    """The bytes of nested lists, which must be regular."""
    full = shape
    while isinstance(element, VectorType):
        full, element = (*full, *element.ranked_shape), element.element
    rows: list[Json] = [value]
    for level, extent in enumerate(full):
        for i, row in enumerate(rows):
            if not _is_list(row) or len(row) != extent:
                raise ArgumentProblem(_place(path, full[:level], i), f"a list of {extent}", describe(row))
        rows = list(chain.from_iterable(row for row in rows if _is_list(row)))
    return encode_all(rows, element, lambda i: _place(path, full, i))


def _encode_fill(value: Json, element: Type, path: str) -> bytes:
    if not isinstance(element, VectorType):
        return encode(value, element, path)
    if _is_list(value):
        return _encode_rows(value, (), element, path)
    return encode(value, element.element, path) * math.prod(element.ranked_shape)


def _encode_iota(start: Json, shape: tuple[int, ...], element: Type, path: str) -> bytes:
    first = 0 if start is True else start
    if not isinstance(first, (int, float)) or isinstance(element, VectorType):
        raise ArgumentProblem(path, f"true, or the number to start from, for {element} elements", describe(start))
    count = math.prod(shape)
    if count * element_size(element) > 1 << 30:
        raise ArgumentProblem(path, "less than 1 GiB of numbers", f"{count} elements")
    return encode_all([first + i for i in range(count)], element, lambda i: f"{path}+{i}")
