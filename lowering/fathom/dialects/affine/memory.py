"""Accesses to memrefs whose subscripts are affine.

Source of the rules: *Affine Dialect*; the texts of errors are those of MLIR 22's parser and verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from fathom.dialects.affine.scope import Validity, affine_scope, check_identifiers
from fathom.dialects.affine.syntax import indices, memref_type, parse_number_or_attribute, refuse
from fathom.dialects.memref.common import rank_of, type_of
from fathom.ir.attributes import FALSE, TRUE, AffineMapAttr, Attribute, IntegerAttr
from fathom.ir.operation import Value
from fathom.ir.types import I32, VectorType
from fathom.irdl.affine_values import Tree, parse_affine_map_of_values, print_affine_map_of_values, resolve_affine_map
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.interfaces import EffectKind, effects_on
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops.affine import LoadOp, PrefetchOp, StoreOp, VectorLoadOp, VectorStoreOp
from fathom.records import record

if TYPE_CHECKING:
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Ref, Resolver


@record
class Access:
    """`%v, %m[%i + 1] : memref<…>, vector<…>`; the value is stored, the vector's type is None for a single element."""

    value: Ref | None
    memref: Ref
    subscripts: list[Tree]
    type: Node
    type_at: Ref
    vector: Node | None
    vector_at: Ref


def _parse_access(parser: OpParser, parsed: ParsedOp, *, stores: bool, vector: bool) -> Access:
    value: Ref | None = None
    if stores:
        value = parser.value_use()
        parser.expect(",")
    memref = parser.value_use()
    subscripts = parse_affine_map_of_values(parser)
    parser.attr_dict(parsed)
    parser.expect(":")
    type_at = parser.here()
    type = parser.type()
    if vector:
        parser.expect(",")
    vector_at = parser.here()
    return Access(value, memref, subscripts, type, type_at, parser.type() if vector else None, vector_at)


def _resolve_access(resolver: Resolver, parsed: ParsedOp, found: Access) -> None:
    map, values = resolve_affine_map(resolver, found.subscripts)
    resolver.properties["map"] = AffineMapAttr(map)
    type = memref_type(resolver, parsed, found.type, found.type_at)
    element = type.element
    if found.vector is not None:
        element = resolver.type(found.vector)
        if not isinstance(element, VectorType):
            expected = f"expected builtin.vector, but found '{element}'"
            refuse(resolver, parsed, f"invalid kind of type specified: {expected}", found.vector_at)
    if found.value is not None:
        resolver.operands = [resolver.operand(found.value, element)]
    else:
        resolver.result_types = [element]
    resolver.operands += [resolver.operand(found.memref, type), *indices(resolver, values)]


def print_subscripts(memref: Value, attribute: Attribute | None, values: Sequence[Value], p: OpPrinter) -> None:
    """Writes `%m[%i + 1]`."""
    p.value(memref)
    p.write("[")
    if isinstance(attribute, AffineMapAttr):
        print_affine_map_of_values(attribute.map, values, p)
    p.write("]")


def _print_access(op: LoadOp | StoreOp | VectorLoadOp | VectorStoreOp, p: OpPrinter) -> None:
    value = op.value if isinstance(op, (StoreOp, VectorStoreOp)) else op.result
    p.write(" ")
    if not op.results:
        p.value(value)
        p.write(", ")
    print_subscripts(op.memref, op.map, op.indices, p)
    p.attr_dict(op, elide=("map",))
    p.write(" : ")
    p.type(op.memref.type)
    if isinstance(op, (VectorLoadOp, VectorStoreOp)):
        p.write(", ")
        p.type(value.type)


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


# ---- affine.prefetch


@record
class Prefetch:
    """`%m[%i], read, locality<3>, data : memref<…>`."""

    memref: Ref
    subscripts: list[Tree]
    access: str
    locality: Node
    locality_at: Ref
    cache: str
    type: Node
    type_at: Ref


def _parse_prefetch(parser: OpParser, parsed: ParsedOp) -> Prefetch:
    owner = f"custom op '{parsed.name}'"
    memref = parser.value_use()
    subscripts = parse_affine_map_of_values(parser)
    parser.expect(",")
    access = _word(parser, owner)
    parser.expect(",")
    parser.expect("locality", f"{owner} expected 'locality'")
    parser.expect("<")
    locality_at = parser.here()
    locality = parse_number_or_attribute(parser, I32)
    parser.expect(">")
    parser.expect(",")
    cache = _word(parser, owner)
    parser.attr_dict(parsed)
    parser.expect(":")
    type_at = parser.here()
    return Prefetch(memref, subscripts, access, locality, locality_at, cache, parser.type(), type_at)


def _word(parser: OpParser, owner: str) -> str:
    word = parser.optional_word()
    if word is None:
        parser.fail(f"{owner} expected valid keyword")
    return word


def _resolve_prefetch(resolver: Resolver, parsed: ParsedOp, found: Prefetch) -> None:
    map, values = resolve_affine_map(resolver, found.subscripts)
    locality = resolver.attribute(found.locality, I32)
    if not isinstance(locality, IntegerAttr):
        refuse(resolver, parsed, "invalid kind of attribute specified", found.locality_at)
    type = memref_type(resolver, parsed, found.type, found.type_at)
    resolver.operands = [resolver.operand(found.memref, type), *indices(resolver, values)]
    if found.access not in ("read", "write"):
        refuse(resolver, parsed, "rw specifier has to be 'read' or 'write'")
    if found.cache not in ("data", "instr"):
        refuse(resolver, parsed, "cache type has to be 'data' or 'instr'")
    resolver.properties |= {
        "isWrite": TRUE if found.access == "write" else FALSE,
        "localityHint": locality,
        "isDataCache": TRUE if found.cache == "data" else FALSE,
        "map": AffineMapAttr(map),
    }


def _print_prefetch(op: PrefetchOp, p: OpPrinter) -> None:
    p.write(" ")
    print_subscripts(op.memref, op.map, op.indices, p)
    p.write(", write" if op.isWrite == TRUE else ", read")
    p.write(f", locality<{op.localityHint.value}>")
    p.write(", data" if op.isDataCache == TRUE else ", instr")
    p.attr_dict(op, elide=("map", "localityHint", "isDataCache", "isWrite"))
    p.write(" : ")
    p.type(op.memref.type)


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


def _access(kind: EffectKind, *, vector: bool = False) -> OpCode:
    """A read or a write, of an element or of a vector."""
    stores = kind is EffectKind.WRITE
    parse = partial(_parse_access, stores=stores, vector=vector)
    return OpCode(
        custom=CustomSyntax(parse, _print_access, _resolve_access), interfaces=(effects_on((kind, "memref")),)
    )


CODE: Final = {
    "load": _access(EffectKind.READ),
    "store": _access(EffectKind.WRITE),
    "vector_load": _access(EffectKind.READ, vector=True),
    "vector_store": _access(EffectKind.WRITE, vector=True),
    "prefetch": OpCode(custom=CustomSyntax(_parse_prefetch, _print_prefetch, _resolve_prefetch)),
}
