"""Accesses to memrefs whose subscripts are affine.

Source of the rules: *Affine Dialect*; the texts of errors are those of MLIR 22's parser and verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.affine.scope import Validity, affine_scope, check_identifiers
from fathom.dialects.affine.syntax import indices, map_of, memref_type, parse_number_or_attribute, refuse
from fathom.ir.attributes import FALSE, TRUE, AffineMapAttr, Attribute, IntegerAttr
from fathom.ir.operation import Operation, Value
from fathom.ir.types import I32, MemRefType, VectorType
from fathom.irdl.affine_values import Tree, parse_affine_map_of_values, print_affine_map_of_values, resolve_affine_map
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.interfaces import EffectKind, effects_on
from fathom.irdl.verifying import Complaint, verifies
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


def _parse_load(parser: OpParser, parsed: ParsedOp) -> Access:
    return _parse_access(parser, parsed, stores=False, vector=False)


def _parse_store(parser: OpParser, parsed: ParsedOp) -> Access:
    return _parse_access(parser, parsed, stores=True, vector=False)


def _parse_vector_load(parser: OpParser, parsed: ParsedOp) -> Access:
    return _parse_access(parser, parsed, stores=False, vector=True)


def _parse_vector_store(parser: OpParser, parsed: ParsedOp) -> Access:
    return _parse_access(parser, parsed, stores=True, vector=True)


def print_subscripts(memref: Value, attribute: Attribute | None, values: Sequence[Value], p: OpPrinter) -> None:
    """Writes `%m[%i + 1]`."""
    p.value(memref)
    p.write("[")
    if isinstance(attribute, AffineMapAttr):
        print_affine_map_of_values(attribute.map, values, p)
    p.write("]")


def _print_access(op: Operation, p: OpPrinter) -> None:
    stores = not op.results
    values = op.operands
    p.write(" ")
    if stores:
        p.value(values[0])
        p.write(", ")
        values = values[1:]
    print_subscripts(values[0], op.attribute("map"), values[1:], p)
    p.attr_dict(op, elide=("map",))
    p.write(" : ")
    p.type(values[0].type)
    if op.name.startswith("affine.vector_"):
        p.write(", ")
        p.type((op.operands[0] if stores else op.results[0]).type)


# ---- checks


def _verify_subscripts(op: Operation, memref: MemRefType, values: Sequence[Value]) -> Complaint:
    map = map_of(op)
    if len(map.results) != len(memref.ranked_shape):
        return "affine map num results must equal memref rank"
    if map.inputs != len(values):
        return "expects as many subscripts as affine map inputs"
    return check_identifiers(op, values, map.dims)


@verifies("affine.load")
def _verify_load(op: Operation) -> Complaint:
    type = op.operands[0].type
    assert isinstance(type, MemRefType), "constraints come first"
    if op.results[0].type != type.element:
        return "result type must match element type of memref"
    return _verify_subscripts(op, type, op.operands[1:])


@verifies("affine.store")
def _verify_store(op: Operation) -> Complaint:
    type = op.operands[1].type
    assert isinstance(type, MemRefType), "constraints come first"
    if op.operands[0].type != type.element:
        return "value to store must have the same type as memref element type"
    return _verify_subscripts(op, type, op.operands[2:])


@verifies("affine.vector_load", "affine.vector_store")
def _verify_vector_access(op: Operation) -> Complaint:
    stores = not op.results
    memref, *values = op.operands[1:] if stores else op.operands
    vector = (op.operands[0] if stores else op.results[0]).type
    assert isinstance(memref.type, MemRefType) and isinstance(vector, VectorType), "constraints come first"
    if problems := _verify_subscripts(op, memref.type, values):
        return problems
    if memref.type.element != vector.element:
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


def _print_prefetch(op: Operation, p: OpPrinter) -> None:
    memref, *values = op.operands
    locality = op.attribute("localityHint")
    p.write(" ")
    print_subscripts(memref, op.attribute("map"), values, p)
    p.write(", write" if op.attribute("isWrite") == TRUE else ", read")
    p.write(f", locality<{locality.value if isinstance(locality, IntegerAttr) else 0}>")
    p.write(", data" if op.attribute("isDataCache") == TRUE else ", instr")
    p.attr_dict(op, elide=("map", "localityHint", "isDataCache", "isWrite"))
    p.write(" : ")
    p.type(memref.type)


@verifies("affine.prefetch")
def _verify_prefetch(op: Operation) -> Complaint:
    map, type = map_of(op), op.operands[0].type
    assert isinstance(type, MemRefType), "constraints come first"
    if len(map.results) != len(type.ranked_shape):
        return "affine.prefetch affine map num results must equal memref rank"
    if map.inputs + 1 != len(op.operands):
        return "too few operands"
    validity = Validity(affine_scope(op))
    if not all(validity.is_index(value) for value in op.operands[1:]):
        return "index must be a valid dimension or symbol identifier"
    return None


_READS: Final = (effects_on((EffectKind.READ, "memref")),)
_WRITES: Final = (effects_on((EffectKind.WRITE, "memref")),)

CODE: Final = {
    "load": OpCode(custom=CustomSyntax(_parse_load, _print_access, _resolve_access), interfaces=_READS),
    "store": OpCode(custom=CustomSyntax(_parse_store, _print_access, _resolve_access), interfaces=_WRITES),
    "vector_load": OpCode(custom=CustomSyntax(_parse_vector_load, _print_access, _resolve_access), interfaces=_READS),
    "vector_store": OpCode(
        custom=CustomSyntax(_parse_vector_store, _print_access, _resolve_access), interfaces=_WRITES
    ),
    "prefetch": OpCode(custom=CustomSyntax(_parse_prefetch, _print_prefetch, _resolve_prefetch)),
}
