"""`buffer-results-to-out-params`: functions write to buffers that they are given, instead of returning some.

    func.func private @f() -> memref<4xf32> { … return %m }           %r = call @f()
->
    func.func private @f(%out: memref<4xf32>) { … memref.copy %m, %out … return }
                                                %r = memref.alloc() : memref<4xf32>        call @f(%r)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.passes.options import BOOL, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class BufferResultsToOutParamsPass(Pass):
    """Public functions and declarations stay as they are, unless `modify-public-functions` is given. A buffer of sizes
    that are not known cannot be given, unless the caller has them at hand."""

    name = "buffer-results-to-out-params"
    summary = "functions write to buffers that they are given"
    anchor = "builtin.module"
    handles = ("func.func",)

    add_result_attr: bool = option(False, "the new arguments have the attribute `bufferize.result`", BOOL)
    hoist_dynamic_allocs: bool = option(False, "callers allocate buffers of sizes that are arguments", BOOL)
    hoist_static_allocs: bool = option(False, "what a function allocates to return it, callers allocate", BOOL)
    modify_public_functions: bool = option(False, "public functions too", BOOL)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.bufferization.options import refusals_of
        from fathom.bufferization.out_params import OutParams

        work = OutParams(
            context,
            adds_attribute=self.add_result_attr,
            hoists_static=self.hoist_static_allocs,
            hoists_dynamic=self.hoist_dynamic_allocs,
        )
        return refusals_of(lambda: work.run(op, and_public=self.modify_public_functions))
