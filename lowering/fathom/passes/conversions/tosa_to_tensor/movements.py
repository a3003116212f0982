"""The patterns of `tosa-to-tensor` for concatenation, padding and slices.

Source of the rules: *TOSA specification*, "Data Layout", and the order of the operations that mlir-opt 22 makes.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from fathom.dialects.tosa.canonicalization import constant_numbers
from fathom.ir.types import DYNAMIC, INDEX
from fathom.passes.arithmetic import binary, constant
from fathom.passes.conversions.tosa_to_tensor.reshapes import reshape
from fathom.passes.tensors import empty, extract_slice, insert_slice, pad, ranked, shape_of, tensor_type
from fathom.passes.tosa.types import SignlessTypes
from fathom.rewriting.folding import create_or_fold, folded_result, known_number
from fathom.rewriting.pattern import NO_MATCH, Failure, Pattern
from fathom.rewriting.result_shapes import dim, mixed_sizes, value_of

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.ops import tosa as ops
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.result_shapes import Size


def patterns() -> list[Pattern]:
    """One for each operation."""
    types = SignlessTypes()
    return [
        Pattern("tosa.concat", _concat, types, name="ConcatConverter"),
        Pattern("tosa.pad", _pad, types, name="PadConverter"),
        Pattern("tosa.reshape", reshape, types, name="ReshapeConverter"),
        Pattern("tosa.slice", _slice, types, name="SliceConverter"),
    ]


def _slice(op: ops.SliceOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """What reaches to the end goes as far as the dimension does. Shapes that nothing else uses go too."""
    if ranked(op.result.type) is None:
        return NO_MATCH
    starts, given = constant_numbers(op.start), constant_numbers(op.size)
    if starts is None:
        return Failure("start of slice must be a static ranked shape")
    if given is None:
        return Failure("size of slice must be a static ranked shape")
    source = operands[0]
    sizes: list[Size] = []
    for index, (start, size) in enumerate(zip(starts, given, strict=True)):
        if size != -1:
            sizes.append(size)
        else:
            whole = dim(rewriter, source, index)
            sizes.append(binary(rewriter, "subi", whole, constant(rewriter, start)))
    result = extract_slice(rewriter, source, op.result.type, [starts, sizes, [1] * len(shape_of(op.result))])
    for shape in (op.start, op.size):
        if sum(shape.uses.values()) == 1 and shape.defining_op is not None:
            rewriter.erase(shape.defining_op)
    rewriter.replace(op, [result.result])
    return None


def _pad(op: ops.PadOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """A number before and one behind each dimension."""
    padding = constant_numbers(op.padding)
    if padding is None:
        return Failure("padding must be a static shape value")
    element = tensor_type(op.input1).element
    value = create_or_fold(rewriter, "tensor.extract", [op.pad_const, constant(rewriter, 0)], element)
    amounts = [constant(rewriter, amount) for amount in padding]
    result = pad(rewriter, op.input1, op.result.type, amounts[::2], amounts[1::2], value)
    rewriter.replace(op, [result])
    return None


def _concat(op: ops.ConcatOp, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
    """Each operand goes behind the last one, into a tensor of the size of all."""
    type = ranked(op.result.type)
    if type is None:
        return NO_MATCH
    axis = op.axis.value
    place = constant(rewriter, axis)
    sizes = mixed_sizes(rewriter, operands[0])
    ends: list[Size] = [0, sizes[axis]]
    for operand in operands[1:]:
        size = create_or_fold(rewriter, "tensor.dim", [operand, place], INDEX)
        total = create_or_fold(rewriter, "arith.addi", [value_of(rewriter, ends[-1]), size], INDEX)
        number = known_number(total)
        ends.append(total if number is None else number)
    sizes[axis] = ends[-1]
    dims = [
        value_of(rewriter, size) for size, extent in zip(sizes, type.ranked_shape, strict=True) if extent == DYNAMIC
    ]
    result = empty(rewriter, type.ranked_shape, type.element, dims)
    offsets: list[Size] = [0] * len(sizes)
    for operand, (offset, _) in zip(operands, pairwise(ends), strict=True):
        offsets[axis] = offset
        lists = [offsets, mixed_sizes(rewriter, operand), [1] * len(sizes)]
        result = folded_result(rewriter, insert_slice(rewriter, operand, result, lists))
    rewriter.replace(op, [result])
    return None
