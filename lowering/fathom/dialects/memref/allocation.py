"""Memory that memrefs refer to: on the heap, on the stack, and global.

Source of the rules: *'memref' Dialect*, "Operations".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.memref.common import check_alike, check_dynamic_sizes, check_plain, dynamic_sizes, type_of
from fathom.ir.attributes import (
    UNIT,
    DenseElementsAttr,
    DenseResourceAttr,
    DenseStringsAttr,
    SparseElementsAttr,
    SymbolRefAttr,
    TypeAttr,
    UnitAttr,
)
from fathom.ir.custom_text import is_kept_text
from fathom.ir.operation import types_of
from fathom.ir.strides import layout_symbols
from fathom.ir.traversal import ancestors
from fathom.ir.types import MemRefType, TensorType
from fathom.irdl.checking import bare
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomDirective
from fathom.irdl.interfaces import RegionBranch, StackAllocation
from fathom.irdl.region_edges import into_body, out
from fathom.irdl.traits import AUTOMATIC_ALLOCATION_SCOPE
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import memref as ops

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver
    from fathom.irdl.symbols import Lookup


@verifies("memref.alloc")
def _verify_allocation(op: ops.AllocOp | ops.AllocaOp) -> Complaint:
    type = type_of(op.memref)
    if problems := check_dynamic_sizes(type, len(op.dynamicSizes)):
        return problems
    given, expected = len(op.symbolOperands), layout_symbols(type)
    if given != expected:
        return f"symbol operand count does not equal memref symbol count: expected {expected}, got {given}"
    return None


@verifies("memref.alloca")
def _verify_stack_allocation(op: ops.AllocaOp) -> Complaint:
    if not any(ancestor.has(AUTOMATIC_ALLOCATION_SCOPE) or is_kept_text(ancestor) for ancestor in ancestors(op)):
        return "requires an ancestor op with AutomaticAllocationScope trait"
    return _verify_allocation(op)


@verifies("memref.realloc")
def _verify_realloc(op: ops.ReallocOp) -> Complaint:
    source, target = type_of(op.source), type_of(op.result)
    problems = (
        check_plain(source, "layout for source")
        or check_plain(target, "layout for result")
        or check_alike(source, target, "source memref type '{}' and result memref type '{}'")
    )
    dynamic, given = dynamic_sizes(target) > 0, op.dynamicResultSize is not None
    if problems or dynamic == given:
        return problems
    return bare(f"{'missing' if dynamic else 'unnecessary'} dimension operand for result type '{target}'")


# ---- alloca_scope


@verifies("memref.alloca_scope", regions=True)
def _verify_scope(op: ops.AllocaScopeOp) -> Complaint:
    last = op.bodyRegion.entry.last
    if not isinstance(last, ops.AllocaScopeReturnOp):
        return None
    from fathom.dialects.scf.common import check_edge

    return check_edge(f"Operation {last.name}", "parent", types_of(last.operands), types_of(op.results), last)


# ---- global and get_global


def _parse_initial_value(cursor: OpParser, parsed: ParsedOp, _: object) -> None:
    """`memref<4xf32> = dense<1.0>`; the tensor type of the value follows from that of the memref."""
    parsed.attributes["type"] = cursor.type()
    if cursor.accept("="):
        is_open = cursor.accept("uninitialized")
        parsed.attributes["initial_value"] = UNIT if is_open else cursor.untyped_attribute()


def _print_initial_value(op: ops.GlobalOp, p: OpPrinter, _: object) -> None:
    p.attribute(op.type)
    if op.initial_value is None:
        return
    p.write(" = ")
    if isinstance(op.initial_value, UnitAttr):
        p.write("uninitialized")
    else:
        p.attribute_without_type(op.initial_value)


INITIAL_VALUE: Final = CustomDirective(_parse_initial_value, _print_initial_value)


_ELEMENTS: Final = (DenseElementsAttr, DenseResourceAttr, DenseStringsAttr, SparseElementsAttr)


def tensor_of(type: MemRefType) -> TensorType:
    """The type of a global's initial value."""
    return TensorType(type.shape, type.element)


def _resolve_global(resolver: Resolver, parsed: ParsedOp) -> None:
    value = parsed.attributes.get("initial_value")
    attribute = resolver.properties.get("type")
    if not isinstance(attribute, TypeAttr):
        return
    type = attribute.type
    if not isinstance(type, MemRefType) or not type.has_static_shape:
        resolver.fail(f"custom op '{parsed.name}' type should be static shaped memref, but got '{type}'")
    if value is None:
        return
    initial = resolver.properties["initial_value"] = resolver.attribute(value, tensor_of(type))
    if not isinstance(initial, (UnitAttr, *_ELEMENTS)):
        resolver.fail(f"custom op '{parsed.name}' initial value should be a unit or elements attribute")


@verifies("memref.global")
def _verify_global(op: ops.GlobalOp) -> Complaint:
    type, value = op.type.type, op.initial_value
    if not isinstance(type, MemRefType) or not type.has_static_shape:
        return f"type should be static shaped memref, but got '{type}'"
    if value is None or isinstance(value, UnitAttr):
        return None
    if not isinstance(value, _ELEMENTS):
        return f"initial value should be a unit or elements attribute, but got {value}"
    if value.type.element != type.element:
        types = f"'{type.element}', but was of type '{value.type.element}'"
        return f"initial value element expected to be of type {types}"
    if value.type.shape != type.shape:
        shapes = f"{_listed(type.ranked_shape)} but was {_listed(value.type.shape or ())}"
        return f"initial value shape expected to be {shapes}"
    return None


def _listed(shape: Sequence[int]) -> str:
    return ", ".join(map(str, shape))


@verifies("memref.get_global", symbols=True)
def _verify_get_global(op: ops.GetGlobalOp, lookup: Lookup) -> Complaint:
    name = op.properties["name"]
    assert isinstance(name, SymbolRefAttr), "the constraints hold"
    target, type = lookup(name.root), op.result.type
    if not isinstance(target, ops.GlobalOp):
        return f"'{name.root}' does not reference a valid global memref"
    if target.type.type != type:
        return f"result type '{type}' does not match type '{target.type.type}' of the global memref @{name.root}"
    return None


CODE: Final = {
    "alloca": OpCode(interfaces=(StackAllocation(),)),
    "alloca_scope": OpCode(
        interfaces=(RegionBranch(into_body, out),),
        custom=two_way("` ` custom<Results>(type($results)) custom<Body>($bodyRegion) attr-dict"),
    ),
    "global": OpCode(resolve=_resolve_global),
}
