"""A structured operation as one operation on vectors for each in its body.

    %r = linalg.generic ins(%a) outs(%o) { addf }       on tensor<4x8xf32>
->
    %0 = vector.transfer_read %a[%c0, %c0], %p : tensor<4x8xf32>, vector<4x8xf32>
    %1 = vector.transfer_read %o[%c0, %c0], %p : tensor<4x8xf32>, vector<4x8xf32>
    %2 = arith.addf %0, %1 : vector<4x8xf32>
    %r = vector.transfer_write %2, %o[%c0, %c0] : vector<4x8xf32>, tensor<4x8xf32>

All vectors have the shape of the loops, or of those of them that a value depends on. Where the loops run less often
than a vector has elements, a mask says how often. Source of the rules: `vectorizeAsLinalgGeneric` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.bufferization.models import destinations_of
from fathom.dialects.linalg.bodies import scalar_type
from fathom.dialects.linalg.structured import is_projected_permutation, maps_and_loops, static_ranges
from fathom.dialects.vector.common import can_broadcast
from fathom.ir.affine import AffineConstant, AffineDim, AffineMap
from fathom.ir.attributes import TRUE, AffineMapAttr, ArrayAttr, DenseArrayAttr
from fathom.ir.clone import clone
from fathom.ir.operation import Block, BlockArgument, Region
from fathom.ir.types import DYNAMIC, I1, I64, INDEX, FloatType, IndexType, IntegerType, ShapedType, VectorType
from fathom.irdl.traits import CONSTANT_LIKE, ELEMENTWISE
from fathom.ops import arith
from fathom.ops.linalg import IndexOp, YieldOp
from fathom.ops.vector import TransferReadOp, TransferWriteOp
from fathom.passes.arithmetic import constant
from fathom.passes.vectors.building import broadcast, poison, transpose
from fathom.passes.vectors.combining import combining_kind
from fathom.passes.vectors.transfers import read, write
from fathom.records import record, replace
from fathom.rewriting.folding import create_or_fold
from fathom.rewriting.reasons import called, called_op
from fathom.rewriting.result_shapes import dim

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Type
    from fathom.rewriting.rewriter import Rewriter

COMBINERS: Final = (
    (arith.AddiOp, "add"),
    (arith.AddfOp, "add"),
    (arith.MuliOp, "mul"),
    (arith.MulfOp, "mul"),
    (arith.AndiOp, "and"),
    (arith.OriOp, "or"),
    (arith.XoriOp, "xor"),
    (arith.MaxsiOp, "maxsi"),
    (arith.MaxuiOp, "maxui"),
    (arith.MinsiOp, "minsi"),
    (arith.MinuiOp, "minui"),
    (arith.MaximumfOp, "maximumf"),
    (arith.MinimumfOp, "minimumf"),
    (arith.MaxnumfOp, "maxnumf"),
    (arith.MinnumfOp, "minnumf"),
)
"""How vectors are combined by what combines scalars."""


def _kind(op: Operation) -> str | None:
    """How an operation combines, if it does."""
    return next((kind for class_, kind in COMBINERS if isinstance(op, class_)), None)


@record(eq=False)
class Shape:
    """Of vectors: how many elements there are for each loop, which of them count as often as the machine says, and
    whether dimensions that are not known are taken to be as large."""

    sizes: Sequence[int]
    scalable: Sequence[bool]
    is_exact: bool = False

    def of(self, element: Type, loops: Sequence[int]) -> VectorType:
        """The vector over some loops."""
        sizes, scalable = [self.sizes[each] for each in loops], tuple(self.scalable[each] for each in loops)
        return VectorType(tuple(sizes), element, scalable) if any(scalable) else VectorType(tuple(sizes), element)


def vectorize(op: Operation, shape: Shape | None, rewriter: Rewriter) -> list[Value] | str:
    """What takes the place of the results of a structured operation; or why it has no form with vectors. Without a
    shape the vectors are as large as the operands, of which all sizes are known."""
    form, ranges = maps_and_loops(op), static_ranges(op)
    if form is None or ranges is None:
        return "how its loops run over its operands is not known"
    if (reason := _why_not(op, *form, ranges, shape)) is not None:
        return reason
    if shape is None:
        if DYNAMIC in ranges:
            return f"loop {ranges.index(DYNAMIC)} runs over a size that is not known, and no vector sizes are given"
        shape = Shape(ranges, [False] * len(ranges))
    rewriter.set_insertion_before(op)
    rewriter.stand_in(op)
    return _Vectorization(op, *form, ranges, shape, rewriter).run()


# ---- whether it can be


def _why_not(
    op: Operation, maps: Sequence[AffineMap], loops: str, ranges: Sequence[int], shape: Shape | None
) -> str | None:
    """Why an operation has no form with vectors; None where it has one."""
    if shape is not None:
        if len(shape.sizes) != len(ranges):
            return f"{len(shape.sizes)} vector sizes are given; the number of its loops is {len(ranges)}"
        for loop, (size, most) in enumerate(zip(ranges, shape.sizes, strict=True)):
            if size not in (DYNAMIC, 0) and size > most:
                return f"loop {loop} runs over {size}, and its vector size is {most}"
    for value, map in zip(op.operands, maps, strict=True):
        if isinstance(value.type, ShapedType) and 0 in value.type.ranked_shape:
            return f"{called(value)} has no elements"
        if not is_projected_permutation(map):
            return f"the map of {called(value)} is no projected permutation: {AffineMapAttr(map)}"
    return _why_not_in_body(op) or _why_not_written(op, maps, loops)


def _why_not_in_body(op: Operation) -> str | None:
    for each in op.regions[0].entry:
        for value in (*each.operands, *each.results):
            if not isinstance(value.type, (FloatType, IntegerType, IndexType)):
                return f"the {called_op(each)} in it is on {value.type}, which is no element of a vector"
    for each in op.regions[0].entry:
        if not is_by_elements(each):
            return f"the {called_op(each)} in it is neither elementwise nor a constant"
    return None


def _why_not_written(op: Operation, maps: Sequence[AffineMap], loops: str) -> str | None:
    """Why it cannot be said what is written to each of what it writes to."""
    for number, place in enumerate(destinations_of(op)):
        if len(maps[place].results) >= len(loops):
            continue
        what = f"{called(op.operands[place])}, which it writes, does not depend on all its loops"
        if "r" not in loops:
            return f"{what}, and none of these is a reduction"
        combined = _combined(op, number)
        if combined is None:
            return f"{what}, and what it carries for it is not combined once with one new value"
        if _kind(combined[0]) is None:
            return f"{what}, and vectors are not combined by the {called_op(combined[0])} that reduces it"
    return None


def is_by_elements(op: Operation) -> bool:
    """Whether an operation in a body works on each element alone."""
    return op.has(ELEMENTWISE) or op.has(CONSTANT_LIKE) or isinstance(op, (YieldOp, IndexOp))


def _combined(op: Operation, number: int) -> tuple[Operation, Value] | None:
    """What combines what is carried for an init with a value that is new in each iteration, and that value; None where
    what is carried goes through more than that."""
    block = op.regions[0].entry
    argument = block.arguments[destinations_of(op)[number]]
    if sum(argument.uses.values()) != 1:
        return None
    (combiner,) = argument.uses
    if len(combiner.operands) != 2 or len(combiner.results) != 1 or sum(combiner.result.uses.values()) != 1:
        return None
    if block.end.operands[number] is not combiner.result:
        return None
    first, second = combiner.operands
    return combiner, second if first is argument else first


# ---- what it becomes


class _Vectorization:
    """`known` are the vectors, or scalars, that values of the body became."""

    def __init__(
        self,
        op: Operation,
        maps: Sequence[AffineMap],
        loops: str,
        ranges: Sequence[int],
        shape: Shape,
        rewriter: Rewriter,
    ) -> None:
        self.op, self.maps, self.loops = op, maps, loops
        self.ranges, self.shape, self.rewriter = ranges, shape, rewriter
        self.known: dict[Value, Value] = {}
        self.masks: dict[tuple[int, ...], Value | None] = {}
        self.extents: list[Value] = []

    def run(self) -> list[Value]:
        self.extents = [self._extent(loop) for loop in range(len(self.loops))]
        zero = constant(self.rewriter, 0)
        block = self.op.regions[0].entry
        for place, (value, argument) in enumerate(zip(self.op.operands, block.arguments, strict=True)):
            self.known[argument] = self._read(place, value, zero) if isinstance(value.type, ShapedType) else value
        results: list[Value] = []
        for inner in block:
            if isinstance(inner, YieldOp):
                results = [found for number in range(len(inner.operands)) if (found := self._write(inner, number))]
            else:
                with self.rewriter.standing_in(inner):
                    self._vectorize(inner)
        return results

    def _extent(self, loop: int) -> Value:
        """How often a loop runs."""
        if self.ranges[loop] != DYNAMIC:
            return constant(self.rewriter, self.ranges[loop])
        found = next(
            (value, [*map.results].index(AffineDim(loop)))
            for value, map in zip(self.op.operands, self.maps, strict=True)
            if AffineDim(loop) in map.results
        )
        return dim(self.rewriter, *found)

    def _loops_of(self, place: int) -> list[int]:
        """The loops that an operand is over, in the order of its dimensions."""
        return [expr.position for expr in self.maps[place].results if isinstance(expr, AffineDim)]

    def _read(self, place: int, value: Value, zero: Value) -> Value:
        loops, count = self._loops_of(place), len(self.loops)
        element = scalar_type(value.type)
        dims = {loop: AffineDim(index) for index, loop in enumerate(loops)}
        if place in destinations_of(self.op):
            over = sorted(loops)
            results = tuple(dims[loop] for loop in over)
        else:
            over = list(range(count))
            results = tuple(dims.get(loop, AffineConstant(0)) for loop in over)
        type = self.shape.of(element, over)
        padding = poison(self.rewriter, element)
        map = AffineMap(len(loops), 0, results)
        made = read(self.rewriter, value, [zero] * len(loops), padding, type, map, self._bounds(map, value))
        found = self._masked(made, loops).result
        if type.shape:
            return found
        properties = {"static_position": DenseArrayAttr(I64, ())}
        return self.rewriter.create("vector.extract", [found], [element], properties).result

    def _bounds(self, map: AffineMap, value: Value) -> list[bool]:
        """A transfer is taken to leave the tensor or buffer, but in a dimension of which nothing is known where that is
        said to be as large as the vector."""
        shape = value.type.ranked_shape if isinstance(value.type, ShapedType) else ()
        is_open = [isinstance(each, AffineDim) and shape[each.position] == DYNAMIC for each in map.results]
        return [self.shape.is_exact and each for each in is_open]

    def _write(self, end: YieldOp, number: int) -> Value | None:
        value = self._of(end.operands[number])
        with self.rewriter.standing_in(value):
            return self._write_value(value, number)

    def _write_value(self, value: Value, number: int) -> Value | None:
        place = destinations_of(self.op)[number]
        target, loops = self.op.operands[place], self._loops_of(place)
        over = sorted(loops)
        type = self.shape.of(scalar_type(target.type), over)
        zero = constant(self.rewriter, 0)
        dims = {loop: AffineDim(index) for index, loop in enumerate(loops)}
        map = AffineMap(len(loops), 0, tuple(dims[loop] for loop in over))
        value = self._spread(value, type) if over else self._as_vector(value, type)
        made = write(self.rewriter, value, target, [zero] * len(loops), map, self._bounds(map, target))
        written = self._masked(made, loops)
        return written.results[0] if written.results else None

    def _as_vector(self, value: Value, type: VectorType) -> Value:
        return value if isinstance(value.type, VectorType) else broadcast(self.rewriter, value, type)

    def _masked(self, made: Operation, loops: Sequence[int]) -> Operation:
        """What was just made, under a mask over some loops where they run less often than that has elements."""
        mask = self._mask(tuple(loops))
        if mask is None:
            return made
        if isinstance(made, (TransferReadOp, TransferWriteOp)):
            made.properties["in_bounds"] = ArrayAttr((TRUE,) * len(made.in_bounds.elements))
        rewriter, body = self.rewriter, Block()
        region = Region([body])
        rewriter.move_before(made, body, None)
        with rewriter.elsewhere():
            rewriter.set_insertion_to_end(body)
            rewriter.create("vector.yield", made.results)
        return rewriter.create("vector.mask", [mask], [each.type for each in made.results], regions=[region])

    def _mask(self, loops: tuple[int, ...]) -> Value | None:
        if loops not in self.masks:
            type = self.shape.of(I1, loops)
            pairs = [(self.ranges[loop], self.shape.sizes[loop]) for loop in loops]
            exact = [range in (size, DYNAMIC if self.shape.is_exact else size) for range, size in pairs]
            upper = [self.extents[loop] for loop in loops]
            needed = not all(exact) or any(self.shape.scalable[loop] for loop in loops)
            with self.rewriter.standing_in(self.op):
                self.masks[loops] = self.rewriter.create("vector.create_mask", upper, [type]).result if needed else None
        return self.masks[loops]

    def _of(self, value: Value) -> Value:
        """What a value became; one from outside of the body stays."""
        return self.known.get(value, value)

    def _spread(self, value: Value, type: VectorType) -> Value:
        if value.type == type or not type.shape or not can_broadcast(value.type, type):
            return value
        with self.rewriter.standing_in(self.op):
            return create_or_fold(self.rewriter, "vector.broadcast", [value], type)

    def _vectorize(self, op: Operation) -> None:
        if isinstance(op, IndexOp):
            self.known[op.result] = self._index(op.dim.value)
        elif op.has(CONSTANT_LIKE):
            self.known[op.result] = self.rewriter.insert(clone(op)).result
        elif (reduced := self._reduced(op)) is not None:
            self.known[op.result] = reduced
        else:
            self._by_elements(op)

    def _index(self, loop: int) -> Value:
        """The numbers of the iterations of a loop."""
        rewriter, last = self.rewriter, len(self.loops) - 1
        steps = rewriter.create("vector.step", [], [self.shape.of(INDEX, [loop])]).result
        if loop == last:
            return steps
        order = list(range(last + 1))
        order[loop], order[last] = last, loop
        return transpose(rewriter, broadcast(rewriter, steps, self.shape.of(INDEX, order)), order)

    def _reduced(self, op: Operation) -> Value | None:
        """A reduction of what a combiner adds, if that has more dimensions than what it is added to."""
        block, first = self.op.regions[0].entry, destinations_of(self.op).start
        for operand in op.operands:
            if not isinstance(operand, BlockArgument) or operand.block is not block or operand.index < first:
                continue
            combined = _combined(self.op, operand.index - first)
            if combined is None or combined[0] is not op:
                continue
            source, start = self._of(combined[1]), self._of(operand)
            if not isinstance(source.type, VectorType):
                return None
            if isinstance(start.type, VectorType) and start.type.shape == source.type.shape:
                return None
            dims, kind = tuple(place for place, of in enumerate(self.loops) if of == "r"), _kind(op)
            assert kind is not None, "it was looked at before"
            properties = {"kind": combining_kind(kind), "reduction_dims": DenseArrayAttr(I64, dims)}
            made = self.rewriter.create("vector.multi_reduction", [source, start], [start.type], properties)
            return self._masked(made, range(len(self.loops))).result
        return None

    def _by_elements(self, op: Operation) -> None:
        operands = [self._of(operand) for operand in op.operands]
        widest: VectorType | None = None
        for operand in operands:
            type = operand.type
            if isinstance(type, VectorType) and (widest is None or len(type.ranked_shape) > len(widest.ranked_shape)):
                widest = type
        if widest is None:
            made = self.rewriter.create(
                op.definition or op.name, operands, [each.type for each in op.results], op.properties, op.attributes
            )
        else:
            shaped = widest
            operands = [self._spread(each, _like(shaped, _element(each.type))) for each in operands]
            types = [_like(shaped, each.type) for each in op.results]
            made = self.rewriter.create(op.definition or op.name, operands, types, op.properties, op.attributes)
        self.known.update(zip(op.results, made.results, strict=True))


def _element(type: Type) -> Type:
    return type.element if isinstance(type, VectorType) else type


def _like(type: VectorType, element: Type) -> VectorType:
    """The vector of other elements."""
    return replace(type, element=element)
