"""Arguments to memory: the JSON-like values of a call become the buffers that the worker lays out before it.

An image is a list of buffers and of the words in them that hold addresses of other buffers. Buffer 0 holds the packed
arguments and buffer 1 the packed results (see `trampoline`); the rest are the data of memrefs and the descriptors of
unranked ones.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from typing import Final

from fathom.execution.callable import in_memory
from fathom.execution.literals import Contents, read_contents
from fathom.execution.outcome import ArgumentProblem, Json, RunRequest, UnsupportedSignature
from fathom.execution.scalars import describe, element_size, encode
from fathom.execution.trampoline import WORD, Trampoline, layout_of
from fathom.ir.affine import evaluate
from fathom.ir.attributes import AffineMapAttr, StridedLayoutAttr
from fathom.ir.types import DYNAMIC, ComplexType, MemRefType, Type, VectorType
from fathom.records import field, record
from fathom.text.beginnings import beginning

RESULTS: Final = 1


@record(frozen=False)
class Image:
    """The memory of a call, in the form that the worker is sent (`header`, referring to `blob`)."""

    blob: bytearray = field(default_factory=bytearray)
    buffers: list[dict[str, object]] = field(default_factory=list[dict[str, object]])
    pointers: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    views: list[dict[str, object]] = field(default_factory=list[dict[str, object]])
    """The memrefs to read after the call: those of the arguments, then those of the results."""
    size: int = 0

    def add(self, size: int, data: bytes = b"") -> int:
        """A buffer of `size` bytes that starts with `data`, or repeats it if it divides the size; its number."""
        self.buffers.append({"size": size, "data": [len(self.blob), len(data)]})
        self.blob += data
        self.size += size
        return len(self.buffers) - 1

    def replace(self, buffer: int, data: bytes) -> None:
        """Give a buffer its contents."""
        self.buffers[buffer]["data"] = [len(self.blob), len(data)]
        self.blob += data

    def view(self, type: MemRefType, buffer: int, offset: int) -> None:
        """Have the memref read whose words lie at `offset` in the buffer."""
        rank = -1 if type.shape is None else len(type.shape)
        self.views.append({"at": [buffer, offset], "rank": rank, "size": element_size(type.element)})

    def header(self) -> dict[str, object]:
        return {"buffers": self.buffers, "pointers": self.pointers, "views": self.views}


def image_of(request: RunRequest, trampoline: Trampoline) -> Image:
    """The memory of a call. Raises ArgumentProblem and UnsupportedSignature."""
    types, values = request.argument_types, request.arguments
    if len(types) != len(values):
        signature = ", ".join(map(str, types))
        raise ArgumentProblem("arguments", f"{len(types)} for @{request.function}({signature})", f"{len(values)}")
    image = Image()
    packed = bytearray()
    image.add(trampoline.arguments_size)
    image.add(trampoline.results_size)
    for i, (type, value) in enumerate(zip(types, values, strict=True)):
        path = f"arguments[{i}]"
        passed = in_memory(type)
        if isinstance(passed, MemRefType):
            _add_memref(image, packed, passed, value, i, is_read=passed is type)
        else:
            packed += _words(value, type, path)
    image.replace(0, bytes(packed))
    offset = 0
    for type in request.result_types:
        passed = in_memory(type)
        if isinstance(passed, MemRefType):
            image.view(passed, RESULTS, offset)
        offset += words_of(type) * WORD
    return image


def words_of(type: Type) -> int:
    """How many words a value of this type takes in a packed buffer."""
    return layout_of(type).words


def _words(value: Json, type: Type, path: str) -> bytes:
    """The words of an argument that is not a memref."""
    if isinstance(type, VectorType):
        return _vector_words(value, type, path)
    if isinstance(type, ComplexType):
        data = encode(value, type, path)
        half = len(data) // 2
        return b"".join(_padded(part, words_of(type.element)) for part in (data[:half], data[half:]))
    return _padded(encode(value, type, path), words_of(type))


def _vector_words(value: Json, type: VectorType, path: str) -> bytes:
    if not isinstance(value, (Sequence, dict)) or isinstance(value, str):
        raise ArgumentProblem(path, f"nested lists for {type}", describe(value))
    shape, lane = type.ranked_shape, element_size(type.element)
    contents = read_contents(value, shape, type.element, path)
    data = contents.data * math.prod(shape) if contents.is_fill else contents.data
    return b"".join(_padded(data[i : i + lane], words_of(type.element)) for i in range(0, len(data), lane))


def _padded(data: bytes, words: int) -> bytes:
    return data[: words * WORD].ljust(words * WORD, b"\0")


def _add_memref(image: Image, packed: bytearray, type: MemRefType, value: Json, number: int, *, is_read: bool) -> None:
    """Append the words of a memref argument, and add the buffers that they point to. With `is_read`, the memref is read
    after the call."""
    path = f"arguments[{number}]"
    contents = read_contents(value, type.shape, type.element, path)
    strides, offset = _placement(type, contents, path)
    data = _scatter(contents, strides, offset, element_size(type.element), path)
    extent = _extent(contents.shape, strides, offset) * element_size(type.element)
    buffer = image.add(extent, data)
    image.buffers[buffer]["argument"] = number
    fields = (0, 0, offset, *contents.shape, *strides)
    descriptor = b"".join(word.to_bytes(WORD, "little", signed=True) for word in fields)
    home, position = 0, len(packed)
    if is_read:
        image.view(type, home, position)
        image.views[-1]["owner"] = buffer
    if type.shape is None:
        home = image.add(len(descriptor), descriptor)
        image.pointers.append((0, position + WORD, home))
        packed += len(contents.shape).to_bytes(WORD, "little") + bytes(WORD)
        position = 0
    else:
        packed += descriptor
    image.pointers += [(home, position, buffer), (home, position + WORD, buffer)]


def _layout_of(type: MemRefType, rank: int) -> tuple[Sequence[int], int]:
    """Strides and offset as the type has them, DYNAMIC where it leaves them open or has the identity layout."""
    match type.layout:
        case StridedLayoutAttr(strides, offset):
            return strides, offset
        case AffineMapAttr(map) if not map.is_identity:
            if map.symbols or len(map.results) != 1:
                raise UnsupportedSignature(f"{type} cannot be passed to a program: its layout is not strided")
            origin = evaluate(map.results[0], (0,) * rank, ())
            units = [tuple(int(i == j) for j in range(rank)) for i in range(rank)]
            return [evaluate(map.results[0], unit, ()) - origin for unit in units], origin
        case None | AffineMapAttr():
            return (DYNAMIC,) * rank, 0
        case _:
            raise UnsupportedSignature(f"{type} cannot be passed to a program: its layout is not strided")


def _placement(type: MemRefType, contents: Contents, path: str) -> tuple[tuple[int, ...], int]:
    """The strides and the offset of a memref, in elements: the type's, else those given, else row-major from 0."""
    wanted, offset = _layout_of(type, len(contents.shape))
    has_layout = type.layout is not None
    strides, next_stride = list[int](), 1
    for i, extent in reversed(list(enumerate(contents.shape))):
        given = contents.strides[i] if contents.strides else None
        if given is not None and (not has_layout or wanted[i] not in (DYNAMIC, given)) and given != next_stride:
            fixed = wanted[i] if has_layout else next_stride
            raise ArgumentProblem(f"{path}.strides[{i}]", f"{fixed}, from {type}", f"{given}")
        stride = wanted[i] if wanted[i] != DYNAMIC else next_stride if given is None else given
        strides.insert(0, stride)
        next_stride = stride * max(extent, 1) if has_layout else stride * extent
    if contents.offset is not None and offset not in (DYNAMIC, contents.offset):
        raise ArgumentProblem(f"{path}.offset", f"{offset}, from {type}", f"{contents.offset}")
    if offset == DYNAMIC:
        offset = contents.offset or 0
    return tuple(strides), offset


def _extent(shape: Sequence[int], strides: Sequence[int], offset: int) -> int:
    """How many elements the memory must hold."""
    if 0 in shape:
        return offset
    return offset + sum((extent - 1) * max(stride, 0) for extent, stride in zip(shape, strides, strict=True)) + 1


def _scatter(contents: Contents, strides: Sequence[int], offset: int, size: int, path: str) -> bytes:
    """The bytes of the memory: the elements at their places, zeros between them; one element if it is repeated."""
    shape = contents.shape
    lowest = offset + sum((extent - 1) * min(stride, 0) for extent, stride in zip(shape, strides, strict=True))
    if lowest < 0 and 0 not in shape:
        raise ArgumentProblem(f"{path}.offset", f"at least {offset - lowest}, as strides are negative", str(offset))
    if contents.is_fill or (offset == 0 and _is_row_major(shape, strides)):
        return contents.data
    return _spread(contents, strides, offset, size)


def _is_row_major(shape: Sequence[int], strides: Sequence[int]) -> bool:
    expected = 1
    for extent, stride in zip(reversed(shape), reversed(strides), strict=True):
        if extent != 1 and stride != expected:
            return False
        expected *= extent
    return True


def _spread(contents: Contents, strides: Sequence[int], offset: int, size: int) -> bytes:
    places = [offset]
    for extent, stride in zip(contents.shape, strides, strict=True):
        places = [place + i * stride for place in places for i in range(extent)]
    memory = bytearray(_extent(contents.shape, strides, offset) * size)
    for i, place in enumerate(places):
        memory[place * size : (place + 1) * size] = contents.data[i * size : (i + 1) * size]
    return bytes(memory)


_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s,:\[\]{}()"]+|[,:\[\]{}()"]')
_SHOWN: Final = 100
"""So many characters are shown of a text that cannot be read."""
_SPECIAL: Final = {"true": "true", "false": "false", "null": "null"}
_PARENTHESES: Final = {"(": "[", ")": "]"}


def parse_arguments(text: str) -> list[Json]:
    """The arguments in `1, 2.5, [[1, 2], [3, 4]], {shape: [4], fill: nan}`: JSON, but tolerant.

    Numbers may be written `1.`, `.5`, `0x1F`, `nan`, `inf`; keys may go without quotes. Raises ArgumentProblem.
    """
    tokens = [token if token[0] in '",:[]{}' else _word(token) for token in _TOKEN.findall(text)]
    try:
        return json.loads(f"[{' '.join(tokens)}]")
    except (ValueError, RecursionError):
        expected = "values separated by commas, such as 1, 2.5, [[1, 2], [3, 4]]"
        raise ArgumentProblem("arguments", expected, f"`{beginning(text, _SHOWN)}`") from None


def _word(word: str) -> str:
    """A JSON token for a bare word: a number, a literal, or else a string (`nan`, `0x1F`, a key)."""
    if word in _SPECIAL or word in _PARENTHESES:
        return _PARENTHESES.get(word, word)
    if re.fullmatch(r"[+-]?\d+", word):
        sign, digits = "-" if word[0] == "-" else "", word.lstrip("+-").lstrip("0")
        return f"{sign}{digits or 0}"
    if re.fullmatch(r"[+-]?(\d+\.\d*|\.\d+|\d+(?=[eE]))([eE][+-]?\d+)?", word):
        return repr(float(word)) if math.isfinite(float(word)) else json.dumps(word)
    return json.dumps(word)
