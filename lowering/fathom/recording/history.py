"""How operations and blocks were at each stage, of which a module as it was can be made again.

Of an operation is kept what a pass can change, each time that one did, and nothing when none did; the values and
blocks in it are those that passes work on. So a pass that changes little costs a comparison, and no copy is made before
somebody wants to see a stage. A run of a pass is given by its index; -1 is before the first.

Passes on functions run through one function before they begin with the next. So what a module is like behind a pass of
the pipeline may never have stood anywhere: it is made of what was true of each operation then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from fathom.ir.operation import Block, Operation, Region
from fathom.records import record
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from fathom.ir.attributes import Attribute
    from fathom.ir.types import Type
    from fathom.ir.values import BlockArgument, OpResult, Value

IsSeen: TypeAlias = "Callable[[int], bool]"
"""Whether what a run did has happened."""


class _OpState(NamedTuple):
    operands: list[Value]
    results: list[OpResult]
    properties: dict[str, Attribute]
    attributes: dict[str, Attribute]
    successors: list[Block]
    regions: list[list[Block]]


class _BlockState(NamedTuple):
    arguments: list[BlockArgument]
    types: list[Type]
    """Those of the arguments, which may get others in place."""
    ops: list[Operation]


@record(eq=False)
class Assembled:
    """A module as it was, and the numbers of its operations."""

    module: Operation
    numbers: dict[Operation, int]


@record(eq=False, frozen=False)
class Compared:
    """What is another in an operation than the last time: the operations that came and changed in it, the latter with
    the operands that they had, `now` all of them, and whether anything at all did, be it their order."""

    now: list[Operation]
    came: list[Operation]
    changed: dict[Operation, list[Value]]
    is_another: bool


class History:
    """What is known of all operations of a module."""

    def __init__(self, module: Operation) -> None:
        self._module = module
        self._ops: dict[Operation, list[tuple[int, _OpState]]] = {}
        self._blocks: dict[Block, list[tuple[int, _BlockState]]] = {}

    def compare(self, root: Operation, run: int) -> Compared:
        """Looks at an operation, and all in it, behind a run, and keeps what is another."""
        known = self._ops
        compared = Compared([], [], {}, False)
        pending = [root]
        while pending:
            checkpoint()
            op = pending.pop()
            compared.now.append(op)
            states = known.get(op)
            if states is None:
                compared.came.append(op)
                compared.is_another = True
                known[op] = [(run, _state(op))]
            elif not _is_as(op, before := states[-1][1]):
                after = _state(op)
                states.append((run, after))
                compared.is_another = True
                if before[:5] != after[:5]:
                    compared.changed[op] = before.operands
            if op.regions:
                self._compare_blocks(op, run, compared, is_new=states is None)
                inner = [nested for region in op.regions for block in region.blocks for nested in block]
                inner.reverse()
                pending += inner
        return compared

    def _compare_blocks(self, op: Operation, run: int, compared: Compared, *, is_new: bool) -> None:
        """Looks at the blocks in an operation."""
        for block in [block for region in op.regions for block in region.blocks]:
            arguments = block.arguments
            made = _BlockState([*arguments], [argument.type for argument in arguments], [*block])
            seen = self._blocks.get(block)
            if seen is None:
                self._blocks[block] = [(run, made)]
                continue
            before = seen[-1][1]
            if before != made:
                seen.append((run, made))
                compared.is_another = True
                if not is_new and before[:2] != made[:2]:
                    compared.changed.setdefault(op, op.operands)

    def assembled(self, is_seen: IsSeen, number: Callable[[Operation], int]) -> Assembled:
        """The module as it was when these runs had happened, made anew."""
        return _Assembly(self._ops, self._blocks, is_seen, number).module(self._module)


def _is_as(op: Operation, state: _OpState) -> bool:
    """Whether an operation is as it was. Most are: they are compared where they stand."""
    operands, results, properties, attributes, successors, regions = state
    return (
        operands == op.operands
        and properties == op.properties
        and attributes == op.attributes
        and successors == op.successors
        and results == op.results
        and (not op.regions or regions == [[*region.blocks] for region in op.regions])
    )


def _state(op: Operation) -> _OpState:
    regions = [[*region.blocks] for region in op.regions] if op.regions else []
    return _OpState([*op.operands], [*op.results], {**op.properties}, {**op.attributes}, [*op.successors], regions)


class _Assembly:
    """Makes operations as they were."""

    def __init__(
        self,
        ops: dict[Operation, list[tuple[int, _OpState]]],
        blocks: dict[Block, list[tuple[int, _BlockState]]],
        is_seen: IsSeen,
        number: Callable[[Operation], int],
    ) -> None:
        self._ops = ops
        self._block_states = blocks
        self._is_seen = is_seen
        self._number = number
        self._values: dict[Value, Value] = {}
        self._blocks: dict[Block, Block] = {}
        self._early: list[tuple[Operation, list[int], list[Value]]] = []
        self._numbers: dict[Operation, int] = {}

    def module(self, op: Operation) -> Assembled:
        made, pending = self._operation(op)
        while pending:
            block = pending.pop()
            inner: list[Block] = []
            for old in self._block(block).ops:
                checkpoint()
                copy, nested = self._operation(old)
                self._blocks[block].append(copy)
                inner += nested
            inner.reverse()
            pending += inner
        for copy, places, operands in self._early:
            for place in places:
                if (value := self._values.get(operands[place])) is not None:
                    copy.set_operand(place, value)
        return Assembled(made, self._numbers)

    def _operation(self, op: Operation) -> tuple[Operation, list[Block]]:
        """An operation, and the blocks in it, which are to be filled."""
        states, is_seen = self._ops[op], self._is_seen
        state = next(state for run, state in reversed(states) if is_seen(run))
        values = self._values
        operands = state.operands
        copy = Operation(
            op.name,
            [values.get(operand, operand) for operand in operands],
            [result.type for result in state.results],
            state.properties,
            state.attributes,
            [self._block_for(block) for block in state.successors],
            span=op.span,
            definition=op.definition,
        )
        copy.location = op.location
        early = [place for place, operand in enumerate(operands) if operand not in values]
        if early:
            self._early.append((copy, early, operands))
        for old, new in zip(state.results, copy.results, strict=True):
            new.name_hint = old.name_hint
            values[old] = new
        self._numbers[copy] = self._number(op)
        return copy, [*self._filled(copy, state.regions)]

    def _filled(self, copy: Operation, regions: list[list[Block]]) -> Iterable[Block]:
        """The blocks of regions, of which each gets its own."""
        for blocks in regions:
            region = copy.add_region(Region())
            for block in blocks:
                region.append(self._block_for(block))
                yield block

    def _block_for(self, block: Block) -> Block:
        made = self._blocks.get(block)
        if made is None:
            arguments, types, _ = self._block(block)
            made = self._blocks[block] = Block(types)
            made.name_hint = block.name_hint
            for old, new in zip(arguments, made.arguments, strict=True):
                new.name_hint, new.span, new.location = old.name_hint, old.span, old.location
                self._values[old] = new
        return made

    def _block(self, block: Block) -> _BlockState:
        is_seen = self._is_seen
        return next(state for run, state in reversed(self._block_states[block]) if is_seen(run))
