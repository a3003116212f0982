"""Arrays that are said in a word: `zeros`, `ones(2, 3)`, `iota(8, start=1)`, `random(4, 4, seed=7)`, `eye(3)`.

The numbers of `random` are those of NumPy: of `numpy.random.default_rng(seed)`, for floats and complex numbers
`.random(…)`, from 0 up to 1; for integers `.integers(0, 100, …)`, or up to the greatest that the type has.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from fathom.execution.arrays import elements_of
from fathom.execution.layouts import element_size
from fathom.execution.outcome import ArgumentProblem, Array, Given, Json
from fathom.execution.scalars import describe, encode, encode_all, integer_range
from fathom.ir.types import ComplexType, FloatType, Type, VectorType

if TYPE_CHECKING:
    from numpy.typing import NDArray

NAMES: Final = ("zeros", "ones", "iota", "random", "eye")
CALL: Final = re.compile(rf"({'|'.join(NAMES)})(?:\((.*)\))?", re.DOTALL)
"""A fill as it is written."""
_HIGHEST: Final = 99
"""The highest integer among those that are drawn."""
_LARGEST: Final = 1 << 30
"""Bytes that numbers which are made may take."""
_FEW: Final = 4096
"""So many numbers are made without NumPy."""
_KEYS: Final[Mapping[str, tuple[str, Json, str]]] = {
    "zeros": ("fill", 0, ""),
    "ones": ("fill", 1, ""),
    "iota": ("iota", 0, "start"),
    "random": ("random", 0, "seed"),
    "eye": ("eye", True, ""),
}
"""For each fill, what an object says in its place: the key, its value, and the option that gives another one."""


def expanded(text: str, path: str) -> dict[str, Given] | None:
    """The object that a fill stands for, such as `{"shape": [4, 4], "random": 7}`; None for another text."""
    match = CALL.fullmatch(text.strip())
    if match is None:
        return None
    name, inside = match[1], match[2]
    key, value, option = _KEYS[name]
    made: dict[str, Given] = {key: value}
    shape: list[Given] = []
    for part in (inside or "").strip().strip("[]").split(",") if inside and inside.strip() else ():
        word, is_option, given = map(str.strip, part.partition("="))
        if is_option and word == option:
            made[key] = _number(given, path, f"{word}=, a number, in `{name}(…)`")
        elif is_option and word == "type":
            made["type"] = given
        elif is_option:
            options = " or ".join(filter(None, (f"{option}=" if option else "", "type=")))
            raise ArgumentProblem(path, f"{options} in `{name}(…)`", f"`{word[:40]}=`")
        else:
            shape.append(_number(word, path, f"extents in `{name}(…)`"))
    if name == "eye" and len(shape) == 1:
        shape *= 2
    return {**made, "shape": shape} if shape else made


def _number(text: str, path: str, expected: str) -> int | float:
    for read in (int, float):
        try:
            return read(text.strip("[] "))
        except ValueError:
            continue
    raise ArgumentProblem(path, expected, describe(text))


def count_of(shape: Sequence[int], element: Type, path: str) -> int:
    """How many elements there are. Raises ArgumentProblem if they take too much memory."""
    count = math.prod(shape)
    if count * element_size(element) > _LARGEST:
        raise ArgumentProblem(path, "less than 1 GiB of numbers", f"{count} elements")
    return count


def iota(start: Given, shape: Sequence[int], element: Type, path: str) -> bytes:
    """0, 1, 2, … row after row, from another number on if one is given."""
    first = 0 if start is True else start
    if not isinstance(first, (int, float)) or isinstance(element, VectorType):
        raise ArgumentProblem(path, f"true, or the number to start from, for {element} elements", describe(start))
    count = count_of(shape, element, path)
    if count <= _FEW:
        return encode_all([first + i for i in range(count)], element, lambda i: f"{path}+{i}")
    import numpy as np

    last = first + count - 1
    if isinstance(first, int) and not isinstance(element, (FloatType, ComplexType)):
        _, high = integer_range(element)
        if last > high:
            encode(high + 1, element, f"{path}+{high + 1 - first}")
    if abs(last) >= 1 << 63:
        raise ArgumentProblem(path, "a number to start from below 2**63", describe(start))
    numbers = np.arange(count, dtype="<i8" if isinstance(first, int) else "<f8") + first
    return _encoded(numbers, element, path)


def eye(wanted: Given, shape: Sequence[int], element: Type, path: str) -> bytes:
    """Ones where row and column are the same, zeros elsewhere."""
    if wanted is not True or len(shape) != 2:
        got = f"{len(shape)} dimensions" if wanted is True else describe(wanted)
        raise ArgumentProblem(path, "true, for two dimensions", got)
    if isinstance(element, VectorType):
        raise ArgumentProblem(path, "elements that are numbers", str(element))
    count_of(shape, element, path)
    rows, columns = shape
    zero, one = (encode(number, element, path) for number in (0, 1))
    memory = bytearray(zero * (rows * columns))
    for i in range(min(rows, columns)):
        place = (i * columns + i) * len(one)
        memory[place : place + len(one)] = one
    return bytes(memory)


def random(seed: Given, shape: Sequence[int], element: Type, path: str) -> bytes:
    """Numbers that NumPy draws; the same ones from the same seed."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 1 << 128:
        raise ArgumentProblem(path, "a seed, an integer from 0 on", describe(seed))
    lanes = tuple(shape)
    while isinstance(element, VectorType):
        lanes, element = (*lanes, *element.ranked_shape), element.element
    count = count_of(lanes, element, path)
    import numpy as np

    draw = np.random.default_rng(seed)
    if isinstance(element, ComplexType):
        return _encoded(draw.random(2 * count).view("<c16"), element, path)
    if isinstance(element, FloatType):
        return _encoded(draw.random(count), element, path)
    low, high = integer_range(element)
    most = high if low == 0 or high == 1 else -low - 1
    return _encoded(draw.integers(0, min(_HIGHEST, most) + 1, count), element, path)


def _encoded(numbers: NDArray[Any], element: Type, path: str) -> bytes:
    array = Array(numbers.dtype.str, (numbers.size,), numbers.tobytes())
    return elements_of(array, element, lambda i: f"{path}+{i}")
