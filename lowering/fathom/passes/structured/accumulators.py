"""What `linalg.generic` reads of what it writes over is an input, where no loop reduces.

Source of the rules: `MoveInitOperandsToInput` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.operation import Block, types_of
from fathom.ir.types import TensorType
from fathom.irdl.index_lists import separated
from fathom.passes.structured.generics import (
    Form,
    argument_of,
    body_of,
    create_generic,
    form_of,
    reads,
    works_on_tensors,
)
from fathom.rewriting.pattern import Replacement, replacing
from fathom.rewriting.result_shapes import folded_dim

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops.linalg import GenericOp
    from fathom.rewriting.rewriter import Rewriter


def read_as_input(op: GenericOp, rewriter: Rewriter) -> Replacement:
    form = form_of(op)
    if form is None or not works_on_tensors(op) or not form.is_parallel:
        return None
    first = len(form.inputs)
    moved = [number for number in range(len(form.inits)) if reads(op, first + number)]
    if not moved:
        return None
    inits = list(form.inits)
    for number in moved:
        with rewriter.elsewhere():
            inits[number] = _empty_like(form.inits[number], rewriter)
    inputs = [*form.inputs, *(form.inits[number] for number in moved)]
    maps = [*form.maps[:first], *(form.maps[first + number] for number in moved), *form.maps[first:]]
    made = create_generic(rewriter, Form(inputs, inits, maps, form.loops), types_of(op.results))
    made.attributes.update(op.attributes)
    block = made.regions[0].append(Block())
    values: dict[Value, Value] = {}
    for place in (*range(first), *(first + number for number in moved), *range(first, first + len(inits))):
        argument = argument_of(op, place)
        copy = block.add_argument(argument.type, op.span)
        copy.location = op.location
        values.setdefault(argument, copy)
    with rewriter.elsewhere():
        rewriter.set_insertion_to_end(block)
        for inner in body_of(op):
            rewriter.clone(inner, values)
    return made


def _empty_like(value: Value, rewriter: Rewriter) -> Value:
    """An empty tensor of the shape of one, behind that."""
    type = value.type
    assert isinstance(type, TensorType), "it works on tensors"
    rewriter.set_insertion_behind(value)
    sizes, shape = separated([folded_dim(rewriter, value, dim) for dim in range(len(type.ranked_shape))])
    return rewriter.create("tensor.empty", sizes, [TensorType(shape.values, type.element)]).result


PATTERNS: Final = (replacing("linalg.generic", read_as_input, name="MoveInitOperandsToInput"),)
