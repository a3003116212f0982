"""Files of NumPy: what a `.npy` file holds, as nested lists.

Source of the format: *numpy.lib.format*, versions 1.0 to 3.0.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Sequence
from typing import Final

from fathom.execution.outcome import Json
from fathom.execution.scalars import nest

SUFFIX: Final = ".npy"
_BEGINNING: Final = b"\x93NUMPY"
_KIND: Final = re.compile(rb"""["']descr["']: ["']([<>|=])(\w+)["']""")
_SHAPE: Final = re.compile(rb"""["']shape["']: \(([\d, ]*)\)""")
_BY_COLUMNS: Final = re.compile(rb"""["']fortran_order["']: True""")
_CODES: Final = {
    "b1": "?",
    **{f"i{1 << place}": code for place, code in enumerate("bhiq")},
    **{f"u{1 << place}": code for place, code in enumerate("BHIQ")},
    **{f"f{2 << place}": code for place, code in enumerate("efd")},
}
"""What the numbers of an array are to `struct`; a complex number is two."""


class NotAnArray(ValueError):
    """The bytes are no such file, or hold what a program is not given."""


def read_array(data: bytes) -> Json:
    """The elements of an array, as lists in lists; a complex number is a list of two. Raises NotAnArray."""
    size = 2 if data[6:7] == b"\x01" else 4
    start = 8 + size + int.from_bytes(data[8 : 8 + size], "little")
    header = data[8 + size : start]
    kind, shape = _KIND.search(header), _SHAPE.search(header)
    if not data.startswith(_BEGINNING) or kind is None or shape is None:
        raise NotAnArray("this is no array of numbers as NumPy writes it")
    extents = [int(extent) for extent in shape[1].replace(b" ", b"").split(b",") if extent]
    order, name = ">" if kind[1] == b">" else "<", kind[2].decode()
    parts = 2 if name in ("c8", "c16") else 1
    code = _CODES.get(f"f{int(name[1:]) // 2}" if parts == 2 else name)
    if code is None:
        raise NotAnArray(f"it holds elements of the type '{name}'")
    numbers = parts * math.prod(extents)
    if len(data) - start < numbers * struct.calcsize(code):
        raise NotAnArray("it ends before its last element")
    elements: list[Json] = list(struct.unpack_from(f"{order}{numbers}{code}", data, start))
    if parts == 2:
        elements = [elements[i : i + 2] for i in range(0, numbers, 2)]
    return nest(_by_rows(elements, extents) if _BY_COLUMNS.search(header) else elements, extents)


def _by_rows(elements: Sequence[Json], shape: Sequence[int]) -> list[Json]:
    """Elements that stand column by column, row by row."""
    places = [0]
    for level, extent in enumerate(shape):
        step = math.prod(shape[:level])
        places = [place + i * step for place in places for i in range(extent)]
    return [elements[place] for place in places]
