"""Arguments to memory: the JSON-like values of a call become the buffers that the worker lays out before it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from fathom.execution.callable import in_memory, takes_words
from fathom.execution.contents import Pointed, array_of, pointers_in
from fathom.execution.image import ARGUMENTS, RESULTS, Image, Seen
from fathom.execution.layouts import element_size
from fathom.execution.outcome import ArgumentProblem, Given, Parameter, RunRequest
from fathom.execution.pieces import WORD, in_words, pieces_of, words_of
from fathom.execution.placement import extent_of, placement, scatter
from fathom.execution.trampoline import Trampoline, layout_of
from fathom.ir.types import MemRefType, Type

_PLAIN: Final = Parameter()


def image_of(request: RunRequest, trampoline: Trampoline) -> Image:
    """The memory of a call. Raises ArgumentProblem and UnsupportedSignature."""
    values = values_of(request)
    image = Image()
    packed = bytearray()
    image.add(trampoline.arguments_size)
    image.add(trampoline.results_size)
    number = 0
    for i, type in enumerate(request.argument_types):
        parameter = request.convention.parameters.get(i, _PLAIN)
        if parameter.passing == "sret":
            _add_result(image, packed, parameter.pointee or type)
            continue
        _add_argument(image, packed, type, parameter, values[number], number)
        number += 1
    image.replace(ARGUMENTS, bytes(packed))
    offset = 0
    for type in request.result_types:
        passed = in_memory(type)
        if isinstance(passed, MemRefType):
            image.view(passed, RESULTS, offset, Seen(-1, type, passed.element))
        offset += layout_of(type).words * WORD
    return image


def values_of(request: RunRequest) -> Sequence[Given]:
    """A value for each argument that a caller gives. What is given to a `main` that takes `argc` and `argv`, and is not
    these two, are the words of a command line. Raises ArgumentProblem."""
    types, values = request.given_types, request.arguments
    if takes_words(request.function, types) and not _are_both(values):
        words: list[Given] = [request.function, *map(_word, values)]
        return [len(words), words, *([None],) * (len(types) - 2)]
    if len(types) != len(values):
        signature = ", ".join(map(str, types))
        raise ArgumentProblem("arguments", f"{len(types)} for @{request.function}({signature})", f"{len(values)}")
    return values


def _are_both(values: Sequence[Given]) -> bool:
    return len(values) >= 2 and isinstance(values[0], int) and not isinstance(values[1], (int, float, str))


def _word(value: Given) -> str:
    """A value as the word of a command line."""
    return value if isinstance(value, str) else json.dumps(value, default=str)


def _add_argument(image: Image, packed: bytearray, type: Type, parameter: Parameter, value: Given, number: int) -> None:
    """Append the words of an argument, and add the buffers that they point to."""
    path = f"arguments[{number}]"
    if parameter.pointee is not None:
        from fathom.execution.pointees import point

        buffer = point(image, value, path, number, parameter.pointee)
        image.pointers += [(ARGUMENTS, len(packed), buffer)] if buffer is not None else []
        packed += bytes(WORD)
        return
    passed = in_memory(type)
    if isinstance(passed, MemRefType):
        _add_memref(image, packed, passed, value, number, is_read=passed is type)
        return
    pieces = list(pieces_of(value, type, path))
    spots, place = list[int](), len(packed)
    for piece in pieces:
        spots.append(place)
        place += WORD * words_of(piece.type)
    packed += in_words(pieces)
    _attach(image, ARGUMENTS, 0, pointers_in(pieces, spots), number)


def _attach(image: Image, home: int, start: int, pointers: Sequence[Pointed], number: int) -> None:
    """Have pointers point to what they are given, if there are some."""
    if pointers:
        from fathom.execution.pointees import attach

        attach(image, home, start, pointers, number)


def _add_result(image: Image, packed: bytearray, type: Type) -> None:
    """Append the word for a result that the function writes to memory."""
    buffer = image.add(element_size(type))
    image.view_buffer(buffer, 1, Seen(-1, type, type, is_one=True))
    image.pointers.append((ARGUMENTS, len(packed), buffer))
    packed += bytes(WORD)


def _add_memref(image: Image, packed: bytearray, type: MemRefType, value: Given, number: int, *, is_read: bool) -> None:
    """Append the words of a memref argument, and add the buffers that they point to. With `is_read`, the memref is read
    after the call."""
    path = f"arguments[{number}]"
    contents, pointers = array_of(value, type.shape, type.element, path)
    size = element_size(type.element)
    strides, offset = placement(type, contents, path)
    data = scatter(contents, strides, offset, size, path)
    buffer = image.add(extent_of(contents.shape, strides, offset) * size, data, number)
    if pointers and len(data) != len(contents.data):
        raise ArgumentProblem(path, "elements one behind the other", "strides or an offset")
    _attach(image, buffer, offset * size, pointers, number)
    fields = (0, 0, offset, *contents.shape, *strides)
    descriptor = b"".join(word.to_bytes(WORD, "little", signed=True) for word in fields)
    home, position = ARGUMENTS, len(packed)
    if is_read:
        image.view(type, home, position, Seen(number, type, type.element, contents, path=path), owner=buffer)
    if type.shape is None:
        home = image.add(len(descriptor), descriptor)
        image.pointers.append((ARGUMENTS, position + WORD, home))
        packed += len(contents.shape).to_bytes(WORD, "little") + bytes(WORD)
        position = 0
    else:
        packed += descriptor
    image.pointers += [(home, position, buffer), (home, position + WORD, buffer)]
