"""A `linalg.generic` that computes element for element what another one reads, in that other one.

    %0 = linalg.generic … ins(%a : tensor<4xf32>) { … arith.negf … }
    %1 = linalg.generic … ins(%0, %b : tensor<4xf32>, tensor<4xf32>) { … arith.addf … }
->
    %1 = linalg.generic … ins(%a, %b : tensor<4xf32>, tensor<4xf32>) { … arith.negf … arith.addf … }

Source of the rules: `ElementwiseOpFusion.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.affine import AffineDim, AffineMap
from fathom.ir.attributes import AffineMapAttr, i64_attr
from fathom.ir.operation import Block, OpResult
from fathom.ir.types import INDEX, TensorType
from fathom.ops.linalg import GenericOp, IndexOp
from fathom.passes.structured.generics import (
    Form,
    add_argument_like,
    are_found,
    body_of,
    composed,
    create_generic,
    form_of,
    inverse,
    is_permutation,
    may_go,
    reads,
    works_on_tensors,
    yielded,
)
from fathom.records import record
from fathom.rewriting.pattern import NO_MATCH, Failure, Pattern

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter


@record
class _Pair:
    """What computes an operand of another operation, and that one."""

    producer: Operation
    of_producer: Form
    consumer: Operation
    of_consumer: Form
    place: int
    """Which input of the consumer it is."""
    number: int
    """Which result of the producer it is."""

    @property
    def read(self) -> AffineMap:
        """From the consumer's loops to places in the operand."""
        return self.of_consumer.maps[self.place]

    @property
    def written(self) -> AffineMap:
        """From the producer's loops to places in its result."""
        return self.of_producer.maps[len(self.of_producer.inputs) + self.number]

    @property
    def loops(self) -> AffineMap:
        """From the consumer's loops to the producer's."""
        return composed(inverse(self.written), self.read)

    def seen(self, map: AffineMap) -> AffineMap:
        """A map of the producer's in loops of the consumer."""
        return composed(composed(map, inverse(self.written)), self.read)


def fuse(op: GenericOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """The first operand that can be is computed here, if nothing else uses it."""
    form = form_of(op)
    if form is None:
        return NO_MATCH
    for place, value in enumerate(form.inputs):
        pair = _pair(op, form, place, value)
        if pair is not None and may_go(value):
            return _fused(pair, rewriter)
    return Failure("no input comes from an elementwise 'linalg.generic' whose loops this one can run")


def _pair(op: Operation, form: Form, place: int, value: Value) -> _Pair | None:
    """What computes an operand, if it can be fused."""
    producer = value.defining_op
    if not isinstance(producer, GenericOp) or not isinstance(value, OpResult) or not works_on_tensors(producer):
        return None
    inner = form_of(producer)
    if inner is None or not inner.is_parallel or not isinstance(value.type, TensorType):
        return None
    pair = _Pair(producer, inner, op, form, place, value.index)
    if len(pair.read.results) != len(inner.loops) or not is_permutation(pair.written):
        return None
    return pair if form.is_parallel or _stays_bounded(pair, value) else None


def _stays_bounded(pair: _Pair, value: Value) -> bool:
    """Whether other operands tell how often the loops run."""
    form = pair.of_consumer
    maps = [map for operand, map in zip(form.values, form.maps, strict=True) if operand is not value]
    maps += map_seen(pair, len(pair.of_producer.inputs))
    covered = {result.position for map in maps for result in map.results if isinstance(result, AffineDim)}
    return len(covered) == len(form.loops)


def map_seen(pair: _Pair, count: int) -> list[AffineMap]:
    """The maps of the first operands of the producer in loops of the consumer."""
    return [pair.seen(map) for map in pair.of_producer.maps[:count]]


def _preserved(pair: _Pair) -> list[int]:
    """The results of the producer that are also results of what is made: they are used elsewhere, or what they are
    written over is needed."""
    kept: list[int] = []
    form, other = pair.of_producer, pair.of_consumer
    dropped: set[int] = set()
    for number, result in enumerate(pair.producer.results):
        init = len(form.inputs) + number
        maps = [map for place, map in enumerate(form.maps) if place not in {*dropped, init}]
        maps += [map for place, map in enumerate(other.maps) if place != pair.place]
        is_bounded = are_found(maps) if maps else not form.loops and not other.loops
        used = any(user is not pair.consumer for user in result.uses)
        if reads(pair.producer, init) or not is_bounded or used:
            kept.append(number)
        else:
            dropped.add(init)
    return kept


def _fused(pair: _Pair, rewriter: Rewriter) -> Failure | None:
    inner, outer, place = pair.of_producer, pair.of_consumer, pair.place
    kept = _preserved(pair)
    inits = [inner.inits[number] for number in kept]
    count = len(outer.inputs)
    maps = [
        *outer.maps[:place],
        *map_seen(pair, len(inner.inputs)),
        *outer.maps[place + 1 : count],
        *(pair.seen(inner.maps[len(inner.inputs) + number]) for number in kept),
        *outer.maps[count:],
    ]
    inputs = [*outer.inputs[:place], *inner.inputs, *outer.inputs[place + 1 :]]
    if not are_found(maps, len(outer.loops)):
        return Failure("fused op failed loop bound computation check")
    made = create_generic(rewriter, Form(inputs, [*inits, *outer.inits], maps, outer.loops))
    with rewriter.elsewhere():
        _fill(pair, kept, made, rewriter)
    rewriter.replace(pair.consumer, list(made.results[len(kept) :]))
    return None


def _fill(pair: _Pair, kept: Sequence[int], made: Operation, rewriter: Rewriter) -> None:
    """The body: what the producer computes of its operands, and then what the consumer does."""
    first, second = body_of(pair.producer), body_of(pair.consumer)
    block = made.regions[0].append(Block())
    rewriter.set_insertion_to_end(block)
    values: dict[Value, Value] = {}
    indices = [op for op in first if isinstance(op, IndexOp)]
    if indices:
        with rewriter.standing_in(pair.producer):
            _indices(pair, indices, values, rewriter)
    inner, outer = len(pair.of_producer.inputs), len(pair.of_consumer.inputs)
    for argument in (
        *second.arguments[: pair.place],
        *first.arguments[:inner],
        *second.arguments[pair.place + 1 : outer],
        *(first.arguments[inner + number] for number in kept),
        *second.arguments[outer:],
    ):
        values[argument] = add_argument_like(block, argument)
    _clone(first, values, rewriter)
    result = yielded(pair.producer)[pair.number]
    values[second.arguments[pair.place]] = values.get(result, result)
    _clone(second, values, rewriter)
    results = [*(yielded(pair.producer)[number] for number in kept), *yielded(pair.consumer)]
    rewriter.create("linalg.yield", [values.get(result, result) for result in results])


def _indices(pair: _Pair, indices: Sequence[IndexOp], values: dict[Value, Value], rewriter: Rewriter) -> None:
    """Where the producer asks for the index of a loop, that follows from those of the consumer."""
    dims = range(len(pair.of_consumer.loops))
    results = [rewriter.create("linalg.index", (), [INDEX], {"dim": i64_attr(dim)}).result for dim in dims]
    for op in indices:
        map = AffineMap(len(results), 0, (pair.loops.results[op.dim.value],))
        values[op.result] = rewriter.create("affine.apply", results, [INDEX], {"map": AffineMapAttr(map)}).result


def _clone(block: Block, values: dict[Value, Value], rewriter: Rewriter) -> None:
    """Copies all operations but the last one, and those whose results are known."""
    for op in block:
        if op is not block.last and not (op.results and op.results[0] in values):
            rewriter.clone(op, values)


PATTERNS: Final = (Pattern("linalg.generic", fuse, name="FuseElementwiseOps"),)
