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
from fathom.records import record
from fathom.rewriting.equivalence import shape_key
from fathom.rewriting.observers import explaining
from fathom.rewriting.reasons import DROP_ARGUMENT, MERGE_BLOCKS, called, called_op
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
            unlike = _stands_alone(block) or _joins_one(block, clusters)
            if unlike is not None and (watch := explaining()) is not None and block.last is not None:
                watch.left(block.last, MERGE_BLOCKS, str(unlike))
        for cluster in clusters:
            changed |= cluster.merge(rewriter)
    return changed


@record(eq=False)
class _Unlike:
    """Why a block is not merged with another: what is wrong, and of which operations."""

    how: str
    op: Operation | None = None
    other: Operation | None = None

    def __str__(self) -> str:
        if self.op is None:
            return self.how
        beside = f", and the {called_op(self.other)} of another block" if self.other is not None else ""
        return f"the {called_op(self.op)} in its block{beside} {self.how}"


def _stands_alone(block: Block) -> _Unlike | None:
    """Why a block is not compared with others, if it is not."""
    for op in block:
        if any(not inner.is_empty for inner in op.regions):
            return _Unlike("has regions, and what has is not compared", op)
    for argument in block.arguments:
        user = next((user for user in argument.uses if user.parent is not block), None)
        if user is not None:
            return _Unlike(f"an argument of its block is used in another one, by the '{user.name}'")
    return None


def _joins_one(block: Block, clusters: list[_Cluster]) -> _Unlike | None:
    """Puts a block to those that do the same. Where there are none it begins others, and it is said what it differs in
    from the first of the others, if there are any."""
    unlike: _Unlike | None = None
    for cluster in clusters:
        difference = cluster.take(block)
        if difference is None:
            return None
        unlike = unlike or difference
    clusters.append(_Cluster(block))
    return unlike


def _is_used_outside(value: Value, block: Block) -> bool:
    return any(user.parent is not block for user in value.uses)


class _Cluster:
    """Blocks that do the same, but perhaps with other values from outside; the first stays."""

    def __init__(self, leader: Block) -> None:
        self.leader = leader
        self.others: list[Block] = []
        self.differing: set[Place] = set()

    def take(self, block: Block) -> _Unlike | None:
        """Adds a block if it does the same as the others; else it is said what it differs in."""
        leader, ours, theirs = self.leader, list(self.leader), list(block)
        if [a.type for a in leader.arguments] != [a.type for a in block.arguments]:
            return _Unlike("its block has arguments of other types than those with the same successors")
        if len(ours) != len(theirs):
            return _Unlike("its block has more or fewer operations than those with the same successors")
        our_order, their_order = _order(leader), _order(block)
        differing: set[Place] = set()
        for number, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            if shape_key(one) != shape_key(other):
                return _Unlike("differ in more than values from outside", other, one)
            for index, (a, b) in enumerate(zip(one.operands, other.operands, strict=True)):
                if a is b:
                    continue
                if a.type != b.type or our_order.get(a) != their_order.get(b):
                    return _Unlike("use different values of their blocks", other, one)
                if a not in our_order:
                    if not _can_be_passed(a, leader) or not _can_be_passed(b, block):
                        return _Unlike("use different values, which branches to these blocks define", other, one)
                    differing.add((number, index))
            if any(_is_used_outside(result, block) for result in other.results):
                return _Unlike("has a result that is used in another block", other)
            if any(_is_used_outside(result, leader) for result in one.results):
                return _Unlike("has a result that is used in a third block", other, one)
        self.differing |= differing
        self.others.append(block)
        return None

    def merge(self, rewriter: ListeningRewriter) -> bool:
        if not self.others:
            return False
        blocks = [self.leader, *self.others]
        if self.differing and not self._pass_differing(rewriter, blocks):
            if (watch := explaining()) is not None and self.leader.last is not None:
                watch.left(self.leader.last, MERGE_BLOCKS, "a branch to it, or to its like, cannot pass values")
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
        values = dict.fromkeys(_replaced(edge.passed[argument.index - edge.made], block, redundant) for edge in given)
        if len(values) == 1:
            (redundant[argument.index],) = values
            rewriter.replace_all_uses(argument, redundant[argument.index])
        elif len(values) > 1 and (watch := explaining()) is not None:
            passed = " or ".join(map(called, values))
            for op, _, _ in ends:
                watch.left(op, DROP_ARGUMENT, f"{called(argument)}, to which it passes a value, may be {passed}")
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
