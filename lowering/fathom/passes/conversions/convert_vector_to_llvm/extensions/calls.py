"""Calls of the intrinsic functions of a processor, by their names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.types import is_compatible, struct_of
from fathom.ir.attributes import StringAttr
from fathom.irdl.build import segment_sizes
from fathom.irdl.groups import SEGMENTS
from fathom.passes.to_llvm import emit
from fathom.rewriting.pattern import Failure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Value
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

NO_TYPE: Final = Failure("an operand or result has no type of the LLVM dialect")


def call_instead(
    op: Operation, intrinsic: str, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """Replaces `op` by `llvm.call_intrinsic`, which has all of its attributes."""
    attributes = {name: value for name, value in op.properties.items() if name not in SEGMENTS.values()}
    attributes.update(op.attributes)
    return _replace(op, "llvm.call_intrinsic", operands, rewriter, types, _called(intrinsic, len(operands)), attributes)


def _called(intrinsic: str, count: int) -> dict[str, Attribute]:
    return {"intrin": StringAttr(intrinsic), "operandSegmentSizes": segment_sizes(count, 0)}


def replace_by(
    op: Operation, name: str, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """Replaces `op` by the operation of an intrinsic, which has the same properties."""
    return _replace(op, name, operands, rewriter, types, op.properties, op.attributes)


def _replace(
    op: Operation,
    name: str,
    operands: Sequence[Value],
    rewriter: ConversionRewriter,
    types: LLVMTypeConverter,
    properties: dict[str, Attribute],
    attributes: dict[str, Attribute],
) -> Failure | None:
    """Several results are the fields of a struct."""
    converted = [types.convert(result.type) for result in op.results]
    results = [type for type in converted if type is not None]
    if len(results) != len(converted) or not all(is_compatible(value.type) for value in operands):
        return NO_TYPE
    packed = [struct_of(*results)] if len(results) > 1 else results
    attributes = dict(sorted(attributes.items()))
    made = rewriter.create(name, operands, packed, properties, attributes)
    if len(results) <= 1:
        rewriter.replace(op, list(made.results))
        return None
    rewriter.replace(op, [emit.extract(rewriter, made.result, type, number) for number, type in enumerate(results)])
    return None
