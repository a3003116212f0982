"""Values and their leaves: a JSON-like value of any type that is passed by value as its integers, floats and pointers,
in the words of a packed buffer or as it lies in memory; and back.

A struct is a list of its fields, an array or a vector a list of its elements; `"zeros"` stands for one that is zero
throughout.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from fathom.execution.layouts import (
    bits_of,
    check_leaves,
    element_size,
    is_leaf,
    leaves_of,
    numbers_of,
    parts_of,
    places,
)
from fathom.execution.literals import is_list, read_contents
from fathom.execution.llvm_types import is_array, is_pointer, is_struct
from fathom.execution.outcome import ArgumentProblem, Array, Given, Json, UnsupportedSignature
from fathom.execution.scalars import decode, describe, encode, nest
from fathom.ir.types import ComplexType, Type, VectorType
from fathom.records import record

WORD: Final = 8
ZEROS: Final = "zeros"


@record
class Piece:
    """One leaf: its bytes, `element_size(type)` of them. Of a pointer, `pointee` is what it is to point to; with None
    it is null."""

    type: Type
    data: bytes
    pointee: Given = None
    path: str = ""


def pieces_of(value: Given, type: Type, path: str) -> Iterator[Piece]:
    """The leaves of a value. Raises ArgumentProblem and UnsupportedSignature."""
    if is_pointer(type):
        yield Piece(type, bytes(WORD), value, path)
    elif isinstance(type, ComplexType):
        yield from _split(encode(value, type, path), type.element)
    elif is_leaf(type):
        yield Piece(type, encode(value, type, path))
    elif isinstance(type, VectorType) or is_array(type) or is_struct(type):
        check_leaves(type)
        if value == ZEROS:
            yield from (Piece(leaf, bytes(element_size(leaf))) for leaf in leaves_of(type))
        elif (numbers := numbers_of(type)) is not None:
            yield from _numbers(value, type, *numbers, path)
        else:
            yield from _parts(value, type, path)
    else:
        raise UnsupportedSignature(f"{type} cannot be passed to a program")


def _split(data: bytes, element: Type) -> Iterator[Piece]:
    size = element_size(element)
    for start in range(0, len(data), size):
        yield Piece(element, data[start : start + size])


def _numbers(value: Given, type: Type, shape: tuple[int, ...], element: Type, path: str) -> Iterator[Piece]:
    if not isinstance(value, (Sequence, Mapping, Array)):
        raise ArgumentProblem(path, f"nested lists for {type}", describe(value))
    contents = read_contents(value, shape, element, path)
    yield from _split(contents.all_data, element)


def _parts(value: Given, type: Type, path: str) -> Iterator[Piece]:
    types = parts_of(type)
    if not is_list(value) or len(value) != len(types):
        raise ArgumentProblem(path, f"a list of {len(types)} for {type}", describe(value))
    for i, (part, own) in enumerate(zip(value, types, strict=True)):
        yield from pieces_of(part, own, f"{path}[{i}]")


# ---- where they lie


def in_words(pieces: Iterable[Piece]) -> bytes:
    """The words of leaves, one after the other."""
    return b"".join(_padded(piece.data, words_of(piece.type) * WORD) for piece in pieces)


def words_of(leaf: Type) -> int:
    """How many words a leaf takes in a packed buffer."""
    return -(-bits_of(leaf) // 64)


def _padded(data: bytes, size: int) -> bytes:
    return data[:size].ljust(size, b"\0")


def in_memory_of(pieces: Sequence[Piece], type: Type) -> bytes:
    """The bytes of a value, `element_size(type)` of them, of its leaves."""
    spots, size = places(type), element_size(type)
    if any(place % 8 for place, _ in spots):
        bits = 0
        for (place, _), piece in zip(spots, pieces, strict=True):
            bits |= int.from_bytes(piece.data, "little") << place
        return bits.to_bytes(size, "little")
    memory = bytearray(size)
    for (place, leaf), piece in zip(spots, pieces, strict=True):
        own = -(-bits_of(leaf) // 8)
        memory[place // 8 : place // 8 + own] = piece.data[:own]
    return bytes(memory)


# ---- and back


def value_in_words(words: bytes, type: Type) -> Json:
    """The value whose leaves lie in the words of a packed buffer."""
    parts: list[Json] = []
    offset = 0
    for leaf in leaves_of(type):
        size = WORD * words_of(leaf)
        parts.append(_leaf(words[offset : offset + size], leaf))
        offset += size
    return _assembled(iter(parts), type)


def value_in_memory(data: bytes, type: Type) -> Json:
    """The value that lies in `element_size(type)` bytes."""
    if is_leaf(type):
        return _leaf(data, type)
    bits = int.from_bytes(data, "little")
    parts: list[Json] = []
    for place, leaf in places(type):
        width = bits_of(leaf)
        own = bits >> place & ((1 << width) - 1)
        parts.append(_leaf(own.to_bytes(-(-width // 8), "little"), leaf))
    return _assembled(iter(parts), type)


def _leaf(data: bytes, type: Type) -> Json:
    if is_pointer(type):
        address = int.from_bytes(data[:WORD], "little")
        return {"address": f"{address:#x}"} if address else None
    return decode(data, type)


def _assembled(parts: Iterator[Json], type: Type) -> Json:
    """The value of a type of the leaves that come next."""
    if isinstance(type, VectorType):
        return nest([next(parts) for _ in parts_of(type)], type.ranked_shape)
    if is_leaf(type):
        return next(parts)
    return [_assembled(parts, part) for part in parts_of(type)]
