"""What kind of loop each loop of a contraction is, and the bodies of contractions and convolutions.

Source of the rules: `LinalgInterfaces.cpp` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from fathom.bufferization.models import destinations_of
from fathom.dialects.linalg.structured import is_projected_permutation, uses_dim
from fathom.ir.affine import AffineDim, AffineMap
from fathom.irdl.interfaces import MemoryEffects
from fathom.irdl.traits import NO_MEMORY_EFFECT, PURE
from fathom.ops import arith, complex
from fathom.passes.structured.generics import body_of, yielded

if TYPE_CHECKING:
    from fathom.ir.operation import Block, Operation, Value
    from fathom.passes.structured.generics import Form

    Kinds: TypeAlias = tuple[type[Operation], ...]


class ContractionLoops(NamedTuple):
    """The loops of a contraction: those of all operands, those of the left and the output, those of the right and the
    output, and those that reduce."""

    batch: list[int]
    m: list[int]
    n: list[int]
    k: list[int]


def contraction_loops(maps: Sequence[AffineMap], loops: str) -> ContractionLoops:
    """The loops of a contraction of three operands."""
    a, b, c = (_own_dims(map, loops, "p") for map in maps)
    reduced = _own_dims(maps[0], loops, "r") & _own_dims(maps[1], loops, "r")
    return ContractionLoops(sorted(a & b & c), sorted((a & c) - b), sorted((b & c) - a), sorted(reduced))


def _own_dims(map: AffineMap, loops: str, kind: str) -> set[int]:
    """The loops of a kind that a dimension of an operand is just, and no other depends on."""
    dims: set[int] = set()
    for result in map.results:
        match result:
            case AffineDim(position) if loops[position] == kind:
                if sum(uses_dim(result, position) for result in map.results) == 1:
                    dims.add(position)
            case _:
                pass
    return dims


PAIRS: Final = (
    (arith.MulfOp, arith.AddfOp),
    (arith.MuliOp, arith.AddiOp),
    (complex.MulOp, complex.AddOp),
    (arith.AndiOp, arith.OriOp),
)
"""What a contraction computes of two elements, and how that is added up."""


def is_contraction(op: Operation, form: Form) -> bool:
    """Whether a structured operation is a contraction (`isaContractionOpInterface`)."""
    if len(form.inputs) != 2 or len(form.inits) != 1 or form.is_parallel:
        return False
    return all(map(is_projected_permutation, form.maps)) and has_contraction_body(op, PAIRS)


def has_contraction_body(op: Operation, pairs: Collection[tuple[type[Operation], type[Operation]]]) -> bool:
    """Whether the body adds a product of its inputs to its output, apart from casts on the way."""

    def fits(product: Operation, added: Operation) -> bool:
        return any(isinstance(product, first) and isinstance(added, second) for first, second in pairs)

    return contraction_body_problem(op, fits) is None


def contraction_body_problem(op: Operation, fits: Callable[[Operation, Operation], bool]) -> str | None:
    """Why the body is none that adds a product of its inputs to its output, where `fits(product, added)` says of two
    operations whether they are what multiplies and adds; None where it is."""
    block, values = body_of(op), yielded(op)
    if len(block.arguments) != 3:
        return "expected block with 3 arguments"
    if len(values) != 1:
        return "expected terminator with 1 operand"
    added = _source(values[0]).defining_op
    if added is None or len(added.results) != 1 or len(added.operands) != 2:
        return "expected reduction op to be binary"
    left, right = map(_source, added.operands)
    if block.arguments[2] not in (left, right):
        return "expected reduction to take block argument #2 as one of the operands (modulo unary casts)"
    product = _source(right if left.defining_op is None else left).defining_op
    if product is None or len(product.results) != 1 or len(product.operands) != 2:
        return "expected elementwise op to be binary"
    if not fits(product, added):
        return "expected reduction/elementwise op kind not satisfied"
    factors = [_source(operand) for operand in product.operands]
    if factors in ([block.arguments[0], block.arguments[1]], [block.arguments[1], block.arguments[0]]):
        return None
    return "expected elementwise op to apply to block arguments (modulo unary casts)"


def reduction_of(op: Operation, number: int) -> list[Operation]:
    """What a carried value goes through to become what is yielded in its place; nothing where that is no line of
    operations, each used once."""
    block = body_of(op)
    value: Value = block.arguments[destinations_of(op)[number]]
    found: list[Operation] = []
    while sum(value.uses.values()) == 1:
        (user,) = value.uses
        if user is block.end:
            return found if user.operands[number] is value else []
        if len(user.results) != 1 or (not found and len(user.operands) != 2):
            return []
        found.append(user)
        value = user.result
    return []


def _source(value: Value) -> Value:
    """What a value is made of by operations of one operand that have no effects."""
    op = value.defining_op
    while op is not None and len(op.operands) == 1 and _has_no_effect(op):
        value = op.operands[0]
        op = value.defining_op
    return value


def _has_no_effect(op: Operation) -> bool:
    effects = op.interface(MemoryEffects)
    return op.has(PURE) or op.has(NO_MEMORY_EFFECT) or (effects is not None and not effects.effects(op))


# ---- bodies of convolutions and poolings

CASTS: Final = (arith.ExtfOp, arith.ExtsiOp, arith.ExtuiOp, arith.SitofpOp)
ADDITIONS: Final = (arith.AddiOp, arith.AddfOp)
PRODUCTS: Final = (arith.MuliOp, arith.MulfOp)
DIFFERENCES: Final = (arith.SubiOp, arith.SubfOp)


def _argument(value: Value, block: Block) -> int | None:
    """The number of the argument that a value is, or is cast from."""
    op = value.defining_op
    if isinstance(op, CASTS):
        value = op.operands[0]
    return next((argument.index for argument in block.arguments if argument is value), None)


def _arguments(op: Operation, block: Block) -> list[int | None]:
    return [_argument(operand, block) for operand in op.operands]


def _maker(value: Value, kinds: Kinds) -> Operation | None:
    op = value.defining_op
    return op if isinstance(op, kinds) else None


def adds_product(op: Operation) -> bool:
    """Whether the body adds the product of its first two arguments to the third."""
    product = _product_added(op, 2)
    return product is not None and _arguments(product, body_of(op)) == [0, 1]


def adds_product_of_differences(op: Operation) -> bool:
    """The same of quantized numbers, of which zero is subtracted first."""
    product = _product_added(op, 4)
    if product is None:
        return False
    left, right = (_maker(operand, DIFFERENCES) for operand in product.operands)
    block = body_of(op)
    return (
        left is not None
        and right is not None
        and _arguments(left, block) == [0, 2]
        and _arguments(right, block) == [1, 3]
    )


def _product_added(op: Operation, place: int) -> Operation | None:
    """The product that is added to an argument of the body."""
    added = _maker(yielded(op)[0], ADDITIONS)
    if added is None or _argument(added.operands[0], body_of(op)) != place:
        return None
    return _maker(added.operands[1], PRODUCTS)


def pools(op: Operation, kinds: Kinds) -> bool:
    """Whether the body is one of these operations, of its output and its first argument."""
    pooled = _maker(yielded(op)[0], kinds)
    return pooled is not None and _arguments(pooled, body_of(op)) == [2, 0]
