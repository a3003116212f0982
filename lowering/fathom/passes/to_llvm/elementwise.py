"""Operations on each element that have one counterpart each in the LLVM dialect; their flags, and vectors of several
dimensions.

Such vectors are arrays of vectors there; they are taken apart, computed vector by vector, and put together again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import prod
from operator import attrgetter
from typing import Any, Final, TypeAlias

from fathom.dialects.llvm.attributes import fastmath_of
from fathom.dialects.llvm.types import LLVM_FLOATS, LLVMArrayType, is_compatible
from fathom.ir.attributes import Attribute, EnumAttr, i32_attr
from fathom.ir.operation import Operation, Value
from fathom.ir.types import FloatType, Type, element_type
from fathom.irdl.build import definition_of
from fathom.ops.arith import ExtfOp, TruncfOp
from fathom.passes.to_llvm import emit
from fathom.rewriting.allowance import too_many_operations
from fathom.rewriting.conversion_rewriter import ConversionRewriter
from fathom.rewriting.pattern import Failure, named
from fathom.slices import checkpoint

Properties = Mapping[str, Attribute]
MOST_KNOWN: Final = 1_000
"""Of so many kinds of operations a conversion remembers what becomes of them."""
_TYPE: Final = attrgetter("type")

Rewrite: TypeAlias = Callable[[Any, list[Value], ConversionRewriter], "Failure | None"]
"""What a pattern does, with operands of converted types."""


def direct(target: str) -> Rewrite:
    """
    %r = arith.addi %a, %b overflow<nsw> : i32      becomes      %r = llvm.add %a, %b overflow<nsw> : i32
    """

    @named("VectorConvertToLLVMPattern")
    def rewrite(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
        known = rewriter.types.known if rewriter.types is not None and not op.attributes else None
        if known is None or len(op.results) != 1:
            return anew(op, operands, rewriter)
        # Operations repeat each other: what becomes of one follows from these, most of which are the same objects.
        parts = (*map(_TYPE, op.operands), op.results[0].type, *op.properties.values())
        key = (target, *map(id, parts), *op.properties)
        plan = known.get(key)
        if plan is not None:
            _, type, properties = plan
            rewriter.replace(op, [rewriter.create(target, operands, (type,), properties).result])
            return None
        failure = anew(op, operands, rewriter)
        of_vectors = bool(operands) and isinstance(operands[0].type, LLVMArrayType)
        type = rewriter.types.convert(op.results[0].type) if rewriter.types is not None else None
        if failure is None and type is not None and not of_vectors and len(known) < MOST_KNOWN:
            known[key] = parts, type, llvm_properties(op)[0]
        return failure

    def anew(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> Failure | None:
        if has_unsupported_float(op):
            return NO_FLOAT
        properties, attributes = llvm_properties(op)
        if attributes:
            # What is discardable here can be a flag there: `arith.extui %a {nonNeg}` becomes `llvm.zext nneg %a`.
            flags = definition_of(rewriter.context, target).property_map.keys() & attributes.keys()
            properties.update({name: attributes.pop(name) for name in sorted(flags)})
        return one_to_one(op, target, operands, properties, rewriter, attributes)

    return rewrite


def has_unsupported_float(op: Operation) -> bool:
    """Whether a float takes part that LLVM carries as an integer, so that it cannot compute with it."""
    values = (*op.operands, *op.results)
    return any(isinstance(t := element_type(v.type), FloatType) and t.name not in LLVM_FLOATS for v in values)


NO_FLOAT: Final = Failure("unsupported floating point type")


def llvm_properties(op: Operation) -> tuple[dict[str, Attribute], dict[str, Attribute]]:
    """The flags of an operation as the LLVM dialect has them, and its other attributes."""
    properties: dict[str, Attribute] = {}
    attributes: dict[str, Attribute] = {}
    for name, value in op.properties.items():
        # The counterparts of these have no flags; mlir-opt carries the attribute along as it is.
        if name == "fastmath" and isinstance(op, (ExtfOp, TruncfOp)):
            attributes[name] = value
        elif name == "fastmath":
            properties["fastmathFlags"] = llvm_fastmath(value)
        elif name == "overflowFlags":
            properties[name] = i32_attr(value.value if isinstance(value, EnumAttr) else 0)
        else:
            properties[name] = value
    attributes.update(op.attributes)
    return properties, attributes


def llvm_fastmath(value: Attribute, further: int = 0) -> Attribute:
    """`#arith.fastmath<…>` as `#llvm.fastmath<…>`: the same flags, but `reassoc` is the last bit instead of the
    first; and further ones."""
    bits = value.value if isinstance(value, EnumAttr) else 0
    return fastmath_of((bits >> 1) | (64 if bits & 1 else 0) | further)


def one_to_one(
    op: Operation,
    target: str,
    operands: Sequence[Value],
    properties: Properties,
    rewriter: ConversionRewriter,
    attributes: Properties | None = None,
) -> Failure | None:
    """Replaces `op` by `target` on the same operands; on arrays of vectors, by one for each vector."""

    def create(type: Type, values: Sequence[Value]) -> Value:
        return rewriter.create(target, values, [type], properties, attributes).result

    return for_each_vector(op, operands, create, rewriter)


def for_each_vector(
    op: Operation,
    operands: Sequence[Value],
    create: Callable[[Type, Sequence[Value]], Value],
    rewriter: ConversionRewriter,
) -> Failure | None:
    """Replaces `op` by `create(result type, operands)`, or where the operands are arrays of vectors, by

    %r0 = llvm.mlir.poison : !llvm.array<2 x vector<3xi32>>
    %a0 = llvm.extractvalue %a[0]
    %b0 = llvm.extractvalue %b[0]
    %c0 = <create(vector<3xi32>, %a0, %b0)>
    %r1 = llvm.insertvalue %c0, %r0[0]
    …
    """
    if rewriter.types is None or not all(is_compatible(operand.type) for operand in operands):
        return Failure("an operand has no type of the LLVM dialect")
    result = rewriter.types.convert(op.result.type)
    if result is None:
        return Failure(f"unable to convert result type '{op.result.type}'")
    if not operands or not isinstance(operands[0].type, LLVMArrayType):
        rewriter.replace(op, [create(result, operands)])
        return None
    sizes: list[int] = []
    inner = result
    while isinstance(inner, LLVMArrayType):
        sizes.append(inner.size)
        inner = inner.element
    if (refused := too_many_operations(op, (len(operands) + 2) * prod(sizes))) is not None:
        return refused
    whole = emit.poison(rewriter, result)
    for position in product(*map(range, sizes)):
        checkpoint()
        parts = [emit.extract(rewriter, operand, _innermost(operand.type), *position) for operand in operands]
        whole = emit.insert(rewriter, whole, create(inner, parts), *position)
    rewriter.replace(op, [whole])
    return None


def _innermost(type: Type) -> Type:
    while isinstance(type, LLVMArrayType):
        type = type.element
    return type
