"""Takes away what does not matter: arguments of blocks first, operations last, since they may hold what is named
before.

What used a value that is gone, and stays, gets poison for it. Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.irdl.interfaces import Branch, Call
from fathom.irdl.traits import TERMINATOR
from fathom.passes.transforms.remove_dead_values.signatures import erase_from_signature, erase_operands
from fathom.rewriting.rewriter import Rewriter, source_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from fathom.ir.operation import Block, Operation, Value
    from fathom.irdl.dialect import Definitions
    from fathom.passes.transforms.remove_dead_values.finding import Dead, DeadFunction


def clean(dead: Dead, context: Definitions) -> None:
    """Does so."""
    _Cleaner(context).clean(dead)


class _Cleaner:
    """Knows what went, and the poison that was made."""

    def __init__(self, context: Definitions) -> None:
        self._rewriter = Rewriter(context)
        self._gone: list[Value] = []
        self._poison: list[Operation] = []

    def clean(self, dead: Dead) -> None:
        """Takes all of it away."""
        for block, places in dead.arguments.items():
            for op in list(block.branches):
                _pass_less(op, block, places)
            self._gone += (block.arguments[place] for place in places)
            block.erase_arguments(places)
        for function in dead.functions:
            self._shorten(function)
        for op, poisoned in dead.poisoned.items():
            for place in sorted(poisoned):
                op.set_operand(place, self._made_poison(op, op.operands[place]))
        for function in dead.functions:
            self._shorten_calls(function)
        self._erase(dead.operations)
        for value in self._gone:
            for user in list(value.uses):
                poison = self._made_poison(user, value)
                for place in value.places_in(user):
                    user.set_operand(place, poison)
        for op in self._poison:
            if not op.result.uses:
                op.erase()

    def _made_poison(self, op: Operation, value: Value) -> Value:
        self._rewriter.set_insertion_before(op)
        self._rewriter.span, self._rewriter.location = source_of(value)
        made = self._rewriter.create("ub.poison", (), [value.type])
        self._poison.append(made)
        return made.result

    def _shorten(self, dead: DeadFunction) -> None:
        entry = dead.function.regions[0].entry
        self._gone += (entry.arguments[place] for place in dead.arguments)
        entry.erase_arguments(dead.arguments)
        erase_from_signature(dead.function, dead.arguments, dead.results)
        for end in dead.returns:
            if dead.results:
                erase_operands(end, dead.results)

    def _shorten_calls(self, dead: DeadFunction) -> None:
        for call in dead.calls:
            interface = call.interface(Call)
            given = interface.arguments(call) if interface is not None else ()
            if dead.arguments and given:
                start = len(call.operands) - len(given) if call.operands[-1] is given[-1] else 0
                erase_operands(call, {start + place for place in dead.arguments})
            if dead.results:
                self._gone += (call.results[place] for place in dead.results)
                self._rewriter.stand_in(call)
                self._rewriter.erase_results(call, dead.results)

    def _erase(self, operations: Iterable[Operation]) -> None:
        """Takes away operations, which may use each other, or stand in each other."""
        for op in operations:
            if op.has(TERMINATOR):
                self._rewriter.stand_in(op)
                self._rewriter.set_insertion_before(op)
                self._rewriter.create("ub.unreachable")
            op.drop_all_references()
        for op in operations:
            self._gone += op.results
            op.unlink()


def _pass_less(op: Operation, block: Block, places: Collection[int]) -> None:
    """Has a branch pass nothing to some arguments of a block."""
    branch = op.interface(Branch)
    if branch is None:
        return
    changed: dict[int, list[Value]] = {}
    for index, edge in enumerate(branch.edges(op)):
        if edge.target is block:
            changed[index] = [value for place, value in enumerate(edge.passed, edge.made) if place not in places]
    branch.change(op, changed)
