"""`test-cf-assert`: assertions that do not stop the program, so that one run of a test sees several fail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.operation import MODULE
from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class TestAssertPass(Pass):
    """An assertion whose condition does not hold prints its message, and the program goes on."""

    name = "test-cf-assert"
    summary = "lowers cf.assert to the LLVM dialect, without abort"
    anchor = MODULE
    handles = ("cf.assert",)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.conversions.convert_cf_to_llvm.branches import convert_assert_and_go_on
        from fathom.passes.to_llvm.conversion import convert_to_llvm, llvm_target, type_converter
        from fathom.rewriting.pattern import bind

        types = type_converter(0, op)
        patterns = bind([("cf.assert", convert_assert_and_go_on)], types)
        return convert_to_llvm(op, llvm_target(), patterns, types, context)
