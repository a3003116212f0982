"""`llvm-add-comdats`: functions that several modules may define say that any of them will do.

  llvm.func linkonce @f() { … }
->
  llvm.comdat @__llvm_comdat { llvm.comdat_selector @f any }
  llvm.func linkonce @f() comdat(@__llvm_comdat::@f) { … }
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.operation import MODULE
from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation

COMDAT: Final = "__llvm_comdat"
LINKED_ONCE: Final = frozenset(("linkonce", "linkonce_odr"))


@record
class LLVMAddComdats(Pass):
    """Functions of the linkage `linkonce` or `linkonce_odr`; only for targets that have comdats."""

    name = "llvm-add-comdats"
    summary = "gives functions that are linked once a comdat"
    anchor = MODULE

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.ir.attributes import StringAttr, SymbolRefAttr, i64_attr
        from fathom.ir.operation import Block, Region
        from fathom.irdl.cases import word_of
        from fathom.irdl.interfaces import symbol_name
        from fathom.ops import llvm as ops
        from fathom.rewriting.rewriter import Rewriter

        (body,) = op.regions[0].blocks
        functions = [each for each in body if isinstance(each, ops.FuncOp) and word_of(each.linkage) in LINKED_ONCE]
        if not functions:
            return []
        rewriter = Rewriter(context)
        table = next((each for each in body if isinstance(each, ops.ComdatOp) and symbol_name(each) == COMDAT), None)
        if table is None:
            rewriter.set_insertion_to_start(body)
            rewriter.stand_in(op)
            region = Region()
            region.append(Block())
            made = rewriter.create("llvm.comdat", (), (), {"sym_name": StringAttr(COMDAT)}, regions=[region])
            assert isinstance(made, ops.ComdatOp)
            table = made
        rewriter.stand_in(table)
        for function in functions:
            rewriter.set_insertion_to_start(next(iter(table.body.blocks)))
            properties = {"sym_name": function.sym_name, "comdat": i64_attr(0)}
            rewriter.create("llvm.comdat_selector", (), (), properties)
            function.properties["comdat"] = SymbolRefAttr(COMDAT, (function.sym_name.value,))
        return []
