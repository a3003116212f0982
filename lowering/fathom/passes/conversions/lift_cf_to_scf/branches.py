"""Branches to several blocks become conditionals, with what they go on to behind them.

Source of the rules: `CFGToSCF.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.dialects.cf.switches import case_values
from fathom.ir.attributes import DenseArrayAttr
from fathom.ir.operation import Block, Region, types_of
from fathom.ir.types import I64, INDEX, element_width
from fathom.ops.cf import CondBrOp, SwitchOp
from fathom.passes.conversions.lift_cf_to_scf.graph import edges_from
from fathom.passes.conversions.lift_cf_to_scf.multiplexer import copy_arguments, single_entry
from fathom.passes.conversions.lift_cf_to_scf.refusal import Refused
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type
    from fathom.passes.conversions.lift_cf_to_scf.graph import Edge
    from fathom.passes.conversions.lift_cf_to_scf.values import Lifted


def lift_branch(lifted: Lifted, entry: Block) -> list[Block]:
    """Makes a conditional of the branch at the end of a block, if it leads to several; and returns the blocks from
    which to go on."""
    checkpoint()
    if not entry.successors:
        return []
    if len(entry.successors) == 1:
        _append(lifted, entry, entry.successors[0])
        return [entry]
    return _Branching(lifted, entry).lift()


def _append(lifted: Lifted, entry: Block, successor: Block) -> None:
    """What is in the only successor follows in the block."""
    (edge,) = edges_from(entry)
    for old, new in zip(successor.arguments, edge.passed, strict=True):
        old.replace_all_uses_with(new)
    lifted.graph.erase(entry.end)
    _splice(lifted, entry, successor)


def _splice(lifted: Lifted, entry: Block, other: Block) -> None:
    for op in list(other):
        lifted.rewriter.move_before(op, entry, None)
    if other.parent is not None:
        other.parent.remove(other)


class _Branching:
    """A branch to several blocks: those that each of its edges dominates, and what they go on to."""

    def __init__(self, lifted: Lifted, entry: Block) -> None:
        self.lifted, self.entry = lifted, entry
        self.edges = edges_from(entry)
        graph = lifted.graph
        self.branches = [
            graph.dominated(edge.target) if graph.only_edge_from(entry, edge.target) else [] for edge in self.edges
        ]
        self._inside = {entry, *(block for branch in self.branches for block in branch)}
        self._empty: list[tuple[Block, Sequence[Value]]] = []
        """Blocks without operations, with what they hand on."""

    def lift(self) -> list[Block]:
        """Makes the conditional, or prepares it."""
        onward, all_go_on, none_goes_on = self._onward()
        if none_goes_on:
            return list(self.entry.successors)
        targets = {edge.target for edge in onward}
        behind = onward[0].target
        if len(targets) > 1 or not all_go_on:
            behind = single_entry(self.lifted, onward[0].block.end, onward)
        if not all_go_on:
            self.lifted.graph.forget(self.entry.parent)
            return [self.entry]
        regions, blocks = self._regions(behind)
        self._make(behind, regions)
        return [*blocks, self.entry]

    def _onward(self) -> tuple[list[Edge], bool, bool]:
        """The edges out of the branches; whether all ways through these take one, and whether none does."""
        onward: list[Edge] = []
        all_go_on, none_goes_on = True, True
        for edge, branch in zip(self.edges, self.branches, strict=True):
            if not branch:
                onward.append(edge)
                none_goes_on = False
            for block in branch:
                if not block.successors:
                    # What returns is gone to from behind the conditional.
                    all_go_on = False
                    onward += self.lifted.graph.edges_to(block)
                    continue
                out = [leaving for leaving in edges_from(block) if leaving.target not in self._inside]
                onward += out
                none_goes_on &= not out
        return onward, all_go_on, none_goes_on

    def _regions(self, behind: Block) -> tuple[list[Region], list[Block]]:
        """The regions of the conditional, and the blocks with which those begin that are not empty."""
        regions: list[Region] = []
        blocks: list[Block] = []
        for edge, branch in zip(self.edges, self.branches, strict=True):
            region = Region()
            regions.append(region)
            if not branch:
                self._empty.append((region.insert_before(Block(), None), edge.passed))
                continue
            self._move(branch, behind, region)
            first = region.entry
            for old, new in zip(first.arguments, edge.passed, strict=True):
                old.replace_all_uses_with(new)
            # The edge dominates the block, so its arguments are no more than names.
            first.erase_arguments(range(len(first.arguments)))
            blocks.append(first)
        return regions, blocks

    def _move(self, branch: Sequence[Block], behind: Block, region: Region) -> None:
        """Moves blocks to a region that is left in one place."""
        graph = self.lifted.graph
        first: Edge | None = None
        last: Block | None = None
        for block in branch:
            for edge in edges_from(block):
                if edge.target is not behind:
                    continue
                if first is None:
                    first = edge
                    continue
                if last is None:
                    last = Block()
                    copy_arguments(last, behind)
                    graph.lead(first, last)
                    self._empty.append((last, last.arguments))
                graph.lead(edge, last)
            if block.parent is not None:
                block.parent.remove(block)
            region.insert_before(block, None)
        if last is not None:
            region.insert_before(last, None)

    def _make(self, behind: Block, regions: Sequence[Region]) -> None:
        """Makes the conditional, and has what is behind it follow."""
        lifted, rewriter, end = self.lifted, self.lifted.rewriter, self.entry.end
        rewriter.set_insertion_before(end)
        rewriter.stand_in(end)
        made = _conditional(lifted, end, types_of(behind.arguments), regions)
        lifted.graph.erase(end)
        for block, values in self._empty:
            rewriter.set_insertion_to_end(block)
            rewriter.stand_in(made)
            rewriter.create("scf.yield", values)
        for user in lifted.graph.users(behind):
            block = user.parent
            if block is None:
                continue
            rewriter.set_insertion_before(user)
            rewriter.stand_in(user)
            rewriter.create("scf.yield", edges_from(block)[0].passed)
            lifted.graph.erase(user)
        for old, new in zip(behind.arguments, made.results, strict=True):
            old.replace_all_uses_with(new)
        _splice(lifted, self.entry, behind)


def _conditional(lifted: Lifted, end: Operation, types: Sequence[Type], regions: Sequence[Region]) -> Operation:
    """The conditional in the place of a branch."""
    rewriter = lifted.rewriter
    if isinstance(end, CondBrOp):
        return rewriter.create("scf.if", [end.condition], types, regions=regions)
    if not isinstance(end, SwitchOp):
        raise Refused(end, "Cannot convert unknown control flow op to structured control flow")
    which = rewriter.create("arith.index_castui", [end.flag], [INDEX]).result
    width = element_width(end.flag.type)
    cases = tuple(number % (1 << width) for number in case_values(end))
    return rewriter.create("scf.index_switch", [which], types, {"cases": DenseArrayAttr(I64, cases)}, regions=regions)
