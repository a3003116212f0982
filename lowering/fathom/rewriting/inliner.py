"""The inliner: goes over the graph of calls, callees first, and inlines what may be inlined and is worth it.

Functions that call each other are simplified, their calls inlined, and this again, until nothing changes or it was done
often enough. A function whose last call was inlined goes. Source of the rules: *Passes*, `-inline`, and mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import SymbolRefAttr
from fathom.irdl.interfaces import Call, symbol_name
from fathom.irdl.traits import ISOLATED_FROM_ABOVE, SINGLE_BLOCK, TERMINATOR
from fathom.records import record
from fathom.rewriting.call_graph import CallGraph
from fathom.rewriting.function_uses import FunctionUses
from fathom.rewriting.inlining import inline_call, why_not_inlined
from fathom.rewriting.observers import explaining
from fathom.rewriting.symbol_uses import SymbolTables
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.ir.operation import Block, Operation
    from fathom.irdl.dialect import Definitions
    from fathom.rewriting.call_graph import Node

ALWAYS: Final = 2**32 - 1
"""The threshold by which every call is worth inlining."""


@record
class _Pending:
    """A call that may be inlined; `history` are the functions whose inlining brought it where it is."""

    op: Operation
    source: Node
    target: Node
    history: frozenset[Node] = frozenset()


class Inliner:
    """`simplify(function)` is done with each function before its calls are looked at; False where it failed."""

    def __init__(
        self,
        root: Operation,
        context: Definitions,
        simplify: Callable[[Operation], bool],
        max_iterations: int,
        threshold: int,
    ) -> None:
        self._context = context
        self._simplify = simplify
        self._max_iterations = max_iterations
        self._threshold = threshold
        tables = SymbolTables()
        self._graph = CallGraph(root, tables)
        self._uses = FunctionUses(root, self._graph, tables)
        self._dead: dict[Node, None] = {}
        self._watch = explaining()

    def run(self) -> bool:
        """Works on all functions; False where one could not be simplified."""
        for component in self._graph.components():
            for _ in range(max(1, self._max_iterations)):
                if not self._simplify_all(component):
                    return False
                if not self._inline_all(component):
                    break
        for node in self._dead:
            node.op.erase()
        return True

    def _simplify_all(self, component: list[Node]) -> bool:
        nodes = [node for node in component if not node.children and node.op.has(ISOLATED_FROM_ABOVE)]
        if not all(self._simplify(node.op) for node in nodes):
            return False
        for node in nodes:
            self._uses.recount(node)
        return True

    def _inline_all(self, component: list[Node]) -> bool:
        """Inlines the calls in some functions, and those that this brings; whether there were any."""
        dead: dict[Node, None] = {}
        calls: list[_Pending] = []
        for node in component:
            if self._uses.is_dead(node):
                dead[node] = None
            else:
                calls += self._calls_in(list(node.op.regions[0].blocks), node, nested=False)
        inlined_any = False
        position = 0
        while position < len(calls):
            checkpoint()
            call = calls[position]
            position += 1
            if call.source in dead:
                continue
            objection = self._objection(call)
            if objection is not None:
                self._left(call.op, objection)
                continue
            in_place = self._uses.is_used_once(call.target)
            inlined = inline_call(call.op, call.target.op, self._context, keep=not in_place)
            if inlined is None:
                self._left(call.op, why_not_inlined(call.op, call.target.op, self._context))
                continue
            inlined_any = True
            blocks = list(dict.fromkeys(op.parent for op in inlined if op.parent is not None))
            history = call.history | {call.target}
            calls += self._calls_in(blocks, call.source, nested=True, only=set(inlined), history=history)
            self._uses.drop_call(call.source, call.op)
            self._uses.merge(call.target, call.source)
            call.op.erase()
            if in_place:
                self._uses.erase(call.target)
                dead[call.target] = None
        for node in dead:
            if node in component:
                component.remove(node)
            self._dead[node] = None
        return inlined_any

    def _calls_in(
        self,
        blocks: list[Block],
        source: Node,
        *,
        nested: bool,
        only: set[Operation] | None = None,
        history: frozenset[Node] = frozenset(),
    ) -> list[_Pending]:
        """The calls of known functions in some blocks, the last block first; of these only some operations, if said."""
        calls: list[_Pending] = []
        pending = [(block, source, only) for block in blocks]
        while pending:
            block, node, wanted = pending.pop()
            for op in block:
                if wanted is not None and op not in wanted:
                    continue
                call = op.interface(Call)
                if call is not None:
                    callee, target = call.callee(op), self._graph.called_by(op)
                    if isinstance(callee, SymbolRefAttr) and not callee.nested and target is not None:
                        calls.append(_Pending(op, node, target, history))
                    else:
                        self._left(op, _not_known(callee))
                    continue
                inner = self._graph.of(op)
                if nested or inner is None:
                    pending += [(block, inner or node, None) for region in op.regions for block in region.blocks]
        return calls

    def _left(self, op: Operation, reason: str) -> None:
        if self._watch is not None:
            self._watch.left(op, "inline", reason)

    def _objection(self, call: _Pending) -> str | None:
        """Why a call is not to be inlined; None if it is."""
        target, source, op = call.target, call.source, call.op
        name = _name(target)
        if target in call.history:
            return f"it came of inlining {name}, which calls itself"
        if op.has(TERMINATOR):
            return "it ends its block"
        if any(edge is target or edge is source for edge in target.edges):
            return f"{name} calls itself" if target in target.edges else f"{name} calls {_name(source)} back"
        around = op.parent_op
        outer = around
        while outer is not None:
            if outer is target.op:
                return f"it stands in {name}"
            outer = outer.parent_op
        body = target.op.regions[0]
        if around is not None and body.first is not body.last and around.name != target.op.name:
            if around.definition is None or around.has(SINGLE_BLOCK):
                return f"{name} has several blocks, and '{around.name}' around the call may have but one"
        if self._threshold in (0, ALWAYS):
            return None if self._threshold == ALWAYS else "inlining-threshold is 0"
        return self._too_large(call)

    def _too_large(self, call: _Pending) -> str | None:
        size = sum(1 for _ in call.source.op.regions[0].walk())
        inner = sum(1 for _ in call.target.op.regions[0].walk())
        if size == 0 or inner * 100 // size <= self._threshold:
            return None
        share = f"{inner} operations, {inner * 100 // size} % of the {size} of {_name(call.source)}"
        return f"{_name(call.target)} has {share}; inlining-threshold is {self._threshold} %"


def _name(node: Node) -> str:
    return f"@{symbol_name(node.op)}"


def _not_known(callee: object) -> str:
    """Why it is not known which function a call calls."""
    if not isinstance(callee, SymbolRefAttr):
        return "what it calls is a value, and no symbol"
    return f"there is no body of {callee} here"
