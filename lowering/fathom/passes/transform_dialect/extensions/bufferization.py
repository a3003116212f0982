"""Transforms that give memory to tensors.

Source of the rules: `BufferizationTransformOps.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.bufferization.one_shot import bufferize
from fathom.bufferization.options import Options, refusals_of
from fathom.ir.operation import is_module
from fathom.irdl.cases import word
from fathom.irdl.interfaces import FunctionLike
from fathom.ops import transform as ops
from fathom.passes import find
from fathom.passes.transform_dialect.application import each
from fathom.passes.transform_dialect.models import transforms

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.passes.transform_dialect.application import Application

LAYOUTS: Final = {
    "InferLayoutMap": "infer-layout-map",
    "FullyDynamicLayoutMap": "fully-dynamic-layout-map",
    "IdentityLayoutMap": "identity-layout-map",
}


@transforms("transform.bufferization.one_shot_bufferize")
def one_shot_bufferize(op: ops.BufferizationOneShotBufferizeOp, run: Application) -> None:
    if op.memcpy_op.value != "memref.copy":
        raise run.definite("buffers are copied by 'memref.copy' alone")
    options = Options(
        allow_return_allocs_from_loops=bool(op.allow_return_allocs_from_loops.value),
        allow_unknown_ops=bool(op.allow_unknown_ops.value),
        bufferize_function_boundaries=bool(op.bufferize_function_boundaries.value),
        check_parallel_regions=bool(op.check_parallel_regions.value),
        dump_alias_sets=bool(op.dump_alias_sets.value),
        function_boundary_type_conversion=LAYOUTS.get(
            word(op, "function_boundary_type_conversion"), "infer-layout-map"
        ),
        print_conflicts=bool(op.print_conflicts.value),
        test_analysis_only=bool(op.test_analysis_only.value),
    )
    targets = run.ops(op.target)
    for target in targets:
        if not is_module(target) and target.interface(FunctionLike) is None:
            raise run.silenceable("expected module or function target")
        if options.bufferize_function_boundaries and not is_module(target):
            raise run.silenceable("expected module target")
        found = refusals_of(lambda target=target: bufferize(target, options, run.context))
        run.state.diagnostics += found
        if found:
            raise run.silenceable("bufferization failed")
    run.set(op.transformed, targets)


@transforms("transform.bufferization.eliminate_empty_tensors", "transform.bufferization.buffer_loop_hoisting")
@each()
def by_pass(op: Operation, target: Operation, run: Application) -> None:
    """What the pass of the same name does."""
    found = find(op.name.removeprefix("transform.bufferization.").replace("_", "-"))
    assert found is not None, "both are passes"
    run.state.diagnostics += found().run(target, run.context)
