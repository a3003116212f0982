"""What the sizes that operations are given are to pass when a program runs: none is negative. MLIR's own checks at run
time take that for granted.

Source of the rules: *'memref' Dialect* and *'tensor' Dialect*; the sizes of a type are natural numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.ir.property_values import numbers_property
from fathom.ir.types import DYNAMIC, ShapedType
from fathom.rewriting.runtime_checks import SGE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation
    from fathom.rewriting.runtime_checks import RuntimeCheck, RuntimeChecks

_SIZES: Final = {
    **dict.fromkeys(("memref.alloc", "memref.alloca"), "dynamicSizes"),
    "memref.realloc": "dynamicResultSize",
    "memref.view": "sizes",
    **dict.fromkeys(("memref.subview", "memref.reinterpret_cast"), "sizes"),
    "memref.expand_shape": "output_shape",
    **dict.fromkeys(("tensor.empty", "tensor.splat"), "dynamicSizes"),
    "tensor.generate": "dynamicExtents",
    **dict.fromkeys(("tensor.extract_slice", "tensor.insert_slice"), "sizes"),
    "tensor.expand_shape": "output_shape",
    "bufferization.alloc_tensor": "dynamic_sizes",
}
"""The operands of an operation that are sizes."""


def check_sizes(op: Operation, checks: RuntimeChecks) -> None:
    """Each size that is not known to be so is at least zero. It is named by its dimension."""
    name = _SIZES[op.name]
    given = op.all_of(name)
    if not given:
        return
    zero = checks.index(0)
    for dimension, size in zip(_dimensions(op, name), given, strict=False):
        checks.check(checks.compare(SGE, size, zero), f"size {dimension} is negative")


def _dimensions(op: Operation, name: str) -> Sequence[int]:
    """Where the sizes stand that are not known: in the list of all sizes, or else in the shape of the result."""
    known = numbers_property(op, f"static_{name}")
    if not known and op.results and isinstance(type := op.result.type, ShapedType):
        known = type.shape or ()
    return [dimension for dimension, size in enumerate(known) if size == DYNAMIC]


SIZES: Final[Mapping[str, RuntimeCheck]] = dict.fromkeys(_SIZES, check_sizes)
