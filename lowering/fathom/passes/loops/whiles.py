"""`scf.for` as `scf.while`, which counts by itself.

Source of the rules: `ForToWhile.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.operation import Region
from fathom.passes.arithmetic import binary, compare
from fathom.passes.loops.making import block_of
from fathom.rewriting.pattern import Pattern
from fathom.rewriting.rewriter import source_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Value
    from fathom.ops.scf import ForOp
    from fathom.rewriting.rewriter import Rewriter


def to_while(op: ForOp, operands: Sequence[Value], rewriter: Rewriter) -> None:
    """The index is carried in front of the other values; the condition comes first."""
    body = op.region.entry
    initial = [op.lowerBound, *op.initArgs]
    types = [value.type for value in initial]
    before, after = block_of(rewriter, types), block_of(rewriter, types)
    sources = [body.arguments[0], *op.initArgs]
    for block in (before, after):
        for argument, source in zip(block.arguments, sources, strict=True):
            argument.span, argument.location = source_of(source)
    # MLIR hands on the properties, too.
    attributes = {**op.properties, **op.attributes}
    regions = [Region([before]), Region([after])]
    made = rewriter.create("scf.while", initial, types, attributes=attributes, regions=regions)
    with rewriter.elsewhere():
        rewriter.set_insertion_to_end(before)
        predicate = "ult" if op.unsignedCmp is not None else "slt"
        goes_on = compare(rewriter, predicate, before.arguments[0], op.upperBound)
        rewriter.create("scf.condition", [goes_on, *before.arguments])
        rewriter.set_insertion_to_end(after)
        following = binary(rewriter, "addi", after.arguments[0], op.step)
    end = body.end
    rewriter.inline_block_before(body, after, None, after.arguments)
    rewriter.modify(end, lambda: end.set_operands([following, *end.operands]))
    rewriter.replace(op, list(made.results[1:]))


PATTERNS: Final = (Pattern("scf.for", to_while, name="ForLoopLoweringPattern"),)
