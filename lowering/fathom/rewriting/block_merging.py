"""Makes one block of several that do the same, and takes away arguments of blocks that are always the same value.

    ^bb1:                                              ^bb1(%x: i32):
      return %a : i32                                    return %x : i32
    ^bb2:                                      ->
      return %b : i32                                  where branches to ^bb1 pass %a, and those to ^bb2, now ^bb1, %b

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from fathom.ir.operation import Block, BlockArgument, Operation, OpResult, Region, Value
from fathom.irdl.interfaces import Branch, BranchEdge
from fathom.rewriting.equivalence import shape_key
from fathom.rewriting.rewriter import source_of

if TYPE_CHECKING:
    from fathom.rewriting.listening_rewriter import ListeningRewriter

Place = tuple[int, int]
"""An operand of a block: the number of the operation, and of the operand."""


def merge_identical_blocks(rewriter: ListeningRewriter, regions: Iterable[Region]) -> bool:
    """Merges blocks of each region and of those nested in it; whether any were merged."""
    changed = False
    pending = dict.fromkeys(regions)
    while pending:
        region, _ = pending.popitem()
        if _merge_in(rewriter, region):
            changed = True
            pending[region] = None
        pending.update(dict.fromkeys(region.inner_regions()))
    return changed


def _merge_in(rewriter: ListeningRewriter, region: Region) -> bool:
    if region.first is region.last:
        return False
    by_successors: dict[tuple[Block, ...], list[Block]] = {}
    for block in region.blocks:
        if block is not region.first:
            by_successors.setdefault(tuple(block.successors), []).append(block)
    changed = False
    for blocks in by_successors.values():
        clusters: list[_Cluster] = []
        for block in blocks if len(blocks) > 1 else ():
            if any(not inner.is_empty for op in block for inner in op.regions):
                continue
            if any(_is_used_outside(argument, block) for argument in block.arguments):
                continue
            if not any(cluster.take(block) for cluster in clusters):
                clusters.append(_Cluster(block))
        for cluster in clusters:
            changed |= cluster.merge(rewriter)
    return changed


def _is_used_outside(value: Value, block: Block) -> bool:
    return any(user.parent is not block for user in value.uses)


class _Cluster:
    """Blocks that do the same, but perhaps with other values from outside; the first stays."""

    def __init__(self, leader: Block) -> None:
        self.leader = leader
        self.others: list[Block] = []
        self.differing: set[Place] = set()

    def take(self, block: Block) -> bool:
        """Adds a block if it does the same as the others."""
        leader, ours, theirs = self.leader, list(self.leader), list(block)
        if [a.type for a in leader.arguments] != [a.type for a in block.arguments] or len(ours) != len(theirs):
            return False
        our_order, their_order = _order(leader), _order(block)
        differing: set[Place] = set()
        for number, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            if shape_key(one) != shape_key(other):
                return False
            for index, (a, b) in enumerate(zip(one.operands, other.operands, strict=True)):
                if a is b:
                    continue
                inside = a in our_order
                if a.type != b.type or inside != (b in their_order):
                    return False
                if inside:
                    if our_order[a] != their_order[b]:
                        return False
                elif not _can_be_passed(a, leader) or not _can_be_passed(b, block):
                    return False
                else:
                    differing.add((number, index))
            if any(_is_used_outside(result, leader) for result in one.results):
                return False
            if any(_is_used_outside(result, block) for result in other.results):
                return False
        self.differing |= differing
        self.others.append(block)
        return True

    def merge(self, rewriter: ListeningRewriter) -> bool:
        if not self.others:
            return False
        blocks = [self.leader, *self.others]
        if self.differing and not self._pass_differing(rewriter, blocks):
            return False
        for block in self.others:
            for predecessor in block.predecessors():
                terminator = predecessor.last
                if terminator is not None:
                    terminator.set_successors(self.leader if s is block else s for s in terminator.successors)
            rewriter.erase_block(block)
        return True

    def _pass_differing(self, rewriter: ListeningRewriter, blocks: Sequence[Block]) -> bool:
        """Makes arguments of what differs; False where a branch to one of the blocks cannot pass them."""
        branches = [[(op, _branch(op)) for op in _terminators(block)] for block in blocks]
        if any(branch is None for entries in branches for _, branch in entries):
            return False
        columns: list[list[Value]] = []
        arguments: list[BlockArgument] = []
        bodies = [list(block) for block in blocks]
        for number, index in sorted(self.differing):
            values = [body[number].operands[index] for body in bodies]
            argument = self.leader.add_argument(values[0].type)
            argument.span, argument.location = source_of(values[0])
            bodies[0][number].set_operand(index, argument)
            columns.append(values)
            arguments.append(argument)
        columns = self._prune(rewriter, columns, arguments)
        for row, (block, entries) in enumerate(zip(blocks, branches, strict=True)):
            more = [column[row] for column in columns]
            for op, branch in entries:
                if branch is not None:
                    edges = enumerate(branch.edges(op))
                    branch.change(op, {i: [*edge.passed, *more] for i, edge in edges if edge.target is block})
        return True

    def _prune(
        self, rewriter: ListeningRewriter, columns: list[list[Value]], arguments: list[BlockArgument]
    ) -> list[list[Value]]:
        """Keeps one of the new arguments that get the same values from everywhere."""
        first: dict[Value, int] = {}
        for index, column in enumerate(columns):
            first.setdefault(column[0], index)
        kept: list[list[Value]] = []
        for index, column in enumerate(columns):
            earlier = first[column[0]]
            if earlier != index and columns[earlier] == column:
                rewriter.replace_all_uses(arguments[index], arguments[earlier])
                self.leader.erase_arguments([arguments[index].index])
            else:
                kept.append(column)
        return kept


def _order(block: Block) -> dict[Value, int]:
    """The values that a block defines, numbered in order."""
    values: list[Value] = [*block.arguments, *(result for op in block for result in op.results)]
    return {value: number for number, value in enumerate(values)}


def _can_be_passed(value: Value, block: Block) -> bool:
    """Whether branches to the block can pass the value: not if it is the result of one of them."""
    if not isinstance(value, OpResult) or value.op.parent is None or value.op is not value.op.parent.last:
        return True
    return value.op not in block.branches


def _terminators(block: Block) -> list[Operation]:
    """The branches to a block, each once."""
    return list(dict.fromkeys(p.last for p in block.predecessors() if p.last is not None))


def _branch(op: Operation) -> Branch | None:
    return op.interface(Branch)


def drop_redundant_arguments(rewriter: ListeningRewriter, regions: Iterable[Region]) -> bool:
    """Takes away the arguments, here and in nested regions, for which all branches pass the same value."""
    changed = False
    pending = dict.fromkeys(regions)
    while pending:
        region, _ = pending.popitem()
        for block in region.blocks:
            changed |= _drop_redundant_in(rewriter, block)
        pending.update(dict.fromkeys(region.inner_regions()))
    return changed


def _drop_redundant_in(rewriter: ListeningRewriter, block: Block) -> bool:
    if not block.arguments:
        return False
    ends: list[tuple[Operation, Branch, dict[int, BranchEdge]]] = []
    for op in _terminators(block):
        branch = _branch(op)
        if branch is None:
            return False
        ends.append((op, branch, {i: edge for i, edge in enumerate(branch.edges(op)) if edge.target is block}))
    given = [edge for _, _, edges in ends for edge in edges.values()]
    redundant: dict[int, Value] = {}
    for argument in block.arguments[max((edge.made for edge in given), default=0) :]:
        # What is passed may be an argument that was redundant itself.
        values = {_replaced(edge.passed[argument.index - edge.made], block, redundant) for edge in given}
        if len(values) == 1:
            redundant[argument.index] = values.pop()
            rewriter.replace_all_uses(argument, redundant[argument.index])
    if redundant:
        block.erase_arguments(list(redundant))
        for op, branch, edges in ends:
            passed = {i: _without(op, edge, redundant) for i, edge in edges.items()}
            rewriter.modify(op, partial(branch.change, op, passed))
    return bool(redundant)


def _replaced(value: Value, block: Block, redundant: Mapping[int, Value]) -> Value:
    while isinstance(value, BlockArgument) and value.block is block:
        other = redundant.get(value.index, value)
        if other is value:
            break
        value = other
    return value


def _without(op: Operation, edge: BranchEdge, redundant: Container[int]) -> list[Value]:
    return [op.operands[place] for number, place in enumerate(edge.where, edge.made) if number not in redundant]
