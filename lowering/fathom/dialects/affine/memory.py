"""Accesses to memrefs whose subscripts are affine.

Source of the rules: *Affine Dialect*; the texts of errors are those of MLIR 22's parser and verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.affine.scope import Validity, affine_scope, check_identifiers
from fathom.dialects.affine.syntax import indices, type_of_kind
from fathom.dialects.memref.access import HINTS
from fathom.dialects.memref.common import rank_of, type_of
from fathom.ir.attributes import AffineMapAttr, Attribute
from fathom.ir.types import MemRefType, VectorType
from fathom.irdl.affine_values import parse_affine_map_of_values, print_affine_map_of_values, resolve_affine_map
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.declared import CustomDirective
from fathom.irdl.interfaces import EffectKind, effects_on
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops.affine import LoadOp, PrefetchOp, StoreOp, VectorLoadOp, VectorStoreOp

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver


def _parse_subscripts(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    parsed.notes[arguments[1]] = parse_affine_map_of_values(parser)


def print_subscripts(attribute: Attribute | None, values: Sequence[Value], p: OpPrinter) -> None:
    """Writes `[%i + 1]`."""
    p.write("[")
    if isinstance(attribute, AffineMapAttr):
        print_affine_map_of_values(attribute.map, values, p)
    p.write("]")


def _print_subscripts(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    print_subscripts(op.properties.get(arguments[1]), op.all_of(arguments[0]), p)


SUBSCRIPTS: Final = CustomDirective(_parse_subscripts, _print_subscripts, spaced=True)
"""`custom<Subscripts>($indices, $map)`: `[%i + 1]`."""


def _resolve(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    map, values = resolve_affine_map(resolver, parsed.notes["map"])
    resolver.properties["map"] = AffineMapAttr(map)
    type = type_of_kind(resolver, parsed, "memref", MemRefType, "memref")
    stated = next((name for name in ("value", "result") if name in parsed.types), None)
    element = type.element if stated is None else type_of_kind(resolver, parsed, stated, VectorType, "vector")
    resolver.operands = [resolver.operand(token, element) for token in parsed.operands.get("value", ())]
    resolver.operands += [resolver.operand(token, type) for token in parsed.operands["memref"]]
    resolver.operands += indices(resolver, values)
    if parsed.name in (LoadOp.name, VectorLoadOp.name):
        resolver.result_types = [element]


# ---- checks


def _verify_subscripts(op: LoadOp | StoreOp | VectorLoadOp | VectorStoreOp) -> Complaint:
    map, values = op.map.map, op.indices
    if len(map.results) != rank_of(op.memref):
        return "affine map num results must equal memref rank"
    if map.inputs != len(values):
        return "expects as many subscripts as affine map inputs"
    return check_identifiers(op, values, map.dims)


@verifies("affine.load")
def _verify_load(op: LoadOp) -> Complaint:
    if op.result.type != type_of(op.memref).element:
        return "result type must match element type of memref"
    return _verify_subscripts(op)


@verifies("affine.store")
def _verify_store(op: StoreOp) -> Complaint:
    if op.value.type != type_of(op.memref).element:
        return "value to store must have the same type as memref element type"
    return _verify_subscripts(op)


@verifies("affine.vector_load", "affine.vector_store")
def _verify_vector_access(op: VectorLoadOp | VectorStoreOp) -> Complaint:
    vector = op.value.type if isinstance(op, VectorStoreOp) else op.result.type
    assert isinstance(vector, VectorType), "constraints come first"
    if problems := _verify_subscripts(op):
        return problems
    if type_of(op.memref).element != vector.element:
        return "requires memref and vector types of the same elemental type"
    return None


@verifies("affine.prefetch")
def _verify_prefetch(op: PrefetchOp) -> Complaint:
    map = op.map.map
    if len(map.results) != rank_of(op.memref):
        return "affine.prefetch affine map num results must equal memref rank"
    if map.inputs != len(op.indices):
        return "too few operands"
    validity = Validity(affine_scope(op))
    if not all(validity.is_index(value) for value in op.indices):
        return "index must be a valid dimension or symbol identifier"
    return None


_ELEMENT: Final = "$memref custom<Subscripts>($indices, $map)"


def _access(elements: str, vector: str = "", *effects: EffectKind) -> OpCode:
    """What accesses an element or a vector, and what that does to the memory."""
    return OpCode(
        custom=two_way(f"{elements} attr-dict `:` type($memref) {vector}", _resolve),
        interfaces=(effects_on(*((kind, "memref") for kind in effects)),) if effects else (),
    )


CODE: Final = {
    "load": _access(_ELEMENT, "", EffectKind.READ),
    "store": _access(f"$value `,` {_ELEMENT}", "", EffectKind.WRITE),
    "vector_load": _access(_ELEMENT, "`,` type($result)", EffectKind.READ),
    "vector_store": _access(f"$value `,` {_ELEMENT}", "`,` type($value)", EffectKind.WRITE),
    "prefetch": _access(f"{_ELEMENT} {HINTS}"),
}
