"""What operations on memrefs fold to, beyond looking through casts (`fold_casts`).

Source of the rules: *'memref' Dialect*, and what mlir-opt 22 folds while it converts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from fathom.dialects.memref.common import fold_casts, index_attribute, knows_as_much, ranked
from fathom.ir.affine import AffineDim
from fathom.ir.attributes import AffineMapAttr, ArrayAttr, Attribute, IntegerAttr, StridedLayoutAttr
from fathom.ir.operation import Operation, Value
from fathom.ir.property_values import numbers_property
from fathom.ir.strides import strides_and_offset
from fathom.ir.types import DYNAMIC, MemRefType
from fathom.irdl.index_lists import mixed
from fathom.records import replace
from fathom.rewriting.folding import known_number

Folded: TypeAlias = "list[Value | Attribute] | None"


def fold_copy(op: Operation, constants: Sequence[Attribute | None]) -> Folded:
    """Looks through casts between ranked types to those that say less, since what is stated says how to copy."""
    changed = False
    for index, operand in enumerate(op.operands):
        cast = operand.defining_op
        if cast is not None and cast.name == "memref.cast" and knows_as_much(cast.operands[0].type, operand.type):
            op.set_operand(index, cast.operands[0])
            changed = True
    return [] if changed else None


def fold_reinterpret(op: Operation, constants: Sequence[Attribute | None]) -> Folded:
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
    offsets = mixed(part.properties.get("static_offsets"), part.group("offsets"))
    return all(known_number(offset) == 0 for offset in offsets)


def fold_transpose(op: Operation, constants: Sequence[Attribute | None]) -> Folded:
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


def fold_subview(op: Operation, constants: Sequence[Attribute | None]) -> Folded:
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
    same = same and op.group("sizes") == inner.group("sizes")
    strides = mixed(op.properties.get("static_strides"), op.group("strides"))
    whole = _begins_at_first(op) and all(known_number(stride) == 1 for stride in strides)
    return [source] if same and whole else None


def fold_view(op: Operation, constants: Sequence[Attribute | None]) -> Folded:
    """Bytes seen as the same bytes."""
    type, shift = op.result.type, constants[1]
    if not isinstance(shift, IntegerAttr) or shift.value:
        return None
    unchanged = isinstance(type, MemRefType) and type.has_static_shape and op.operands[0].type == type
    return [op.operands[0]] if unchanged else None


def fold_reassociation(op: Operation, constants: Sequence[Attribute | None]) -> Folded:
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


def fold_alignment(op: Operation, constants: Sequence[Attribute | None]) -> Folded:
    """What is assumed already need not be assumed again."""
    source = op.operands[0].defining_op
    if source is None or source.name != op.name or source.properties.get("alignment") != op.properties["alignment"]:
        return None
    return [op.operands[0]]


def fold_metadata(op: Operation, constants: Sequence[Attribute | None]) -> Folded:
    """Uses of an offset, sizes and strides that the type knows become uses of constants; the operation itself stays."""
    type = ranked(op.operands[0].type)
    layout = strides_and_offset(type) if type is not None else None
    if type is None or layout is None:
        return None
    from fathom.dialects.arith.operations import CONSTANT

    changed = False
    known = (layout[1], *type.ranked_shape, *layout[0])
    if len(known) != len(op.results) - 1:
        return None  # A cast by way of an unranked memref may claim any rank.
    for result, number in zip(op.results[1:], known, strict=True):
        if number == DYNAMIC or not result.uses or op.parent is None:
            continue
        value = {"value": index_attribute(number)}
        constant = Operation(CONSTANT.name, (), [result.type], value, span=op.span, definition=CONSTANT)
        constant.location = op.location
        op.parent.insert_before(constant, op)
        result.replace_all_uses_with(constant.result)
        changed = True
    return fold_casts(op) or ([] if changed else None)
