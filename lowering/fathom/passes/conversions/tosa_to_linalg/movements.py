"""Operations of tosa that look elements up: gathering, tables, reversal and tiling.

Source of the rules: *TOSA specification*, "Data Layout", "gather" and "table", and the order of the operations that
mlir-opt 22 makes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.tosa.canonicalization import constant_numbers, constant_shape
from fathom.ir.affine import AffineDim, AffineMap, identity_map
from fathom.ir.attributes import i64_attr
from fathom.ir.types import DYNAMIC, I32, INDEX, IntegerType
from fathom.passes.arith_expansion.building import unary
from fathom.passes.arithmetic import binary, constant
from fathom.passes.structured import generic
from fathom.passes.tensors import dims_where_open, empty, extract, ranked, shape_of, tensor_type
from fathom.rewriting.pattern import NO_MATCH, Failure
from fathom.rewriting.result_shapes import dim, folded_dim

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops import tosa as ops
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.rewriter import Rewriter


I8: Final = IntegerType(8)
I16: Final = IntegerType(16)


def loop_index(rewriter: Rewriter, dimension: int) -> Value:
    """`linalg.index`."""
    return rewriter.create("linalg.index", (), [INDEX], {"dim": i64_attr(dimension)}).result


def identity(op: ops.IdentityOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> None:
    rewriter.replace(op, operands)


def reverse(op: ops.ReverseOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> None:
    """Along one dimension elements are counted from the end."""
    source, axis = tensor_type(op.input1), op.axis.value
    sizes = dims_where_open(rewriter, op.input1, source.ranked_shape)
    extent = dim(rewriter, op.input1, axis)
    output = empty(rewriter, source.ranked_shape, source.element, sizes)
    rank = len(shape_of(op.result))

    def body(arguments: Sequence[Value]) -> Sequence[Value]:
        places: list[Value] = []
        for dimension in range(rank):
            place = loop_index(rewriter, dimension)
            if dimension == axis:
                last = binary(rewriter, "subi", extent, constant(rewriter, 1))
                place = binary(rewriter, "subi", last, place)
            places.append(place)
        return [extract(rewriter, op.input1, places)]

    made = generic(rewriter, [], [output], [identity_map(rank)], "p" * rank, body, [op.result.type])
    rewriter.replace(op, made.results)


def tile(op: ops.TileOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """Each dimension gets another one before it, along which elements are repeated; a reshape joins the two."""
    multiples = constant_numbers(op.multiples)
    if multiples is None:
        return NO_MATCH
    source, type = tensor_type(op.input1), tensor_type(op.result)
    before = source.ranked_shape
    shape: list[int] = []
    for multiple, size in zip(multiples, before, strict=True):
        shape += [DYNAMIC if multiple == -1 else multiple, size]
    open_places = [DYNAMIC if multiple == -1 else size for multiple, size in zip(multiples, before, strict=True)]
    output = empty(rewriter, shape, source.element, dims_where_open(rewriter, op.input1, open_places))
    rank = len(shape)
    read = AffineMap(rank, 0, tuple(AffineDim(2 * index + 1) for index in range(len(before))))
    made = generic(
        rewriter, [op.input1], [output], [read, identity_map(rank)], "p" * rank, lambda arguments: arguments[:1]
    )
    rewriter.replace_with(op, "tosa.reshape", [made.result, constant_shape(type.ranked_shape, rewriter)], [type])
    return None


def gather(op: ops.GatherOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """The rows that are named."""
    type = ranked(op.result.type)
    if ranked(op.values.type) is None or type is None:
        return Failure("unranked tensors not supported")
    extents = [folded_dim(rewriter, value, index) for value, index in ((op.values, 0), (op.indices, 1), (op.values, 2))]
    sizes = [size for size in extents if not isinstance(size, int)]
    output = empty(rewriter, type.ranked_shape, type.element, sizes)
    rank = len(type.ranked_shape)

    def body(arguments: Sequence[Value]) -> Sequence[Value]:
        first = loop_index(rewriter, 0)
        row = unary(rewriter, "index_cast", arguments[0], INDEX)
        return [extract(rewriter, op.values, [first, row, loop_index(rewriter, 2)])]

    maps = [AffineMap(rank, 0, (AffineDim(0), AffineDim(1))), identity_map(rank)]
    rewriter.replace(op, generic(rewriter, [op.indices], [output], maps, "p" * rank, body, [type]).results)
    return None


def table(op: ops.TableOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """Bytes name an entry; of 16 bits the first nine do, and the others say how far it is to the next one."""
    type, source = tensor_type(op.result), tensor_type(op.input1)
    elements = source.element, tensor_type(op.table).element, type.element
    look_up = _entry if elements == (I8, I8, I8) else _between_entries
    if look_up is _between_entries and elements != (I16, I16, I32):
        return Failure("unable to create body for tosa.table op")
    sizes = dims_where_open(rewriter, op.input1, source.ranked_shape)
    output = empty(rewriter, type.ranked_shape, type.element, sizes)
    rank = len(type.ranked_shape)
    maps = [identity_map(rank)] * 2
    made = generic(
        rewriter,
        [op.input1],
        [output],
        maps,
        "p" * rank,
        lambda values: [look_up(rewriter, op.table, values[0])],
        [type],
    )
    for argument in made.regions[0].entry.arguments:
        argument.span, argument.location = op.span, op.location  # MLIR makes this body by itself, not with the loops.
    rewriter.replace(op, made.results)
    return None


def _entry(rewriter: Rewriter, entries: Value, value: Value) -> Value:
    index = unary(rewriter, "index_cast", value, INDEX)
    return extract(rewriter, entries, [binary(rewriter, "addi", index, constant(rewriter, 128))])


def _between_entries(rewriter: Rewriter, entries: Value, value: Value) -> Value:
    wide = unary(rewriter, "extsi", value, I32)
    offset, seven, one, mask = (constant(rewriter, number, I32) for number in (32768, 7, 1, 127))
    number = binary(rewriter, "addi", wide, offset)
    place = binary(rewriter, "shrui", number, seven)
    fraction = binary(rewriter, "andi", number, mask)
    next_place = binary(rewriter, "addi", place, one)
    indices = [unary(rewriter, "index_cast", at, INDEX) for at in (place, next_place)]
    values = [extract(rewriter, entries, [index]) for index in indices]
    entry, next_entry = (unary(rewriter, "extsi", read, I32) for read in values)
    scaled = binary(rewriter, "shli", entry, seven)
    difference = binary(rewriter, "muli", binary(rewriter, "subi", next_entry, entry), fraction)
    return binary(rewriter, "addi", scaled, difference)
