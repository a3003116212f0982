"""What is asked about memrefs: sizes, rank, strides, the pointer, and what may be assumed.

Source of the rules: *'memref' Dialect*, "Operations".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from fathom.dialects.memref.common import ranked
from fathom.ir.operation import Operation, types_of
from fathom.ir.types import INDEX, MemRefType, Type
from fathom.irdl.code import OpCode
from fathom.irdl.definition import TypeRule
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops.memref import AssumeAlignmentOp, DistinctObjectsOp
from fathom.rewriting.speculation import SIZE_OF_DIMENSION


def metadata_types(type: MemRefType) -> list[Type]:
    """The results of `extract_strided_metadata`: the buffer, the offset, the sizes, the strides."""
    base = MemRefType((), type.element, None, type.space)
    return [base, *([INDEX] * (1 + 2 * len(type.ranked_shape)))]


def _metadata(part: slice) -> Callable[[list[Type]], list[Type] | None]:
    """Some of these types, of those of the memref."""

    def infer(types: list[Type]) -> list[Type] | None:
        type = ranked(types[0]) if types else None
        return metadata_types(type)[part] if type is not None else None

    return infer


def _same(types: list[Type]) -> list[Type]:
    return types


def _metadata_names(op: Operation) -> list[str | None]:
    rank = (len(op.results) - 2) // 2
    names: list[str | None] = [None] * len(op.results)
    for name, index in (("base_buffer", 0), ("offset", 1), ("sizes", 2), ("strides", 2 + rank)):
        if index < len(names):
            names[index] = name
    return names


@verifies("memref.assume_alignment")
def _verify_alignment(op: AssumeAlignmentOp) -> Complaint:
    number = op.alignment.value
    return None if number > 0 and number & (number - 1) == 0 else "alignment must be power of 2"


@verifies("memref.distinct_objects")
def _verify_distinct(op: DistinctObjectsOp) -> Complaint:
    if not op.operands:
        return "expected at least one operand"
    return "operand types and result types must match" if types_of(op.operands) != types_of(op.results) else None


_OF_METADATA: Final = (
    TypeRule("base_buffer", ("source",), _metadata(slice(0, 1)), ""),
    TypeRule("offset", ("source",), _metadata(slice(1, 2)), ""),
    TypeRule("sizes_and_strides", ("source",), _metadata(slice(2, None)), ""),
)
CODE: Final = {
    "dim": OpCode(interfaces=(SIZE_OF_DIMENSION,)),
    "extract_strided_metadata": OpCode(rules=_OF_METADATA, result_names=_metadata_names),
    "distinct_objects": OpCode(rules=(TypeRule("results", ("operands",), _same, ""),)),
}
