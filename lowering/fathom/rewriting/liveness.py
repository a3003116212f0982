"""Which values matter: those that something with an effect, or a caller of whom nothing is known, comes to use.

    func.func private @f(%a: i32, %b: i32) -> (i32, i32) {        %b does not matter, nor does %y, if no caller
      %x = arith.addi %a, %a : i32                                uses the second result
      %y = arith.muli %a, %a : i32
      return %x, %y : i32, i32
    }

What is said here is where a value goes: an operand that is passed on matters if what it is passed to does, and any
other if a result of its operation does. Then what matters is followed from there, each value once. What the program
never comes to uses nothing. Source of the rules: `LivenessAnalysis` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.irdl.interfaces import Branch, Call, FunctionLike, RegionBranch
from fathom.irdl.traits import RETURN_LIKE
from fathom.rewriting.constant_propagation import ConstantPropagation, is_defined_function
from fathom.rewriting.effects import would_be_dead
from fathom.rewriting.region_branches import is_region_terminator
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.irdl.interfaces import RegionEdge


class Liveness:
    """The analysis of an operation and all that is nested in it."""

    def __init__(self, root: Operation) -> None:
        self._live: set[Value] = set()
        self._pending: list[Value] = []
        self._sources: dict[Value, list[Value]] = {}
        """The values that a value is passed from."""
        self._of_results: dict[Operation, list[Value]] = {}
        """What matters if one result of an operation does."""
        self._flow = ConstantPropagation(root)
        self._flow.run()
        for op in root.walk():
            checkpoint()
            if op.parent is None or self._flow.is_reached(op.parent):
                self._visit(op)
        self._follow()

    def is_live(self, value: Value) -> bool:
        """Whether a value matters."""
        return value in self._live

    def _follow(self) -> None:
        while self._pending:
            value = self._pending.pop()
            if value in self._live:
                continue
            self._live.add(value)
            self._pending += self._sources.get(value, ())
            if value.defining_op is not None:
                self._pending += self._of_results.pop(value.defining_op, ())

    # ---- where values go

    def _visit(self, op: Operation) -> None:
        branch, around = op.interface(RegionBranch), op.parent_op
        if branch is not None:
            self._enter(op, branch)
        elif op.successors and (jump := op.interface(Branch)) is not None:
            self._jump(op, jump)
        elif (call := op.interface(Call)) is not None and (function := self._flow.function_called_by(op, call)):
            self._call(op, call, function)
        elif around is not None and (branch := around.interface(RegionBranch)) is not None and is_region_terminator(op):
            self._leave(op, around, branch)
        elif op.has(RETURN_LIKE) and around is not None and around.interface(FunctionLike) is not None:
            self._return(op, around)
        else:
            self._used_by(op, op.operands)

    def _used_by(self, op: Operation, values: Iterable[Value]) -> None:
        """The values matter if the operation has an effect, or one of its results matters."""
        if would_be_dead(op):
            self._of_results.setdefault(op, []).extend(values)
        else:
            self._pending += values

    def _pass(self, values: Iterable[Value], targets: Iterable[Value]) -> None:
        for value, target in zip(values, targets, strict=False):
            self._sources.setdefault(target, []).append(value)

    def _jump(self, op: Operation, branch: Branch) -> None:
        edges = branch.edges(op)
        for edge in edges:
            self._pass(edge.passed, edge.target.arguments[edge.made :])
        self._pending += _left(op, (edge.where for edge in edges))

    def _call(self, op: Operation, call: Call, function: Operation) -> None:
        body = function.regions[0].first if is_defined_function(function) else None
        if body is None:
            self._pending += op.operands
            return
        given = call.arguments(op)
        self._pass(given, body.arguments)
        passed = set(given[: len(body.arguments)])
        self._pending += (operand for operand in op.operands if operand not in passed)

    def _return(self, op: Operation, function: Operation) -> None:
        callers = self._flow.callers_of(function)
        if callers is None:
            self._pending += op.operands
        for caller in callers or ():
            self._pass(op.operands, caller.results)

    def _enter(self, op: Operation, branch: RegionBranch) -> None:
        edges = branch.enter(op, [None] * len(op.operands))
        self._used_by(op, self._through(op, op, edges))
        for edge in edges:
            if edge.target is not None:
                arguments, end = edge.target.arguments, edge.first + len(edge.passed)
                self._used_by(op, [*arguments[: edge.first], *arguments[end:]])

    def _leave(self, op: Operation, around: Operation, branch: RegionBranch) -> None:
        self._used_by(around, self._through(op, around, branch.leave(around, op, [None] * len(op.operands))))

    def _through(self, op: Operation, branching: Operation, edges: Sequence[RegionEdge]) -> list[Value]:
        """Passes on what goes along some edges; and returns the operands that do not."""
        for edge in edges:
            inputs: Sequence[Value] = branching.results if edge.target is None else edge.target.arguments
            self._pass(edge.passed, inputs[edge.first :])
        return _left(op, (range(edge.start, edge.start + len(edge.passed)) for edge in edges))


def _left(op: Operation, taken: Iterable[range]) -> list[Value]:
    """The operands at none of these places."""
    places = {place for where in taken for place in where}
    return [operand for index, operand in enumerate(op.operands) if index not in places]
