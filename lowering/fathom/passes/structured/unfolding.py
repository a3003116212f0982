"""Operands that `linalg.generic` reads through a map are transposed and broadcast before.

Source of the rules: `DecomposeGenericByUnfoldingPermutation.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.linalg.structured import dims_of, is_projected_permutation, static_ranges
from fathom.ir.affine import AffineMap, identity_map
from fathom.ir.attributes import Attribute, DenseArrayAttr
from fathom.ir.types import I64, ShapedType, TensorType
from fathom.passes.structured import named
from fathom.passes.structured.generics import Form, create_generic, form_of, works_on_tensors
from fathom.rewriting.pattern import NO_MATCH, Failure, Pattern

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter


def unfold(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """All inputs of loops that reduce nothing, on tensors of known shape, are read by the identity."""
    form = form_of(op)
    if form is None or not works_on_tensors(op) or form.is_one_to_one or not form.is_parallel:
        return NO_MATCH
    types = [value.type for value in form.values]
    if not all(map(is_projected_permutation, form.maps)):
        return NO_MATCH
    ranges = static_ranges(op)
    if ranges is None or not all(isinstance(type, ShapedType) and type.has_static_shape for type in types):
        return NO_MATCH
    inputs, maps = list(form.inputs), list(form.maps)
    changed = False
    for place, value in enumerate(form.inputs):
        if maps[place].is_identity:
            continue
        spread = _spread(value, maps[place], ranges, rewriter)
        changed = changed or spread is not value
        inputs[place], maps[place] = spread, identity_map(maps[place].dims)
    if not changed:
        return NO_MATCH
    results = [result.type for result in op.results]
    made = create_generic(rewriter, Form(inputs, form.inits, maps, form.loops), results)
    rewriter.inline_region_before(op.regions[0], made.regions[0], None)
    rewriter.replace(op, list(made.results))
    return None


def _spread(value: Value, map: AffineMap, ranges: Sequence[int], rewriter: Rewriter) -> Value:
    """A tensor as one of all loops: first transposed, then broadcast."""
    dims, type = dims_of(map) or [], value.type
    assert isinstance(type, TensorType), "it works on tensors"
    ordered = sorted(dims)
    if dims != ordered:
        places = [dims.index(dim) for dim in ordered]
        shape = tuple(type.ranked_shape[place] for place in places)
        value = _made(rewriter, "transpose", value, shape, {"permutation": DenseArrayAttr(I64, tuple(places))})
    added = tuple(dim for dim in range(map.dims) if dim not in dims)
    if added:
        value = _made(rewriter, "broadcast", value, tuple(ranges), {"dimensions": DenseArrayAttr(I64, added)})
    return value


def _made(
    rewriter: Rewriter, name: str, value: Value, shape: tuple[int, ...], properties: dict[str, Attribute]
) -> Value:
    assert isinstance(value.type, TensorType), "it works on tensors"
    empty = rewriter.create("tensor.empty", (), [TensorType(shape, value.type.element)]).result
    return named(rewriter, name, [value], [empty], properties).result


PATTERNS: Final = (Pattern("linalg.generic", unfold, name="DecomposeProjectedPermutation"),)
