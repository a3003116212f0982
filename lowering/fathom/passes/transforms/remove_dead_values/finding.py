"""What does not matter, and so is to go: noted first, all of it, and taken away afterwards.

Source of the rules: *Passes*, `-remove-dead-values`, and mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from fathom.dialects.llvm.signatures import signature_of
from fathom.irdl.interfaces import Branch, Call, FunctionLike, RegionBranch, Symbol
from fathom.irdl.traits import RETURN_LIKE, TERMINATOR
from fathom.passes.transforms.remove_dead_values.signatures import can_lose_results
from fathom.records import field, record
from fathom.rewriting.effects import is_memory_effect_free
from fathom.rewriting.liveness import Liveness
from fathom.rewriting.region_branches import inputs_by_source
from fathom.rewriting.symbol_uses import users_of_symbols

if TYPE_CHECKING:
    from fathom.ir.operation import Block, Operation, Value

    Places: TypeAlias = frozenset[int]
    """Which of several values, by their numbers."""


@record(frozen=False)
class DeadFunction:
    """The arguments and results that a function does not need, and its calls and returns."""

    function: Operation
    arguments: Places
    results: Places
    calls: Sequence[Operation]
    returns: Sequence[Operation]


@record(frozen=False)
class Dead:
    """All that is to go: operations; parts of functions; arguments of blocks, and what is passed to them; and operands
    that are to be poison."""

    operations: list[Operation] = field(default_factory=list["Operation"])
    functions: list[DeadFunction] = field(default_factory=list[DeadFunction])
    arguments: dict[Block, set[int]] = field(default_factory=dict["Block", set[int]])
    poisoned: dict[Operation, set[int]] = field(default_factory=dict["Operation", set[int]])


def find_dead(root: Operation) -> Dead:
    """What does not matter in an operation."""
    finder = _Finder(root)
    for op in root.walk_postorder():
        finder.visit(op)
    return finder.dead


class _Finder:
    """Goes from inner operations to outer ones; what is to go, goes with all that uses it."""

    def __init__(self, root: Operation) -> None:
        self.dead = Dead()
        self._liveness = Liveness(root)
        self._users = users_of_symbols(root)
        self._gone: set[Value] = set()

    def visit(self, op: Operation) -> None:
        """Notes what goes of an operation."""
        if op.interface(FunctionLike) is not None:
            self._function(op)
        elif op.interface(RegionBranch) is not None:
            self._regions(op)
        elif op.successors and (branch := op.interface(Branch)) is not None:
            self._branch(op, branch)
        elif not op.has(TERMINATOR) and op.interface(Call) is None:
            self._simple(op)

    def _is_live(self, value: Value) -> bool:
        return value not in self._gone and self._liveness.is_live(value)

    def _dead_places(self, values: Iterable[Value]) -> Places:
        return frozenset(index for index, value in enumerate(values) if not self._is_live(value))

    def _drop(self, op: Operation) -> None:
        self.dead.operations.append(op)
        self._gone.update(op.results)

    def _simple(self, op: Operation) -> None:
        """What uses something that does not matter is never come to."""
        needed = all(map(self._is_live, op.operands))
        if needed and (any(map(self._is_live, op.results)) or not is_memory_effect_free(op)):
            return
        self._drop(op)

    def _function(self, op: Operation) -> None:
        symbol, function, signature = op.interface(Symbol), op.interface(FunctionLike), signature_of(op)
        body = function.body(op) if function is not None else None
        if symbol is None or symbol.visibility(op) == "public" or body is None or signature is None:
            return
        users = self._users.get(op, ())
        calls = [user for user in users if user.interface(Call) is not None]
        if len(calls) < len(users):
            # What somebody has hold of keeps its signature.
            return
        arguments = self._dead_places(body.arguments)
        self._gone.update(body.arguments[index] for index in arguments)
        returns = [end for block in body.blocks if (end := block.last) is not None and end.has(RETURN_LIKE)]
        places = frozenset(range(len(signature.results))) if can_lose_results(op) else frozenset[int]()
        for call in calls:
            places &= self._dead_places(call.results)
        self.dead.functions.append(DeadFunction(op, arguments, places, calls, returns))
        self._gone.update(call.results[index] for call in calls for index in places)

    def _regions(self, op: Operation) -> None:
        if is_memory_effect_free(op) and not any(map(self._is_live, op.results)):
            self.dead.operations.append(op)
            return
        for (origin, index), inputs in inputs_by_source(op).items():
            if not self._is_live(origin.operands[index]) or not any(map(self._is_live, inputs)):
                self.dead.poisoned.setdefault(origin, set()).add(index)

    def _branch(self, op: Operation, branch: Branch) -> None:
        edges = branch.edges(op)
        passed = {place for edge in edges for place in edge.where}
        if any(index not in passed and not self._is_live(operand) for index, operand in enumerate(op.operands)):
            self.dead.operations.append(op)
            return
        for edge in edges:
            arguments = edge.target.arguments[edge.made :]
            for place in self._dead_places(edge.passed):
                # What nobody reaches is not followed, so what it passes to a block that is reached says nothing of it.
                if place < len(arguments) and not self._is_live(arguments[place]):
                    self._gone.add(arguments[place])
                    self.dead.arguments.setdefault(edge.target, set()).add(edge.made + place)
