"""Parts of tensors that are taken out and put in again in each iteration: once, in front of and behind the loop.

    scf.for … iter_args(%a = %t) -> (tensor<8xf32>) {
      %0 = tensor.extract_slice %a[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
      %1 = … %0 …
      %2 = tensor.insert_slice %1 into %a[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
      scf.yield %2 : tensor<8xf32>
    }
->
    %0 = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %1:2 = scf.for … iter_args(%a = %t, %b = %0) -> (tensor<8xf32>, tensor<4xf32>) { … %b … scf.yield %a, %2 … }
    %3 = tensor.insert_slice %1#1 into %1#0[0] [4] [1] : tensor<4xf32> into tensor<8xf32>

Source of the rules: `hoistLoopInvariantSubsets` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.bufferization.subsets import are_apart, are_equal, slice_of
from fathom.ir.operation import Region
from fathom.irdl.traits import TERMINATOR
from fathom.ops.scf import ForOp
from fathom.ops.tensor import ExtractSliceOp, InsertSliceOp
from fathom.ops.vector import TransferReadOp, TransferWriteOp
from fathom.rewriting.loop_invariants import is_inside
from fathom.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from collections.abc import Collection

    from fathom.bufferization.subsets import Slice
    from fathom.context import Context
    from fathom.ir.operation import BlockArgument, Operation, Value

Extraction: TypeAlias = "ExtractSliceOp | TransferReadOp"
Insertion: TypeAlias = "InsertSliceOp | TransferWriteOp"

EXTRACTIONS: Final = (ExtractSliceOp, TransferReadOp)
INSERTIONS: Final = (InsertSliceOp, TransferWriteOp)
"""Both have the tensor, or what is put in and then the tensor, in front of their other operands."""


def hoist_subsets(root: Operation, context: Context) -> None:
    """Of all loops, the inner ones first."""
    rewriter = Rewriter(context)
    for op in list(root.walk_postorder()):
        if isinstance(op, ForOp):
            hoist_subsets_of(op, rewriter)


def hoist_subsets_of(loop: ForOp, rewriter: Rewriter) -> None:
    """Of one loop, which others take the place of."""
    place = 0
    while place < len(loop.initArgs):
        loop = _hoist(loop, place, rewriter)
        place += 1


class _Matching:
    """The parts that are taken out of a carried tensor, and put into it."""

    def __init__(self) -> None:
        self.pairs: list[tuple[Extraction | None, Insertion | None]] = []
        self.all: list[Extraction | Insertion] = []

    def follow(self, loop: ForOp, argument: BlockArgument, *, collects: bool) -> bool:
        """Whether a carried tensor becomes what is yielded in its place by nothing but such operations."""
        value: Value = argument
        while (handed_on := _only_terminator(value)) is None:
            following: Value | None = None
            for user in reversed(list(value.uses)):
                for place in value.places_in(user):
                    if isinstance(user, ForOp):
                        number = place - 3
                        inner = user.region.entry.arguments[number + 1] if number >= 0 else None
                        if inner is None or not self.follow(user, inner, collects=False):
                            return False
                        following = user.results[number]
                        continue
                    if not isinstance(user, (*EXTRACTIONS, *INSERTIONS)):
                        return False
                    self._note(user, collects=collects)
                    if isinstance(user, INSERTIONS):
                        if place != 1 or following is not None:
                            return False
                        following = user.result
            if following is None:
                return False
            value = following
        end, place = handed_on
        return end is loop.region.entry.last and place == argument.index - 1

    def _note(self, op: Extraction | Insertion, *, collects: bool) -> None:
        self.all.append(op)
        if not collects:
            return
        is_extraction = isinstance(op, EXTRACTIONS)
        for number, (extraction, insertion) in enumerate(self.pairs):
            other = insertion if is_extraction else extraction
            if other is not None and are_equal(_slice(other), _slice(op)):
                self.pairs[number] = (op, insertion) if isinstance(op, EXTRACTIONS) else (extraction, op)
                return
        self.pairs.append((op, None) if isinstance(op, EXTRACTIONS) else (None, op))

    def is_apart(self, extraction: Extraction, insertion: Insertion) -> bool:
        """Whether all other parts are others."""
        others = [op for op in self.all if op is not extraction and op is not insertion]
        return all(are_apart(_slice(other), _slice(op)) for other in others for op in (extraction, insertion))


def _slice(op: Extraction | Insertion) -> Slice:
    slice_ = slice_of(op)
    assert slice_ is not None, "such operations work on a part"
    return slice_


def _only_terminator(value: Value) -> tuple[Operation, int] | None:
    """What ends a block with a value, if nothing else uses that, and where."""
    if sum(value.uses.values()) != 1:
        return None
    (user,) = value.uses
    return (user, value.places_in(user)[0]) if user.has(TERMINATOR) else None


def _hoist(loop: ForOp, place: int, rewriter: Rewriter) -> ForOp:
    """The loop that takes the place of one, which carries the parts that are hoisted too."""
    argument = loop.region.entry.arguments[place + 1]
    matching = _Matching()
    if not matching.follow(loop, argument, collects=True):
        return loop
    for extraction, insertion in matching.pairs:
        if extraction is None or insertion is None:
            continue
        if extraction.result.type != insertion.operands[0].type or not matching.is_apart(extraction, insertion):
            continue
        if _is_fixed(extraction, loop, {0}) and _is_fixed(insertion, loop, {0, 1}):
            loop = _hoisted(loop, place, extraction, insertion, rewriter)
    return loop


def _is_fixed(op: Operation, loop: ForOp, places: Collection[int]) -> bool:
    """Whether an operation uses nothing of a loop but at these places."""
    return all(place in places or not is_inside(value, loop) for place, value in enumerate(op.operands))


def _hoisted(loop: ForOp, place: int, extraction: Extraction, insertion: Insertion, rewriter: Rewriter) -> ForOp:
    body = loop.region.entry
    part, whole = insertion.operands[0], insertion.operands[1]
    carried = body.add_argument(extraction.result.type, loop.span)
    carried.location = loop.location
    extraction.result.replace_all_uses_with(carried)
    if part is extraction.result:
        part = carried
    end = body.end
    end.set_operands([*end.operands, part])
    rewriter.set_insertion_before(loop)
    rewriter.stand_in(loop)
    types = [*(result.type for result in loop.results), extraction.result.type]
    made = rewriter.create(loop.name, [*loop.operands, extraction.result], types, loop.properties, loop.attributes)
    made.add_region(Region()).take_blocks(loop.region)
    for old, new in zip(loop.results, made.results, strict=False):
        new.name_hint = old.name_hint
    rewriter.replace(loop, made.results[: len(loop.results)])
    assert isinstance(made, ForOp) and made.parent is not None, "it was made as one"
    rewriter.move_before(extraction, made.parent, made)
    rewriter.move_before(insertion, made.parent, made.next)
    insertion.result.replace_all_uses_with(whole)
    extraction.set_operand(0, made.initArgs[place])
    result = made.results[place]
    result.replace_all_uses_with(insertion.result)
    insertion.set_operand(0, made.results[-1])
    insertion.set_operand(1, result)
    return made
