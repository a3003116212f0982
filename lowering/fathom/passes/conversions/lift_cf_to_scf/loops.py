"""Cycles of blocks become loops that are entered in one place, and left in one place, at their end.

Source of the rules: `CFGToSCF.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.ir.operation import Block, BlockArgument, Region, types_of
from fathom.ir.types import I1, FunctionType
from fathom.ops.func import FuncOp
from fathom.passes.conversions.lift_cf_to_scf.graph import Edge, cycles, edges_from
from fathom.passes.conversions.lift_cf_to_scf.multiplexer import Multiplexer, copy_arguments, single_entry
from fathom.passes.conversions.lift_cf_to_scf.refusal import Refused
from fathom.records import record
from fathom.rewriting.rewriter import source_of
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.passes.conversions.lift_cf_to_scf.values import Lifted


@record(eq=False)
class _Edges:
    """The ways into a cycle, out of it, and back to where it is entered."""

    entry: Sequence[Edge]
    exit: Sequence[Edge]
    back: Sequence[Edge]


def lift_cycles(lifted: Lifted, entry: Block) -> list[Block]:
    """Makes loops of the outermost cycles from a block on; and returns the blocks with which their bodies begin."""
    blocks: list[Block] = []
    for cycle in cycles(entry):
        checkpoint()
        members = dict.fromkeys(cycle)
        edges = _edges_of(lifted, members)
        header = edges.entry[0].target
        if len(edges.entry) > 1:
            header = single_entry(lifted, header.end, [*edges.entry, *edges.back])
        members[header] = None
        latch, exit = _single_latch(lifted, edges)
        members[latch] = None
        carried = _Reduction(lifted, header, latch, exit, members).carry()
        _make_loop(lifted, header, latch, exit, members, carried)
        blocks.append(header)
    return blocks


def _edges_of(lifted: Lifted, members: dict[Block, None]) -> _Edges:
    into: list[Edge] = []
    out: list[Edge] = []
    entries: set[Block] = set()
    for block in members:
        outside = [edge for edge in lifted.graph.edges_to(block) if edge.block not in members]
        into += outside
        if outside:
            entries.add(block)
        out += (edge for edge in edges_from(block) if edge.target not in members)
    back = [edge for block in members for edge in edges_from(block) if edge.target in entries]
    return _Edges(into, out, back)


def _single_latch(lifted: Lifted, edges: _Edges) -> tuple[Block, Block]:
    """The block with the only edge back and the only edge out, and the block to which that leads."""
    source = edges.back[0].block.end
    targets = [edge.target for edge in (*edges.back, *edges.exit)]
    multiplexer = Multiplexer(lifted, source, targets, [lifted.number(0).type])
    latch, header = multiplexer.block, edges.back[0].target
    region = latch.parent
    assert region is not None, "a new block stands in the region"
    exit = region.insert_before(Block(), latch.next)
    for edge in edges.back:
        multiplexer.redirect(edge, [lifted.number(1)])
    for edge in edges.exit:
        multiplexer.redirect(edge, [lifted.number(0)])
    rewriter = lifted.rewriter
    rewriter.stand_in(source)
    rewriter.set_insertion_to_end(latch)
    repeats = latch.arguments[-1]
    lifted.switch(repeats, (header, latch.arguments[: len(header.arguments)]), [(0, exit, ())])
    rewriter.set_insertion_to_end(exit)
    if edges.exit:
        multiplexer.switch(header)
    else:
        _never_left(lifted, region, source)
    return latch, exit


def _never_left(lifted: Lifted, region: Region, source: Operation) -> None:
    """What is behind a loop without an end returns anything."""
    function = region.parent
    signature = function.function_type.type if isinstance(function, FuncOp) else None
    if not isinstance(signature, FunctionType):
        name = function.name if function is not None else ""
        raise Refused(source, f"Cannot create unreachable terminator for '{name}'", bare=True)
    rewriter = lifted.rewriter
    values = [rewriter.create("ub.poison", (), [type]).result for type in signature.results]
    lifted.combine_exit(rewriter.create("func.return", values))


class _Reduction:
    """Has all that is used behind a loop be carried by it: the arguments of its exit are those of its header."""

    def __init__(self, lifted: Lifted, header: Block, latch: Block, exit: Block, members: dict[Block, None]) -> None:
        self.lifted, self.header, self.latch, self.exit, self.members = lifted, header, latch, exit, members
        back, out = edges_from(latch)
        self.back, self.out = (back, out) if back.target is header else (out, back)
        self.carried = list(self.back.passed)

    def carry(self) -> list[Value]:
        """Does so; and gives what the next iteration begins with."""
        latched, headed = list(self.latch.arguments), list(self.header.arguments)
        self.out.pass_values([*self.out.passed, *self.carried])
        for value in self.carried:
            inner = _copy_of(self.exit, value)
            for user in list(value.uses):
                if user.parent not in self.members:
                    _use_instead(user, value, inner)
        for block in self.members:
            arguments = latched if block is self.latch else headed if block is self.header else block.arguments
            for value in [*arguments, *(result for op in block for result in op.results)]:
                self._check(block, value)
        graph = self.lifted.graph
        for edge in graph.edges_to(self.header):
            if edge.block is not self.latch:
                passed = edge.passed
                missing = [self.lifted.poison(argument.type) for argument in self.header.arguments[len(passed) :]]
                edge.pass_values([*passed, *missing])
        return self.carried

    def _escapes(self, user: Operation) -> bool:
        """Whether an operation stands behind the loop."""
        block = user.parent
        while block is not None and block.parent is not self.header.parent:
            around = block.parent.parent if block.parent is not None else None
            block = around.parent if around is not None else None
        return block not in self.members

    def _check(self, block: Block, value: Value) -> None:
        """Has a value that is used behind the loop be carried."""
        outside = [user for user in value.uses if self._escapes(user)]
        if not outside:
            return
        inner = _copy_of(self.exit, value)
        _copy_of(self.header, value)
        argument = value
        graph = self.lifted.graph
        dominates = {edge.block: graph.dominates(block, edge.block) for edge in graph.edges_to(self.latch)}
        if value.parent_block is not self.latch and not all(dominates.values()):
            argument = _copy_of(self.latch, value)
            for edge in graph.edges_to(self.latch):
                known = value if dominates[edge.block] else self.lifted.poison(value.type)
                edge.pass_values([*edge.passed, known])
        self.carried.append(argument)
        for edge in edges_from(self.latch):
            edge.pass_values([*edge.passed, argument])
        for user in outside:
            _use_instead(user, value, inner)


def _copy_of(block: Block, value: Value) -> Value:
    """A new argument for a value."""
    span, location = source_of(value)
    added = block.add_argument(value.type, span)
    added.location = location
    return added


def _use_instead(user: Operation, value: Value, other: Value) -> None:
    for place in value.places_in(user):
        user.set_operand(place, other)


def _make_loop(
    lifted: Lifted,
    header: Block,
    latch: Block,
    exit: Block,
    members: dict[Block, None],
    carried: Sequence[Value],
) -> None:
    """Moves the blocks of a loop into an operation, which stands in a block of its own; what is behind follows it."""
    region, rewriter = header.parent, lifted.rewriter
    assert region is not None, "a header stands in the region"
    around = region.insert_before(Block(), header)
    copy_arguments(around, header)
    body = Region()
    for block in (header, *(member for member in members if member is not latch and member is not header), latch):
        region.remove(block)
        body.insert_before(block, None)
    end = latch.end
    rewriter.set_insertion_to_end(around)
    rewriter.stand_in(end)
    types = types_of(around.arguments)
    loop = rewriter.create("scf.while", around.arguments, types, regions=[body, Region()])
    condition = latch.arguments[_condition_place(end)]
    lifted.graph.erase(end)
    rewriter.set_insertion_to_end(latch)
    truth = rewriter.create("arith.trunci", [condition], [I1]).result
    rewriter.create("scf.condition", [truth, *carried])
    after = rewriter.create_block(loop.regions[1], argument_types=types)
    rewriter.create("scf.yield", after.arguments)
    for old, new in zip(exit.arguments, loop.results, strict=True):
        old.replace_all_uses_with(new)
    lifted.graph.replace(header, around)
    for op in list(exit):
        rewriter.move_before(op, around, None)
    region.remove(exit)


def _condition_place(end: Operation) -> int:
    """The number of the argument by which the latch chooses."""
    flag = end.operands[0]
    assert isinstance(flag, BlockArgument), "the latch has an argument for it"
    return flag.index
