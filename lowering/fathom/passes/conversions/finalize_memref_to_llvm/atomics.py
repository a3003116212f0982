"""Lowers what replaces an element in one step. Source of the rules: *'memref' Dialect*, `memref.atomic_rmw` and
`memref.generic_atomic_rmw`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.attributes import cases
from fathom.dialects.llvm.types import struct_of
from fathom.ir.attributes import Attribute, DenseArrayAttr, i64_attr
from fathom.ir.types import I1, I32
from fathom.irdl.groups import SEGMENTS
from fathom.passes.conversions.finalize_memref_to_llvm.access import memref_type
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.descriptors import element, element_address
from fathom.passes.to_llvm.patterns import Lower
from fathom.rewriting.pattern import Failure, named

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops.memref import AtomicRmwOp, GenericAtomicRmwOp
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

ATOMIC_KINDS: Final = {
    0: "fadd",
    1: "add",
    2: "_and",
    3: "xchg",
    4: "fmaximum",
    5: "fmax",
    6: "max",
    7: "umax",
    8: "fminimum",
    9: "fmin",
    10: "min",
    11: "umin",
    14: "_or",
    15: "_xor",
}
"""The instruction for each kind of `memref.atomic_rmw`; LLVM has none that multiplies."""


EXCHANGE: Final = {"success_ordering": "acq_rel", "failure_ordering": "monotonic"}
FALSE_OPERAND: Final = DenseArrayAttr(I32, (1, 0, 1))
"""The operands of a conditional branch that hands one value to the block it goes to if not."""


@named("AtomicRMWOpLowering")
def atomic_rmw(
    op: AtomicRmwOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """One instruction, ordered as acquire and release.

        %0 = memref.atomic_rmw addf %v, %m[%i] : (f32, memref<4xf32>) -> f32
    ->
        %0 = llvm.atomicrmw fadd %p, %v acq_rel : !llvm.ptr, f32
    """
    instruction = ATOMIC_KINDS.get(op.kind.value)
    if instruction is None:
        return Failure("LLVM has no atomic multiplication; --memref-expand makes a loop of it")
    value, descriptor, *indices = operands
    pointer = element_address(rewriter, types, descriptor, memref_type(op.memref), indices)
    properties: dict[str, Attribute] = {
        "bin_op": i64_attr(cases("AtomicBinOp")[instruction]),
        "ordering": i64_attr(cases("AtomicOrdering")["acq_rel"]),
    }
    rewriter.replace_with(op, "llvm.atomicrmw", [pointer, value], [value.type], properties)
    return None


@named("GenericAtomicRMWOpLowering")
def generic_atomic_rmw(
    op: GenericAtomicRmwOp, operands: Sequence[Value], rewriter: ConversionRewriter, types: LLVMTypeConverter
) -> Failure | None:
    """What is computed is written if the element is still what it was computed from; if not, it is done again.

        %0 = memref.generic_atomic_rmw %m[%i] : memref<4xi32> { ^bb0(%old: i32): …  memref.atomic_yield %new : i32 }
    ->
          %first = llvm.load %p;  llvm.br ^loop(%first)
        ^loop(%old: i32):
          …
          %pair = llvm.cmpxchg %p, %old, %new acq_rel monotonic
          %0 = llvm.extractvalue %pair[0];  %ok = llvm.extractvalue %pair[1]
          llvm.cond_br %ok, ^end, ^loop(%0)
        ^end:
    """
    before, body = op.parent, op.atomic_body.entry
    terminator = body.end
    if before is None or before.parent is None:
        return Failure("it stands in no function")
    descriptor, *indices = operands
    type = memref_type(op.memref)
    loop = rewriter.split_block(before, op)
    (old,) = rewriter.add_arguments(loop, [element(types, type)])
    end = rewriter.split_block(loop, op.next)
    rewriter.set_insertion_to_end(before)
    pointer = element_address(rewriter, types, descriptor, type, indices)
    emit.branch(rewriter, loop, [emit.load(rewriter, old.type, pointer)])
    rewriter.set_insertion_to_start(loop)
    values: dict[Value, Value] = {body.arguments[0]: old}
    for inner in body:
        if inner is not terminator:
            rewriter.clone(inner, values)
    new = next((values.get(given) for given in terminator.operands), None)
    if new is None:
        return Failure("result not defined in region", said_of=op)
    orderings = cases("AtomicOrdering")
    properties = {name: i64_attr(orderings[ordering]) for name, ordering in EXCHANGE.items()}
    pair = rewriter.create("llvm.cmpxchg", [pointer, old, new], [struct_of(new.type, I1)], properties).result
    loaded = emit.extract(rewriter, pair, new.type, 0)
    done = emit.extract(rewriter, pair, I1, 1)
    rewriter.create("llvm.cond_br", [done, loaded], (), {SEGMENTS["operands"]: FALSE_OPERAND}, successors=[end, loop])
    rewriter.replace(op, [loaded])
    return None


ATOMICS: Final[dict[str, Lower]] = {
    "memref.atomic_rmw": atomic_rmw,
    "memref.generic_atomic_rmw": generic_atomic_rmw,
}
