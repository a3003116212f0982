"""`memref-expand`: reshapes by sizes that lie in memory, as reinterpretations.

    %0 = memref.reshape %m(%sizes) : (memref<*xf32>, memref<2xindex>) -> memref<?x8xf32>
->
    %c8 = arith.constant 8 : index
    %c0 = arith.constant 0 : index
    %1 = memref.load %sizes[%c0] : memref<2xindex>
    %0 = memref.reinterpret_cast %m to offset: [0], sizes: [%1, 8], strides: [8, 1] : memref<*xf32> to memref<?x8xf32>
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.types import INDEX, ShapedType, element_type
from fathom.ops.memref import ReshapeOp
from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation, Value
    from fathom.passes.definition import Held
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.pattern import Failure


@record
class ExpandOpsPass(Pass):
    """A reshape to a rank that is not known stays."""

    name = "memref-expand"
    summary = "writes memref.reshape and some atomic updates as simpler operations"
    by_function = True
    handles = ("memref.reshape",)

    @classmethod
    def is_for(cls, held: Held) -> bool:
        """Only for reshapes that `finalize-memref-to-llvm` leaves: of what has no rank, or by sizes that are no
        indices."""
        reshapes = (op for name in cls.handles for op in held.get(name, ()))
        return any(
            isinstance(op, ReshapeOp)
            and isinstance(source := op.source.type, ShapedType)
            and (source.shape is None or element_type(op.shape.type) != INDEX)
            for op in reshapes
        )

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.rewriting.conversion_driver import apply_partial_conversion
        from fathom.rewriting.pattern import Pattern
        from fathom.rewriting.target import ConversionTarget

        target = ConversionTarget().legal("arith", "memref")
        target.dynamically_legal(lambda reshape: _rank(reshape) is None, "memref.reshape")
        return apply_partial_conversion(
            op, target, [Pattern("memref.reshape", expand_reshape, name="MemRefReshapeOpConverter")], context
        )


def _rank(op: ReshapeOp) -> int | None:
    """The rank that a reshape is to, where the type of its sizes says so."""
    from fathom.dialects.memref.common import ranked

    type = ranked(op.shape.type)
    return type.ranked_shape[0] if type is not None and type.has_static_shape else None


def expand_reshape(op: ReshapeOp, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
    """Sizes that the type does not know are loaded; strides are the products of those further in."""
    from fathom.dialects.memref.common import ranked
    from fathom.ir.types import DYNAMIC, INDEX
    from fathom.passes.arithmetic import binary, constant
    from fathom.passes.buffers import load
    from fathom.rewriting.pattern import Failure
    from fathom.rewriting.slicing import sliced

    source, shape = operands
    type = ranked(op.result.type)
    if type is None:
        return Failure("the type of the result has no rank")
    sizes: list[Value | int] = []
    strides: list[Value | int] = []
    stride: Value | int = 1
    for position in range(len(type.ranked_shape) - 1, -1, -1):
        known = type.ranked_shape[position]
        if known == DYNAMIC:
            size = load(rewriter, shape, constant(rewriter, position))
            if size.type != INDEX:
                size = rewriter.create("arith.index_cast", [size], [INDEX]).result
        else:
            size = constant(rewriter, known)
        sizes.insert(0, size if known == DYNAMIC else known)
        strides.insert(0, stride)
        if position == 0:
            break
        if isinstance(stride, int) and known != DYNAMIC:
            stride *= known
        else:
            outer = constant(rewriter, stride) if isinstance(stride, int) else stride
            stride = binary(rewriter, "muli", outer, size)
    value = sliced(rewriter, "memref.reinterpret_cast", source, type, [0], sizes, strides)
    rewriter.replace(op, [value])
    return None
