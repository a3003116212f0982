"""Transpositions of vectors as extractions and insertions, or as shuffles of all elements.

Source of the rules: *'vector' Dialect*, `vector.transpose`, and what mlir-opt 22 makes of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.dialects.vector.common import count_of, flags, rank, vector_of, vector_type
from fathom.ir.attributes import DenseArrayAttr, i32_attr
from fathom.ir.types import I64
from fathom.ops.vector import TransposeOp
from fathom.passes.vectors.building import SCALABLE, insert, part_type, poison, positions, shape_cast, shuffle
from fathom.rewriting.allowance import too_many_elements, too_many_operations
from fathom.rewriting.folding import create_or_fold
from fathom.rewriting.pattern import Failure, Pattern, named
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.rewriting.rewriter import Rewriter

Rewrite: TypeAlias = "Callable[[TransposeOp, Sequence[Value], Rewriter], Failure | None]"


def transposes(lowering: str) -> list[Pattern]:
    """The patterns of a way to lower transpositions."""
    shuffles = lowering.startswith("shuffle")
    functions: list[Rewrite] = [as_shape_cast, one_by_one(shuffles)]
    if shuffles:
        functions.append(by_shuffle(lowering == "shuffle16x16"))
    return [Pattern("vector.transpose", function) for function in functions]


@named("Transpose2DWithUnitDimToShapeCast")
def as_shape_cast(op: TransposeOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A row becomes a column, or the other way round: the elements stay in order."""
    type = vector_type(op.result)
    units = [size == 1 and not scalable for size, scalable in zip(type.ranked_shape, flags(type), strict=True)]
    if len(units) != 2 or not any(units) or op.permutation.values != (1, 0):
        return Failure("the elements do not stay in order")
    rewriter.replace(op, [shape_cast(rewriter, op.vector, type)])
    return None


def one_by_one(shuffles: bool) -> Rewrite:
    """The rewrite that moves each part that stays together; with `shuffles`, not where two dimensions change places."""

    @named("TransposeOpLowering")
    def rewrite(op: TransposeOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        type, result = vector_type(op.vector), vector_type(op.result)
        permutation = op.permutation.values
        if type.scalable:
            return SCALABLE
        if shuffles and transposed_slice(op) is not None:
            return Failure("it is a shuffle")
        moved = len(permutation)
        while moved and permutation[moved - 1] == moved - 1:
            moved -= 1
        if (refused := too_many_operations(op, 2 * prod(type.ranked_shape[:moved]))) is not None:
            return refused
        made = poison(rewriter, result)
        for position in positions(type.ranked_shape[:moved]):
            checkpoint()
            place = [position[i] for i in permutation[:moved]]
            part = _extract_or_fold(rewriter, op.vector, position)
            made = _insert_or_fold(rewriter, part, made, place)
        rewriter.replace(op, [made])
        return None

    return rewrite


def _extract_or_fold(rewriter: Rewriter, source: Value, position: Sequence[int]) -> Value:
    type = part_type(vector_type(source), len(position))
    properties = {"static_position": DenseArrayAttr(I64, tuple(position))}
    return create_or_fold(rewriter, "vector.extract", [source], type, properties)


def _insert_or_fold(rewriter: Rewriter, value: Value, dest: Value, position: Sequence[int]) -> Value:
    properties = {"static_position": DenseArrayAttr(I64, tuple(position))}
    return create_or_fold(rewriter, "vector.insert", [value, dest], dest.type, properties)


def transposed_slice(op: TransposeOp) -> tuple[int, int] | None:
    """The sizes of the two dimensions that change places, where all others are 1."""
    shape, permutation = vector_type(op.vector).ranked_shape, op.permutation.values
    greater = [dim for dim, size in enumerate(shape) if size > 1]
    if len(greater) != 2:
        return None
    first, second = greater
    return (shape[first], shape[second]) if permutation.index(second) < permutation.index(first) else None


def by_shuffle(on_rows: bool) -> Rewrite:
    """The rewrite that shuffles all elements of two dimensions; with `on_rows`, those of 16 times 16 row by row."""

    @named("TransposeOp2DToShuffleLowering")
    def rewrite(op: TransposeOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        """
            %0 = vector.transpose %v, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
        ->
            %1 = vector.shape_cast %v : vector<2x4xf32> to vector<8xf32>
            %2 = vector.shuffle %1, %1 [0, 4, 1, 5, 2, 6, 3, 7]
            %0 = vector.shape_cast %2 : vector<8xf32> to vector<4x2xf32>
        """
        type, sizes = vector_type(op.vector), transposed_slice(op)
        if type.scalable:
            return SCALABLE
        if sizes is None:
            return Failure("no two dimensions change places")
        rows, columns = sizes
        if (refused := too_many_elements(op, rows * columns)) is not None:
            return refused
        flat = shape_cast(rewriter, op.vector, vector_of([rows * columns], type.element))
        if on_rows and sizes == (16, 16):
            square = shape_cast(rewriter, flat, vector_of(sizes, type.element))
            shuffled = _shuffle_rows(rewriter, square)
        else:
            mask = [i * columns + j for j in range(columns) for i in range(rows)]
            shuffled = shuffle(rewriter, flat, flat, mask)
        rewriter.replace(op, [shape_cast(rewriter, shuffled, vector_type(op.result))])
        return None

    return rewrite


LOW: Final = {1: (0, 16, 1, 17), 2: (0, 1, 16, 17)}
HIGH: Final = {1: (2, 18, 3, 19), 2: (2, 3, 18, 19)}
"""What comes from the lower and the upper half of each lane of four elements of two rows of 16: elements in turn (1),
or pairs of them (2)."""

EVEN: Final = (0, 2)
ODD: Final = (1, 3)
"""Lanes of four elements."""


def _shuffle_rows(rewriter: Rewriter, square: Value) -> Value:
    """16 rows of 16 elements: in turn elements, pairs, and lanes of four elements of two rows come together."""

    def unpack(first: Value, second: Value, size: int) -> list[Value]:
        masks = [[lane + i for lane in range(0, 16, 4) for i in half[size]] for half in (LOW, HIGH)]
        return [shuffle(rewriter, first, second, mask) for mask in masks]

    def lanes(first: Value, second: Value, chosen: Sequence[int]) -> Value:
        mask = [row + 4 * lane + i for row in (0, 16) for lane in chosen for i in range(4)]
        return shuffle(rewriter, first, second, mask)

    rows = [_extract_or_fold(rewriter, square, [number]) for number in range(16)]
    rows = [row for i in range(0, 16, 2) for row in unpack(rows[i], rows[i + 1], 1)]
    rows = [row for i in (0, 1, 4, 5, 8, 9, 12, 13) for row in unpack(rows[i], rows[i + 2], 2)]
    rows = [lanes(rows[b + i], rows[b + i + 4], chosen) for b in (0, 8) for chosen in (EVEN, ODD) for i in range(4)]
    rows = [lanes(rows[i], rows[i + 8], chosen) for chosen in (EVEN, ODD) for i in range(8)]
    made = poison(rewriter, square.type)
    for number, row in enumerate(rows):
        made = insert(rewriter, row, made, number)
    return made


def as_intrinsic(op: TransposeOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """
        %0 = vector.transpose %v, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
    ->
        %1 = vector.shape_cast %v : vector<2x4xf32> to vector<8xf32>
        %2 = llvm.intr.matrix.transpose %1 {columns = 2 : i32, rows = 4 : i32} : vector<8xf32> into vector<8xf32>
        %0 = vector.shape_cast %2 : vector<8xf32> to vector<4x2xf32>
    """
    result = vector_type(op.result)
    if vector_type(op.vector).scalable:
        return SCALABLE
    if rank(result) != 2 or op.permutation.values != (1, 0):
        return Failure("only matrices are transposed by an intrinsic")
    flat = vector_of([count_of(result)], result.element)
    matrix = shape_cast(rewriter, op.vector, flat)
    rows, columns = result.ranked_shape
    properties = {"rows": i32_attr(rows), "columns": i32_attr(columns)}
    transposed = rewriter.create("llvm.intr.matrix.transpose", [matrix], [flat], properties).result
    rewriter.replace(op, [shape_cast(rewriter, transposed, result)])
    return None


INTRINSIC: Final = Pattern("vector.transpose", as_intrinsic, benefit=100, name="TransposeOpToMatrixTransposeOpLowering")
