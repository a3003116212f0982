"""Contractions that are products of matrices, by the instructions of Arm processors that multiply small ones.

An instruction multiplies two rows by two columns and adds the four sums to those before: `smmla`, `ummla` and `usmmla`
take eight integers of a row, `bfmmla` four floats. Source of the rules: what mlir-opt 22 makes of such contractions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Final

from fathom.dialects.vector.common import count_of, flags, kind_of, masking_op, rank, vector_of, vector_type
from fathom.dialects.vector.contractions import iterators_of
from fathom.ir.attributes import DenseArrayAttr, i64_attr
from fathom.ir.types import BF16, F32, I8, I32, I64, IntegerType, Type, VectorType, element_type
from fathom.ops.vector import ContractOp
from fathom.passes.arithmetic import constant
from fathom.passes.vectors.building import extract, insert, numbers, poison, shuffle, transpose
from fathom.passes.vectors.contractions import places_of
from fathom.records import record
from fathom.rewriting.allowance import too_many_operations
from fathom.rewriting.folding import create_or_fold
from fathom.rewriting.pattern import Failure, Pattern
from fathom.rewriting.rewriter import source_of
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Value
    from fathom.rewriting.rewriter import Rewriter

NO_PRODUCT: Final = Failure("it is no product of matrices that there is an instruction for")
"""A contraction is left to the patterns for all processors."""

CONTRACT: Final = "vector.contract"

OF_MATRICES: Final = (["parallel", "parallel", "reduction"], [[0, 2], [1, 2], [0, 1]])
OF_ROW: Final = (["parallel", "reduction"], [[1], [0, 1], [0]])
"""The loops of a product of a matrix, or of one row, with a matrix that is transposed, and those of its operands."""


@record
class Product:
    """The instruction for a contraction, and the matrices before they were extended. There is none for a signed matrix
    times an unsigned one: the operands are `swapped`, and what comes of it is transposed."""

    instruction: str
    lhs: Value
    rhs: Value
    signs: tuple[bool, bool] = (True, True)
    """Whether the numbers of each are extended with their signs."""

    @property
    def swapped(self) -> bool:
        return self.signs == (True, False)


def _source(value: Value, extension: str, widest: int) -> Value | None:
    """What a value was extended from; it itself, if it stands for its extension with the sign."""
    op = value.defining_op
    if op is not None and op.name == extension:
        source = op.operands[0]
        element = element_type(source.type)
        return source if _is_small(element, widest) and element_type(value.type) == I32 else None
    return value if extension == SIGNED and _is_small(element_type(value.type), widest) else None


def _is_small(element: Type, widest: int) -> bool:
    return isinstance(element, IntegerType) and not element.signedness and element.width <= widest


SIGNED: Final = "arith.extsi"
UNSIGNED: Final = "arith.extui"


def _of_integers(op: ContractOp, narrowest: int) -> Product | None:
    """The product of matrices of bytes, or of fewer bits, down to `narrowest`."""
    sources: list[Value] = []
    signs: list[bool] = []
    for name in ("lhs", "rhs"):
        value = op.one_of(name)
        for extension in (SIGNED, UNSIGNED):
            source = _source(value, extension, 8)
            if source is not None:
                break
        else:
            return None
        element = element_type(source.type)
        if not isinstance(element, IntegerType) or element.width < narrowest:
            return None
        sources.append(source)
        signs.append(extension == SIGNED)
    (lhs, rhs), (of_lhs, of_rhs) = sources, signs
    instruction = "usmmla" if of_lhs != of_rhs else "smmla" if of_lhs else "ummla"
    return Product(instruction, lhs, rhs, (of_lhs, of_rhs))


def _of_floats(op: ContractOp) -> Product | None:
    lhs, rhs = op.lhs, op.rhs
    return Product("bfmmla", lhs, rhs) if element_type(lhs.type) == BF16 == element_type(rhs.type) else None


def _is_sum(op: ContractOp, element: Type) -> bool:
    """Whether products are added up in elements of a type, under no mask."""
    result = op.result.type
    if masking_op(op) is not None or kind_of(op.kind) != "add":
        return False
    return isinstance(result, VectorType) and result.element == element


# ---- vectors of fixed length


def _neon(pattern: str, find: Callable[[ContractOp], Product | None], element: Type, depth: int) -> Pattern:
    """The pattern for products whose sums are of a type, of so many elements of a row at once."""

    def rewrite(op: ContractOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        if (iterators_of(op), places_of(op)) not in (OF_MATRICES, OF_ROW):
            return NO_PRODUCT
        lhs, rhs = vector_type(op.lhs), vector_type(op.rhs)
        if not _is_sum(op, element) or lhs.scalable or rhs.scalable:
            return NO_PRODUCT
        rows = lhs.ranked_shape[0] if rank(lhs) == 2 else 1
        form = find(op)
        if (rows != 1 and rows % 2) or rhs.ranked_shape[0] % 2 or rhs.ranked_shape[1] % depth or form is None:
            return NO_PRODUCT
        if (refused := too_many_operations(op, 4 * rows * prod(rhs.ranked_shape) // depth)) is not None:
            return refused
        rewriter.replace(op, [_Tiles(op, rewriter, _of_bytes(rewriter, form), rows == 1, depth).multiply()])
        return None

    return Pattern(CONTRACT, rewrite, benefit=2, name=pattern)


def _of_bytes(rewriter: Rewriter, form: Product) -> Product:
    """The product with its integers extended to bytes."""

    def extended(value: Value, with_sign: bool) -> Value:
        type = vector_type(value)
        if not isinstance(type.element, IntegerType) or type.element.width >= I8.width:
            return value
        wide = vector_of(type.ranked_shape, I8, flags(type))
        return create_or_fold(rewriter, SIGNED if with_sign else UNSIGNED, [value], wide)

    lhs, rhs = (extended(value, sign) for value, sign in zip((form.lhs, form.rhs), form.signs, strict=True))
    return Product(form.instruction, lhs, rhs, form.signs)


class _Tiles:
    """A product taken apart into tiles of two rows by two columns."""

    def __init__(self, op: ContractOp, rewriter: Rewriter, form: Product, of_one_row: bool, depth: int) -> None:
        self.op = op
        self.rewriter = rewriter
        self.form = form
        self.of_one_row = of_one_row
        self.places = places_of(op)
        count = len(iterators_of(op))
        self.tile = [2, depth] if count == 2 else [1 if of_one_row else 2, 2, depth]
        operands = (form.lhs, form.rhs, op.acc)
        sizes = {
            place: vector_type(value).ranked_shape[dim]
            for value, places in zip(operands, self.places, strict=True)
            for dim, place in enumerate(places)
        }
        self.extents = [sizes[place] for place in range(count)]
        self.input = vector_of([2, depth], element_type(form.lhs.type))
        self.output = vector_of([2, 2], element_type(op.result.type))

    def multiply(self) -> Value:
        """The sums are begun with the tile of the accumulator, and go on along the rows."""
        rewriter, form = self.rewriter, self.form
        made = constant(rewriter, 0, self.op.result.type)
        sums: Value | None = None
        steps = [range(0, extent, size) for extent, size in zip(self.extents, self.tile, strict=True)]
        for offsets in product(*steps):
            checkpoint()
            lhs = self._part(form.lhs, 0, offsets)
            rhs = self._part(form.rhs, 1, offsets)
            acc = self._part(self.op.acc, 2, offsets)
            if self.of_one_row:
                lhs, acc = self._of_two_rows(lhs, self.input), self._of_two_rows(acc, self.output)
            if form.swapped:
                acc = transpose(rewriter, acc)
            parts = [_reshaped(rewriter, side, _flat(self.input)) for side in (lhs, rhs)]
            if sums is None or offsets[-1] == 0:
                sums = _reshaped(rewriter, acc, _flat(self.output))
            if form.swapped:
                parts.reverse()
            sums = rewriter.create(f"arm_neon.intr.{form.instruction}", [sums, *parts], [sums.type]).result
            tile = _reshaped(rewriter, sums, vector_type(acc))
            if form.swapped:
                tile = transpose(rewriter, tile)
            if self.of_one_row:
                first = {"static_position": DenseArrayAttr(I64, (0,))}
                tile = create_or_fold(rewriter, "vector.extract", [tile], vector_of([2], self.output.element), first)
            made = _put(rewriter, tile, made, [offsets[place] for place in self.places[2]])
        return made

    def _part(self, value: Value, operand: int, offsets: Sequence[int]) -> Value:
        """The tile of an operand."""
        places, type = self.places[operand], vector_type(value)
        sizes = [self.tile[place] for place in places]
        properties: dict[str, Attribute] = {
            "offsets": numbers(offsets[place] for place in places),
            "sizes": numbers(sizes),
            "strides": numbers([1] * len(sizes)),
        }
        result = vector_of(sizes, type.element)
        return create_or_fold(self.rewriter, "vector.extract_strided_slice", [value], result, properties)

    def _of_two_rows(self, row: Value, type: VectorType) -> Value:
        """A tile of one row, with another one of zeros."""
        return _put(self.rewriter, row, constant(self.rewriter, 0, type), [0, 0])


def _put(rewriter: Rewriter, value: Value, dest: Value, offsets: Sequence[int]) -> Value:
    properties: dict[str, Attribute] = {"offsets": numbers(offsets), "strides": numbers([1] * rank(value.type))}
    return create_or_fold(rewriter, "vector.insert_strided_slice", [value, dest], dest.type, properties)


def _flat(type: VectorType) -> VectorType:
    return vector_of([count_of(type)], type.element)


def _reshaped(rewriter: Rewriter, value: Value, type: Type) -> Value:
    """The reshape of a value, which comes from where that does."""
    with rewriter.elsewhere():
        rewriter.span, rewriter.location = source_of(value)
        return create_or_fold(rewriter, "vector.shape_cast", [value], type)


# ---- scalable vectors


def _sve(pattern: str, find: Callable[[ContractOp], Product | None], name: str, element: Type, depth: int) -> Pattern:
    """The pattern for products with a scalable matrix; `name` is what an instruction's operation begins with."""

    def rewrite(op: ContractOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        """The rows of the left matrix are repeated as often as the vector is longer. Two rows of the accumulator are
        interleaved, so that what is added to is side by side, and taken apart again."""
        if (iterators_of(op), places_of(op)) != OF_MATRICES:
            return NO_PRODUCT
        lhs, rhs = vector_type(op.lhs), vector_type(op.rhs)
        rows, columns = lhs.ranked_shape[0], rhs.ranked_shape[0]
        form = find(op)
        if not _is_sum(op, element) or lhs.scalable or flags(rhs) != (True, False) or form is None:
            return NO_PRODUCT
        if lhs.ranked_shape[1] != depth or rhs.ranked_shape[1] != depth or rows % 2 or columns % 2:
            return NO_PRODUCT
        if (refused := too_many_operations(op, 4 * rows * columns)) is not None:
            return refused
        rewriter.replace(op, [_Interleaved(op, rewriter, form, name, depth).multiply(rows, columns)])
        return None

    return Pattern(CONTRACT, rewrite, benefit=2, name=pattern)


class _Interleaved:
    """A product with a scalable matrix of so many columns."""

    def __init__(self, op: ContractOp, rewriter: Rewriter, form: Product, name: str, depth: int) -> None:
        self.rewriter = rewriter
        self.op = op
        self.form = form
        self.name = name
        self.depth = depth
        self.element = element_type(op.result.type)

    def multiply(self, rows: int, columns: int) -> Value:
        rewriter, form = self.rewriter, self.form
        part = _scalable(2 * self.depth, element_type(form.lhs.type))
        sums = _scalable(4, self.element)
        left = [self._repeated(row, part) for row in range(0, rows, 2)]
        whole = _scalable(self.depth * columns, part.element)
        flat = _reshaped(rewriter, form.rhs, whole)
        right = [_slice(rewriter, flat, part, column * self.depth) for column in range(0, columns, 2)]
        before: list[Value] = []
        for row in range(0, rows, 2):
            pair = self._interleaved(row, columns)
            before += [_slice(rewriter, pair, sums, column * 2) for column in range(0, columns, 2)]
        after: list[Value] = []
        for number, start in enumerate(before):
            checkpoint()
            factors = [left[number // (columns // 2)], right[number % (columns // 2)]]
            if form.swapped:
                factors.reverse()
            after.append(rewriter.create(f"{self.name}{form.instruction}", [start, *factors], [sums]).result)
        made = poison(rewriter, self.op.result.type)
        for row in range(0, rows, 2):
            pair = poison(rewriter, _scalable(2 * columns, self.element))
            for number in range(columns // 2):
                tile = after[row // 2 * (columns // 2) + number]
                pair = _insert_scalable(rewriter, tile, pair, number * 4)
            for number, value in enumerate(self._deinterleaved(pair, columns)):
                made = insert(rewriter, value, made, row + number)
        return made

    def _repeated(self, row: int, type: VectorType) -> Value:
        """Two rows of the left matrix, again and again."""
        rewriter = self.rewriter
        pair = [extract(rewriter, self.form.lhs, number) for number in (row, row + 1)]
        both = shuffle(rewriter, pair[0], pair[1], range(2 * self.depth))
        start = _insert_scalable(rewriter, both, poison(rewriter, type), 0)
        return rewriter.create("arm_sve.dupq_lane", [start], [type], {"lane": i64_attr(0)}).result

    def _interleaved(self, row: int, columns: int) -> Value:
        """Two rows of the accumulator, by pairs of elements; one by one where what is added comes transposed."""
        rewriter = self.rewriter
        pair = [extract(rewriter, self.op.acc, number) for number in (row, row + 1)]
        both = _scalable(2 * columns, self.element)
        if self.form.swapped:
            return rewriter.create("vector.interleave", pair, [both]).result
        pair = [_cast(rewriter, part, _scalable(columns // 2, I64)) for part in pair]
        return _cast(rewriter, rewriter.create("vector.interleave", pair, [_scalable(columns, I64)]).result, both)

    def _deinterleaved(self, pair: Value, columns: int) -> Sequence[Value]:
        rewriter, row = self.rewriter, _scalable(columns, self.element)
        if self.form.swapped:
            return rewriter.create("vector.deinterleave", [pair], [row, row]).results
        wide = _cast(rewriter, pair, _scalable(columns, I64))
        halves = rewriter.create("vector.deinterleave", [wide], [_scalable(columns // 2, I64)] * 2).results
        return [_cast(rewriter, half, row) for half in halves]


def _scalable(count: int, element: Type) -> VectorType:
    return vector_of([count], element, [True])


def _slice(rewriter: Rewriter, value: Value, type: VectorType, start: int) -> Value:
    return rewriter.create("vector.scalable.extract", [value], [type], {"pos": i64_attr(start)}).result


def _insert_scalable(rewriter: Rewriter, value: Value, dest: Value, start: int) -> Value:
    return rewriter.create("vector.scalable.insert", [value, dest], [dest.type], {"pos": i64_attr(start)}).result


def _cast(rewriter: Rewriter, value: Value, type: Type) -> Value:
    return rewriter.create("vector.bitcast", [value], [type]).result


# ---- which there are

NEON_I8MM: Final = _neon("LowerContractionToNeonI8MMPattern", lambda op: _of_integers(op, 1), I32, 8)
NEON_BF16: Final = _neon("LowerContractionToNeonBFMMLAPattern", _of_floats, F32, 4)
SVE_I8MM: Final = _sve("LowerContractionToSVEI8MMPattern", lambda op: _of_integers(op, 8), "arm_sve.", I32, 8)
SVE_BF16: Final = _sve("LowerContractionToSVEBFMMLAPattern", _of_floats, "arm_sve.intr.", F32, 4)
