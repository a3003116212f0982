"""What views of memory are to pass when they run: they lie in the memory that they are views of. MLIR's own checks at
run time look at `memref.subview` and `tensor.extract_slice` only.

Source of the rules: *'memref' Dialect*, `memref.view` and `memref.reshape`; *'tensor' Dialect*, `tensor.insert_slice`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from typing import TYPE_CHECKING, Final

from fathom.dialects.memref.runtime_verification import check_part
from fathom.execution.layouts import element_size
from fathom.execution.outcome import UnsupportedSignature
from fathom.ir.types import DYNAMIC, IntegerType, MemRefType, TensorType
from fathom.rewriting.runtime_checks import EQ, SGE, SLE

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops import memref, tensor
    from fathom.rewriting.runtime_checks import RuntimeCheck, RuntimeChecks


def check_view(op: memref.ViewOp, checks: RuntimeChecks) -> None:
    """The view begins in the bytes that it is of, and ends there."""
    type = op.results[0].type
    if not isinstance(type, MemRefType):
        return
    try:
        size_in_bytes = element_size(type.element)
    except UnsupportedSignature:
        return
    given = iter(op.sizes)
    sizes = [next(given) if size == DYNAMIC else checks.index(size) for size in type.ranked_shape]
    checks.check(checks.compare(SGE, op.byte_shift, checks.index(0)), "the view begins in front of its memory")
    bytes = checks.indexed("arith.muli", _product(sizes, checks), checks.index(size_in_bytes))
    end = checks.indexed("arith.addi", op.byte_shift, bytes)
    checks.check(checks.compare(SLE, end, checks.size(op.source, 0)), "the view ends behind its memory")


def check_reshape(op: memref.ReshapeOp | tensor.ReshapeOp, checks: RuntimeChecks) -> None:
    """There are as many elements afterwards as before."""
    source, shape, type = op.source, op.shape, op.results[0].type
    if not isinstance(type, (MemRefType, TensorType)) or type.shape is None:
        return
    if not isinstance(source.type, (MemRefType, TensorType)) or source.type.shape is None:
        return
    before = [checks.size(source, position) for position in range(len(source.type.shape))]
    after = [
        _stated(shape, position, checks) if size == DYNAMIC else checks.index(size)
        for position, size in enumerate(type.shape)
    ]
    same = checks.compare(EQ, _product(after, checks), _product(before, checks))
    checks.check(same, "the number of elements changes")


def check_insert_slice(op: tensor.InsertSliceOp, checks: RuntimeChecks) -> None:
    """The part that is replaced lies within the tensor."""
    constants = checks.index(0), checks.index(1)
    check_part(op, constants, lambda position: checks.size(op.dest, position), checks)


def _stated(shape: Value, position: int, checks: RuntimeChecks) -> Value:
    """A size that a memref or a tensor has as an element."""
    place = [shape, checks.index(position)]
    name = "tensor.extract" if isinstance(shape.type, TensorType) else "memref.load"
    element = shape.type.element if isinstance(shape.type, (MemRefType, TensorType)) else shape.type
    size = checks.rewriter.create(name, place, [element]).result
    return checks.indexed("arith.index_cast", size) if isinstance(element, IntegerType) else size


def _product(sizes: Iterable[Value], checks: RuntimeChecks) -> Value:
    return reduce(lambda one, other: checks.indexed("arith.muli", one, other), sizes, checks.index(1))


VIEWS: Final[Mapping[str, RuntimeCheck]] = {
    "memref.view": check_view,
    "memref.reshape": check_reshape,
    "tensor.reshape": check_reshape,
    "tensor.insert_slice": check_insert_slice,
}
