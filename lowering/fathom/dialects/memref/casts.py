"""The same memory under another memref type.

Source of the rules: *'memref' Dialect*, "Operations".
"""

from __future__ import annotations

from fathom.dialects.memref.common import ranked
from fathom.ir.operation import Operation
from fathom.ir.property_values import numbers_property
from fathom.ir.strides import is_identity, strides_and_offset
from fathom.ir.types import DYNAMIC, MemRefType, Type
from fathom.irdl.definition import Problem
from fathom.irdl.slices import verify_slice
from fathom.irdl.verifying import Complaint, verifies
from fathom.records import replace


def _agree(a: int, b: int) -> bool:
    return a == b or DYNAMIC in (a, b)


def are_cast_compatible(source: Type, target: Type) -> bool:
    """Whether `memref.cast` may go from one type to the other: what both know must agree."""
    if not isinstance(source, MemRefType) or not isinstance(target, MemRefType):
        return False
    if source.element != target.element or source.space != target.space:
        return False
    if source.shape is None or target.shape is None:
        return source.shape is not None or target.shape is not None
    if len(source.shape) != len(target.shape) or not all(map(_agree, source.shape, target.shape)):
        return False
    return source.layout == target.layout or _layouts_agree(source, target)


def _layouts_agree(source: MemRefType, target: MemRefType) -> bool:
    first, second = strides_and_offset(source), strides_and_offset(target)
    if first is None or second is None or not _agree(first[1], second[1]):
        return False
    return all(_agree(a, b) or (size == 1) for a, b, size in zip(first[0], second[0], source.ranked_shape, strict=True))


@verifies("memref.cast")
def _verify_cast(op: Operation) -> Complaint:
    source, target = op.operands[0].type, op.result.type
    if are_cast_compatible(source, target):
        return None
    return f"operand type '{source}' and result type '{target}' are cast incompatible"


@verifies("memref.memory_space_cast")
def _verify_space_cast(op: Operation) -> Complaint:
    source, target = op.operands[0].type, op.result.type
    match source, target:
        case MemRefType(), MemRefType(space=space) if replace(source, space=space) == target:
            return None
        case _:
            pass
    return f"operand type '{source}' and result type '{target}' are cast incompatible"


# ---- reinterpret_cast


@verifies("memref.reinterpret_cast")
def _verify_reinterpret(op: Operation) -> Complaint:
    source, target = op.operands[0].type, op.result.type
    rank = len(target.shape) if isinstance(target, MemRefType) and target.shape is not None else 0
    problems = verify_slice(op, 1, rank, rank)
    if problems or not isinstance(source, MemRefType) or not isinstance(target, MemRefType) or target.shape is None:
        return problems
    of = f"source type '{source}' and result memref type '{target}'"
    if source.space != target.space:
        return Problem(f"different memory spaces specified for {of}", bare=True)
    if source.element != target.element:
        return Problem(f"different element types specified for {of}", bare=True)
    sizes = numbers_property(op, "static_sizes")
    for index, (expected, found) in enumerate(zip(sizes, target.shape, strict=False)):
        if not _consistent(found, expected):
            return Problem(
                f"expected result type with size = {_spell(expected)} instead of {_spell(found)} in dim = {index}",
                bare=True,
            )
    layout = strides_and_offset(target)
    if layout is None:
        return Problem(f"expected result type to have strided layout but found '{target}'", bare=True)
    return _verify_reinterpreted_layout(op, *layout)


def _consistent(found: int, expected: int) -> bool:
    """A result may know less than what was given, but nothing else."""
    return found in (expected, DYNAMIC)


def _spell(number: int) -> str:
    return "dynamic" if number == DYNAMIC else str(number)


def _verify_reinterpreted_layout(op: Operation, strides: tuple[int, ...], offset: int) -> Complaint:
    (expected,) = numbers_property(op, "static_offsets")[:1] or (DYNAMIC,)
    if not _consistent(offset, expected):
        message = f"expected result type with offset = {_spell(expected)} instead of {_spell(offset)}"
        return Problem(message, bare=True)
    for index, (given, found) in enumerate(zip(numbers_property(op, "static_strides"), strides, strict=False)):
        if not _consistent(found, given):
            message = f"expected result type with stride = {_spell(given)} instead of {_spell(found)} in dim = {index}"
            return Problem(message, bare=True)
    return None


@verifies("memref.reshape")
def _verify_reshape(op: Operation) -> Complaint:
    source, shape, target = (value.type for value in (*op.operands, op.result))
    if not isinstance(source, MemRefType) or not isinstance(target, MemRefType):
        return None
    if source.element != target.element:
        return "element types of source and destination memref types should be the same"
    if not is_identity(source):
        return "source memref type should have identity affine map"
    sizes = ranked(shape)
    if target.shape is not None and sizes is not None:
        if not is_identity(target):
            return "result memref type should have identity affine map"
        count = sizes.ranked_shape[0] if sizes.ranked_shape else DYNAMIC
        if count == DYNAMIC:
            return "cannot use shape operand with dynamic length to reshape to statically-ranked memref type"
        if count != len(target.shape):
            return "length of shape operand differs from the result's memref rank"
    return None
