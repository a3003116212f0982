"""The steps of `lower-to-llvm` that give memory to tensors.

What a function takes and gives does not depend on what stands in it, so each can be lowered without the others. What
has no form with memrefs keeps what stands around it on tensors: the function, and those that call it. All others are
lowered.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from fathom.ir.operation import is_module
from fathom.ir.property_values import type_property
from fathom.ir.types import FunctionType, TensorType
from fathom.passes.conversions.convert_elementwise_to_linalg import ConvertElementwiseToLinalgPass
from fathom.passes.conversions.lower_affine import LowerAffinePass
from fathom.passes.transforms.one_shot_bufferize import OneShotBufferizePass
from fathom.records import record, replace

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation
    from fathom.passes.definition import Held


def hold_tensors(held: Held) -> bool:
    """Whether there are tensors: each is a result, or an argument of a block, or in the type of a function."""
    return any(_brings_tensors(op) for ops in held.values() for op in ops)


def _brings_tensors(op: Operation) -> bool:
    for result in op.results:
        if isinstance(result.type, TensorType):
            return True
    for region in op.regions:
        for block in region.blocks:
            for argument in block.arguments:
                if isinstance(argument.type, TensorType):
                    return True
        if region.is_empty and isinstance(type := type_property(op, "function_type"), FunctionType):
            return any(isinstance(input_, TensorType) for input_ in (*type.inputs, *type.results))
    return False


@record
class LoopsOfTensors(LowerAffinePass):
    """`lower-affine` where affine loops and conditions give tensors: those of scf have a form with memrefs."""

    name = "loops-of-tensors"

    @classmethod
    def is_for(cls, held: Held) -> bool:
        return hold_tensors({name: held[name] for name in ("affine.for", "affine.if") if name in held})


@record
class ElementsOfTensors(ConvertElementwiseToLinalgPass):
    """`convert-elementwise-to-linalg` where there are tensors."""

    name = "elements-of-tensors"

    @classmethod
    def is_for(cls, held: Held) -> bool:
        return hold_tensors(held)


@record
class MemoryForTensors(OneShotBufferizePass):
    """`one-shot-bufferize`, across functions, where there are tensors: a function takes and gives memrefs whose
    elements lie one behind the other. What it is given it does not write, if anybody may call it; what it returns is
    its caller's to free; what it allocates besides, it frees. As with MLIR's own passes, nothing is freed in a function
    that has loops of branches, or frees memory itself."""

    name = "memory-for-tensors"

    @classmethod
    def is_for(cls, held: Held) -> bool:
        return hold_tensors(held)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        whole = replace(
            self,
            bufferize_function_boundaries=True,
            allow_return_allocs_from_loops=True,
            function_boundary_type_conversion="identity-layout-map",
        )
        from fathom.bufferization.functions import functions_in
        from fathom.passes.freeing import free_in
        from fathom.passes.idle_copies import drop_idle_copies
        from fathom.passes.on_tensors import copy_what_may_change, keep_arguments, own_what_loops_carry

        said: list[Diagnostic] = []
        for module in [inner for inner in op.walk() if is_module(inner)]:
            with _without_kept(module):
                functions = [
                    function for function in functions_in(module) if any(map(_brings_tensors, function.walk()))
                ]
                keep_arguments(functions)
                copy_what_may_change(module, context)
                own_what_loops_carry(module, context)
                diagnostics = OneShotBufferizePass.run(whole, module, context)
                if not diagnostics:
                    drop_idle_copies(module)
                    free_in(module, functions, context)
                said += diagnostics
        return said


@contextmanager
def _without_kept(module: Operation) -> Generator[None]:
    """Takes out of a module, meanwhile, what cannot be given memory; and for good what is idle of it."""
    from fathom.passes.on_tensors import drop_idle, kept_on_tensors

    drop_idle(module)
    places = [(op, op.parent, op.next) for op in kept_on_tensors(module)]
    for op, _, _ in places:
        op.unlink()
    try:
        yield
    finally:
        for op, block, behind in reversed(places):
            assert block is not None, "it stood in the module"
            block.insert_before(op, behind)
