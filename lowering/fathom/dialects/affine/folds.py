"""What operations of affine fold to; many look through casts of memrefs.

Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from fathom.dialects.affine.bounds import fold_if, fold_parallel
from fathom.dialects.affine.constant_maps import Undefined, constants_of, fold_expr, fold_map
from fathom.dialects.affine.indices import BASIS, basis_of
from fathom.dialects.affine.loop_folds import fold_for
from fathom.dialects.affine.syntax import map_of
from fathom.dialects.arith import folds as arith
from fathom.dialects.arith.elements import element_at
from fathom.dialects.memref.common import fold_casts, uncast
from fathom.dialects.ub import POISON
from fathom.dialects.ub import folds as ub
from fathom.ir.affine import AffineConstant, AffineDim, AffineMap, AffineSymbol
from fathom.ir.attributes import (
    AffineMapAttr,
    Attribute,
    DenseArrayAttr,
    DenseElementsAttr,
    IntegerAttr,
    SymbolRefAttr,
    index_attr,
)
from fathom.ir.operation import Operation, Span, Value
from fathom.ir.types import DYNAMIC, I64, Type
from fathom.irdl.build import segment_sizes
from fathom.irdl.checking import group
from fathom.irdl.dialect import Definitions
from fathom.irdl.folding import Constants, Fold, Folded
from fathom.irdl.index_lists import mixed
from fathom.irdl.symbols import symbol_in
from fathom.irdl.traits import SYMBOL_TABLE
from fathom.rewriting.pattern import Operations


def _fold_apply(op: Operation, constants: Constants) -> Folded:
    """An operand, if the map gives it; a number, if all operands are."""
    map = map_of(op)
    match map.results[0]:
        case AffineDim(position):
            return [op.operands[position]]
        case AffineSymbol(position):
            return [op.operands[map.dims + position]]
        case _:
            return _fold_value(map, constants)


def _fold_value(map: AffineMap, constants: Constants) -> Folded:
    try:
        value = fold_expr(map.results[0], map, constants)
    except Undefined:
        return [POISON]
    return [index_attr(value)] if value is not None else None


def _fold_extremum(op: Operation, constants: Constants) -> Folded:
    """A number, if all of the map's values are; otherwise constants take their places in the map."""
    map = map_of(op)
    folded = fold_map(map, constants)
    # What MLIR takes for the identity of a symbol is that of a dimension, beside a symbol.
    if folded.symbols == 1 and folded.results == (AffineDim(0),):
        return [op.operands[0]]
    values = constants_of(folded)
    if values is not None:
        return [index_attr(min(values) if op.name == "affine.min" else max(values))]
    if folded == map:
        return None
    op.properties["map"] = AffineMapAttr(folded)
    return []


def _fold_basis(op: Operation, constants: Sequence[Attribute | None]) -> bool:
    """Puts numbers in the place of the basis's operands that are known, as far as there are any."""
    known = dict(zip(group(op, "dynamic_basis"), constants, strict=True))
    if all(constant is None for constant in constants):
        return False
    basis: list[int] = []
    rest: list[Value] = []
    for extent in mixed(op.properties.get(BASIS), group(op, "dynamic_basis")):
        constant = known[extent] if isinstance(extent, Value) else None
        if isinstance(constant, IntegerAttr):
            basis.append(constant.value)
        elif isinstance(extent, Value):
            basis.append(DYNAMIC)
            rest.append(extent)
        else:
            basis.append(extent)
    others = op.operands[: len(op.operands) - len(constants)]
    op.set_operands([*others, *rest])
    op.properties[BASIS] = DenseArrayAttr(I64, tuple(basis))
    if "operandSegmentSizes" in op.properties:
        op.properties["operandSegmentSizes"] = segment_sizes(len(others), len(rest))
    return True


def _fold_delinearize(op: Operation, constants: Constants) -> Folded:
    if _fold_basis(op, constants[1:]):
        return []
    if len(op.results) == 1:
        return [op.operands[0]]
    linear = constants[0]
    if not isinstance(linear, IntegerAttr) or len(op.operands) > 1:
        return None
    basis, rest = basis_of(op), linear.value
    parts: list[Value | Attribute] = []
    for extent in reversed(basis[1:] if len(basis) == len(op.results) else basis):
        parts.append(index_attr(rest % extent))
        rest //= extent
    return [index_attr(rest), *reversed(parts)]


def _fold_linearize(op: Operation, constants: Constants) -> Folded:
    parts = group(op, "multi_index")
    if _fold_basis(op, constants[len(parts) :]):
        return []
    if not parts:
        return [index_attr(0)]
    if len(parts) == 1:
        return [parts[0]]
    numbers = [constant.value for constant in constants if isinstance(constant, IntegerAttr)]
    if len(numbers) != len(op.operands) or len(op.operands) != len(parts):
        return None
    result, stride = 0, 1
    basis = basis_of(op)
    for extent, number in zip(reversed(basis), reversed(numbers), strict=False):
        result += number * stride
        stride *= extent
    if len(basis) < len(parts):
        result += numbers[0] * stride
    return [index_attr((result + 2**63) % 2**64 - 2**63)]


def _fold_store(op: Operation, constants: Constants) -> Folded:
    """Stores through a cast; the value that is stored, a memref or not, stays."""
    inner = uncast(op.operands[1])
    if inner is None or op.operands[1] is op.operands[0]:
        return None
    op.set_operand(1, inner)
    return []


_NAMED: Final = Operations("memref.get_global")
_GLOBAL: Final = Operations("memref.global")


def _fold_load(op: Operation, constants: Constants) -> Folded:
    """Loads through a cast; of memory that is constant, what it is filled with, or its element at known indices."""
    found = fold_casts(op)
    source = _NAMED.defining(op.operands[0])
    if found is not None or source is None:
        return found
    table = source.parent_op
    while table is not None and not table.has(SYMBOL_TABLE):
        table = table.parent_op
    name = source.properties.get("name")
    memory = symbol_in(table, *name.path) if isinstance(name, SymbolRefAttr) else None
    if memory is None or memory not in _GLOBAL or "constant" not in memory.properties:
        return None
    elements, map = memory.properties.get("initial_value"), map_of(op)
    if not isinstance(elements, DenseElementsAttr):
        return None
    number = 0
    if not elements.is_splat:
        for index, extent in zip(map.results, elements.type.ranked_shape, strict=True):
            if not isinstance(index, AffineConstant) or not 0 <= index.value < extent:
                return None
            number = number * extent + index.value
    element = element_at(elements, number)
    return [element] if element is not None else None


FOLDS: Final[Mapping[str, Fold]] = {
    "affine.apply": _fold_apply,
    "affine.delinearize_index": _fold_delinearize,
    "affine.dma_start": fold_casts,
    "affine.dma_wait": fold_casts,
    "affine.for": fold_for,
    "affine.if": fold_if,
    "affine.linearize_index": _fold_linearize,
    "affine.load": _fold_load,
    "affine.max": _fold_extremum,
    "affine.min": _fold_extremum,
    "affine.parallel": fold_parallel,
    "affine.prefetch": fold_casts,
    "affine.store": _fold_store,
}


def materialize_constant(context: Definitions, attribute: Attribute, type: Type, span: Span | None) -> Operation | None:
    """`ub.poison` for poison, `arith.constant` for a number, None for anything else."""
    return ub.materialize_constant(context, attribute, type, span) or arith.materialize_constant(
        context, attribute, type, span
    )


MATERIALIZE_CONSTANT: Final = materialize_constant
