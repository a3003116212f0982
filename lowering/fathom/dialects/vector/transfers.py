"""Transfers between vectors and memory or tensors, whose dimensions a map brings into order.

Source of the rules: *'vector' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NoReturn

from fathom.dialects.vector.common import bits_of, check_indices, rank, shaped, shaped_type, vector, vector_type
from fathom.dialects.vector.transfer_maps import (
    Transfer,
    is_minor_identity,
    map_of,
    minor_identity,
    minor_rank,
    transfer_mask,
)
from fathom.ir.affine import AffineConstant, AffineDim, AffineMap
from fathom.ir.attributes import FALSE, TRUE, AffineMapAttr, ArrayAttr
from fathom.ir.types import INDEX, MemRefType, TensorType, Type, VectorType
from fathom.irdl.build import segment_sizes
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomDirective
from fathom.irdl.interfaces import Effect, EffectKind, MemoryEffects, Speculatable, Speculation
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops.vector import TransferReadOp, TransferWriteOp

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Ref, Resolver


# ---- syntax


def _parse_types(parser: OpParser, parsed: ParsedOp, _: Sequence[str]) -> None:
    """`: memref<…>, vector<…>`, in either order."""
    at = parser.here()
    parser.expect(":")
    parsed.notes["types"] = parser.type_list(), at
    if len(parsed.notes["types"][0]) != 2:
        parser.fail(f"custom op '{parsed.name}' requires two types", at)


def _print_attributes(op: Transfer, p: OpPrinter, _: Sequence[str]) -> None:
    """Those that do not follow from the types."""
    map, in_bounds = op.properties.get("permutation_map"), op.properties.get("in_bounds")
    elide = {"permutation_map"} if isinstance(map, AffineMapAttr) and is_minor_identity(map.map) else set[str]()
    if not isinstance(in_bounds, ArrayAttr) or TRUE not in in_bounds.elements:
        elide.add("in_bounds")
    p.attr_dict(op, elide=elide)


def _print_types(op: Transfer, p: OpPrinter, _: Sequence[str]) -> None:
    p.write(": ")
    p.types([op.base.type, op.vector.type] if isinstance(op, TransferReadOp) else [op.valueToStore.type, op.base.type])


DIRECTIVES: Final = {
    "TransferAttributes": CustomDirective(
        lambda parser, parsed, _: parser.attr_dict(parsed), _print_attributes, spaced=True
    ),
    "TransferTypes": CustomDirective(_parse_types, _print_types),
}


def _resolve(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    types, begin = parsed.notes["types"]

    def refuse(message: str, at: Ref = begin) -> NoReturn:
        resolver.fail(f"custom op '{parsed.name}' {message}", at)

    is_read = "padding" in parsed.operands
    first, second = resolver.types(types)
    if is_read:
        base = shaped(first) or refuse("requires memref or ranked tensor type")
        type = vector(second) or refuse("requires vector type")
    else:
        type = vector(first) or refuse("requires vector type")
        base = shaped(second) or refuse("requires memref or ranked tensor type")
    properties = resolver.properties
    attribute = properties.get("permutation_map")
    if attribute is None:
        if not 0 <= minor_rank(base, type) <= len(base.ranked_shape):
            refuse("expected a custom permutation_map when rank(source) != rank(destination)")
        attribute = properties["permutation_map"] = AffineMapAttr(minor_identity(base, type))
    if not isinstance(attribute, AffineMapAttr):
        refuse("attribute 'permutation_map' failed to satisfy constraint: AffineMap attribute")
    map = attribute.map
    properties.setdefault("in_bounds", ArrayAttr((FALSE,) * len(map.results)))
    for token in parsed.operands.get("mask", ()):
        if isinstance(base.element, VectorType):
            refuse("does not support masks with vector element type", token)
        if rank(type) != len(map.results):
            refuse("expected the same rank for the vector and the results of the permutation map")
    groups: dict[str, Type | None] = {"base": base, "indices": INDEX, "padding": base.element}
    if not is_read:
        groups = {"valueToStore": type, "base": base, "indices": INDEX}
    groups["mask"] = transfer_mask(type, map) if parsed.operands.get("mask") else None
    resolver.operands = [
        resolver.operand(token, group) for name, group in groups.items() for token in parsed.operands.get(name, ())
    ]
    properties["operandSegmentSizes"] = segment_sizes(*(len(parsed.operands.get(name, ())) for name in groups))
    resolver.result_types = [type] if is_read else [base] if isinstance(base, TensorType) else []


# ---- checks


def _check_transfer(op: Transfer, type: VectorType) -> Complaint:
    """What reading and writing have in common."""
    if "masked" in op.attributes:
        return "masked attribute has been removed. Use in_bounds instead."
    source, map, mask = shaped(op.base.type), map_of(op), op.mask
    if source is None:
        return "requires source to be a memref or ranked tensor type"
    if problem := _check_sizes(source.element, type) or _check_results(source.element, type, map):
        return problem
    if mask is not None and isinstance(source.element, VectorType):
        return "does not support masks with vector element type"
    if map.symbols:
        return "requires permutation_map without symbols"
    if map.dims != len(source.ranked_shape):
        return "requires a permutation_map with input dims of the same rank as the source type"
    inferred = transfer_mask(type, map) if mask is not None else None
    if mask is not None and inferred is not None and mask.type != inferred:
        return f"inferred mask type ('{inferred}') and mask operand type ('{mask.type}') don't match"
    count = len(op.in_bounds.elements)
    if len(map.results) != count:
        expects = f"affine_map<{map}> vs inBounds of size: {count}"
        return f"expects the in_bounds attr of same rank as permutation_map results: {expects}"
    return None


def _check_sizes(element: Type, target: VectorType) -> Complaint:
    """The last dimension is a whole number of elements."""
    inner = vector(element)
    of_source = bits_of(inner.element if inner is not None else element)
    of_target = bits_of(target.element)
    if of_source is None or of_target is None:
        return None
    if inner is not None and not inner.shape:
        return None
    source_size = of_source * (inner.ranked_shape[-1] if inner is not None else 1)
    target_size = of_target * (target.ranked_shape[-1] if target.shape else 1)
    if source_size == 0 or target_size % source_size == 0:
        return None
    of = "minor 1-D vector of the source" if inner is not None else "source element type"
    return "requires the bitwidth of the minor 1-D vector to be an integral multiple of the bitwidth of the " + of


def _check_results(element: Type, target: VectorType, map: AffineMap) -> Complaint:
    if rank(element) > rank(target):
        return "requires source vector element and vector result ranks to match."
    if len(map.results) != rank(target) - rank(element):
        return "requires a permutation_map with result dims of the same rank as the vector type"
    return None


def _check_map(map: AffineMap) -> Complaint:
    seen: set[int] = set()
    for result in map.results:
        if isinstance(result, AffineConstant) and result.value == 0:
            continue
        if not isinstance(result, AffineDim):
            one = "at most one dim or the zero constant can appear in each result"
            return f"requires a projected permutation_map ({one})"
        if result.position in seen:
            return "requires a permutation_map that is a permutation (found one dim used more than once)"
        seen.add(result.position)
    return None


@verifies("vector.transfer_read")
def _verify_read(op: TransferReadOp) -> Complaint:
    return (
        check_indices(op.base.type, op.indices)
        or _check_transfer(op, vector_type(op.vector))
        or _check_padding(shaped_type(op.base).element, op.padding.type)
        or _check_map(map_of(op))
    )


def _check_padding(element: Type, padding: Type) -> Complaint:
    if padding == element:
        return None
    if isinstance(element, VectorType):
        return "requires source element type and padding type to match."
    if bits_of(padding) is None:
        return "requires valid padding vector elemental type"
    return "requires formal padding and source of the same elemental type"


@verifies("vector.transfer_write")
def _verify_write(op: TransferWriteOp) -> Complaint:
    if problem := check_indices(op.base.type, op.indices):
        return problem
    if any(isinstance(r, AffineConstant) and r.value == 0 for r in map_of(op).results):
        return "should not have broadcast dimensions"
    return _check_transfer(op, vector_type(op.valueToStore)) or _check_map(map_of(op))


def _effect_on_buffer(kind: EffectKind) -> MemoryEffects:
    """A transfer from or to a tensor concerns no memory."""
    return MemoryEffects(lambda op: (Effect(kind, op.base),) if isinstance(op.base.type, MemRefType) else ())


_SPECULATABLE: Final = Speculatable(
    lambda op: Speculation.ALWAYS if isinstance(op.base.type, TensorType) else Speculation.NEVER
)


def _transfer(access: str, kind: EffectKind) -> OpCode:
    form = f"{access} (`,` $mask^)? custom<TransferAttributes>() custom<TransferTypes>()"
    return OpCode(custom=two_way(form, _resolve), interfaces=(_effect_on_buffer(kind), _SPECULATABLE))


CODE: Final = {
    "transfer_read": _transfer("$base `[` $indices `]` `,` $padding", EffectKind.READ),
    "transfer_write": _transfer("$valueToStore `,` $base `[` $indices `]`", EffectKind.WRITE),
}
