"""Values of Python as arguments: each parameter of a function has an object that takes a value, made once for its type.

A value that goes by itself (a number, a vector) becomes words, as the trampoline finds them in its buffer. One that
goes in memory (a memref, a tensor) becomes an array, and words when it is known where that lies.
"""

from __future__ import annotations

import math
import operator
import struct
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias, cast

import numpy as np

from fathom.execution.callable import in_memory
from fathom.execution.layouts import alignment_of, element_size, integer_width
from fathom.execution.outcome import ArgumentProblem, Json, UnsupportedSignature
from fathom.execution.scalars import describe, encode
from fathom.execution.trampoline import WORD, layout_of
from fathom.ir.strides import row_major_strides
from fathom.ir.types import DYNAMIC, ComplexType, FloatType, IntegerType, MemRefType, TensorType, Type, VectorType
from fathom.programs.element_types import (
    Array,
    as_array,
    elements_of,
    is_number,
    lanes_of,
    layout_asked,
    wrong_elements,
    wrong_shape,
)
from fathom.programs.llvm_values import Aggregate, Pointer, is_of_llvm, is_pointer

if TYPE_CHECKING:
    from collections.abc import Callable

Taken: TypeAlias = "bytes | Array"


class Parameter(Protocol):
    """What takes the values of one argument."""

    @property
    def is_written(self) -> bool:
        """Whether the caller sees what the function writes to the memory of the array."""
        ...

    def take(self, value: object) -> Taken:
        """The words of a value, or the array that it lies in. Raises ArgumentProblem."""
        ...

    def here(self, array: Array) -> Array:
        """The array that a function in this process gets for one that was taken. Raises ArgumentProblem."""
        ...

    def words(self, array: Array, address: int, beside: int) -> tuple[bytes, bytes]:
        """The words of an array that lies at an address, and what they refer to beside the words, at the address
        `beside`."""
        ...

    def words_here(self, value: object, kept: list[Array]) -> bytes:
        """The words of a value for a call in this process, which refer to nothing beside them; `kept` gets the array,
        which has to stay. Raises ArgumentProblem."""
        ...


def parameter_of(type: Type, number: int) -> Parameter:
    """What takes argument `number`. Raises UnsupportedSignature."""
    return _parameter(type, f"argument #{number}")


def _parameter(type: Type, path: str) -> Parameter:
    passed = in_memory(type)
    if isinstance(passed, MemRefType):
        kind = _UnrankedMemRef if passed.shape is None else _MemRef
        return kind(type, passed, path)
    if isinstance(type, VectorType):
        return _Vector(type, path)
    if is_number(type):
        return _Words(type, path)
    if is_of_llvm(type):
        return Pointer(type, path) if is_pointer(type) else Aggregate(type, path, _parameter)
    raise UnsupportedSignature(f"{path}: {type} cannot be passed from Python")


class _ByValue:
    """What goes as words."""

    def __init__(self, type: Type, path: str) -> None:
        self.type, self.path = type, path
        self.is_written = False
        self.size = WORD * layout_of(type).words

    def here(self, array: Array) -> Array:
        raise TypeError(f"{self.type} lies in no memory")

    def words(self, array: Array, address: int, beside: int) -> tuple[bytes, bytes]:
        raise TypeError(f"{self.type} lies in no memory")


class _Words(_ByValue):
    """An integer, a float or a complex number."""

    def __init__(self, type: Type, path: str) -> None:
        super().__init__(type, path)
        self._number = number_taker(type, path)

    def take(self, value: object) -> bytes:
        """The words of a number."""
        number = self._number(value)
        if isinstance(number, complex):
            assert isinstance(self.type, ComplexType)
            data = encode([number.real, number.imag], self.type, self.path)
            half = len(data) // 2
            return data[:half].ljust(self.size // 2, b"\0") + data[half:].ljust(self.size // 2, b"\0")
        return encode(number, self.type, self.path)[: self.size].ljust(self.size, b"\0")

    def words_here(self, value: object, kept: list[Array]) -> bytes:
        """The same words."""
        return self.take(value)


class _Vector(_ByValue):
    """A vector: each lane has words of its own."""

    def __init__(self, type: VectorType, path: str) -> None:
        super().__init__(type, path)
        self._elements = lanes_of(type)

    def take(self, value: object) -> bytes:
        """The words of the lanes."""
        array = _array_of_value(value, self._elements.dtype, self.type, self.path)
        problem = wrong_elements(array, self._elements, self.type, self.path)
        if problem is not None:
            raise problem
        if array.shape != self._elements.inner:
            raise ArgumentProblem(self.path, f"the shape {self._elements.inner} for {self.type}", f"{array.shape}")
        lanes = np.ascontiguousarray(array).view(np.uint8).reshape(array.size, array.itemsize)
        words = np.zeros((array.size, self.size // max(array.size, 1)), np.uint8)
        words[:, : array.itemsize] = lanes
        return words.tobytes()

    def words_here(self, value: object, kept: list[Array]) -> bytes:
        """The same words."""
        return self.take(value)


class _MemRef:
    """A memref or a tensor with a rank. A memref is the memory of the caller's array; the memory of a tensor is a copy,
    unless whoever calls makes one (`take_value`)."""

    def __init__(self, type: Type, passed: MemRefType, path: str) -> None:
        self.type, self._passed, self.path = type, passed, path
        self.is_written = not isinstance(type, TensorType)
        self._elements = elements_of(passed.element)
        self._size = element_size(passed.element)
        self._alignment = alignment_of(passed.element) if self._elements.inner else 1
        self._layout = layout_asked(passed)
        self._offset = 0 if self._layout.offset == DYNAMIC else self._layout.offset
        rank = len(passed.shape or ())
        self._pack: Callable[..., bytes] = struct.Struct(f"<{3 + 2 * rank}q").pack
        self._is_plain = not self._elements.unused
        self._is_open = self._layout.strides is None and all(extent == DYNAMIC for extent in passed.shape or ())
        self._rank = rank + len(self._elements.inner)

    def take(self, value: object) -> Array:
        """The array."""
        array = cast("Array", value) if isinstance(value, np.ndarray) else self._memory_of(value)
        flags = array.flags
        is_usual = (
            self._is_plain
            and self._is_open
            and not self._elements.inner
            and array.dtype in self._elements.types
            and array.ndim == self._rank
            and flags.c_contiguous
            and flags.aligned
        )
        if not is_usual:
            self._check(array)
        if self.is_written and not flags.writeable:
            why = "a read-only one, which the function may write to (pass a copy of it)"
            raise ArgumentProblem(self.path, f"an array that can be written to for {self.type}", why)
        return array if self.is_written or (flags.c_contiguous and not self._elements.inner) else self._copy(array)

    def here(self, array: Array) -> Array:
        """That of a memref, or a copy that nobody else has."""
        if not self.is_written:
            return self._copy(array)
        if array.__array_interface__["data"][0] % self._alignment:
            raise ArgumentProblem(self.path, f"an array aligned to {self._alignment} bytes for {self.type}", "another")
        return array

    def _copy(self, array: Array) -> Array:
        """The elements one behind the other, as the type has them."""
        inner = self._elements.inner
        if not inner:
            return np.array(array, order="C")
        outer = array.shape[: array.ndim - len(inner)]
        memory = np.zeros(math.prod(outer) * self._size + self._alignment, np.uint8)
        start = -memory.__array_interface__["data"][0] % self._alignment
        strides = (*(self._size * step for step in row_major_strides(outer)), *self._elements.steps)
        made: Array = np.ndarray(array.shape, array.dtype, memory.data, start, strides)
        made[...] = array
        return made

    def _memory_of(self, value: object) -> Array:
        """The memory of what is no array of NumPy; of a tensor's value also that of a list."""
        array = as_array(value)
        if array is not None:
            return array
        if self.is_written:
            why = f"{_kind_of(value)}, which has no memory of its own (pass numpy.array(…))"
            raise ArgumentProblem(self.path, f"an array for {self.type}", why)
        return _array_of_value(value, self._elements.dtype, self.type, self.path)

    def _check(self, array: Array) -> None:
        problem = wrong_elements(array, self._elements, self.type, self.path)
        if problem is not None:
            raise problem
        wanted = wrong_shape(array, self._passed.shape, self._elements.inner, self.type)
        if wanted is not None:
            raise ArgumentProblem(self.path, wanted, f"{array.shape}")
        if not array.flags.aligned:
            raise ArgumentProblem(self.path, f"an aligned array for {self.type}", "one that is not")
        if self.is_written:
            self._check_strides(array)

    def _check_strides(self, array: Array) -> None:
        if 0 in array.shape:
            return
        rank = array.ndim - len(self._elements.inner)
        strides = self._strides(array)
        wanted = self._layout.strides or row_major_strides(array.shape[:rank])
        ends = zip(array.shape[rank:], array.strides[rank:], self._elements.steps, strict=True)
        is_dense = all(extent == 1 or step == own for extent, step, own in ends)
        fits = all(
            want in (have, DYNAMIC) or extent == 1
            for want, have, extent in zip(wanted, strides, array.shape, strict=False)
        )
        if fits and is_dense and not any(step % self._size for step in array.strides[:rank]):
            return
        raise ArgumentProblem(
            self.path,
            f"elements that lie in memory as those of {self.type} ({self._hint()})",
            f"the strides {array.strides} in bytes",
        )

    def _hint(self) -> str:
        """What has such elements."""
        inner, steps = self._elements.inner, (self._size, *self._elements.steps)
        room = steps[-2] // steps[-1] if inner else 0
        if not inner or room == inner[-1]:
            return "numpy.ascontiguousarray gives a copy that has them, and what the function writes is in that"
        return f"as has [..., :{inner[-1]}] of an array whose last extent is {room}"

    def _strides(self, array: Array) -> list[int]:
        size, rank = self._size, array.ndim - len(self._elements.inner)
        return [step // size for step in array.strides[:rank]]

    def words(self, array: Array, address: int, beside: int) -> tuple[bytes, bytes]:
        """Those of a descriptor."""
        return self._descriptor(array, address), b""

    def words_here(self, value: object, kept: list[Array]) -> bytes:
        """Those of the descriptor of the array, or of a copy that nobody else has."""
        array = self.here(self.take(value))
        kept.append(array)
        return self._descriptor(array, array.__array_interface__["data"][0])

    def _descriptor(self, array: Array, address: int) -> bytes:
        start, rank = address - self._offset * self._size, array.ndim - len(self._elements.inner)
        return self._pack(start, start, self._offset, *array.shape[:rank], *self._strides(array))


class _UnrankedMemRef(_MemRef):
    """One without a rank: a rank, and where the descriptor is."""

    def words(self, array: Array, address: int, beside: int) -> tuple[bytes, bytes]:
        """The rank, and a descriptor beside the words."""
        rank = array.ndim - len(self._elements.inner)
        fields = (address, address, 0, *array.shape[:rank], *self._strides(array))
        return _PAIR.pack(rank, beside), struct.pack(f"<{len(fields)}q", *fields)


_PAIR: Final = struct.Struct("<qq")


def _array_of_value(value: object, dtype: np.dtype[Any], type: Type, path: str) -> Array:
    """An array of its own of nested lists, or that of what is one."""
    array = as_array(value)
    if array is not None:
        return array
    try:
        return np.array(value, dtype)
    except (TypeError, ValueError, OverflowError) as problem:
        raise ArgumentProblem(path, f"an array or nested lists of {dtype} for {type}", str(problem)) from None


def number_taker(type: Type, path: str) -> Callable[[Any], int | float | complex]:
    """What makes a number of Python of a value. It raises ArgumentProblem."""
    if isinstance(type, ComplexType):
        return _complex_taker(type, path)
    if isinstance(type, FloatType):
        return _float_taker(type, path)
    return integer_taker(type, path)


def integer_taker(type: Type, path: str) -> Callable[[Any], int]:
    """What makes an integer of a value. A signless type takes both the signed and the unsigned range."""
    width = integer_width(type) or 64
    signedness = type.signedness if isinstance(type, IntegerType) else ""
    low = 0 if signedness == "u" else -(1 << (width - 1))
    high = (1 << (width - 1)) - 1 if signedness == "s" else (1 << width) - 1

    def take(value: Any) -> int:
        if value.__class__ is int and low <= value <= high:
            return value
        try:
            number = operator.index(value)
        except TypeError:
            number = int(bool(value)) if value.__class__ is np.bool_ else None
        if number is None or not low <= number <= high:
            raise ArgumentProblem(path, f"an integer from {low} to {high} for {type}", _kind_of(value))
        return number

    return take


def _float_taker(type: FloatType, path: str) -> Callable[[Any], float]:
    def take(value: Any) -> float:
        if value.__class__ is float:
            return value
        if hasattr(value, "__float__") or hasattr(value, "__index__"):
            try:
                return float(value)
            except (TypeError, ValueError, OverflowError):
                pass
        raise ArgumentProblem(path, f"a number for {type}", _kind_of(value))

    return take


def _complex_taker(type: ComplexType, path: str) -> Callable[[Any], complex]:
    def take(value: Any) -> complex:
        if not isinstance(value, str):
            try:
                return complex(value)
            except (TypeError, ValueError, OverflowError):
                pass
        raise ArgumentProblem(path, f"a complex number for {type}", _kind_of(value))

    return take


def _kind_of(value: object) -> str:
    """What a value is, for the end of "expected …, got …"."""
    if value is None or isinstance(value, (bool, int, float, str)):
        as_json: Json = value
        return describe(as_json)
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple) and shape:
        return f"an array of the shape {shape}"
    return f"an object of the type {value.__class__.__name__}"
