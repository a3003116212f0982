"""`async-parallel-for`: parallel loops as blocks of iterations, which run beside each other.

    scf.parallel (%i) = (%lower) to (%upper) step (%step) {
      …
    }
->
    %group = async.create_group %others : !async.group
    call @async_dispatch_fn(%group, %c0, %block_count, %block_size, …)
    async.await_all %group

    func.func private @parallel_compute_fn(%block_index: index, %block_size: index, …) {
      …                                                   the iterations of one block (`blocks`)
    }
    func.func private @async_dispatch_fn(%group: !async.group, %first: index, %end: index, …) {
      …                                                   all blocks but the first beside (`dispatching`)
    }
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from fathom.ir.operation import MODULE
from fathom.passes.definition import Pass
from fathom.passes.options import BOOL, INT, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class AsyncParallelForPass(Pass):
    """Loops that reduce something stay. How many blocks there are depends on the threads, and on how much is worth one;
    what it is about is known at run time."""

    name = "async-parallel-for"
    summary = "makes parallel loops of scf run beside each other, in blocks"
    anchor = MODULE

    async_dispatch: bool = option(True, "halve the blocks in tasks of their own; else one task begins all", BOOL)
    num_workers: int = option(8, "how many threads there are; -1: ask the runtime", INT)
    min_task_size: int = option(1000, "how many iterations a block has at least", INT)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.transforms.async_parallel_for.dispatching import Plan, run_beside
        from fathom.rewriting.greedy_driver import apply_patterns
        from fathom.rewriting.pattern import Pattern

        plan = Plan(self.async_dispatch, self.num_workers, self.min_task_size)
        rewrite = partial(run_beside, plan=plan)
        apply_patterns(op, [Pattern("scf.parallel", rewrite, name="AsyncParallelForRewrite")], context)
        return []
