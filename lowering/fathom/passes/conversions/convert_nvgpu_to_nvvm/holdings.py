"""What the types of the nvgpu dialect become: what a thread holds of them.

!nvgpu.mbarrier.group<memorySpace = 3, num_barriers = 2>              ->  the descriptor of memref<2xi64, 3>
!nvgpu.warpgroup.accumulator<fragmented = vector<128x16xf32>>         ->  two structs of eight f32 in one
!nvgpu.tensormap.descriptor<…>                                        ->  !llvm.ptr
!nvgpu.warpgroup.descriptor<…>, !nvgpu.mbarrier.token                 ->  i64
!nvgpu.device.async.token                                             ->  i32, which nothing reads
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.budget import MOST_ELEMENTS
from fathom.dialects.gpu.types import is_workgroup
from fathom.dialects.llvm.types import PTR, struct_of
from fathom.dialects.nvvm.rules import SHARED
from fathom.ir.attributes import Attribute, i64_attr
from fathom.ir.dialect_values import DialectType
from fathom.ir.types import F16, F32, I32, I64, MemRefType, ShapedType, Type
from fathom.passes.gpu_to_llvm.spaces import number_spaces
from fathom.rewriting.pattern import Failure

if TYPE_CHECKING:
    from fathom.passes.to_llvm.llvm_types import LLVMTypes

ROWS: Final = 64
"""The rows of one product of a warp group."""
LOW_BITS: Final = 4
"""The bits of an address that the descriptor of a matrix leaves out."""
_SIMPLE: Final[dict[str, Type]] = {
    "nvgpu.device.async.token": I32,
    "nvgpu.mbarrier.token": I64,
    "nvgpu.tensormap.descriptor": PTR,
    "nvgpu.warpgroup.descriptor": I64,
}
_COLUMNS: Final[dict[Type, int]] = {F32: 2, I32: 2, F16: 4}
"""How many columns there are for one value that a thread holds in each product."""


def add_types(types: LLVMTypes) -> None:
    """Lets the converter convert the types of the dialect, and memory spaces of gpu."""

    def convert(type: Type) -> Type | Failure | None:
        if not isinstance(type, DialectType):
            return None
        if type.full_name == "nvgpu.mbarrier.group":
            return types.convert(barriers(type)) or Failure(f"'{type}' is in no memory that has a number")
        if type.full_name == "nvgpu.warpgroup.accumulator":
            return _accumulator(described(type, "fragmented"))
        return _SIMPLE.get(type.full_name)

    types.conversions.insert(0, convert)
    number_spaces(types, {"global": 1, "workgroup": SHARED, "private": 0})


def described(type: Type, name: str = "tensor") -> ShapedType:
    """The memref or vector that a type describes."""
    parameter = type.parameter(name) if isinstance(type, DialectType) else None
    if not isinstance(parameter, ShapedType):
        raise TypeError(f"'{type}' describes none")
    return parameter


def barriers(type: Type) -> MemRefType:
    """The memory of a group of barriers: in shared memory, or in none that is said."""
    assert isinstance(type, DialectType)
    space, count = type.parameter("memorySpace"), type.parameter("num_barriers")
    assert isinstance(count, int)
    stated = space if isinstance(space, Attribute) else None
    shared = stated is not None and is_workgroup(MemRefType((), I64, space=stated))
    return MemRefType((count,), I64, space=i64_attr(SHARED) if shared else None)


def _accumulator(fragmented: ShapedType) -> Type | Failure:
    if fragmented.element not in _COLUMNS or len(fragmented.ranked_shape) != 2:
        return Failure(f"a thread holds nothing of '{fragmented}'")
    rows, columns = fragmented.ranked_shape
    if rows * columns > MOST_ELEMENTS:
        return Failure(f"the parts of '{fragmented}' are too many to be listed")
    held = struct_of(*[fragmented.element] * (columns // _COLUMNS[fragmented.element]))
    return struct_of(*[held] * -(-rows // ROWS))
