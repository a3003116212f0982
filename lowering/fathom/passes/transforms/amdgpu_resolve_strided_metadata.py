"""`amdgpu-resolve-strided-metadata`: what a fat buffer is like is what the memory is like that it was made of.

    %b = amdgpu.fat_raw_buffer_cast %m : memref<?xf32> to memref<?xf32, #amdgpu.address_space<fat_raw_buffer>>
    %base, %offset, %size, %stride = memref.extract_strided_metadata %b
->
    %base, %offset, %size, %stride = memref.extract_strided_metadata %m   (the base is a view of %b)

Source of the rules: *'amdgpu' Dialect*; the behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation, Value
    from fathom.ops.memref import ExtractStridedMetadataOp
    from fathom.rewriting.pattern import Failure
    from fathom.rewriting.rewriter import Rewriter


@record
class AmdgpuResolveStridedMetadataPass(Pass):
    """Of other memory it is asked as before: `expand-strided-metadata` knows more."""

    name = "amdgpu-resolve-strided-metadata"
    summary = "asks what fat buffers were made of for offset, sizes and strides"
    handles = ("amdgpu.fat_raw_buffer_cast",)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.rewriting.greedy_driver import apply_patterns
        from fathom.rewriting.pattern import Pattern

        name = "ExtractStridedMetadataOnFatRawBufferCastFolder"
        apply_patterns(op, [Pattern("memref.extract_strided_metadata", of_source, name=name)], context)
        return []


def of_source(op: ExtractStridedMetadataOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """See the module."""
    from fathom.ir.attributes import DenseArrayAttr
    from fathom.ir.types import I64
    from fathom.irdl.build import segment_sizes
    from fathom.ops.amdgpu import FatRawBufferCastOp
    from fathom.passes.arithmetic import constant
    from fathom.passes.buffers import extract_metadata
    from fathom.rewriting.pattern import Failure, defined_by

    cast = defined_by(op.source, FatRawBufferCastOp)
    if cast is None:
        return Failure("not a fat raw buffer cast")
    rewriter.stand_in(cast)
    asked = extract_metadata(rewriter, cast.source)
    if asked is None:
        return Failure("its source has no strides")
    base, base_type = cast.result, op.base_buffer.type
    if op.base_buffer.uses and base.type != base_type:
        none = DenseArrayAttr(I64, ())
        properties = {
            "static_offsets": DenseArrayAttr(I64, (0,)),
            "static_sizes": none,
            "static_strides": none,
            "operandSegmentSizes": segment_sizes(1, 0, 0, 0),
        }
        base = rewriter.create("memref.reinterpret_cast", [base], [base_type], properties).result
    offset = constant(rewriter, 0) if cast.resetOffset is not None else asked.results[1]
    values = [base, offset, *asked.results[2:]]
    for old, new in zip(op.results, values, strict=True):
        if old.uses:
            rewriter.replace_all_uses(old, new)
    rewriter.erase(op)
    return None
