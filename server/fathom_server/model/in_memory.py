"""What becomes of the tensors of an item in memory, and why: the account of the pass that gives memory to tensors.

Where a command of the document has `one-shot-bufferize`, that one decides; else the pipeline in force.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.bufferization.told import Freed, Held, Made, Operand
from fathom.ir.types import TensorType
from fathom.passes.memory_for_tensors import MemoryForTensors
from fathom.passes.transforms.one_shot_bufferize import OneShotBufferizePass
from fathom.passes.transforms.optimize_allocation_liveness import OptimizeAllocationLivenessPass
from fathom.passes.transforms.ownership_based_buffer_deallocation import OwnershipBasedBufferDeallocationPass
from fathom.pipeline.lowering import run
from fathom.pipeline.segments import segment
from fathom.records import record
from fathom_server.model.elaboration import elaborated
from fathom_server.model.lowered import takes_long
from fathom_server.model.modules import ask_what_is_needed, module_for
from fathom_server.model.pipelines import commands_in, in_force, parsed
from fathom_server.model.queries import ALWAYS, fact, query
from fathom_server.model.snapshot import Snapshot

if TYPE_CHECKING:
    from fathom.pipeline.language import Pipeline
    from fathom.syntax.pieces import Piece
    from fathom.syntax.sequence import Chunk
    from fathom.syntax.tree import Item

MOST_TENSORS: Final = 2000
"""Of a function with more tensors than this it is not told what they are in memory: records cost what they are many."""


@record
class InMemory:
    """What becomes of the tensors of an item, whose places count from its beginning; whether the pipeline frees what it
    allocates, and whether it `failed` to give them memory. Of `too_many` nothing is kept."""

    operands: tuple[Operand, ...] = ()
    values: tuple[Held, ...] = ()
    made: tuple[Made, ...] = ()
    freed: tuple[Freed, ...] = ()
    frees: bool = False
    failed: bool = False
    too_many: bool = False


NOTHING: Final = InMemory()


@record
class _Deciding:
    """The passes that give memory to tensors and free it, with what stands before them; and whether any frees."""

    pipeline: Pipeline
    frees: bool


@fact(lambda _reach: ALWAYS)
def _deciding(snapshot: Snapshot) -> _Deciding | None:
    """The passes that decide; None where there are none."""
    pipelines = (parsed(line.pipeline) for line in commands_in(snapshot.tree, snapshot.context) if line.pipeline)
    named = next((candidate for candidate in pipelines if not candidate.errors and _place(candidate) is not None), None)
    pipeline = named or in_force(snapshot.tree, snapshot.settings, snapshot.context).pipeline
    place = _place(pipeline)
    if place is None:
        return None
    use = pipeline.passes[place]
    assert isinstance(use, OneShotBufferizePass), "it was looked for"
    if isinstance(use, MemoryForTensors):
        return _Deciding(segment(pipeline, 0, place + 1), True)
    frees = OwnershipBasedBufferDeallocationPass, OptimizeAllocationLivenessPass
    freeing = [number for number, each_pass in enumerate(pipeline.passes) if isinstance(each_pass, frees)]
    last = max([place, *freeing])
    return _Deciding(segment(pipeline, 0, last + 1), last > place)


def _place(pipeline: Pipeline) -> int | None:
    """Where in a pipeline memory is given to tensors."""
    places = (number for number, use in enumerate(pipeline.passes) if isinstance(use, OneShotBufferizePass))
    return next(places, None)


@query()
def in_memory(snapshot: Snapshot, item: Item) -> InMemory:
    """What becomes of the tensors of an item; nothing where it has none, or is not lowered."""
    deciding = _deciding(snapshot)
    if deciding is None or not has_tensors(snapshot, item):
        return NOTHING
    # Which arguments a function writes follows from its body.
    module = module_for(snapshot, (item,), True)
    if module.problem is not None:
        return NOTHING
    from fathom.bufferization.account import Account
    from fathom.bufferization.onlookers import looked_on_by

    account = Account()
    with looked_on_by(account):
        lowering = run(deciding.pipeline, module.op, snapshot.context, verifying="never")
    # The item stands first in its module.
    end = item.length
    return InMemory(
        tuple(operand for operand in account.operands if 0 <= operand.op.start < end),
        tuple(value for value in account.values if 0 <= value.value.of.start < end),
        tuple(made for made in account.made_operations if 0 <= made.op.start < end),
        tuple(freed for freed in account.freed_memory if 0 <= freed.op.start < end),
        deciding.frees,
        lowering.failed or not account.values,
    )


@query()
def has_tensors(snapshot: Snapshot, item: Item) -> bool:
    """Whether there are tensors among the values of an item, which get memory."""
    return _deciding(snapshot) is not None and any(
        isinstance(value.type, TensorType)
        for outer in elaborated(snapshot, item).operations
        for op in outer.walk()
        for value in (*op.results, *(a for region in op.regions for block in region.blocks for a in block.arguments))
    )


def mentions_tensors(snapshot: Snapshot, item: Item) -> bool:
    """Whether an item has tensors by the looks of its text, which get memory: at no cost to speak of."""
    return any(item.pieces.known(_with_tensors)) and _deciding(snapshot) is not None


def _with_tensors(chunk: Chunk[Piece]) -> bool:
    return any("tensor<" in line for piece in chunk.elements for line in piece.lines)


def ask_memory_basis(snapshot: Snapshot, item: Item) -> None:
    """Asks for all that the account of an item follows from, at little cost: for what is learned of it from
    elsewhere."""
    if has_tensors(snapshot, item):
        ask_what_is_needed(snapshot, item, bodies=True)


def quickly_in_memory(snapshot: Snapshot, item: Item) -> InMemory:
    """The same if it is known or soon found out; else nothing."""
    is_quick = in_memory.is_known(snapshot, item) or not takes_long(snapshot, item)
    return in_memory(snapshot, item) if is_quick else NOTHING
