"""Arrays of NumPy as elements of a program's memory, and back. NumPy is imported when there is such an array."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from fathom.execution.outcome import ArgumentProblem, Array
from fathom.execution.scalars import encode_all, integer_range
from fathom.ir.types import ComplexType, FloatType, IndexType, IntegerType, Type

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from fathom.execution.outcome import Json

_FLOATS: Final = {"f16": "<f2", "f32": "<f4", "f64": "<f8"}
_COMPLEX: Final = {"f32": "<c8", "f64": "<c16"}
_INTEGERS: Final = (8, 16, 32, 64)


def kind_of(element: Type) -> str | None:
    """What NumPy calls elements that lie in memory as these do, or None."""
    match element:
        case FloatType(name):
            return _FLOATS.get(name)
        case ComplexType(FloatType(name)):
            return _COMPLEX.get(name)
        case IndexType():
            return "<i8"
        case IntegerType(1):
            return "|b1"
        case IntegerType(width, signedness) if width in _INTEGERS:
            order = "|" if width == 8 else "<"
            return f"{order}{'u' if signedness == 'u' else 'i'}{width // 8}"
        case _:
            return None


def type_of(kind: str) -> Type | None:
    """The type of the elements of a kind of NumPy, where there is one."""
    letter, size = kind[1], int(kind[2:])
    if letter == "f":
        return next((FloatType(name) for name, own in _FLOATS.items() if own == kind), None)
    if letter == "c":
        return next((ComplexType(FloatType(name)) for name, own in _COMPLEX.items() if own == kind), None)
    return IntegerType(1 if letter == "b" else 8 * size, "u" if letter == "u" else "")


def as_numpy(array: Array) -> NDArray[np.generic]:
    """The array for NumPy; nobody writes to it."""
    import numpy as np

    return np.frombuffer(array.data, np.dtype(array.kind)).reshape(array.shape)


def from_numpy(array: NDArray[Any]) -> Array:
    """An array from NumPy. Raises ValueError for elements that are no numbers, or wider than a program has them."""
    import numpy as np

    dtype = array.dtype
    if dtype.kind not in "biufc" or dtype.itemsize > (16 if dtype.kind == "c" else 8):
        raise ValueError(f"it holds elements of the type '{dtype}'")
    made = np.ascontiguousarray(array, dtype.newbyteorder("<")) if array.ndim else array.astype(dtype.newbyteorder("<"))
    return Array(made.dtype.newbyteorder("<").str.replace(">", "<"), tuple(array.shape), made.tobytes())


def plain(array: Array) -> Json:
    """The elements as nested lists; a complex number is a list of two."""
    made = as_numpy(array)
    if array.kind[1] == "c":
        made = made.view(array.kind.replace("c16", "f8").replace("c8", "f4")).reshape(*array.shape, 2)
    return cast("Json", made.tolist())


def elements_of(array: Array, element: Type, path_of: Callable[[int], str]) -> bytes:
    """The bytes of the elements of an array, as elements of a type. Raises ArgumentProblem where one does not fit;
    `path_of` names it."""
    kind = kind_of(element)
    if kind == array.kind:
        return array.data
    made = as_numpy(array).reshape(-1)
    source = array.kind[1]
    if kind is not None and (kind[1] == "c" or (kind[1] == "f" and source != "c")):
        import numpy as np

        with np.errstate(over="ignore"):
            return made.astype(kind).tobytes()
    if source == "c" and not isinstance(element, ComplexType):
        raise ArgumentProblem(path_of(0), f"numbers for {element}", f"complex ones ({array.kind})")
    if kind is not None and kind[1] in "iu" and source in "biu" and made.size:
        low, high = integer_range(element)
        if low <= int(made.min()) and int(made.max()) <= high:
            return made.astype(kind).tobytes()
    values = plain(Array(array.kind, (made.size,), array.data))
    return encode_all(cast("list[Json]", values), element, path_of)
