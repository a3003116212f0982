"""`scf.forall` as loops that are run one after the other, or as `scf.parallel`.

Source of the rules: `ForallToFor.cpp` and `ForallToParallel.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.diagnostics import PIPELINE, Diagnostic
from fathom.dialects.scf.parallel import bounds_of
from fathom.ir.operation import Region
from fathom.ir.traversal import is_inside
from fathom.ops.scf import ForallOp
from fathom.passes.index_arithmetic import values_of
from fathom.passes.loops.making import nest, parallel
from fathom.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from collections.abc import Callable

    from fathom.context import Context
    from fathom.ir.operation import Operation, Value


def replace_all(
    root: Operation,
    context: Context,
    needs_tensors: Callable[[ForallOp], bool],
    replace: Callable[[ForallOp, list[list[Value]], Rewriter], None],
) -> list[Diagnostic]:
    """Replaces all of them, the inner ones first. One that needs its shared tensors is an error: mlir-opt fails at it
    as well, but says nothing, or leaves values without a definition."""
    rewriter = Rewriter(context)
    for op in list(root.walk_postorder()):
        if not isinstance(op, ForallOp):
            continue
        if needs_tensors(op):
            message = "an 'scf.forall' with shared tensors becomes another loop when it is on buffers"
            return [Diagnostic(message, op.span, code=PIPELINE, op=op)]
        rewriter.set_insertion_before(op)
        rewriter.stand_in(op)
        replace(op, [values_of(rewriter, bound) for bound in bounds_of(op)], rewriter)
    return []


def has_shared(op: ForallOp) -> bool:
    """Whether it puts parts into shared tensors."""
    return bool(op.outputs)


def uses_shared(op: ForallOp) -> bool:
    """Whether anything but its end reads its shared tensors or what becomes of them."""
    body = op.region.entry
    inside = body.arguments[len(body.arguments) - len(op.outputs) :]
    return any(result.uses for result in op.results) or any(
        not is_inside(user, body.end) for argument in inside for user in argument.uses
    )


def to_sequential(op: ForallOp, bounds: list[list[Value]], rewriter: Rewriter) -> None:
    """A nest of `scf.for`. What is put into shared tensors goes with the end of the body."""
    body = op.region.entry
    rewriter.erase(body.end)
    blocks = nest(rewriter, bounds)
    target = blocks[-1] if blocks else op.parent
    assert target is not None, "a loop stands in a block"
    values = [*(block.arguments[0] for block in blocks), *op.outputs]
    rewriter.inline_block_before(body, target, blocks[-1].last if blocks else op, values)
    rewriter.erase(op)


def to_parallel(op: ForallOp, bounds: list[list[Value]], rewriter: Rewriter) -> None:
    """`scf.parallel` with the same body; what its iterations are mapped to is kept."""
    end = op.region.entry.end
    made = parallel(rewriter, bounds, body=_taken(op))
    rewriter.set_insertion_before(end)
    with rewriter.standing_in(end):
        rewriter.replace_with(end, "scf.reduce")
    if op.mapping is not None:
        made.attributes["mapping"] = op.mapping
    rewriter.erase(op)


def _taken(op: ForallOp) -> Region:
    region = Region()
    region.take_blocks(op.region)
    return region
