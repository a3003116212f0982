"""What functions return, as values of Python: each result of a function has an object that reads it, made once for its
type.

Memory belongs to whom it says. A memref that lies in the memory of an argument is a view of the caller's array, or that
array itself. What the function allocated belongs to the array that is given back, and is freed once, with the C
library's `free`, when nothing refers to it. What lies in a global of the program is copied. A tensor is a value, which
shares memory with nothing.
"""

from __future__ import annotations

import ctypes
import math
import struct
import threading
import weakref
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from fathom.execution.buffers import OF_GLOBALS
from fathom.execution.callable import in_memory
from fathom.execution.layouts import element_size, integer_width
from fathom.execution.outcome import RunProblem, UnsupportedSignature
from fathom.execution.scalars import decode
from fathom.execution.trampoline import WORD, layout_of
from fathom.ir.types import ComplexType, FloatType, MemRefType, TensorType, Type, VectorType
from fathom.programs.element_types import Array, Elements, elements_of, is_number, lanes_of
from fathom.programs.llvm_values import Address, Parts, is_of_llvm, is_pointer
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

_DEEPEST: Final = 64
"""No memref has more dimensions; a rank beyond it was not written by a program that works."""


@record
class Descriptor:
    """Where the elements of a memref lie. Strides and offset count elements."""

    allocated: int
    aligned: int
    offset: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]

    def start(self, size: int) -> int:
        """The address of the first element."""
        return self.aligned + self.offset * size


def descriptor_of(words: Sequence[int]) -> Descriptor:
    """A descriptor of its words. Raises RunProblem for one that cannot be."""
    rank = (len(words) - 3) // 2
    shape = tuple(words[3 : 3 + rank])
    if any(extent < 0 for extent in shape):
        raise RunProblem("crash", f"the program returned a memref with the extents {shape}, which cannot be right")
    return Descriptor(words[0], words[1], words[2], shape, tuple(words[3 + rank :]))


def checked_rank(rank: int) -> int:
    """The rank of an unranked memref that was returned. Raises RunProblem for one that cannot be."""
    if not 0 <= rank <= _DEEPEST:
        raise RunProblem("crash", f"the program returned an unranked memref of rank {rank}, which cannot be right")
    return rank


class Memory(Protocol):
    """The memory of a program after a call."""

    def descriptor(self, rank: int, address: int) -> Descriptor:
        """The descriptor that an unranked memref points to."""
        ...

    def array(self, place: Descriptor, result: InMemory) -> Array:
        """The array that a result is."""
        ...


class Result(Protocol):
    """What reads one result."""

    size: int
    """How many bytes it takes in the buffer of results."""

    def give(self, words: bytes, memory: Memory) -> object:
        """The value in so many bytes of the buffer. Raises RunProblem."""
        ...


def result_of(type: Type) -> Result:
    """What reads a result. Raises UnsupportedSignature."""
    if isinstance(in_memory(type), MemRefType):
        return InMemory(type)
    if isinstance(type, VectorType):
        return _Vector(type)
    if is_number(type):
        return _Number(type)
    if is_of_llvm(type):
        return Address() if is_pointer(type) else Parts(type, result_of)
    raise UnsupportedSignature(f"{type} cannot be returned to Python")


class _Number:
    """An integer, a float or a complex number."""

    def __init__(self, type: Type) -> None:
        self.size = WORD * layout_of(type).words
        self._type = type

    def give(self, words: bytes, memory: Memory) -> object:
        """The number."""
        if isinstance(self._type, ComplexType):
            half = self.size // 2
            return complex(_number(words[:half], self._type.element), _number(words[half:], self._type.element))
        return _number(words, self._type)


def _number(words: bytes, type: Type) -> int | float:
    if type == _F32:
        return struct.unpack_from("<f", words)[0]
    value = decode(words[: element_size(type)] if isinstance(type, FloatType) else words, type)
    return float(value) if isinstance(value, str) else value  # type: ignore[return-value]


_F32: Final = FloatType("f32")


class _Vector:
    """A vector: an array of its own."""

    def __init__(self, type: VectorType) -> None:
        self.size = WORD * layout_of(type).words
        self._elements = lanes_of(type)
        width = integer_width(type.element)
        self._mask = (1 << width) - 1 if width is not None and width < 8 * self._elements.dtype.itemsize else 0

    def give(self, words: bytes, memory: Memory) -> object:
        """The array of its lanes."""
        dtype, inner = self._elements.dtype, self._elements.inner
        count = math.prod(inner)
        lanes = np.frombuffer(words, np.uint8, self.size).reshape(count, -1)[:, : dtype.itemsize].copy()
        if self._mask:
            integers = lanes.view(f"<u{dtype.itemsize}")
            integers &= self._mask
        return lanes.view(dtype).reshape(inner)


class InMemory:
    """A memref or a tensor. `is_value` says that it shares memory with nothing."""

    def __init__(self, type: Type) -> None:
        passed = in_memory(type)
        assert isinstance(passed, MemRefType)
        self.rank = None if passed.shape is None else len(passed.shape)
        self.size = WORD * layout_of(type).words
        self.is_value = isinstance(type, TensorType)
        self.elements: Elements = elements_of(passed.element)
        self.step = element_size(passed.element)

    def give(self, words: bytes, memory: Memory) -> object:
        """The array."""
        fields = struct.unpack(f"<{self.size // WORD}q", words)
        if self.rank is None:
            return memory.array(memory.descriptor(checked_rank(fields[0]), fields[1]), self)
        return memory.array(descriptor_of(fields), self)


# ---- memory of this process


class _Owned:
    """Memory that the C library allocated, which is freed when nobody refers to it."""

    def __init__(self, address: int) -> None:
        self.address = address

    def __del__(self) -> None:
        _free(self.address)


_library: Final = ctypes.CDLL(None)
_free: Final = _library.free
_free.argtypes, _free.restype = (ctypes.c_void_p,), None
_owners: weakref.WeakValueDictionary[int, _Owned] = weakref.WeakValueDictionary()
"""Who owns what was returned: the same memory that is returned twice has one owner."""
_lock: Final = threading.Lock()


def owner_of(address: int) -> object:
    """Who frees memory that a program allocated at an address."""
    with _lock:
        owner = _owners.get(address)
        if owner is None:
            owner = _owners[address] = _Owned(address)
        return owner


def release(address: int) -> None:
    """Free memory that a program allocated, which nobody refers to."""
    _free(address)


class _Held:
    """Memory at an address for NumPy, and what keeps it there."""

    def __init__(self, place: Descriptor, step: int, elements: Elements, kept: object) -> None:
        dtype = elements.dtype
        self.kept = kept
        self.__array_interface__ = {
            "version": 3,
            "data": (place.start(step), False),
            "shape": (*place.shape, *elements.inner),
            "strides": (*(stride * step for stride in place.strides), *elements.steps),
            "typestr": dtype.str if dtype.kind in "biufc" else f"<u{dtype.itemsize}",
        }


def array_at(place: Descriptor, result: InMemory, kept: object) -> Array:
    """The array of memory in this process, which lives as long as `kept` does. Raises RunProblem."""
    dtype = result.elements.dtype
    if 0 in place.shape:
        return np.empty((*place.shape, *result.elements.inner), dtype)
    if place.start(result.step) == 0:
        raise RunProblem("crash", "the program returned a memref with elements, but with a null pointer to them")
    made = np.asarray(_Held(place, result.step, result.elements, kept))
    return made if made.dtype == dtype else made.view(dtype)


class Here:
    """The memory of this process after a call with some arrays for arguments."""

    def __init__(self, arrays: Sequence[Array], own: tuple[int, int] = (0, 0)) -> None:
        self._arrays = arrays
        self._own = own
        """Where the words of the arguments lie, which are nobody's to free."""
        self._values: set[int] = set()

    def descriptor(self, rank: int, address: int) -> Descriptor:
        """The descriptor at an address, of which the memory is freed: it is the caller's."""
        words = list((ctypes.c_int64 * (3 + 2 * rank)).from_address(address))
        if not self._own[0] <= address < self._own[1]:
            _free(address)
        return descriptor_of(words)

    def array(self, place: Descriptor, result: InMemory) -> Array:
        """The array that a result is."""
        start = place.start(result.step)
        for array in self._arrays:
            low, high = bounds_of(array)
            if low <= start < high:
                return self._within(array, place, result)
        if place.allocated in (0, OF_GLOBALS):
            return array_at(place, result, None).copy()
        owner = owner_of(place.allocated)
        made = array_at(place, result, owner)
        is_again = result.is_value and place.allocated in self._values
        self._values.add(place.allocated)
        return made.copy() if is_again else made

    def _within(self, array: Array, place: Descriptor, result: InMemory) -> Array:
        made = array_at(place, result, array)
        if result.is_value:
            # The argument is a copy that nobody else has, the first time.
            is_again = id(array) in self._values
            self._values.add(id(array))
            return made.copy() if is_again else made
        return array if is_same(array, made) else made


def bounds_of(array: Array) -> tuple[int, int]:
    """The addresses of the first byte of an array and of that behind the last."""
    low = high = array.__array_interface__["data"][0]
    if not array.size:
        return low, low
    if array.flags.c_contiguous:
        return low, low + array.nbytes
    for extent, step in zip(array.shape, array.strides, strict=True):
        if step < 0:
            low += (extent - 1) * step
        else:
            high += (extent - 1) * step
    return low, high + array.itemsize


def is_same(array: Array, other: Array) -> bool:
    """Whether two arrays are the same elements of memory, as the same type."""
    return (
        array.dtype == other.dtype
        and array.shape == other.shape
        and array.__array_interface__["data"][0] == other.__array_interface__["data"][0]
        and array.strides == other.strides
    )
