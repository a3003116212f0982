"""A buffer as one of another layout: by a cast where that is known to hold at run time, else by a copy.

Source of the rules: `castOrReallocMemRefValue` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.memref_casts import always_casts, are_cast_compatible
from fathom.ir.types import DYNAMIC, MemRefType
from fathom.rewriting.result_shapes import dim

if TYPE_CHECKING:
    from fathom.bufferization.rewriting import Bufferizer
    from fathom.ir.operation import Value


def cast_or_copy(run: Bufferizer, value: Value, type: MemRefType) -> Value | None:
    """A buffer as one of another type; None where elements or ranks differ."""
    source = value.type
    if not isinstance(source, MemRefType) or source.shape is None or type.shape is None:
        return None
    if source.element != type.element or len(source.shape) != len(type.shape):
        return None
    if are_cast_compatible(source, type) and always_casts(source, type):
        return run.create("memref.cast", [value], [type]).result
    sizes = [dim(run, value, index) for index, size in enumerate(type.shape) if size == DYNAMIC]
    copy = run.allocate(type, sizes)
    run.copy(value, copy)
    return copy
