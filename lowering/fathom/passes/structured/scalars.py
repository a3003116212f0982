"""Operands of `linalg.generic` of which each iteration reads the same element: the body reads it itself.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.affine import AffineConstant, AffineMap
from fathom.ir.clone import clone_region
from fathom.ir.types import TensorType
from fathom.passes.arithmetic import constant
from fathom.passes.structured.generics import Form, body_of, create_generic, form_of, works_on_tensors
from fathom.rewriting.pattern import NO_MATCH, Failure, Pattern

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter


def constant_results(map: AffineMap) -> list[int] | None:
    """The results of a map that are the same for each iteration; None where one is not."""
    numbers = [result.value for result in map.results if isinstance(result, AffineConstant)]
    return numbers if len(numbers) == len(map.results) else None


def inline_scalars(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Scalars, and elements at places that are numbers, are no operands."""
    form = form_of(op)
    if form is None or not works_on_tensors(op):
        return NO_MATCH
    places = {
        place: numbers
        for place, map in enumerate(form.maps[: len(form.inputs)])
        if (numbers := constant_results(map)) is not None
    }
    if not places:
        return NO_MATCH
    inputs = [value for place, value in enumerate(form.inputs) if place not in places]
    maps = [map for place, map in enumerate(form.maps) if place not in places]
    types = [result.type for result in op.results]
    made = create_generic(rewriter, Form(inputs, form.inits, maps, form.loops), types, clone_region(op.regions[0]))
    block = body_of(made)
    rewriter.set_insertion_to_start(block)
    for place in sorted(places, reverse=True):
        value = form.inputs[place]
        indices = [constant(rewriter, index) for index in places[place]]
        if isinstance(value.type, TensorType):
            value = rewriter.create("tensor.extract", [value, *indices], [value.type.element]).result
        rewriter.replace_all_uses(block.arguments[place], value)
        block.erase_arguments([place])
    rewriter.replace(op, list(made.results))
    return None


PATTERNS: Final = (Pattern("linalg.generic", inline_scalars, name="InlineScalarOperands"),)
