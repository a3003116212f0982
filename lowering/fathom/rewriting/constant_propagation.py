"""Which values are constants whatever way the program takes: propagated along branches, regions and calls.

    %c = arith.constant true                             ^bb1's argument is always 1, since ^bb2 is never reached
    cf.cond_br %c, ^bb1(%one : i32), ^bb2
    ^bb2:
      cf.br ^bb1(%two : i32)

It begins with nothing: no block is reached, and nothing is known of any value. What is reached is folded with what is
known of its operands, until nothing changes any more. A value only ever goes from unknown to a constant to one that
varies, so that this ends. Source of the rules: *Passes*, `-sccp`; *Writing DataFlow Analyses*; and mlir-opt 22.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.ir.attributes import Attribute, SymbolRefAttr
from fathom.ir.operation import Block, Operation, Value
from fathom.irdl.interfaces import Branch, Call, FunctionLike, RegionBranch, RegionEdge, Symbol
from fathom.irdl.traits import RETURN_LIKE
from fathom.records import record
from fathom.rewriting.folding import constant_attribute, fold_with
from fathom.rewriting.symbol_uses import SymbolTables, other_uses, visible_tables
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence


@record
class Constant:
    """A constant and the dialect of the operation that it is the result of, which makes the operation for it. Without
    an attribute, a value that is known to vary."""

    attribute: Attribute | None
    dialect: str = ""


VARYING: Final = Constant(None)

Cause: TypeAlias = "str | Value | Operation | tuple[Constant, Constant]"
"""Why a value varies: what it is, another that varies and becomes it, the operation that makes it for its regions, or
two constants that it may be."""


class ConstantPropagation:
    """The analysis of an operation and all that is nested in it. `constants` has what became known of each value;
    `causes`, if somebody wants to know them, why values vary that are not results of what does not fold."""

    def __init__(self, root: Operation, causes: dict[Value, Cause] | None = None) -> None:
        self.root = root
        self.causes = causes
        self.constants: dict[Value, Constant] = {}
        self._live: set[Block] = set()
        self._callers: dict[Operation, dict[Operation, None]] = {}
        """The calls of a function that are reached."""
        self._ends: dict[Operation, dict[Operation, None]] = {}
        """The ends of a function that are reached."""
        self._called_elsewhere: set[Operation] = set()
        """Functions that may have other callers than are seen."""
        self._tables = SymbolTables()
        self._pending: deque[Operation] = deque()
        self._queued: set[Operation] = set()

    def is_reached(self, block: Block) -> bool:
        """Whether the program may come to a block."""
        return block in self._live

    def callers_of(self, function: Operation) -> Collection[Operation] | None:
        """The calls of a function that are reached; None where there may be others."""
        return None if function in self._called_elsewhere else self._callers.get(function, {})

    def function_called_by(self, op: Operation, call: Call) -> Operation | None:
        """The function that a call names, if there is one; it may be no more than declared."""
        callee = call.callee(op)
        return self._tables.nearest(op, callee, self.root) if isinstance(callee, SymbolRefAttr) else None

    def run(self) -> None:
        """Goes on until nothing changes."""
        self._find_unseen_callers()
        for region in self.root.regions:
            if region.first is not None:
                self._vary(region.first.arguments, "is an argument of what the pass runs on")
                self._reach(region.first)
        while self._pending:
            checkpoint()
            op = self._pending.popleft()
            self._queued.discard(op)
            self._visit(op)

    def _find_unseen_callers(self) -> None:
        for table, all_visible in visible_tables(self.root):
            functions = [op for op in table.regions[0].operations() if is_defined_function(op)]
            for function in functions:
                symbol = function.interface(Symbol)
                seen = symbol.visibility(function) if symbol is not None else "public"
                if seen == "public" or (seen == "nested" and not all_visible):
                    self._called_elsewhere.add(function)
            if not functions:
                continue
            uses = other_uses(table)
            if uses is None:
                self._called_elsewhere.update(op for op in self.root.walk() if op.interface(FunctionLike) is not None)
                return
            for reference in uses:
                used = self._tables.resolve(self.root, reference)
                if used is not None:
                    self._called_elsewhere.add(used)

    # ---- what changes

    def _enqueue(self, op: Operation) -> None:
        if op not in self._queued and op.parent in self._live:
            self._queued.add(op)
            self._pending.append(op)

    def _reach(self, block: Block) -> None:
        if block not in self._live:
            self._live.add(block)
            for op in block:
                self._enqueue(op)

    def _join(self, value: Value, constant: Constant | None, because: Cause = "") -> None:
        """What is known of a value, together with what was found besides, and because of what."""
        if constant is None:
            return
        before = self.constants.get(value)
        if before is None:
            after = constant
        elif before is VARYING or before.attribute == constant.attribute:
            return
        else:
            after = VARYING
            because = because if constant is VARYING else (before, constant)
        self.constants[value] = after
        if self.causes is not None and after is VARYING and because:
            self.causes[value] = because
        for user in value.uses:
            self._enqueue(user)

    def _pass(self, values: Iterable[Value], targets: Iterable[Value]) -> None:
        for value, target in zip(values, targets, strict=False):
            self._join(target, self.constants.get(value), value)

    def _vary(self, values: Iterable[Value], because: Cause = "") -> None:
        """Nothing can be known of these values."""
        self._are_no_constants(values, because)

    def _are_no_constants(self, values: Iterable[Value], because: Cause = "") -> None:
        for value in values:
            self._join(value, VARYING, because)

    def _make(self, op: Operation, values: Iterable[Value]) -> None:
        """These values an operation with regions gives its regions, or is, though nobody passes them."""
        self._vary(values, op)

    def _constants_of(self, op: Operation) -> list[Attribute | None] | None:
        """What is known of the operands; None while nothing is known of one."""
        constants = [self.constants.get(operand) for operand in op.operands]
        known = [constant for constant in constants if constant is not None]
        return [constant.attribute for constant in known] if len(known) == len(constants) else None

    # ---- where control goes

    def _visit(self, op: Operation) -> None:
        call = op.interface(Call)
        if call is not None:
            self._visit_call(op, call)
        if op.regions:
            self._visit_regions(op)
        elif op.results and call is None:
            self._fold(op)
        block = op.parent
        if block is not None and op is block.last and not op.successors:
            self._visit_end(op)
        self._visit_successors(op)

    def _visit_call(self, op: Operation, call: Call) -> None:
        function = self.function_called_by(op, call)
        if function is None or not is_defined_function(function):
            self._vary(op.results, "is what a function gives that has no body here")
            return
        self._callers.setdefault(function, {})[op] = None
        self._enqueue(function)
        body = function.regions[0].first
        if body is not None:
            self._pass(call.arguments(op), body.arguments)
        for end in self._ends.get(function, ()):
            self._come_back(end, op)

    def _come_back(self, end: Operation, caller: Operation) -> None:
        if end.has(RETURN_LIKE):
            self._pass(end.operands, caller.results)
        else:
            self._vary(caller.results, "is what a function gives that ends otherwise than by returning")

    def _visit_regions(self, op: Operation) -> None:
        branch = op.interface(RegionBranch)
        if branch is not None:
            constants = self._constants_of(op)
            if constants is not None:
                self._follow(op, branch.enter(op, constants))
            return
        entries = [region.first for region in op.regions if region.first is not None]
        if is_defined_function(op):
            if op in self._called_elsewhere:
                self._vary(entries[0].arguments, "is an argument of a function that may be called from elsewhere")
            elif not self._callers.get(op):
                return
        else:
            self._make(op, [argument for entry in entries for argument in entry.arguments])
        for entry in entries:
            self._reach(entry)
        self._vary(op.results, "is the result of an operation that does not say how control goes through its regions")

    def _follow(self, op: Operation, edges: Sequence[RegionEdge]) -> None:
        for edge in edges:
            entry = edge.target.first if edge.target is not None else None
            values: Sequence[Value] = op.results if entry is None else entry.arguments
            end = edge.first + len(edge.passed)
            if len(values) > len(edge.passed):
                self._make(op, [*values[: edge.first], *values[end:]])
            self._pass(edge.passed, values[edge.first : end])
            if entry is not None:
                self._reach(entry)

    def _visit_end(self, op: Operation) -> None:
        around = op.parent_op
        if around is None or around is self.root:
            return
        branch = around.interface(RegionBranch)
        if branch is not None:
            constants = self._constants_of(op)
            if constants is not None:
                self._follow(around, branch.leave(around, op, constants))
        elif is_defined_function(around):
            self._ends.setdefault(around, {})[op] = None
            for caller in self._callers.get(around, ()):
                self._come_back(op, caller)

    def _visit_successors(self, op: Operation) -> None:
        """Those that the operation may go on to."""
        if not op.successors:
            return
        branch = op.interface(Branch)
        if branch is None:
            for block in op.successors:
                self._vary(block.arguments, "is passed by an operation that does not say what it passes")
                self._reach(block)
            return
        constants = self._constants_of(op)
        if constants is None:
            return
        chosen = branch.choose(op, constants)
        for edge in branch.edges(op):
            # As for MLIR, all edges to one block are the same.
            if chosen is None or edge.target is op.successors[chosen]:
                self._vary(edge.target.arguments[: edge.made], "is made by a branch")
                self._pass(edge.passed, edge.target.arguments[edge.made :])
                self._reach(edge.target)

    def _fold(self, op: Operation) -> None:
        constants = self._constants_of(op)
        if constants is None:
            return
        known = constant_attribute(op)
        folded = [known] if known is not None else fold_with(op, constants)
        if not folded:
            self._are_no_constants(op.results)
            return
        for result, value in zip(op.results, folded, strict=False):
            constant = self.constants.get(value) if isinstance(value, Value) else Constant(value, op.dialect)
            self._join(result, constant)


def is_defined_function(op: Operation) -> bool:
    """Whether an operation is a function with a body."""
    function = op.interface(FunctionLike)
    return function is not None and function.body(op) is not None
