"""Values as a person reads them: one by one by the shortest digits, arrays as NumPy prints them. NumPy is imported when
there is an array."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from fathom.execution.arrays import kind_of
from fathom.execution.layouts import numbers_of
from fathom.execution.outcome import Json
from fathom.ir.types import ComplexType, FloatType, VectorType

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fathom.ir.types import Type

USUAL_DIGITS: Final = 8
"""So many digits of the floats in arrays are shown where nobody asks for others."""


def spell(value: Json) -> str:
    """A value as a person reads it, and as `--args` takes it: a float by the shortest digits that read back as the same
    number; a memref by its elements, and how many more there are; a pointer by what it points to, if that is known."""
    match value:
        case {"data": data, **rest}:
            return spell(data) + (f" and {rest['truncated']} more" if "truncated" in rest else "")
        case {"address": str(address), **rest}:
            return f"{address} (argument #{rest['argument']} + {rest['offset']} bytes)" if rest else address
        case list() | tuple():
            return f"[{', '.join(map(spell, value))}]"
        case str():
            return value
        case _:
            return json.dumps(value)


def spell_typed(value: Json, type: Type, floats: int | None = USUAL_DIGITS) -> str:
    """A result that is no memref: a vector or an array of numbers as NumPy prints it."""
    numbers = numbers_of(type)
    if numbers is None or not isinstance(value, (list, tuple)):
        return spell(value)
    import numpy as np

    shape, element = numbers
    flat: list[Json] = list(value)
    for _ in shape[1:]:
        flat = [each for row in flat if isinstance(row, (list, tuple)) for each in row]
    return spell_array(of_values(flat, element).reshape(shape) if flat else np.empty(shape), floats)


def spell_array(array: NDArray[Any], floats: int | None = USUAL_DIGITS) -> str:
    """An array as NumPy prints it."""
    import numpy as np

    if array.dtype.kind in "bO":
        return np.array2string(array, separator=", ", formatter={"all": _spell_element})
    if floats is None:
        return np.array2string(array, separator=", ", floatmode="unique")
    return np.array2string(array, separator=", ", precision=floats)


def _spell_element(value: Any) -> str:
    """A truth value, or what NumPy has no elements for."""
    return spell(value if isinstance(value, (int, str)) else bool(value))


def of_values(values: Sequence[Json], element: Type) -> NDArray[Any]:
    """An array of values one by one: of numbers, as far as NumPy has such."""
    import numpy as np

    kind = kind_of(element)
    match element:
        case FloatType():
            return np.array([_number(value) for value in values], kind or np.float64)
        case ComplexType(FloatType()):
            return np.array([complex(*map(_number, list_of(value))) for value in values], kind or np.complex128)
        case _ if kind is not None:
            return np.array(values, kind)
        case VectorType() if values and numbers_of(element) is not None:
            shape, lane = numbers_of(element) or ((), element)
            flat: list[Json] = list(values)
            for _ in shape:
                flat = [each for row in flat for each in list_of(row)]
            return of_values(flat, lane).reshape((len(values), *shape))
        case _:
            made = np.empty(len(values), object)
            made[:] = [_Spelt(spell(value)) if isinstance(value, (list, dict)) else value for value in values]
            return made


class _Spelt(str):
    """What stands for a value that NumPy has not, and is no list to it."""

    __slots__ = ()


def list_of(value: Json) -> Sequence[Json]:
    """A list, or an empty one for what is none."""
    return value if isinstance(value, (list, tuple)) else ()


def _number(value: Json) -> float:
    return float(value) if isinstance(value, (int, float, str)) else 0.0
