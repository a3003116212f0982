"""A block through which several edges are led, with a number that says to which block each of them goes on.

    ^a -> ^x(%1), ^b -> ^y(%2, %3)      ->      ^a -> ^m(%1, poison, poison, 0), ^b -> ^m(poison, %2, %3, 1)
                                                ^m(%x, %y, %z, %which): switch %which [0: ^x(%x), default: ^y(%y, %z)]

Source of the rules: `CFGToSCF.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.ir.operation import Block

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type
    from fathom.passes.conversions.lift_cf_to_scf.graph import Edge
    from fathom.passes.conversions.lift_cf_to_scf.values import Lifted


class Multiplexer:
    """The block, which stands behind the first of those that it goes on to. Its arguments are theirs, the number, if
    there are several, and `extra` ones."""

    def __init__(self, lifted: Lifted, source: Operation, targets: Sequence[Block], extra: Sequence[Type] = ()) -> None:
        self._lifted = lifted
        region = targets[0].parent
        assert region is not None, "blocks stand in regions"
        self.block = region.insert_before(Block(), targets[0].next)
        self._starts: dict[Block, int] = {}
        for target in targets:
            if target not in self._starts:
                self._starts[target] = len(self.block.arguments)
                copy_arguments(self.block, target)
        lifted.rewriter.stand_in(source)
        self._which: Value | None = None
        if len(self._starts) > 1:
            self._which = lifted.rewriter.add_arguments(self.block, [lifted.number(0).type])[0]
        lifted.rewriter.add_arguments(self.block, extra)

    def redirect(self, edge: Edge, extra: Sequence[Value] = ()) -> None:
        """Leads an edge to one of the targets through the block."""
        lifted, target = self._lifted, edge.target
        start, given = self._starts[target], edge.passed
        first_extra = len(self.block.arguments) - len(extra)
        passed: list[Value] = []
        for argument in self.block.arguments:
            index = argument.index
            if start <= index < start + len(target.arguments):
                passed.append(given[index - start])
            elif argument is self._which:
                passed.append(lifted.number(list(self._starts).index(target)))
            elif index >= first_extra:
                passed.append(extra[index - first_extra])
            else:
                passed.append(lifted.poison(argument.type))
        lifted.graph.lead(edge, self.block)
        edge.pass_values(passed)

    def switch(self, excluded: Block | None = None) -> None:
        """Goes on to the targets from the insertion point, but for one that is excluded."""
        cases: list[tuple[int, Block, Sequence[Value]]] = []
        for number, (target, start) in enumerate(self._starts.items()):
            if target is not excluded:
                cases.append((number, target, self.block.arguments[start : start + len(target.arguments)]))
        which = self._which if self._which is not None and len(cases) > 1 else self._lifted.number(0)
        *others, (_, block, values) = cases
        self._lifted.switch(which, (block, values), others)


def copy_arguments(block: Block, other: Block) -> None:
    """Gives a block the arguments of another one as well."""
    for argument in other.arguments:
        added = block.add_argument(argument.type, argument.span)
        added.location = argument.location


def single_entry(lifted: Lifted, source: Operation, edges: Sequence[Edge]) -> Block:
    """The block through which some edges are led, and which goes on to where they led."""
    multiplexer = Multiplexer(lifted, source, [edge.target for edge in edges])
    for edge in edges:
        multiplexer.redirect(edge)
    lifted.rewriter.set_insertion_to_end(multiplexer.block)
    lifted.rewriter.stand_in(source)
    multiplexer.switch()
    return multiplexer.block
