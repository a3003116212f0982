"""`tosa-to-mlprogram`: tosa's variables as private globals of ml_program.

    tosa.variable @v = dense<1.0> : tensor<2xf32>
    %0 = tosa.variable_read @v : tensor<2xf32>
->
    ml_program.global private mutable @v(dense<1.0> : tensor<2xf32>) : tensor<2xf32>
    %v = ml_program.global_load @v : tensor<2xf32>
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.operation import MODULE
from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.attributes import Attribute, SymbolRefAttr
    from fathom.ir.operation import Operation, Value
    from fathom.ops import tosa as ops
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.pattern import Failure


@record
class TosaToMLProgram(Pass):
    """Declarations, reads and writes."""

    name = "tosa-to-mlprogram"
    summary = "lowers tosa's variables to globals of ml_program"
    anchor = MODULE
    handles = ("tosa.variable", "tosa.variable_read", "tosa.variable_write")

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.rewriting.conversion_driver import apply_partial_conversion
        from fathom.rewriting.pattern import Pattern
        from fathom.rewriting.target import ConversionTarget

        patterns = [
            Pattern("tosa.variable", _declare, name="VariableOpConverter"),
            Pattern("tosa.variable_write", _write, name="VariableWriteOpConverter"),
            Pattern("tosa.variable_read", _read, name="VariableReadOpConverter"),
        ]
        target = ConversionTarget().illegal(*self.handles).others(True)
        return apply_partial_conversion(op, target, patterns, context)


def _declare(op: ops.VariableOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    from fathom.dialects.tosa.control import variable_type
    from fathom.ir.attributes import UNIT, StringAttr, TypeAttr
    from fathom.rewriting.pattern import NO_MATCH

    type = variable_type(op)
    if type is None:
        return NO_MATCH
    properties: dict[str, Attribute] = {
        "sym_name": op.sym_name,
        "type": TypeAttr(type),
        "is_mutable": UNIT,
        "sym_visibility": StringAttr("private"),
    }
    if op.initial_value is not None:
        properties["value"] = op.initial_value
    rewriter.create("ml_program.global", properties=properties)
    rewriter.erase(op)
    return None


def _write(op: ops.VariableWriteOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> None:
    rewriter.replace_with(op, "ml_program.global_store", [op.input1], (), {"global": _symbol(op)})


def _read(op: ops.VariableReadOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> None:
    rewriter.replace_with(op, "ml_program.global_load", (), [op.output1.type], {"global": _symbol(op)})


def _symbol(op: Operation) -> SymbolRefAttr:
    """The variable that an operation names."""
    from fathom.ir.attributes import SymbolRefAttr
    from fathom.ir.property_values import text_property

    return SymbolRefAttr(text_property(op, "name") or "")
