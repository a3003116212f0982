"""The pattern of `convert-elementwise-to-linalg`.

Source of the rules: *Traits*, "Elementwise, Scalarizable, Vectorizable, Tensorizable", and the behaviour of mlir-opt
22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.linalg.bodies import scalar_type
from fathom.dialects.linalg.generic import iterator_type
from fathom.dialects.linalg.structured import array_of
from fathom.ir.affine import AffineMap, identity_map
from fathom.ir.attributes import ArrayAttr
from fathom.ir.operation import Block, Region
from fathom.ir.types import DYNAMIC, INDEX, ComplexType, FloatType, IndexType, IntegerType, TensorType, Type
from fathom.irdl.build import segment_sizes
from fathom.irdl.traits import ELEMENTWISE
from fathom.passes.arithmetic import constant
from fathom.rewriting.folding import create_or_fold
from fathom.rewriting.pattern import Failure
from fathom.rewriting.rewriter import source_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.rewriter import Rewriter

MAPPABLE: Final = frozenset({"Scalarizable", "Vectorizable", "Tensorizable"})
"""The traits that say, with `Elementwise`, that an operation on shapes is that on each of their elements."""

SCALARS: Final = (IntegerType, FloatType, IndexType, ComplexType)


def works_on_tensors(op: Operation) -> bool:
    """Whether an operation does the same to each element of its operands, tensors of one shape and scalars."""
    definition = op.definition
    if definition is None or not op.has(ELEMENTWISE):
        return False
    # What arith has of the kind is mappable, all of it.
    if op.dialect != "arith" and not {trait.name for trait in definition.traits} >= MAPPABLE:
        return False
    types = [value.type for value in op.operands]
    return any(map(_is_ranked, types)) and all(_is_ranked(type) or isinstance(type, SCALARS) for type in types)


def _is_ranked(type: Type) -> bool:
    return isinstance(type, TensorType) and type.shape is not None


def to_generic(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """`linalg.generic` around the operation on scalars, with a loop for each dimension."""
    results = [result.type for result in op.results if isinstance(result.type, TensorType)]
    if len(results) != len(op.results) or not all(map(_is_ranked, results)):
        return Failure("requires elementwise op on ranked tensors")
    outputs = [_output(type, operands, rewriter) for type in results]
    written = [output for output in outputs if output is not None]
    if len(written) != len(outputs):
        return Failure("the first operand does not tell the sizes of the result")
    rank = len(results[0].ranked_shape)
    maps = [identity_map(rank) if _is_ranked(value.type) else AffineMap(rank, 0, ()) for value in (*operands, *written)]
    properties = {
        "indexing_maps": array_of(maps),
        "iterator_types": ArrayAttr((iterator_type("parallel"),) * rank),
        "operandSegmentSizes": segment_sizes(len(operands), len(written)),
    }
    block = Block([scalar_type(value.type) for value in (*operands, *written)])
    for argument, value in zip(block.arguments, (*operands, *written), strict=True):
        argument.span, argument.location = source_of(value)
    made = rewriter.create("linalg.generic", [*operands, *written], results, properties, regions=[Region([block])])
    with rewriter.elsewhere():
        rewriter.set_insertion_to_end(block)
        types = [type.element for type in results]
        scalar = rewriter.create(op.name, block.arguments[: len(operands)], types, op.properties, op.attributes)
        rewriter.create("linalg.yield", scalar.results)
    rewriter.replace(op, made.results)
    return None


def _output(type: TensorType, operands: Sequence[Value], rewriter: Rewriter) -> Value | None:
    """What a result is written over: the first operand of its type, else an empty tensor as big as the first operand;
    None where that is no tensor."""
    same = next((value for value in operands if value.type == type), None)
    if same is not None:
        return same
    first = operands[0]
    if not isinstance(first.type, TensorType) or first.type.shape is None:
        return None
    shape = first.type.shape
    sizes = [
        create_or_fold(rewriter, "tensor.dim", [first, constant(rewriter, dim)], INDEX)
        for dim, size in enumerate(shape)
        if size == DYNAMIC
    ]
    return rewriter.create("tensor.empty", sizes, [TensorType(shape, type.element)]).result
