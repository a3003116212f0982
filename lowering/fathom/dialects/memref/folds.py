"""What operations on memrefs fold to; many look through casts (`fold_casts`).

Source of the rules: *'memref' Dialect*, and what mlir-opt 22 folds while it converts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.dialects.memref.common import fold_casts, index_attribute, knows_as_much, ranked, uncast
from fathom.ir.affine import AffineDim
from fathom.ir.attributes import AffineMapAttr, ArrayAttr, Attribute, DenseArrayAttr, IntegerAttr, StridedLayoutAttr
from fathom.ir.operation import Operation, Span, Value
from fathom.ir.property_values import numbers_property
from fathom.ir.strides import strides_and_offset
from fathom.ir.types import DYNAMIC, MemRefType, Type
from fathom.irdl.build import create
from fathom.irdl.dialect import Definitions
from fathom.irdl.folding import Constants, Fold, Folded
from fathom.irdl.index_lists import mixed
from fathom.records import replace
from fathom.rewriting.folding import known_number


def _fold_copy(op: Operation, constants: Constants) -> Folded:
    """Looks through casts between ranked types to those that say less, since what is stated says how to copy."""
    changed = False
    for index, operand in enumerate(op.operands):
        cast = operand.defining_op
        if cast is not None and cast.name == "memref.cast" and knows_as_much(cast.operands[0].type, operand.type):
            op.set_operand(index, cast.operands[0])
            changed = True
    return [] if changed else None


def _fold_reinterpret(op: Operation, constants: Constants) -> Folded:
    """Only the buffer of the source matters, so another reinterpretation, a cast, or a part that starts at its first
    element gives way to what it was made of. What changes nothing is its source."""
    source = op.operands[0]
    inner = source.defining_op
    if inner is not None and (
        inner.name in ("memref.reinterpret_cast", "memref.cast")
        or (inner.name == "memref.subview" and _begins_at_first(inner))
    ):
        op.set_operand(0, inner.operands[0])
        return []
    type = op.result.type
    if isinstance(type, MemRefType) and type.has_static_shape and source.type == type:
        return [source] if numbers_property(op, "static_offsets")[:1] == (0,) else None
    return None


def _begins_at_first(part: Operation) -> bool:
    """Whether a part is known to begin at the first element: by numbers, or by values that are zero."""
    offsets = mixed(part.properties.get("static_offsets"), part.all_of("offsets"))
    return all(known_number(offset) == 0 for offset in offsets)


def _fold_transpose(op: Operation, constants: Constants) -> Folded:
    """A transposition that changes nothing is its source; two of them are one."""
    attribute, source = op.properties.get("permutation"), op.operands[0]
    if not isinstance(attribute, AffineMapAttr):
        return None
    if attribute.map.is_identity and source.type == op.result.type:
        return [source]
    inner = source.defining_op
    if inner is None or inner.name != op.name:
        return None
    first = inner.properties.get("permutation")
    if not isinstance(first, AffineMapAttr):
        return None
    order = [expr.position for expr in attribute.map.results if isinstance(expr, AffineDim)]
    composed = replace(attribute.map, results=tuple(first.map.results[position] for position in order))
    op.set_operand(0, inner.operands[0])
    op.properties["permutation"] = AffineMapAttr(composed)
    return []


def _fold_subview(op: Operation, constants: Constants) -> Folded:
    """A part that is all of a static memref is that; so is the same part of a part."""
    source, type = op.operands[0], op.result.type
    if not isinstance(type, MemRefType) or source.type != type:
        return None
    layout = type.layout
    is_static = not isinstance(layout, StridedLayoutAttr) or DYNAMIC not in (layout.offset, *layout.strides)
    if type.has_static_shape and is_static:
        return [source]
    inner = source.defining_op
    if inner is None or inner.name != op.name or inner.definition is None or op.definition is None:
        return None
    same = numbers_property(op, "static_sizes") == numbers_property(inner, "static_sizes")
    same = same and op.all_of("sizes") == inner.all_of("sizes")
    strides = mixed(op.properties.get("static_strides"), op.all_of("strides"))
    whole = _begins_at_first(op) and all(known_number(stride) == 1 for stride in strides)
    return [source] if same and whole else None


def _fold_view(op: Operation, constants: Constants) -> Folded:
    """Bytes seen as the same bytes."""
    type, shift = op.result.type, constants[1]
    if not isinstance(shift, IntegerAttr) or shift.value:
        return None
    unchanged = isinstance(type, MemRefType) and type.has_static_shape and op.operands[0].type == type
    return [op.operands[0]] if unchanged else None


def _fold_reassociation(op: Operation, constants: Constants) -> Folded:
    """What changes nothing is its source. An expansion undoes a collapse, and the other way round, unless several sizes
    that are not known were joined."""
    source = op.operands[0]
    if source.type == op.result.type:
        return [source]
    inner = source.defining_op
    other = {"memref.expand_shape": "memref.collapse_shape", "memref.collapse_shape": "memref.expand_shape"}[op.name]
    if inner is None or inner.name != other or inner.operands[0].type != op.result.type:
        return None
    type = ranked(op.result.type)
    if type is not None and type.ranked_shape.count(DYNAMIC) > 1:
        reassociation = op.properties.get("reassociation")
        is_expansion = op.name == "memref.expand_shape"
        if inner.properties.get("reassociation") != reassociation or (is_expansion and _is_open(reassociation, type)):
            return None
    return [inner.operands[0]]


def _is_open(reassociation: Attribute | None, type: MemRefType) -> bool:
    """Whether several sizes of a group are not known."""
    groups = reassociation.elements if isinstance(reassociation, ArrayAttr) else ()
    for group in groups:
        indices = group.elements if isinstance(group, ArrayAttr) else ()
        sizes = [type.ranked_shape[index.value] for index in indices if isinstance(index, IntegerAttr)]
        if sizes.count(DYNAMIC) > 1:
            return True
    return False


def _fold_alignment(op: Operation, constants: Constants) -> Folded:
    """What is assumed already need not be assumed again."""
    source = op.operands[0].defining_op
    if source is None or source.name != op.name or source.properties.get("alignment") != op.properties["alignment"]:
        return None
    return [op.operands[0]]


def _fold_metadata(op: Operation, constants: Constants) -> Folded:
    """Uses of an offset, sizes and strides that the type knows become uses of constants; the operation itself stays."""
    type = ranked(op.operands[0].type)
    layout = strides_and_offset(type) if type is not None else None
    if type is None or layout is None:
        return None
    from fathom.dialects.arith import DIALECT

    definition = DIALECT.operation("arith.constant")
    changed = False
    known = (layout[1], *type.ranked_shape, *layout[0])
    if len(known) != len(op.results) - 1:
        return None  # A cast by way of an unranked memref may claim any rank.
    for result, number in zip(op.results[1:], known, strict=True):
        if number == DYNAMIC or not result.uses or op.parent is None:
            continue
        value = {"value": index_attribute(number)}
        constant = Operation(definition.name, (), [result.type], value, span=op.span, definition=definition)
        constant.location = op.location
        op.parent.insert_before(constant, op)
        result.replace_all_uses_with(constant.result)
        changed = True
    return fold_casts(op) or ([] if changed else None)


def _fold_store(op: Operation, constants: Constants) -> Folded:
    """Stores through a cast; the value that is stored, a memref or not, stays."""
    inner = uncast(op.operands[1])
    if inner is None:
        return None
    op.set_operand(1, inner)
    return []


def _fold_dim(op: Operation, constants: Constants) -> Folded:
    """A static size is a number; a dynamic one may be an operand of what made the memref."""
    index, type = constants[1], ranked(op.operands[0].type)
    if not isinstance(index, IntegerAttr) or type is None:
        return None
    shape, position = type.ranked_shape, index.value
    if not 0 <= position < len(shape):
        return None
    if shape[position] != DYNAMIC:
        return [index_attribute(shape[position])]
    size = _dynamic_size(op.operands[0].defining_op, shape[:position].count(DYNAMIC))
    if size is not None:
        return [size]
    return fold_casts(op)


def _dynamic_size(source: Operation | None, position: int) -> Value | None:
    """The operand that gives the dynamic size number `position` of what `source` makes."""
    if source is None or source.definition is None:
        return None
    group = {"memref.alloc": "dynamicSizes", "memref.alloca": "dynamicSizes", "memref.view": "sizes"}.get(source.name)
    if group is not None:
        return source.all_of(group)[position]
    if source.name != "memref.subview":
        return None
    sizes = source.all_of("sizes")
    result = ranked(source.result.type)
    static = source.properties.get("static_sizes")
    # A subview that drops dimensions drops static ones only, so the order of the dynamic sizes stays.
    if result is None or not isinstance(static, DenseArrayAttr) or result.ranked_shape.count(DYNAMIC) != len(sizes):
        return None
    return sizes[position]


def _fold_rank(op: Operation, constants: Constants) -> Folded:
    type = ranked(op.operands[0].type)
    return [index_attribute(len(type.ranked_shape))] if type is not None else None


def _fold_cast(op: Operation, constants: Constants) -> Folded:
    """A cast to its own type is its operand; a cast of a cast starts at the first."""
    if op.operands[0].type == op.result.type:
        return [op.operands[0]]
    return fold_casts(op)


def _fold_space_cast(op: Operation, constants: Constants) -> Folded:
    """A cast of a cast starts at the first."""
    source = op.operands[0]
    if source.type == op.result.type:
        return [source]
    inner = source.defining_op
    if inner is not None and inner.name == op.name:
        op.set_operand(0, inner.operands[0])
        return []
    return None


FOLDS: Final[Mapping[str, Fold]] = {
    "memref.assume_alignment": _fold_alignment,
    "memref.atomic_rmw": fold_casts,
    "memref.cast": _fold_cast,
    "memref.collapse_shape": _fold_reassociation,
    "memref.copy": _fold_copy,
    "memref.dealloc": fold_casts,
    "memref.dim": _fold_dim,
    "memref.dma_start": fold_casts,
    "memref.dma_wait": fold_casts,
    "memref.expand_shape": _fold_reassociation,
    "memref.extract_strided_metadata": _fold_metadata,
    "memref.load": fold_casts,
    "memref.memory_space_cast": _fold_space_cast,
    "memref.prefetch": fold_casts,
    "memref.rank": _fold_rank,
    "memref.reinterpret_cast": _fold_reinterpret,
    "memref.store": _fold_store,
    "memref.subview": _fold_subview,
    "memref.transpose": _fold_transpose,
    "memref.view": _fold_view,
}


def materialize_constant(context: Definitions, attribute: Attribute, type: Type, span: Span | None) -> Operation | None:
    """The `arith.constant` for a folded size, or None for anything else."""
    if not isinstance(attribute, IntegerAttr) or attribute.type != type:
        return None
    return create(context, "arith.constant", (), [type], {"value": attribute}, span=span)


MATERIALIZE_CONSTANT: Final = materialize_constant
