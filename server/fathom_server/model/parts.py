"""Parts of a big function, to be lowered alone: what stands around a place, as a function of its own.

A part is a run of operations of one block. Its function takes the values that the run uses from outside, the arguments
of the block among them, and returns those that are used after it, so that no pass finds it without a purpose.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from fathom.elaborate.elaborated import Elaborated
from fathom.ir.attributes import StringAttr, TypeAttr
from fathom.ir.clone import clone
from fathom.ir.operation import Block, Operation, Region, Span, Value
from fathom.ir.symbol_references import references_of_operation
from fathom.ir.types import FunctionType
from fathom.irdl.build import create
from fathom.irdl.traits import TERMINATOR
from fathom.records import record
from fathom.syntax.events import OpenEvent, OpEvent
from fathom.syntax.pieces import Piece
from fathom.syntax.sequence import Chunk
from fathom.syntax.tree import Item
from fathom_server.model.elaboration import elaborated
from fathom_server.model.mistakes import first_error
from fathom_server.model.modules import Layout, Module, fix_spans, fixed, module_of, module_of_part
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.symbols import Symbol, unit_of

MOST: Final = 2000
"""A function of more operations than this is big; a part of it has at most so many."""
STEP: Final = 500
"""Where a block is too long to be a part, one begins at a multiple of so many statements of the function, at least so
many before the place and as many behind it: so it stays the same while one types there."""


@record
class Part:
    """A part of an item: its function in a module, where it stands, and where the function does that it is a part of,
    both in characters from the item's beginning. While the item has an error the module is empty, and the part stands
    nowhere."""

    module: Module
    span: Span | None
    around: Span


def is_big(function: Symbol) -> bool:
    """Whether a function has so many operations that a part of it can be shown."""
    pieces = function.item.pieces
    # One of them is the function itself.
    if sum(pieces.known(_count_operations)) - 1 <= MOST:
        return False
    if unit_of(function) is function.item:
        return True
    first, last = function.item.piece_at(function.start), function.item.piece_at(function.full_end)
    return sum(map(_operations_in, islice(pieces.from_index(first), last + 1 - first))) - 1 > MOST


def _count_operations(chunk: Chunk[Piece]) -> int:
    """How many operations begin in a chunk."""
    return sum(map(_operations_in, chunk.elements))


def _operations_in(piece: Piece) -> int:
    return sum(isinstance(event, (OpEvent, OpenEvent)) and not event.first for event in piece.shape.events)


def part_at(snapshot: Snapshot, function: Symbol, offset: int) -> Part | None:
    """The part of a big function around an offset, which counts from the beginning of its item. None if nothing there
    can be shown alone. It costs what the part does."""
    item, around = function.item, Span(function.start, function.full_end)
    problem = first_error(snapshot, item)
    if problem is not None:
        return Part(Module(module_of(snapshot, []), Layout((item,)), problem), None, around)
    known = elaborated(snapshot, item)
    at = item.piece_at(offset)
    place = _operation_at(known, item, at)
    outer = _outermost(place) if place is not None else None
    if outer is None or outer.parent is None or outer.parent_op is None:
        return None
    run = _run(known, item, outer, outer.parent)
    pieces = [site.piece for op in run for site in known.sites_of(op)]
    indices = [at, *(item.index_of(piece) for piece in (pieces[:1] + pieces[-1:]))]
    first, last = min(indices), max(indices)
    span = _place(known, item, first, last)
    op = _function(snapshot, run, outer.parent, f"{function.name}.part")
    return Part(module_of_part(snapshot, unit_of(function), op), span, around)


def _place(known: Elaborated, item: Item, first: int, last: int) -> Span:
    """Takes note of where all statements from one index to another begin, and gives the span of their text."""
    start = end = item.start(first)
    for piece in islice(item.pieces.from_index(first), last - first + 1):
        site = known.sites.get(piece)
        if site is not None:
            site.place_at(end)
        end += piece.length
    text = item.pieces[last].text
    return Span(start, end - (len(text) - len(text.rstrip())))


# ---- which operations


def _operation_at(known: Elaborated, item: Item, index: int) -> Operation | None:
    """The innermost operation that the statement at an index belongs to, or that is nearest to it, and that is no
    bigger than a part may be."""
    for number in range(index, -1, -1):
        site = known.sites.get(item.pieces[number])
        end = site.end if site is not None else None
        if isinstance(end, Region):
            end = end.first or end.parent
        if isinstance(end, Block):
            end = end.first or (end.parent.parent if end.parent is not None else None)
        if end is not None and (end.parent is not None or end in known.operations):
            return _last_small(end)
    return next(map(_last_small, known.operations), None)


def _last_small(op: Operation) -> Operation:
    """An operation, or the last one in it that is no bigger than a part may be."""
    while not _fits(op.walk()):
        op = [block.last for region in op.regions for block in region.blocks if block.last is not None][-1]
    return op


def _outermost(op: Operation) -> Operation:
    """The outermost operation around one that is no bigger than a part may be."""
    around = [op]
    while (outer := around[-1].parent_op) is not None:
        around.append(outer)
    # What stands further out is bigger: the last one that fits is found by bisection.
    low, high = 0, len(around) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if _fits(around[middle].walk()):
            low = middle
        else:
            high = middle - 1
    return around[low]


def _fits(operations: Iterator[Operation]) -> bool:
    return sum(1 for _ in islice(operations, MOST + 1)) <= MOST


def _size(op: Operation) -> int:
    """How many operations an operation is, or one more than a part may have."""
    return sum(1 for _ in islice(op.walk(), MOST + 1))


def _ends(op: Operation) -> bool:
    """Whether an operation is the terminator of its block."""
    return bool(op.successors) or op.has(TERMINATOR)


def _run(known: Elaborated, item: Item, op: Operation, block: Block) -> list[Operation]:
    """The operations of a part: all of the block, or those near `op`. The block's terminator is among them if the part
    reaches to the end of the block."""
    if _fits(nested for op in block for nested in op.walk()):
        return list(block)
    index = item.index_of(known.sites_of(op)[0].piece)
    low = max(index // STEP * STEP - STEP, 0)
    near = set(islice(item.pieces.from_index(low), 3 * STEP))
    run, size = [op], _size(op)
    for is_forward in (False, True):
        while True:
            other = run[-1].next if is_forward else run[0].previous
            if other is None:
                break
            sites = known.sites_of(other)
            grown = size + _size(other)
            if grown > MOST or (sites and sites[0].piece not in near):
                break
            size = grown
            run.insert(len(run) if is_forward else 0, other)
    return run


# ---- a function of them


def _function(snapshot: Snapshot, run: list[Operation], block: Block, name: str) -> Operation:
    """A function whose body is a copy of the operations of a block, with a return in the place of its terminator. It is
    called `name`, or longer if they refer to something of this name."""
    terminator = run.pop() if run and _ends(run[-1]) else None
    inside = {nested: None for op in run for nested in op.walk()}
    own: set[Value] = {result for op in inside for result in op.results}
    own.update(argument for op in inside for region in op.regions for b in region.blocks for argument in b.arguments)
    used = dict.fromkeys(operand for op in inside for operand in op.operands if operand not in own)
    # The arguments of the block come first, in their order.
    inputs = list(dict.fromkeys([*(argument for argument in block.arguments if argument in used), *used]))
    outputs = [result for op in run for result in op.results if any(user not in inside for user in result.uses)]
    body = Block(value.type for value in inputs)
    values: dict[Value, Value] = dict(zip(inputs, body.arguments, strict=True))
    for old, new in values.items():
        new.name_hint = old.name_hint
    for op in run:
        fix_spans(body.append(clone(op, values)), 0)
    for op in [nested for root in body for nested in root.walk()]:
        # In a graph region a value may be used before it is defined.
        for index, operand in enumerate(op.operands):
            op.set_operand(index, values.get(operand, operand))
    names = {reference.root for op in run for nested in op.walk() for reference in references_of_operation(nested)}
    while name in names:
        name += "_"
    span = fixed(terminator.span, 0) if terminator is not None else None
    returned = [values[value] for value in outputs]
    context = snapshot.context
    body.append(create(context, "func.return", returned, span=span))
    type = FunctionType(tuple(value.type for value in inputs), tuple(value.type for value in outputs))
    properties = {"sym_name": StringAttr(name), "function_type": TypeAttr(type)}
    return create(context, "func.func", properties=properties, regions=[Region([body])])
