"""The elements of an array in memory, whatever they are made of: those of memrefs, and of what pointers point to."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING

from fathom.execution.layouts import element_size, is_dense, places
from fathom.execution.literals import Contents, described, infer_shape, is_list, read_contents
from fathom.execution.llvm_types import is_pointer
from fathom.execution.outcome import ArgumentProblem, Given
from fathom.execution.pieces import ZEROS, Piece, in_memory_of, pieces_of
from fathom.execution.scalars import describe
from fathom.ir.types import DYNAMIC, ComplexType, FloatType, IndexType, IntegerType, Type, VectorType
from fathom.records import record, replace

if TYPE_CHECKING:
    from collections.abc import Sequence


@record
class Pointed:
    """A pointer in memory, at an offset in bytes, and what it is to point to."""

    offset: int
    pointee: Given
    path: str


def pointers_in(pieces: Sequence[Piece], spots: Sequence[int]) -> list[Pointed]:
    """Those of the leaves that point to something; they begin at these bytes."""
    return [
        Pointed(spot, piece.pointee, piece.path)
        for spot, piece in zip(spots, pieces, strict=True)
        if piece.pointee is not None
    ]


def array_of(value: Given, shape: tuple[int, ...] | None, element: Type, path: str) -> tuple[Contents, list[Pointed]]:
    """What an array holds, element behind element, and the pointers in it. `shape` is that of the type, None if it has
    no rank. Raises ArgumentProblem and UnsupportedSignature."""
    size = element_size(element)
    match element:
        case IntegerType() | FloatType() | IndexType() | ComplexType():
            return read_contents(value, shape, element, path), []
        case VectorType() if not is_pointer(element.element):
            contents = read_contents(value, shape, element, path)
            return contents if is_dense(element) else replace(contents, data=_packed(contents.data, element)), []
        case _:
            return _composed(value, shape, element, size, path)


def _packed(lanes: bytes, element: VectorType) -> bytes:
    """Vectors as they lie in memory, of their lanes."""
    size = element_size(element.element)
    count = len(places(element))
    pieces = [Piece(element.element, lanes[i : i + size]) for i in range(0, len(lanes), size)]
    return b"".join(in_memory_of(pieces[i : i + count], element) for i in range(0, len(pieces), count))


def _composed(
    value: Given, shape: tuple[int, ...] | None, element: Type, size: int, path: str
) -> tuple[Contents, list[Pointed]]:
    """Elements that are structs, arrays or pointers."""
    key, held, here = "data", value, path
    empty = Contents((), b"")
    if isinstance(value, Mapping):
        key, about = described(value, shape, path)
        held, here = value[key], f"{path}.{key}"
        shape = about.shape if about.shape is not None else shape
        empty = about.holding(about.shape or (), b"", path) if about.shape is not None else empty
    if key == "fill" or held == ZEROS:
        return _filled(held, shape, element, here, empty)
    if key != "data":
        raise ArgumentProblem(here, f"elements of the type {element}, one by one", describe(value))
    if not is_list(held):
        raise ArgumentProblem(here, f"a list of elements of the type {element}", describe(held))
    own = infer_shape(held, shape if shape is not None else (DYNAMIC,), element, here)
    rows: list[tuple[Given, str]] = [(held, here)]
    for extent in own:
        for row, where in rows:
            if not is_list(row) or len(row) != extent:
                raise ArgumentProblem(where, f"a list of {extent}", describe(row))
        rows = list(
            chain.from_iterable(
                ((each, f"{where}[{i}]") for i, each in enumerate(row)) for row, where in rows if is_list(row)
            )
        )
    data, pointers = bytearray(), list[Pointed]()
    for each, where in rows:
        pieces = list(pieces_of(each, element, where))
        spots = [len(data) + place // 8 for place, _ in places(element)]
        pointers += pointers_in(pieces, spots)
        data += in_memory_of(pieces, element)
    return replace(empty, shape=own, data=bytes(data)), pointers


def _filled(
    value: Given, shape: tuple[int, ...] | None, element: Type, path: str, empty: Contents
) -> tuple[Contents, list[Pointed]]:
    if shape is None or min(shape, default=0) < 0:
        raise ArgumentProblem(path, '"shape", as the type leaves it open', "no shape")
    if value == ZEROS or value == 0:
        return replace(empty, shape=shape, data=bytes(element_size(element)), is_fill=True), []
    pieces = list(pieces_of(value, element, path))
    if pointers_in(pieces, range(len(pieces))):
        raise ArgumentProblem(path, "no pointers in what is repeated", describe(value))
    return replace(empty, shape=shape, data=in_memory_of(pieces, element), is_fill=True), []
