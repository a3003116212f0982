"""What operations of affine fold to; many look through casts of memrefs.

Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from fathom.dialects.affine.constant_maps import Undefined, constants_of, fold_expr, fold_map
from fathom.dialects.affine.loop_folds import fold_for, fold_if, fold_parallel
from fathom.dialects.arith.elements import as_signed, element_at
from fathom.dialects.arith.folds import materialize_constant
from fathom.dialects.memref.common import fold_casts, uncast
from fathom.dialects.ub import POISON
from fathom.ir.affine import AffineConstant, AffineDim, AffineMap, AffineSymbol
from fathom.ir.attributes import AffineMapAttr, Attribute, DenseElementsAttr, IntegerAttr, SymbolRefAttr, index_attr
from fathom.ir.operation import Value
from fathom.ir.traversal import ancestors
from fathom.irdl.build import segment_sizes
from fathom.irdl.folding import Constants, Fold, Folded, one, use_instead
from fathom.irdl.index_lists import mixed, separated
from fathom.irdl.symbols import symbol_in
from fathom.irdl.traits import SYMBOL_TABLE
from fathom.ops import affine as ops
from fathom.ops.memref import GetGlobalOp, GlobalOp
from fathom.rewriting.pattern import defined_by


def _fold_apply(op: ops.ApplyOp, constants: Constants) -> Folded:
    """An operand, if the map gives it; a number, if all operands are."""
    map = op.map.map
    match map.results[0]:
        case AffineDim(position):
            return [op.mapOperands[position]]
        case AffineSymbol(position):
            return [op.mapOperands[map.dims + position]]
        case _:
            return _fold_value(map, constants)


def _fold_value(map: AffineMap, constants: Constants) -> Folded:
    try:
        value = fold_expr(map.results[0], map, constants)
    except Undefined:
        return [POISON]
    return [index_attr(value)] if value is not None else None


def _fold_extremum(op: ops.MinOp | ops.MaxOp, constants: Constants) -> Folded:
    """A number, if all of the map's values are; otherwise constants take their places in the map."""
    map = op.map.map
    folded = fold_map(map, constants)
    # What MLIR takes for the identity of a symbol is that of a dimension, beside a symbol.
    if folded.symbols == 1 and folded.results == (AffineDim(0),):
        return op.operands[:1]
    values = constants_of(folded)
    if values is not None:
        return [index_attr(min(values) if isinstance(op, ops.MinOp) else max(values))]
    if folded == map:
        return None
    op.properties["map"] = AffineMapAttr(folded)
    return []


def _fold_basis(op: ops.DelinearizeIndexOp | ops.LinearizeIndexOp, constants: Sequence[Attribute | None]) -> bool:
    """Puts numbers in the place of the basis's operands that are known, as far as there are any."""
    known = dict(zip(op.dynamic_basis, constants, strict=True))
    if all(constant is None for constant in constants):
        return False
    basis: list[int | Value] = []
    for extent in mixed(op.static_basis, op.dynamic_basis):
        constant = known[extent] if isinstance(extent, Value) else None
        basis.append(constant.value if isinstance(constant, IntegerAttr) else extent)
    rest, numbers = separated(basis)
    others = op.operands[: len(op.operands) - len(constants)]
    op.set_operands([*others, *rest])
    op.properties["static_basis"] = numbers
    if isinstance(op, ops.LinearizeIndexOp):
        op.properties["operandSegmentSizes"] = segment_sizes(len(others), len(rest))
    return True


def _fold_delinearize(op: ops.DelinearizeIndexOp, constants: Constants) -> Folded:
    if _fold_basis(op, constants[1:]):
        return []
    if len(op.results) == 1:
        return [op.linear_index]
    linear = constants[0]
    if not isinstance(linear, IntegerAttr) or len(op.operands) > 1:
        return None
    basis, rest = op.static_basis.values, linear.value
    parts: list[Value | Attribute] = []
    for extent in reversed(basis[1:] if len(basis) == len(op.results) else basis):
        parts.append(index_attr(rest % extent))
        rest //= extent
    return [index_attr(rest), *reversed(parts)]


def _fold_linearize(op: ops.LinearizeIndexOp, constants: Constants) -> Folded:
    parts = op.multi_index
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
    basis = op.static_basis.values
    for extent, number in zip(reversed(basis), reversed(numbers), strict=False):
        result += number * stride
        stride *= extent
    if len(basis) < len(parts):
        result += numbers[0] * stride
    return [index_attr(as_signed(result, 64))]


def _fold_store(op: ops.StoreOp, constants: Constants) -> Folded:
    """Stores through a cast; the value that is stored, a memref or not, stays."""
    return use_instead(op, lambda value: uncast(value) if value is op.memref is not op.value else None)


def _fold_load(op: ops.LoadOp, constants: Constants) -> Folded:
    """Loads through a cast; of memory that is constant, what it is filled with, or its element at known indices."""
    folded = fold_casts(op)
    source = defined_by(op.memref, GetGlobalOp)
    if folded is not None or source is None:
        return folded
    table = next((ancestor for ancestor in ancestors(source) if ancestor.has(SYMBOL_TABLE)), None)
    name = source.properties.get("name")
    memory = symbol_in(table, *name.path) if isinstance(name, SymbolRefAttr) else None
    if not isinstance(memory, GlobalOp) or memory.constant is None:
        return None
    elements = memory.initial_value
    if not isinstance(elements, DenseElementsAttr):
        return None
    number = 0
    if not elements.is_splat:
        for index, extent in zip(op.map.map.results, elements.type.ranked_shape, strict=True):
            if not isinstance(index, AffineConstant) or not 0 <= index.value < extent:
                return None
            number = number * extent + index.value
    return one(element_at(elements, number))


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
MATERIALIZE_CONSTANT: Final = materialize_constant
