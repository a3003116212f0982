"""`convert-openacc-to-scf`: movements of data on a condition, as movements in an `scf.if`.

    acc.update if(%c) dataOperands(%d : memref<f32>)
  ->
    scf.if %c { acc.update dataOperands(%d : memref<f32>) }

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.operation import MODULE
from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.pattern import Failure

MOVEMENTS: Final = ("acc.enter_data", "acc.exit_data", "acc.update")
_CONDITION: Final = "ifCond"


@record
class ConvertOpenACCToSCFPass(Pass):
    """What `acc.enter_data`, `acc.exit_data` and `acc.update` do on a condition; one that is constant is decided."""

    name = "convert-openacc-to-scf"
    summary = "puts movements of data of OpenACC that depend on a condition into scf.if"
    anchor = MODULE
    handles = MOVEMENTS

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.rewriting.conversion_driver import apply_partial_conversion
        from fathom.rewriting.pattern import Pattern
        from fathom.rewriting.target import ConversionTarget

        target = ConversionTarget().legal("scf", "acc")
        target.dynamically_legal(_has_no_condition, *MOVEMENTS)
        patterns = [Pattern(name, _expand, name="ExpandIfCondition") for name in MOVEMENTS]
        return apply_partial_conversion(op, target, patterns, context)


def _has_no_condition(op: Operation) -> bool:
    return not op.all_of(_CONDITION)


def _expand(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """See the module."""
    from fathom.ir.attributes import IntegerAttr
    from fathom.ir.operation import Region
    from fathom.rewriting.folding import constant_value
    from fathom.rewriting.pattern import Failure

    conditions = op.all_of(_CONDITION)
    if not conditions:
        return Failure("it depends on no condition")
    known = constant_value(conditions[0])
    if not isinstance(known, IntegerAttr):
        then = Region()
        rewriter.create("scf.if", conditions, regions=[then, Region()])
        rewriter.create_block(then)
        _move(op, rewriter)
        rewriter.create("scf.yield")
    elif known.value:
        _move(op, rewriter)
    rewriter.erase(op)
    return None


def _move(op: Operation, rewriter: ConversionRewriter) -> None:
    """Makes an operation that does the same on no condition."""
    from fathom.irdl.build import segment_sizes
    from fathom.irdl.groups import SEGMENTS

    groups = [group.name for group in op.definition.operands] if op.definition is not None else []
    sizes = [len(op.all_of(name)) if name != _CONDITION else 0 for name in groups]
    values = [value for name in groups if name != _CONDITION for value in op.all_of(name)]
    properties = {**op.properties, SEGMENTS["operands"]: segment_sizes(*sizes)}
    rewriter.create(op.name, values, (), properties, op.attributes)
