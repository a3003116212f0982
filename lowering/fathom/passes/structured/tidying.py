"""What `linalg.generic` reads and writes for nothing: constants, what is filled, what was there before, what is read
twice, and results that nobody uses.

Source of the rules: `ElementwiseOpFusion.cpp` and `EraseUnusedOperandsAndResults.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.arith.elements import element_at
from fathom.dialects.linalg.bodies import ScalarBody, apply, scalar_type
from fathom.ir.attributes import DenseElementsAttr, FloatAttr, IntegerAttr
from fathom.ir.operation import Block, Region, Value, types_of
from fathom.ir.types import FloatType, IntegerType, TensorType
from fathom.irdl.index_lists import separated
from fathom.ops.linalg import FillOp, YieldOp
from fathom.ops.tensor import EmptyOp
from fathom.passes.structured.generics import (
    Form,
    are_found,
    argument_of,
    body_of,
    clone_body,
    create_generic,
    form_of,
    has_one_use,
    reads,
    works_on_tensors,
    yielded,
)
from fathom.rewriting.folding import constant_attribute
from fathom.rewriting.pattern import NO_MATCH, Failure, Pattern, defined_by
from fathom.rewriting.result_shapes import folded_dim
from fathom.rewriting.rewriter import source_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fathom.ir.affine import AffineMap
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation
    from fathom.ir.types import Type
    from fathom.ops.linalg import GenericOp
    from fathom.rewriting.rewriter import Rewriter

# ---- what is read is known


def read_filled(op: GenericOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Of a tensor that is filled with a value, the body takes the value."""
    form = form_of(op)
    if form is None or not works_on_tensors(op):
        return NO_MATCH
    changed = False
    for place, value in enumerate(form.inputs):
        fill = defined_by(value, FillOp) if reads(op, place) else None
        if fill is None:
            continue
        with rewriter.standing_in(fill):
            element = _converted(rewriter, fill.inputs[0], scalar_type(value.type))
        rewriter.replace_all_uses(argument_of(op, place), element)
        changed = True
    return None if changed else Failure("no input that its body reads comes from a 'linalg.fill'")


def _converted(rewriter: Rewriter, value: Value, type: Type) -> Value:
    def emit(name: str, operands: Sequence[Value], type: Type, properties: Mapping[str, Attribute]) -> Value:
        return rewriter.create(name, operands, [type], properties).result

    return ScalarBody([value, Value(type)], emit).value(apply("cast_signed", 0))


def read_constant(op: GenericOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """The first operand that is one number everywhere is a constant in the body."""
    form = form_of(op)
    if form is None or not works_on_tensors(op):
        return NO_MATCH
    for place, value in enumerate(form.inputs):
        maker = value.defining_op
        number = _number(maker) if maker is not None else None
        if maker is None or number is None:
            continue
        maps = [map for at, map in enumerate(form.maps) if at != place]
        if not are_found(maps):
            return Failure("fused op loop bound computation failed")
        with rewriter.standing_in(maker):
            constant = rewriter.constant(number, number.type)
        inputs = [input_ for other, input_ in enumerate(form.inputs) if other != place]
        made = create_generic(rewriter, Form(inputs, form.inits, maps, form.loops), types_of(op.results))
        clone_body(rewriter, op.region, made, {argument_of(op, place): constant})
        rewriter.replace(op, list(made.results))
        return None
    return Failure("no input is a constant with the same number in all elements")


def _number(op: Operation) -> IntegerAttr | FloatAttr | None:
    """The number that a constant is, in each of its elements."""
    attribute = constant_attribute(op)
    if isinstance(attribute, DenseElementsAttr):
        is_number = isinstance(attribute.type.element, (IntegerType, FloatType))
        attribute = element_at(attribute, 0) if attribute.is_splat and is_number else None
    return attribute if isinstance(attribute, (IntegerAttr, FloatAttr)) else None


# ---- what is written over is not read


def write_over_empty(op: GenericOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Where the body does not look at what is there, the results are written to empty tensors."""
    form = form_of(op)
    if form is None:
        return NO_MATCH
    changes: dict[int, Value] = {}
    for place, value in enumerate(form.inits, len(form.inputs)):
        type = value.type
        if reads(op, place) or not isinstance(type, TensorType) or type.shape is None or type.encoding is not None:
            continue
        if defined_by(value, EmptyOp) is None:
            sizes, shape = separated([folded_dim(rewriter, value, dim) for dim in range(len(type.shape))])
            empty = TensorType(shape.values, type.element)
            changes[place] = rewriter.create("tensor.empty", sizes, [empty]).result
    if not changes:
        return Failure("each output is read by its body, or is a 'tensor.empty' already")

    def change() -> None:
        for place, value in changes.items():
            op.set_operand(place, value)

    rewriter.modify(op, change)
    return None


# ---- operands and results that are not needed


class _Kept:
    """Which operands stay: the places where those of before are now."""

    def __init__(self, op: Operation, form: Form) -> None:
        self.op = op
        self.form = form
        self.dropped: set[int] = set()
        self.places: dict[int, int] = {}
        self.order: list[int] = []

    def can_drop(self, place: int) -> bool:
        """Drops an operand if others tell how often the loops run; whether they do."""
        gone = {*self.dropped, place}
        maps = [map for number, map in enumerate(self.form.maps) if number not in gone]
        if not are_found(maps, len(self.form.loops)):
            return False
        self.dropped.add(place)
        return True

    def merge(self, place: int, other: int) -> None:
        self.places[place] = other
        self.dropped.add(place)

    def keep(self, place: int) -> int:
        self.places[place] = len(self.order)
        self.order.append(place)
        return self.places[place]


def drop_unneeded(op: GenericOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """Operands that the body does not use, or that it reads twice, and results that are not used, go."""
    form = form_of(op)
    if form is None:
        return NO_MATCH
    kept = _Kept(op, form)
    _keep_inputs(kept)
    count = len(kept.order)
    _keep_inits(kept)
    if len(kept.order) == len(op.operands):
        return Failure("failed to dedup operands/remove dead results")
    _without(kept, count, rewriter)
    return None


def _keep_inputs(kept: _Kept) -> None:
    seen: dict[tuple[Value, AffineMap], int] = {}
    for place, value in enumerate(kept.form.inputs):
        if not reads(kept.op, place) and kept.can_drop(place):
            continue
        key = value, kept.form.maps[place]
        if key in seen:
            kept.merge(place, seen[key])
        else:
            seen[key] = kept.keep(place)


def _keep_inits(kept: _Kept) -> None:
    """All, unless they are tensors."""
    op, form = kept.op, kept.form
    first, is_on_tensors = len(form.inputs), works_on_tensors(op)
    seen: dict[tuple[Value, AffineMap, Value], int] = {}
    for number, value in enumerate(form.inits):
        place = first + number
        key = value, form.maps[place], yielded(op)[number]
        if is_on_tensors and _is_dead(op, number, place) and kept.can_drop(place):
            continue
        if is_on_tensors and not reads(op, place) and key in seen:
            kept.merge(place, seen[key])
        else:
            seen[key] = kept.keep(place)


def _is_dead(op: Operation, number: int, place: int) -> bool:
    """Whether nothing uses a result, and the body what is there before only to yield it again."""
    if op.results[number].uses:
        return False
    argument = argument_of(op, place)
    if not argument.uses:
        return True
    if not has_one_use(argument):
        return False
    (user,) = argument.uses
    return isinstance(user, YieldOp) and user.operands[number] is argument


def _without(kept: _Kept, count: int, rewriter: Rewriter) -> None:
    """The operation with the operands that are kept, the first ones inputs."""
    op, form = kept.op, kept.form
    values = [form.values[place] for place in kept.order]
    block = Block([scalar_type(value.type) for value in values])
    for argument, value in zip(block.arguments, values, strict=True):
        argument.span, argument.location = source_of(value)
    maps = [form.maps[place] for place in kept.order]
    made = create_generic(rewriter, Form(values[:count], values[count:], maps, form.loops), None, Region([block]))
    made.properties.update({name: op.properties[name] for name in ("doc", "library_call") if name in op.properties})
    made.attributes.update(op.attributes)
    first = len(form.inputs)
    source = body_of(op)
    results = [place - first for place in kept.order[count:]]
    if len(results) != len(form.inits) and source.last is not None:
        with rewriter.elsewhere(), rewriter.standing_in(source.last):
            rewriter.set_insertion_before(source.last)
            rewriter.replace_with(source.last, "linalg.yield", [yielded(op)[number] for number in results])
    arguments = [
        block.arguments[kept.places[place]] if place in kept.places else argument
        for place, argument in enumerate(source.arguments)
    ]
    rewriter.inline_block_before(source, block, None, arguments)
    if op.results:
        where = [kept.places.get(first + number) for number in range(len(op.results))]
        replaced = [
            old if place is None else made.results[place - count] for old, place in zip(op.results, where, strict=True)
        ]
        rewriter.replace(op, replaced)
    else:
        rewriter.erase(op)


def drop_cycles(op: GenericOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """What is computed of a result that nothing uses, for that result only, is not computed."""
    form = form_of(op)
    if form is None or not works_on_tensors(op):
        return NO_MATCH
    changed = False
    for number, result in enumerate(op.results):
        argument = argument_of(op, len(form.inputs) + number)
        if result.uses or not has_one_use(argument):
            continue
        (maker,) = argument.uses
        if len(maker.results) != 1 or not has_one_use(maker.results[0]):
            continue
        (user,) = maker.results[0].uses
        if not isinstance(user, YieldOp) or user.operands[number] is not maker.results[0]:
            continue
        rewriter.replace(maker, [argument])
        rewriter.modify(op, lambda: None)
        changed = True
    return None if changed else Failure("each result is used, or its output is read for something else")


KNOWN: Final = (
    Pattern("linalg.generic", read_filled, name="FoldFillWithGenericOp"),
    Pattern("linalg.generic", read_constant, name="FoldScalarOrSplatConstant"),
    Pattern("linalg.generic", write_over_empty, name="RemoveOutsDependency"),
)
UNNEEDED: Final = (
    Pattern("linalg.generic", drop_unneeded, name="DeduplicateAndRemoveDeadOperandsAndResults"),
    Pattern("linalg.generic", drop_cycles, name="RemoveUnusedCycleInGenericOp"),
)
