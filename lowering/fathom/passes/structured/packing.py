"""Products of matrices on blocks: each operand is packed, so that a block of it lies together.

Source of the rules: *'linalg' Dialect*, "linalg.pack", and the behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.affine.composition import apply_folded
from fathom.dialects.linalg.structured import places_of_loops, selection, static_ranges
from fathom.ir.affine import AffineDim, AffineMap, AffineSymbol, divide, multiply
from fathom.ir.attributes import DenseArrayAttr
from fathom.ir.types import DYNAMIC, I64, ComplexType, element_type
from fathom.irdl.build import segment_sizes
from fathom.irdl.index_lists import separated
from fathom.ops.linalg import BatchMatmulOp, GenericOp
from fathom.passes.arithmetic import constant
from fathom.passes.structured.contractions import contraction_loops, is_contraction
from fathom.passes.structured.generics import Form, composed, create_generic, form_of, inverse, works_on_tensors
from fathom.passes.tensors import empty_of, shape_of, tensor_type
from fathom.records import record, replace
from fathom.rewriting.pattern import NO_MATCH, Failure, Pattern
from fathom.rewriting.result_shapes import dim, folded_dim

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.result_shapes import Size
    from fathom.rewriting.rewriter import Rewriter

_BLOCKS: Final = divide("ceildiv", AffineDim(0), AffineDim(1))
_ROUNDED_UP: Final = multiply(divide("ceildiv", AffineDim(0), AffineSymbol(0)), AffineSymbol(0))
_BATCH: Final = (selection(4, [0, 1, 3]), selection(4, [0, 3, 2]), selection(4, [0, 1, 2]))
_SIMPLE: Final = tuple(
    (selection(3, left), selection(3, right), selection(3, [0, 1]))
    for left, right in (([0, 2], [2, 1]), ([2, 0], [2, 1]), ([0, 2], [1, 2]))
)
"""The products of two matrices that a `linalg.generic` may be: as they are, with the left or the right transposed."""


@record
class _Packing:
    """How an operand is packed: which of its dimensions are cut, in blocks of which sizes, and in which order the
    others stand; where there is none, in their own."""

    dims: tuple[int, ...]
    sizes: tuple[Size, ...]
    order: tuple[int, ...] = ()

    def transposed(self, outer: Sequence[int], inner: Sequence[int]) -> _Packing:
        return _Packing(
            tuple(self.dims[place] for place in inner), tuple(self.sizes[place] for place in inner), tuple(outer)
        )


@record
class Blocks:
    """What is asked for: the sizes of blocks of rows, columns and what is added up; the order of their loops; of which
    number a block is a multiple instead, as great as the whole; whether blocks must fit; and what is transposed of each
    operand, blocks and what is in them."""

    sizes: Sequence[int]
    order: Sequence[int]
    multiples: Sequence[int]
    may_pad: bool
    left: tuple[bool, bool]
    right: tuple[bool, bool]

    def patterns(self) -> list[Pattern]:
        roots = ("linalg.generic", "linalg.matmul", "linalg.batch_matmul")
        return [Pattern(root, self._pack, name="BlockPackMatmul") for root in roots]

    def _pack(self, op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        form = form_of(op)
        if form is None or not works_on_tensors(op) or not self._is_suitable(op, form):
            return NO_MATCH
        loops = contraction_loops(form.maps, form.loops)
        if not (loops.m and loops.n and loops.k):
            return Failure("couldn't infer matmul iterators")
        if not self.may_pad and not self._fit(op, len(loops.batch)):
            return Failure("expect packing full tiles only")
        rewriter.set_insertion_behind(op)
        op, form = _in_order(op, form, self._loops(form, (loops.m[-1], loops.n[-1], loops.k[-1])), rewriter)
        _Packed(op, form, self._sizes(form, rewriter), rewriter).transpose(self.left, self.right)
        return None

    def _is_suitable(self, op: Operation, form: Form) -> bool:
        if len(self.sizes) != 3 or min(self.sizes) < 1 or sorted(self.order) != [0, 1, 2] or len(self.multiples) != 3:
            return False
        if any(isinstance(element_type(value.type), ComplexType) for value in form.values):
            return False  # There is no zero of these to fill blocks up with.
        if isinstance(op, GenericOp):
            return is_contraction(op, form) and tuple(form.maps) in _SIMPLE
        return not isinstance(op, BatchMatmulOp) or tuple(form.maps) == _BATCH

    def _fit(self, op: Operation, batches: int) -> bool:
        """Whether whole blocks make up the operands."""
        ranges = static_ranges(op)
        if ranges is None:
            return False
        places = [batches + place for place in self.order]
        return all(
            place < len(ranges) and ranges[place] != DYNAMIC and ranges[place] % size == 0
            for place, size in zip(places, self.sizes, strict=True)
        )

    def _loops(self, form: Form, chosen: Sequence[int]) -> list[int]:
        """The order of loops: those of rows, columns and what is added up come last, as they are asked for."""
        count = len(form.loops)
        wanted = {count - 3 + place: loop for place, loop in zip(self.order, chosen, strict=True)}
        others = (loop for loop in range(count) if loop not in chosen)
        return [wanted[place] if place in wanted else next(others) for place in range(count)]

    def _sizes(self, form: Form, rewriter: Rewriter) -> dict[int, Size]:
        """The sizes of blocks, by the loops that are cut."""
        count, ranges = len(form.loops), _ranges(form, rewriter)
        sizes: dict[int, Size] = {}
        for place in range(3):
            index, loop = list(self.order).index(place), count - 3 + place
            multiple = self.multiples[index]
            rounded = apply_folded(rewriter, _ROUNDED_UP, [ranges[loop], multiple]) if multiple else None
            sizes[loop] = self.sizes[index] if rounded is None else rounded
        return sizes


def _ranges(form: Form, rewriter: Rewriter) -> list[Size]:
    """How often each loop runs."""
    sizes = [
        folded_dim(rewriter, value, place)
        for value, map in zip(form.values, form.maps, strict=True)
        for place in range(len(map.results))
    ]
    return [sizes[place] for place in places_of_loops(form.maps, len(form.loops)) or []]


def _in_order(op: Operation, form: Form, loops: Sequence[int], rewriter: Rewriter) -> tuple[Operation, Form]:
    """A `linalg.generic` of an operation, with its loops in another order."""
    order = AffineMap(len(loops), 0, tuple(AffineDim(loop) for loop in loops))
    maps = [composed(map, inverse(order)) for map in form.maps]
    form = replace(form, maps=maps, loops="".join(form.loops[loop] for loop in loops))
    return _made(op, form, rewriter), form


def _made(op: Operation, form: Form, rewriter: Rewriter, replaces: bool = True) -> Operation:
    """A `linalg.generic` that takes over a body."""
    made = create_generic(rewriter, form)
    rewriter.inline_region_before(op.regions[0], made.regions[0], None)
    if replaces:
        rewriter.replace(op, list(made.results))
    return made


class _Packed:
    """A product on packed operands, in the place of one that is not."""

    def __init__(self, op: Operation, form: Form, sizes: dict[int, Size], rewriter: Rewriter) -> None:
        self.rewriter = rewriter
        maps, loops = list(form.maps), form.loops
        cut: list[list[tuple[int, Size]]] = [[] for _ in maps]
        for loop, size in sizes.items():
            inner = AffineDim(len(loops))
            loops += loops[loop]
            for index, map in enumerate(maps):
                maps[index] = replace(map, dims=len(loops))
                if AffineDim(loop) in map.results:
                    maps[index] = replace(maps[index], results=(*map.results, inner))
                    cut[index].append((map.results.index(AffineDim(loop)), size))
        self.packings = [
            _Packing(tuple(d for d, _ in packed_dims), tuple(s for _, s in packed_dims)) for packed_dims in cut
        ]
        self.packs = [
            _pack(rewriter, value, packing) for value, packing in zip(form.values, self.packings, strict=True)
        ]
        values = [pack.result for pack in self.packs]
        self.form = Form(values[:2], values[2:], maps, loops)
        self.op = _made(op, self.form, rewriter, replaces=False)
        target = self.packings[2]
        tiles, numbers = separated(target.sizes)
        properties = {"inner_dims_pos": DenseArrayAttr(I64, target.dims), "static_inner_tiles": numbers}
        operands = [self.op.result, form.inits[0], *tiles]
        unpack = rewriter.create("linalg.unpack", operands, [form.inits[0].type], properties)
        rewriter.replace(op, [unpack.result])

    def transpose(self, left: tuple[bool, bool], right: tuple[bool, bool]) -> None:
        """Lays out blocks, and what is in them, by columns, where that is asked for."""
        loops, maps = contraction_loops(self.form.maps, self.form.loops), self.form.maps
        self._transpose(0, maps[0], loops.m, left)
        self._transpose(1, maps[1], loops.k, right)

    def _transpose(self, place: int, map: AffineMap, first: Sequence[int], wanted: tuple[bool, bool]) -> None:
        """`first` are the loops of the dimension that comes first where nothing is transposed."""
        rewriter, count = self.rewriter, len(map.results)
        outer, inner = count - 4, count - 2
        is_outer, is_inner = map.results[outer] != AffineDim(first[-2]), map.results[inner] != AffineDim(first[-1])
        outer_order = [*range(outer), *((outer, outer + 1) if is_outer == wanted[0] else (outer + 1, outer))]
        inner_order = (0, 1) if is_inner == wanted[1] else (1, 0)
        old = self.packs[place]
        rewriter.set_insertion_before(old)
        padding = old.operands[2] if self._is_padded(place) else None
        packing = self.packings[place].transposed(outer_order, inner_order)
        new = _create_pack(
            rewriter, old.operands[0], _destination(rewriter, old.operands[0], packing), packing, padding
        )
        rewriter.set_insertion_before(self.op)
        results = [map.results[at] for at in (*outer_order, *(inner + inner_at for inner_at in inner_order))]
        maps, inputs = list(self.form.maps), list(self.form.inputs)
        maps[place], inputs[place] = replace(map, results=tuple(results)), new.result
        self.form = replace(self.form, maps=maps, inputs=inputs)
        self.op = _made(self.op, self.form, rewriter)
        rewriter.replace(old, [new.result])

    def _is_padded(self, place: int) -> bool:
        tiles, _ = separated(self.packings[place].sizes)
        return len(self.packs[place].operands) > 2 + len(tiles)


def _pack(rewriter: Rewriter, value: Value, packing: _Packing) -> Operation:
    """A value packed, with zeros where blocks may not fit."""
    target = _destination(rewriter, value, packing)
    shape, type = shape_of(value), tensor_type(value)
    fits = DYNAMIC not in shape and all(
        isinstance(size, int) and shape[place] % size == 0
        for place, size in zip(packing.dims, packing.sizes, strict=True)
    )
    zero = None if fits else constant(rewriter, 0, type.element)
    return _create_pack(rewriter, value, target, packing, zero)


def _destination(rewriter: Rewriter, value: Value, packing: _Packing) -> Value:
    """What a value is packed into: the numbers of blocks, and their sizes."""
    shape = shape_of(value)
    sizes: list[Size] = [dim(rewriter, value, i) if size == DYNAMIC else size for i, size in enumerate(shape)]
    for place, size in zip(packing.dims, packing.sizes, strict=True):
        sizes[place] = apply_folded(rewriter, _BLOCKS, [sizes[place], size])
    outer = [sizes[place] for place in packing.order] if packing.order else sizes
    return empty_of(rewriter, [*outer, *packing.sizes], tensor_type(value).element)


def _create_pack(
    rewriter: Rewriter, value: Value, target: Value, packing: _Packing, padding: Value | None
) -> Operation:
    tiles, numbers = separated(packing.sizes)
    properties = {
        "inner_dims_pos": DenseArrayAttr(I64, packing.dims),
        "static_inner_tiles": numbers,
        "operandSegmentSizes": segment_sizes(1, 1, int(padding is not None), len(tiles)),
    }
    if packing.order:
        properties["outer_dims_perm"] = DenseArrayAttr(I64, packing.order)
    paddings = [padding] if padding is not None else []
    return rewriter.create("linalg.pack", [value, target, *paddings, *tiles], [target.type], properties)
