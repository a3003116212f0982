"""`mlprogram-pipeline-globals`: what a global is known to hold is not loaded again, nor stored where it is overwritten.

ml_program.global_store @g = %a : tensor<4xi32>
%0 = ml_program.global_load @g : tensor<4xi32>      what uses %0 uses %a
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.operation import MODULE
from fathom.passes.definition import Pass
from fathom.records import field, record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.attributes import SymbolRefAttr
    from fathom.ir.operation import Block, Operation, Value


@record
class MLProgramPipelineGlobals(Pass):
    """Block by block; a call forgets what the function and those that it calls load and store. Where a function is
    called that is not known by name, nothing is done."""

    name = "mlprogram-pipeline-globals"
    summary = "saves loads and stores of globals of ml_program"
    anchor = MODULE
    handles = ("ml_program.global_load", "ml_program.global_store")

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        called = _of_called(op)
        if called is not None:
            for operation in op.regions[0].operations():
                for region in operation.regions:
                    for block in region.blocks:
                        _save(block, _Touched(), called)
        return []


@record
class _Touched:
    """The globals that something loads and stores."""

    loaded: set[SymbolRefAttr] = field(default_factory=set["SymbolRefAttr"])
    stored: set[SymbolRefAttr] = field(default_factory=set["SymbolRefAttr"])

    def add(self, other: _Touched) -> None:
        self.loaded.update(other.loaded)
        self.stored.update(other.stored)


def _of_called(module: Operation) -> Mapping[SymbolRefAttr, _Touched] | None:
    """What each function that is called touches, with those that it calls; None where one is not known."""
    from fathom.ir.attributes import SymbolRefAttr
    from fathom.irdl.interfaces import Call
    from fathom.ops.ml_program import GlobalLoadOp, GlobalStoreOp
    from fathom.rewriting.symbol_uses import SymbolTables

    tables = SymbolTables()
    touched: dict[SymbolRefAttr, _Touched] = {}
    callees: dict[SymbolRefAttr, list[SymbolRefAttr]] = {}
    functions: dict[SymbolRefAttr, Operation] = {}
    for op in module.walk():
        call = op.interface(Call)
        if call is None:
            continue
        callee = call.callee(op)
        function = tables.nearest(op, callee, module) if isinstance(callee, SymbolRefAttr) else None
        if function is None or not isinstance(callee, SymbolRefAttr):
            return None
        functions[callee] = function
    for callee, function in functions.items():
        own, calls = touched[callee], callees[callee] = _Touched(), list[SymbolRefAttr]()
        for op in function.walk():
            if isinstance(op, GlobalLoadOp):
                own.loaded.add(op.global_)
            elif isinstance(op, GlobalStoreOp):
                own.stored.add(op.global_)
            elif (call := op.interface(Call)) is not None and isinstance(inner := call.callee(op), SymbolRefAttr):
                calls.append(inner)
    return {callee: _with_callees(callee, touched, callees) for callee in functions}


def _with_callees(
    callee: SymbolRefAttr,
    touched: Mapping[SymbolRefAttr, _Touched],
    callees: Mapping[SymbolRefAttr, list[SymbolRefAttr]],
) -> _Touched:
    """What a function touches, and what those do that it reaches."""
    together, pending, seen = _Touched(), [callee], {callee}
    while pending:
        current = pending.pop()
        together.add(touched[current])
        fresh = [other for other in callees[current] if other not in seen]
        seen.update(fresh)
        pending += fresh
    return together


def _save(block: Block, around: _Touched, called: Mapping[SymbolRefAttr, _Touched]) -> None:
    """Goes through a block, and says what it touches."""
    from fathom.ir.attributes import SymbolRefAttr
    from fathom.irdl.interfaces import Call
    from fathom.ops.ml_program import GlobalLoadOp, GlobalStoreOp

    known: dict[SymbolRefAttr, Value] = {}
    last_stores: dict[SymbolRefAttr, Operation] = {}
    needless: list[Operation] = []
    for op in list(block):
        if isinstance(op, GlobalLoadOp):
            around.loaded.add(op.global_)
            before = known.setdefault(op.global_, op.result)
            if before is not op.result:
                op.result.replace_all_uses_with(before)
                needless.append(op)
            continue
        if isinstance(op, GlobalStoreOp):
            around.stored.add(op.global_)
            if op.global_ in last_stores:
                needless.append(last_stores[op.global_])
            known[op.global_], last_stores[op.global_] = op.value, op
            continue
        call = op.interface(Call)
        callee = call.callee(op) if call is not None else None
        if isinstance(callee, SymbolRefAttr):
            inside = called[callee]
        else:
            inside = _Touched()
            for region in op.regions:
                for inner in region.blocks:
                    _save(inner, inside, called)
            around.add(inside)
        for symbol in inside.loaded | inside.stored:
            last_stores.pop(symbol, None)
        for symbol in inside.stored:
            known.pop(symbol, None)
    for op in needless:
        op.erase()
