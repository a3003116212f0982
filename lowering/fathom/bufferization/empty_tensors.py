"""Tensors without contents that end up as a part of another: their place is taken by that part, which is written then
where it is meant to be.

    %0 = tensor.empty() : tensor<4xf32>                      %0 = tensor.extract_slice %t[0] [4] [1]
    %1 = linalg.fill … outs(%0)                      ->      %1 = linalg.fill … outs(%0)
    %2 = tensor.insert_slice %1 into %t[0] [4] [1]           %2 = tensor.insert_slice %1 into %t[0] [4] [1]

Source of the rules: *Passes*, `-eliminate-empty-tensors`, and `EmptyTensorElimination.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.bufferization.analysis import OneShotState
from fathom.bufferization.functions import Functions
from fathom.bufferization.options import Options
from fathom.bufferization.subsets import SUBSETS
from fathom.bufferization.uses import Use, is_tensor, uses_of
from fathom.ir.dominance import Dominance
from fathom.ir.operation import is_module
from fathom.ir.traversal import is_inside
from fathom.ir.types import TensorType
from fathom.ops.tensor import EmptyOp
from fathom.rewriting.moves import move_definitions_before
from fathom.rewriting.rewriter import Rewriter

if TYPE_CHECKING:
    from fathom.bufferization.subsets import Subset
    from fathom.ir.operation import Operation, Value
    from fathom.irdl.dialect import Definitions


def eliminate_empty_tensors(root: Operation, context: Definitions) -> None:
    """Works on all that is in an operation. Raises Refusal or Refusals."""
    knows_functions = is_module(root)
    options = Options(allow_return_allocs_from_loops=True, bufferize_function_boundaries=knows_functions)
    state = OneShotState(root, options, context)
    if knows_functions:
        state.functions = Functions(root)
        state.functions.analyze(state)
    else:
        state.analyze(root)
    rewriter = Rewriter(context)
    for op in list(root.walk_postorder()):
        subset = SUBSETS.get(op.name)
        if subset is not None and is_tensor(op.operands[subset.source]):
            _eliminate_in(op, subset, state, rewriter)


def _eliminate_in(op: Operation, subset: Subset, state: OneShotState, rewriter: Rewriter) -> None:
    source = Use(op, subset.source)
    if not state.is_in_place(source):
        return
    seen: set[Use] = set()
    empties = state.values_behind(
        source,
        lambda value: isinstance(value.defining_op, EmptyOp),
        includes_leaves=False,
        only_equivalent=True,
        only_same_type=True,
        seen_uses=seen,
    )
    for empty in empties:
        use = next(use for use in uses_of(empty) if use in seen)
        part = _part(op, subset, empty, use.op, rewriter)
        if part is None or part is empty:
            continue
        if part.type != empty.type:
            if not isinstance(part.type, TensorType) or part.type.element != element_of(empty):
                continue
            part = _cast(part, empty, rewriter)
        use.op.set_operand(use.place, part)
        state.forget()


def element_of(tensor: Value) -> object:
    return tensor.type.element if isinstance(tensor.type, TensorType) else None


def _cast(part: Value, empty: Value, rewriter: Rewriter) -> Value:
    rewriter.set_insertion_behind(part)
    return rewriter.create("tensor.cast", [part], [empty.type]).result


def _part(op: Operation, subset: Subset, empty: Value, user: Operation, rewriter: Rewriter) -> Value | None:
    """The part that an insertion writes, where a user of a tensor without contents can have it; None for none."""
    maker = empty.defining_op
    assert maker is not None, "it is made by `tensor.empty`"
    needed = subset.needed(op)
    place = _place(maker, user, needed)
    if place is None:
        if not move_definitions_before(needed, user):
            return None
        place = user
    rewriter.set_insertion_before(place)
    rewriter.stand_in(maker)
    return subset.extract(op, rewriter)


def _place(maker: Operation, user: Operation, needed: list[Value]) -> Operation | None:
    """In front of what the part can be taken out: the tensor without contents, or what follows a needed value."""
    dominance = Dominance()
    places: list[Operation | None] = [maker]
    for value in needed:
        definer, block = value.defining_op, value.parent_block
        places.append(definer.next if definer is not None else block.first if block is not None else None)
    for place in places:
        if place is None or not all(_is_there(value, place, dominance) for value in needed):
            continue
        if is_inside(user, place) or dominance.is_before(place, user):
            return place
    return None


def _is_there(value: Value, place: Operation, dominance: Dominance) -> bool:
    definer, block = value.defining_op, value.parent_block
    if definer is not None:
        return dominance.is_before(definer, place)
    owner = block.parent.parent if block is not None and block.parent is not None else None
    return owner is not None and place is not owner and is_inside(place, owner) and dominance.is_there(value, place)
