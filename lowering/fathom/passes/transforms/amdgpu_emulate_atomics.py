"""`amdgpu-emulate-atomics`: what a chipset cannot do at once, by trying until nobody else came in between.

    amdgpu.raw_buffer_atomic_fadd %v -> %m[%i]
->
      %0 = amdgpu.raw_buffer_load %m[%i]
      cf.br ^try(%0)
    ^try(%old):
      %new = arith.addf %v, %old
      %was = amdgpu.raw_buffer_atomic_cmpswap %new, %old -> %m[%i]
      cf.cond_br (%was is %old, bit by bit), ^done, ^try(%was)

Source of the rules: *'amdgpu' Dialect*; the behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.passes.definition import Pass
from fathom.passes.options import STRING, option
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Value
    from fathom.passes.gpu_to_llvm.chipsets import Chipset
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.target import ConversionTarget

_COMPUTED: Final = {"fadd": "addf", "fmax": "maximumf", "smax": "maxsi", "umin": "minui"}
"""What is computed by each kind of access."""


@record
class AmdgpuEmulateAtomicsPass(Pass):
    """Sums of floats, and of those of 16 bits, and maxima of floats are done so where there is no instruction."""

    name = "amdgpu-emulate-atomics"
    summary = "emulates atomic accesses of buffers that a chipset does not have"
    handles = tuple(f"amdgpu.raw_buffer_atomic_{kind}" for kind in _COMPUTED)

    chipset: str = option("gfx000", "the GPU that is to run it", STRING)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.diagnostics import LOWERING, Diagnostic
        from fathom.passes.gpu_to_llvm.chipsets import Chipset
        from fathom.rewriting.conversion_driver import apply_partial_conversion
        from fathom.rewriting.pattern import Pattern
        from fathom.rewriting.target import ConversionTarget

        chipset = Chipset.read(self.chipset)
        if chipset is None:
            return [Diagnostic(f"Invalid chipset name: {self.chipset}", op.span, code=LOWERING)]
        target = ConversionTarget().others(True)
        _restrict(target, chipset)
        patterns = [Pattern(name, _emulate, name="RawBufferAtomicByCasPattern") for name in self.handles]
        return apply_partial_conversion(op, target, patterns, context)


def _restrict(target: ConversionTarget, chipset: Chipset) -> None:
    """What the chipset has no instruction for is not legal."""
    from fathom.ir.types import BF16, F16, F64, element_type

    adds, most = "amdgpu.raw_buffer_atomic_fadd", "amdgpu.raw_buffer_atomic_fmax"
    if chipset.major == 10 or chipset < (9, 0, 8):
        target.illegal(adds)
    if chipset.major == 11:
        target.dynamically_legal(lambda op: element_type(op.value.type) not in (F16, BF16), adds)
    if chipset.major == 9:
        target.dynamically_legal(lambda op: chipset >= (9, 0, 10) and op.value.type == F64, most)
        if chipset < (9, 5, 0):
            target.dynamically_legal(lambda op: element_type(op.value.type) != BF16, adds)


def _emulate(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> None:
    """See the module. What the access says besides, both accesses say."""
    from fathom.ir.attributes import DenseArrayAttr
    from fathom.irdl.build import segment_sizes
    from fathom.irdl.groups import SEGMENTS
    from fathom.passes.arithmetic import binary, compare
    from fathom.passes.branches import branch, conditional_branch

    value, *place = operands
    block, segments = op.parent, op.properties[SEGMENTS["operands"]]
    assert block is not None and block.parent is not None and isinstance(segments, DenseArrayAttr)
    first, *others = segments.values

    def properties(*sizes: int) -> dict[str, Attribute]:
        return {**op.properties, SEGMENTS["operands"]: segment_sizes(*sizes)}

    loaded = rewriter.create("amdgpu.raw_buffer_load", place, [value.type], properties(*others), op.attributes).result
    rest = rewriter.split_block(block, op)
    again = rewriter.create_block(block.parent, rest, [value.type])
    rewriter.set_insertion_to_end(block)
    branch(rewriter, again, [loaded])
    rewriter.set_insertion_to_end(again)
    old = again.arguments[0]
    new = binary(rewriter, _COMPUTED[op.name.rpartition("_")[2]], value, old)
    swap = properties(first, first, *others)
    was = rewriter.create(
        "amdgpu.raw_buffer_atomic_cmpswap", [new, old, *place], [new.type], swap, op.attributes
    ).result
    before, after = _bits(rewriter, old), _bits(rewriter, was)
    conditional_branch(rewriter, compare(rewriter, "eq", after, before), rest, (), again, [was])
    rewriter.erase(op)


def _bits(rewriter: ConversionRewriter, value: Value) -> Value:
    """The bits of a number or a vector, as one integer."""
    from fathom.ir.attributes import DenseArrayAttr
    from fathom.ir.types import I64, FloatType, IntegerType, VectorType, element_width

    type = value.type
    if isinstance(type, FloatType):
        return rewriter.create("arith.bitcast", [value], [IntegerType(type.width)]).result
    if not isinstance(type, VectorType):
        return value
    whole = IntegerType(element_width(type) * type.ranked_shape[0])
    vector = rewriter.create("vector.bitcast", [value], [VectorType((1,), whole)]).result
    properties = {"static_position": DenseArrayAttr(I64, (0,))}
    return rewriter.create("vector.extract", [vector], [whole], properties).result
