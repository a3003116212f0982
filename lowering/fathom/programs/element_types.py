"""NumPy's arrays as memrefs: which type of elements is which, and the arrays of others without a copy.

An element of a vector type has the vector's dimensions behind the memref's: `memref<4xvector<8xf32>>` is an array of
the shape (4, 8). In memory a row of lanes takes as many bytes as the next power of two: of `vector<3xf32>` 16. Elements
that NumPy has no type for are those of the package `ml_dtypes`, if that is there (bf16, f8, …), or else unsigned
integers with the same bits.

Source of the facts: *The array interface protocol* and *Data type objects* of NumPy; *Python Specification for DLPack*.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, cast, runtime_checkable

from fathom.execution.layouts import bits_of, element_size, integer_width, llvm_float
from fathom.execution.outcome import ArgumentProblem, UnsupportedSignature
from fathom.ir.affine import evaluate
from fathom.ir.attributes import AffineMapAttr, StridedLayoutAttr
from fathom.ir.types import DYNAMIC, ComplexType, FloatType, IntegerType, MemRefType, Type, VectorType
from fathom.records import record, replace

try:
    import numpy as np
except ImportError as problem:
    raise ImportError("calling functions from Python needs NumPy: pip install 'numpy>=2'") from problem

if TYPE_CHECKING:
    from collections.abc import Sequence

Array: TypeAlias = "np.ndarray[Any, np.dtype[Any]]"
_FLOATS: Final = {"f16": "<f2", "f32": "<f4", "f64": "<f8"}
_COMPLEX: Final = {"f32": "<c8", "f64": "<c16"}
_ML_DTYPES: Final = {
    "bf16": "bfloat16",
    "f8E5M2": "float8_e5m2",
    "f8E4M3": "float8_e4m3",
    "f8E4M3FN": "float8_e4m3fn",
    "f8E5M2FNUZ": "float8_e5m2fnuz",
    "f8E4M3FNUZ": "float8_e4m3fnuz",
    "f8E4M3B11FNUZ": "float8_e4m3b11fnuz",
    "f8E3M4": "float8_e3m4",
    "f8E8M0FNU": "float8_e8m0fnu",
}
_MOST_RANK: Final = 64
"""NumPy's arrays have no more dimensions."""


@runtime_checkable
class HasDlpack(Protocol):
    """What gives its memory away by DLPack."""

    def __dlpack__(self, *, stream: object = None) -> object: ...

    def __dlpack_device__(self) -> tuple[int, int]: ...


@record
class Elements:
    """How the elements of a memref or a tensor lie in an array: the `types` that it may have, of which the first is
    that of a result, and the dimensions that each element has of its own, with their `steps` in bytes. Integers without
    a sign come as either. Of an integer that leaves bits of its bytes unused, `unused` is a mask of these, which are to
    be 0."""

    types: tuple[np.dtype[Any], ...]
    inner: tuple[int, ...] = ()
    unused: int = 0
    steps: tuple[int, ...] = ()

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of a result."""
        return self.types[0]

    @property
    def span(self) -> int:
        """How many bytes there are from the first of an element to its last one that is used."""
        return self.dtype.itemsize + sum((n - 1) * step for n, step in zip(self.inner, self.steps, strict=True))


def is_number(type: Type) -> bool:
    """Whether values of a type are numbers of Python."""
    element = type.element if isinstance(type, ComplexType) else type
    return integer_width(element) is not None or llvm_float(element) is not None


@lru_cache(maxsize=1024)
def elements_of(type: Type) -> Elements:
    """How elements of a type lie in an array. Raises UnsupportedSignature."""
    element_size(type)
    if isinstance(type, VectorType):
        return _in_rows(type)
    types, unused = _types_of(type), 0
    if not types:
        raise UnsupportedSignature(f"NumPy has no type for elements of {type}")
    width = integer_width(type)
    if width is not None and width != 1 and width < 8 * types[0].itemsize:
        unused = ((1 << 8 * types[0].itemsize) - 1) & -(1 << width)
    return Elements(types, (), unused)


def lanes_of(type: VectorType) -> Elements:
    """How the lanes of a vector lie in an array. Raises UnsupportedSignature."""
    lanes = elements_of(type.element)
    return Elements(lanes.types, (*type.ranked_shape, *lanes.inner))


def _in_rows(type: VectorType) -> Elements:
    """How the lanes of a vector lie in memory: rows of a power of two bytes. Raises UnsupportedSignature."""
    lanes, shape = lanes_of(type), type.ranked_shape
    if not shape:
        return lanes
    if shape[-1] > 1 and bits_of(type.element) != 8 * lanes.dtype.itemsize:
        why = "its lanes do not lie side by side on whole bytes"
        raise UnsupportedSignature(f"NumPy has no type for elements of {type}: {why}")
    steps, step = [lanes.dtype.itemsize], element_size(VectorType(shape[-1:], type.element))
    for extent in reversed(shape[:-1]):
        steps.insert(0, step)
        step *= extent
    return replace(lanes, steps=tuple(steps))


def _types_of(type: Type) -> tuple[np.dtype[Any], ...]:
    match type:
        case ComplexType(FloatType(name)) if name in _COMPLEX:
            return (np.dtype(_COMPLEX[name]),)
        case FloatType(name) if name in _FLOATS:
            return (np.dtype(_FLOATS[name]),)
        case FloatType("f80") if np.dtype(np.longdouble).itemsize == 16 and np.finfo(np.longdouble).nmant == 63:
            return (np.dtype(np.longdouble),)
        case FloatType(name) if name in _ML_DTYPES:
            bits = np.dtype(f"<u{element_size(type)}")
            own = getattr(sys.modules.get("ml_dtypes"), _ML_DTYPES[name], None)
            return (np.dtype(own), bits) if own is not None else (bits,)
        case _:
            return _integers(type)


def _integers(type: Type) -> tuple[np.dtype[Any], ...]:
    size, width = element_size(type), integer_width(type)
    if width is None or size > 8:
        return ()
    if width == 1:
        return (np.dtype(np.bool_),)
    signed, unsigned = np.dtype(f"<i{size}"), np.dtype(f"<u{size}")
    sign = type.signedness if isinstance(type, IntegerType) else ""
    if width < 8 * size or sign == "u" or isinstance(type, FloatType):
        return (unsigned,)
    return (signed,) if sign == "s" else (signed, unsigned)


def as_array(value: object) -> Array | None:
    """The array of a value that has memory of its own, on which the array lies too; None for one that has none, such as
    a list or a number."""
    if isinstance(value, np.ndarray):
        return cast("Array", value)
    if isinstance(value, (str, bytes, int, float, complex, list, tuple)):
        return None
    if hasattr(value, "__array_interface__"):
        return np.asarray(value)
    try:
        return np.asarray(memoryview(value))  # type: ignore[arg-type]
    except (TypeError, ValueError, BufferError):
        pass
    if isinstance(value, HasDlpack):
        return np.from_dlpack(value)  # type: ignore[arg-type]
    return np.asarray(value) if hasattr(value, "__array__") else None


@record
class Layout:
    """The strides and the offset, in elements, that a memref type asks for: DYNAMIC where any will do; `strides` are
    None where elements lie one behind the other."""

    strides: tuple[int, ...] | None
    offset: int


def layout_asked(type: MemRefType) -> Layout:
    """What a type asks for. Raises UnsupportedSignature for layouts that are not strided."""
    match type.layout:
        case None:
            return Layout(None, 0)
        case StridedLayoutAttr(strides, offset):
            return Layout(tuple(strides), offset)
        case AffineMapAttr(map) if map.is_identity:
            return Layout(None, 0)
        case AffineMapAttr(map) if not map.symbols and len(map.results) == 1:
            rank = len(type.ranked_shape)
            origin = evaluate(map.results[0], (0,) * rank, ())
            units = [tuple(int(i == j) for j in range(rank)) for i in range(rank)]
            return Layout(tuple(evaluate(map.results[0], unit, ()) - origin for unit in units), origin)
        case _:
            raise UnsupportedSignature(f"{type} cannot be passed to a program: its layout is not strided")


def wrong_elements(array: Array, elements: Elements, type: Type, path: str) -> ArgumentProblem | None:
    """What is wrong with the type of an array's elements."""
    if array.dtype not in elements.types:
        wanted = " or ".join(str(each) for each in elements.types)
        return ArgumentProblem(path, f"an array of {wanted} for {type}", f"one of {array.dtype}")
    if elements.unused and array.size and int((array & elements.dtype.type(elements.unused)).max()):
        return ArgumentProblem(path, f"elements in the range of {type}", f"{int(array.max())}")
    return None


def wrong_shape(array: Array, shape: Sequence[int] | None, inner: tuple[int, ...], type: Type) -> str | None:
    """What shape an array should have, if it has another."""
    if shape is None:
        rank = array.ndim - len(inner)
        return None if rank >= 0 and array.shape[rank:] == inner else f"a shape that ends in {inner} for {type}"
    wanted = (*shape, *inner)
    same_rank = len(wanted) == array.ndim
    if same_rank and all(want in (have, DYNAMIC) for want, have in zip(wanted, array.shape, strict=True)):
        return None
    shown = ", ".join("?" if extent == DYNAMIC else str(extent) for extent in wanted)
    return f"the shape ({shown}) for {type}"
