"""Prints of vectors as loops over their dimensions, which print element after element."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Final

from fathom.dialects.vector import CLOSE, COMMA, NONE, OPEN, punctuation
from fathom.dialects.vector.common import flags, rank, vector_of
from fathom.ir.operation import Block, Region
from fathom.ir.types import INDEX, IntegerType, VectorType
from fathom.ops.vector import PrintOp
from fathom.passes.arithmetic import binary, compare, constant
from fathom.passes.buffers import choose
from fathom.passes.vectors.building import SCALABLE, extract, shape_cast
from fathom.rewriting.pattern import Failure, Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter

PRINTED: Final = "vector.print"


def print_elements(op: PrintOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """
        vector.print %v : vector<4xf32>
    ->
        vector.print punctuation <open>
        scf.for %i = %c0 to %c4 step %c1 {
          %0 = vector.extract %v[%i] : f32 from vector<4xf32>
          vector.print %0 : f32 punctuation <no_punctuation>
          %1 = arith.cmpi ult, %i, %last : index
          scf.if %1 {
            vector.print punctuation <comma>
          }
        }
        vector.print punctuation <close>
        vector.print
    """
    value = next(iter(operands), None)
    if value is None or not isinstance(value.type, VectorType):
        return Failure("it prints no vector")
    if rank(value.type) > 1 and value.type.scalable:
        return SCALABLE
    if isinstance(value.type.element, IntegerType):
        value = _widened(rewriter, value, value.type, value.type.element)
    type = value.type
    assert isinstance(type, VectorType), "integers were made wider in it"
    shape, scalable = (type.ranked_shape or (1,)), (flags(type) or (False,))
    if rank(type) != 1:
        value = shape_cast(rewriter, value, vector_of([prod(shape)], type.element))
    places: list[Value] = []
    behind: Operation | None = None
    for extent, is_scalable in zip(shape, scalable, strict=True):
        place, close = _loop(rewriter, extent, is_scalable)
        places.append(place)
        behind = behind or close
    element = extract(rewriter, value, _flat(rewriter, places, shape))
    _print(rewriter, NONE, element)
    assert behind is not None and behind.parent is not None, "there is a dimension"
    rewriter.set_insertion_behind(behind)
    rewriter.create(PRINTED, (), (), {"punctuation": op.punctuation})
    rewriter.erase(op)
    return None


def _print(rewriter: Rewriter, mark: int, *values: Value) -> Operation:
    return rewriter.create(PRINTED, values, (), {"punctuation": punctuation(mark)})


def _widened(rewriter: Rewriter, value: Value, type: VectorType, element: IntegerType) -> Value:
    """A vector of integers of a width that is a power of two, and a byte at least."""
    width = 1 << (max(8, element.width) - 1).bit_length()

    def of(width: int, signedness: str = "") -> VectorType:
        return VectorType(type.shape, IntegerType(width, signedness), type.scalable)

    value = rewriter.create("vector.bitcast", [value], [of(element.width)]).result
    if width != element.width:
        name = "extui" if element.width == 1 or element.signedness == "u" else "extsi"
        value = rewriter.create(f"arith.{name}", [value], [of(width)]).result
    return rewriter.create("vector.bitcast", [value], [of(width, element.signedness)]).result


def _loop(rewriter: Rewriter, extent: int, is_scalable: bool) -> tuple[Value, Operation]:
    """A loop with commas between what it prints and brackets around it, which is what the insertion point goes into:
    the place that it counts, and the last bracket."""
    lower, upper, step = constant(rewriter, 0), constant(rewriter, extent), constant(rewriter, 1)
    if is_scalable:
        upper = binary(rewriter, "muli", upper, rewriter.create("vector.vscale", (), [INDEX]).result)
    last = binary(rewriter, "subi", upper, step)
    _print(rewriter, OPEN)
    block = Block([INDEX])
    place = block.arguments[0]
    place.span, place.location = rewriter.span, rewriter.location
    with rewriter.elsewhere():
        rewriter.set_insertion_to_end(block)
        rewriter.create("scf.yield")
    rewriter.create("scf.for", [lower, upper, step], (), regions=[Region([block])])
    close = _print(rewriter, CLOSE)
    rewriter.set_insertion_to_start(block)

    def comma() -> Sequence[Value]:
        _print(rewriter, COMMA)
        return ()

    choose(rewriter, compare(rewriter, "ult", place, last), [comma])
    rewriter.set_insertion_to_start(block)
    return place, close


def _flat(rewriter: Rewriter, places: Sequence[Value], shape: Sequence[int]) -> Value:
    """The place of an element among all, by its places in each dimension."""
    stride, flat = 1, None
    for place, extent in zip(reversed(places), reversed(shape), strict=True):
        part = binary(rewriter, "muli", constant(rewriter, stride), place)
        flat = part if flat is None else binary(rewriter, "addi", flat, part)
        stride *= extent
    assert flat is not None, "there is a dimension"
    return flat


PRINT: Final = Pattern(PRINTED, print_elements, name="DecomposePrintOpConversion")
