"""What `linalg-detensorize` works on: operations and arguments of blocks, by what branches depend on or all.

Source of the rules: the behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from fathom.dialects.linalg.structured import inputs_and_inits
from fathom.ir.operation import BlockArgument
from fathom.ir.types import FloatType, IntegerType, TensorType, Type
from fathom.irdl.interfaces import Branch
from fathom.ops.cf import BrOp, CondBrOp
from fathom.ops.linalg import GenericOp
from fathom.ops.tensor import FromElementsOp
from fathom.records import field, record

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Region, Value
    from fathom.irdl.interfaces import BranchEdge

SCALARS: Final = (IntegerType, FloatType)


@record(frozen=False)
class Choice:
    """The operations that become what they do with elements, and the arguments that become elements."""

    ops: set[Operation] = field(default_factory=set["Operation"])
    arguments: set[BlockArgument] = field(default_factory=set[BlockArgument])

    def places(self) -> dict[Operation, set[int]]:
        """The places of the operands that branches pass to these arguments."""
        places_by_op: dict[Operation, set[int]] = {}
        for argument in self.arguments:
            for op, edge in _edges_to(argument):
                if (place := _place_in(edge, argument)) is not None:
                    places_by_op.setdefault(op, set()).add(place)
        return places_by_op


def has_one_element(type: Type) -> bool:
    """Whether it is a tensor without dimensions."""
    return isinstance(type, TensorType) and type.shape is not None and not type.shape


def _is_of_elements(op: Operation) -> bool:
    return isinstance(op, GenericOp) and all(has_one_element(value.type) for value in op.operands)


def everything(body: Region) -> Choice:
    """All that can be."""
    ops = {op for op in body.walk() if _is_of_elements(op)}
    arguments = {argument for block in list(body.blocks)[1:] for argument in block.arguments}
    return Choice(ops, arguments)


def what_branches_need(body: Region) -> Choice:
    """What is passed by branches, or decides where they go, with all from which that comes and all that comes of it.

    Nothing where one of those that lead to such a block does not say what it passes.
    """
    choice, seen = Choice(), set["Value"]()
    pending = [value for op in body.walk() if isinstance(op, (BrOp, CondBrOp)) for value in op.operands]
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        pending += _onward(value)
        if isinstance(value, BlockArgument):
            if value.block.is_entry:
                continue
            choice.arguments.add(value)
            if not _lead_by_branches(value):
                return Choice()
            pending += _passed(value)
        elif (op := value.defining_op) is not None:
            pending += _sources(op, choice)
    given_up = {argument for argument in choice.arguments if any(_stays(value, choice) for value in _passed(argument))}
    choice.arguments -= given_up
    return choice


def _onward(value: Value) -> Iterator[Value]:
    """What is made of a value, and the arguments that it is passed to at the end of its block."""
    block = value.parent_block
    end = block.last if block is not None else None
    branch = end.interface(Branch) if end is not None else None
    if end is not None and branch is not None:
        for edge in branch.edges(end):
            yield from (argument for place, argument in edge.pairs if end.operands[place] is value)
    for user in value.uses:
        yield from user.results


def _sources(op: Operation, choice: Choice) -> list[Value]:
    """What an operation computes its results of, if it is one that can work on elements."""
    if isinstance(op, GenericOp):
        if not _is_of_elements(op) or op in choice.ops:
            return []
        choice.ops.add(op)
        return list(inputs_and_inits(op)[0])
    if isinstance(op, FromElementsOp) or not all(isinstance(result.type, SCALARS) for result in op.results):
        return []
    return op.operands


def _stays(value: Value, choice: Choice) -> bool:
    """Whether it is of a `linalg.generic` that stays as it is."""
    op = value.defining_op
    return isinstance(op, GenericOp) and op not in choice.ops


def _lead_by_branches(argument: BlockArgument) -> bool:
    ends = (block.last for block in argument.block.predecessors())
    return all(end is not None and end.interface(Branch) is not None for end in ends)


def _edges_to(argument: BlockArgument) -> Iterator[tuple[Operation, BranchEdge]]:
    """The branches to the block of an argument, each with the way that it takes."""
    for block in dict.fromkeys(argument.block.predecessors()):
        end = block.last
        branch = end.interface(Branch) if end is not None else None
        if end is not None and branch is not None:
            yield from ((end, edge) for edge in branch.edges(end) if edge.target is argument.block)


def _place_in(edge: BranchEdge, argument: BlockArgument) -> int | None:
    """The place of the operand that becomes an argument; None where the branch makes it."""
    return next((place for place, passed in edge.pairs if passed is argument), None)


def _passed(argument: BlockArgument) -> Iterator[Value]:
    """What branches pass to an argument."""
    for op, edge in _edges_to(argument):
        if (place := _place_in(edge, argument)) is not None:
            yield op.operands[place]
