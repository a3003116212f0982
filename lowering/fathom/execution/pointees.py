"""What pointers are given to point to.

    null                                           nothing
    "text", {"string": "x.npy"}                    the bytes of a text in UTF-8, and a zero behind them
    {"bytes": "00ff10"}, {"bytes": [0, 255]}       bytes
    {"type": "i32", "data": [1, 2, 3]}             an array; as for a memref, also "shape", "fill", "iota", …
    zeros(8, type=f32), x.npy                      an array, too
    ["prog", "a", null]                            an array of pointers to texts, and a null pointer behind them

The elements of an array may be structs and pointers, whose values are lists, and what is said here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from fathom.execution import fills
from fathom.execution.arrays import type_of
from fathom.execution.contents import Pointed, array_of, pointers_in
from fathom.execution.image import Image, Seen
from fathom.execution.layouts import element_size, places
from fathom.execution.literals import is_list
from fathom.execution.outcome import ArgumentProblem, Array, Given, UnsupportedSignature
from fathom.execution.pieces import in_memory_of, pieces_of
from fathom.execution.scalars import describe, encode_all
from fathom.ir.floats import SEMANTICS
from fathom.ir.types import DYNAMIC, INDEX, FloatType, IntegerType, Type, signless

_BYTE: Final = signless(8)
_EXPECTED: Final = 'null, a text, or an object with the type of the elements, such as {"type": "i32", "data": [1, 2]}'
_NUMBER: Final = re.compile(r"(s|u|)i(\d{1,8})")
_LONGEST: Final = 1000
"""The text of a type is no longer."""
_WITHOUT_PREFIX: Final = ("ptr", "struct<", "array<")
MOST_POINTERS: Final = 1 << 12
"""An argument has no more pointers in it: each has a buffer with pages of its own."""


def point(image: Image, value: Given, path: str, argument: int, pointee: Type | None = None) -> int | None:
    """The number of the buffer to which a pointer points, with what it holds; None for a null pointer. It is read after
    the call as what the argument of that number points to. Raises ArgumentProblem and UnsupportedSignature."""
    if pointee is not None:
        return _one(image, value, path, argument, pointee)
    match value:
        case None:
            return None
        case str():
            made = fills.expanded(value, path) if "type=" in value else None
            return _text(image, value, path, argument) if made is None else point(image, made, path, argument)
        case Array():
            element = type_of(value.kind)
            if element is None:
                raise ArgumentProblem(path, "an array of numbers that programs have", value.kind)
            return _array(image, value, path, argument, element)
        case Mapping():
            return _object(image, value, path, argument)
        case Sequence() if all(each is None or isinstance(each, str) for each in value):
            return _array(image, [*value, None], path, argument, type_named("ptr", path))
        case _:
            raise ArgumentProblem(path, _EXPECTED, describe(value))


def _object(image: Image, value: Mapping[str, Given], path: str, argument: int) -> int | None:
    if "string" in value and len(value) == 1:
        text = value["string"]
        if not isinstance(text, str):
            raise ArgumentProblem(f"{path}.string", "a text", describe(text))
        return _text(image, text, f"{path}.string", argument)
    if "bytes" in value and len(value) == 1:
        data = _bytes(value["bytes"], f"{path}.bytes")
        buffer = image.add(len(data), data, argument)
        contents, _ = array_of(Array("|i1", (len(data),), data), (len(data),), _BYTE, path)
        image.view_buffer(buffer, len(data), Seen(argument, _BYTE, _BYTE, contents, path=path))
        return buffer
    if "type" not in value:
        raise ArgumentProblem(path, _EXPECTED, "an object without a type")
    element = type_named(value["type"], f"{path}.type")
    rest = {key: each for key, each in value.items() if key != "type"}
    return _array(image, rest, path, argument, element)


def _bytes(value: Given, path: str) -> bytes:
    if isinstance(value, str):
        try:
            return bytes.fromhex(value)
        except ValueError:
            raise ArgumentProblem(path, "two hexadecimal digits for each byte", describe(value)) from None
    if not is_list(value):
        raise ArgumentProblem(path, "a list of bytes, or their hexadecimal digits", describe(value))
    return encode_all(value, _BYTE, lambda i: f"{path}[{i}]")


def _text(image: Image, text: str, path: str, argument: int) -> int:
    try:
        data = text.encode() + b"\0"
    except UnicodeEncodeError:
        raise ArgumentProblem(path, "a text in Unicode", "one with half a surrogate pair") from None
    buffer = image.add(len(data), data, argument)
    contents, _ = array_of(Array("|i1", (len(data),), data), (len(data),), _BYTE, path)
    image.view_buffer(buffer, len(data), Seen(argument, _BYTE, _BYTE, contents, is_text=True, path=path))
    return buffer


def _array(image: Image, value: Given, path: str, argument: int, element: Type) -> int:
    shape = (DYNAMIC,) if is_list(value) else None
    contents, pointers = array_of(value, shape, element, path)
    if contents.strides is not None or contents.offset is not None:
        raise ArgumentProblem(path, "elements one behind the other", "strides or an offset")
    count = 1
    for extent in contents.shape:
        count *= extent
    buffer = image.add(count * element_size(element), contents.data, argument)
    image.view_buffer(buffer, count, Seen(argument, element, element, contents, path=path))
    attach(image, buffer, 0, pointers, argument)
    return buffer


def _one(image: Image, value: Given, path: str, argument: int, pointee: Type) -> int:
    """A single value of a type, which the function sees by a pointer."""
    pieces = list(pieces_of(value, pointee, path))
    buffer = image.add(element_size(pointee), in_memory_of(pieces, pointee), argument)
    attach(image, buffer, 0, pointers_in(pieces, [place // 8 for place, _ in places(pointee)]), argument)
    return buffer


def attach(image: Image, home: int, start: int, pointers: Sequence[Pointed], argument: int) -> None:
    """Have pointers in a buffer, whose offsets count from `start`, point to what they are given."""
    if len(image.buffers) + len(pointers) > MOST_POINTERS:
        path = pointers[0].path if pointers else "arguments"
        raise ArgumentProblem(path, f"at most {MOST_POINTERS} pointers", f"{len(pointers)} more")
    for pointed in pointers:
        target = point(image, pointed.pointee, pointed.path, argument)
        if target is not None:
            image.pointers.append((home, start + pointed.offset, target))


def type_named(text: Given, path: str) -> Type:
    """The type of a text such as `i32` or `struct<(i32, ptr)>`, which needs no `!llvm.` in front. Raises
    ArgumentProblem."""
    if not isinstance(text, str) or not text.strip() or len(text) > _LONGEST:
        raise ArgumentProblem(path, "the text of a type, such as i32", describe(text))
    text = text.strip()
    if (match := _NUMBER.fullmatch(text)) is not None:
        type: Type = IntegerType(int(match[2]), match[1])
    elif text in SEMANTICS:
        type = FloatType(text)
    elif text == "index":
        type = INDEX
    elif text in ("ptr", "!llvm.ptr"):
        from fathom.dialects.llvm.types import PTR

        type = PTR
    else:
        type = _parsed(text, path)
    try:
        element_size(type)
    except UnsupportedSignature:
        raise ArgumentProblem(path, "a type whose values lie in memory", f"`{text}`") from None
    return type


def _parsed(text: str, path: str) -> Type:
    from fathom.context import default_context
    from fathom.dialect.values import parse_type

    try:
        return parse_type(f"!llvm.{text}" if text.startswith(_WITHOUT_PREFIX) else text, default_context())
    except (ValueError, RecursionError):
        raise ArgumentProblem(path, "the text of a type, such as i32", f"`{text[:100]}`") from None
