"""Memory that memrefs refer to: on the heap, on the stack, and global.

Source of the rules: *'memref' Dialect*, "Operations".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.memref.common import check_dynamic_sizes, dynamic_sizes, ranked
from fathom.dialects.scf.common import check_edge
from fathom.dialects.scf.edges import into_body, out
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
from fathom.ir.operation import Operation
from fathom.ir.property_values import type_property
from fathom.ir.strides import is_identity, layout_symbols
from fathom.ir.types import MemRefType, TensorType
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomDirective, Problem
from fathom.irdl.interfaces import RegionBranch, StackAllocation
from fathom.irdl.traits import AUTOMATIC_ALLOCATION_SCOPE
from fathom.irdl.verifying import Complaint, verifies

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver
    from fathom.irdl.symbols import Lookup


@verifies("memref.alloc")
def _verify_allocation(op: Operation) -> Complaint:
    problems = check_dynamic_sizes(op.result.type, len(op.all_of("dynamicSizes")))
    type = ranked(op.result.type)
    if problems or type is None:
        return problems
    given, expected = len(op.all_of("symbolOperands")), layout_symbols(type)
    if given != expected:
        return f"symbol operand count does not equal memref symbol count: expected {expected}, got {given}"
    return None


@verifies("memref.alloca")
def _verify_stack_allocation(op: Operation) -> Complaint:
    around = op.parent_op
    while around is not None and not (around.has(AUTOMATIC_ALLOCATION_SCOPE) or is_kept_text(around)):
        around = around.parent_op
    if around is None:
        return "requires an ancestor op with AutomaticAllocationScope trait"
    return _verify_allocation(op)


@verifies("memref.realloc")
def _verify_realloc(op: Operation) -> Complaint:
    source, target = op.operands[0].type, op.result.type
    if not isinstance(source, MemRefType) or not isinstance(target, MemRefType):
        return None
    if not is_identity(source):
        return Problem(f"unsupported layout for source memref type '{source}'", bare=True)
    if not is_identity(target):
        return Problem(f"unsupported layout for result memref type '{target}'", bare=True)
    if source.space != target.space:
        spaces = f"'{source}' and result memref type '{target}'"
        return Problem(f"different memory spaces specified for source memref type {spaces}", bare=True)
    if source.element != target.element:
        elements = f"'{source}' and result memref type '{target}'"
        return Problem(f"different element types specified for source memref type {elements}", bare=True)
    dynamic, given = dynamic_sizes(target) > 0, len(op.operands) > 1
    if dynamic and not given:
        return Problem(f"missing dimension operand for result type '{target}'", bare=True)
    if given and not dynamic:
        return Problem(f"unnecessary dimension operand for result type '{target}'", bare=True)
    return None


# ---- alloca_scope


@verifies("memref.alloca_scope", regions=True)
def _verify_scope(op: Operation) -> Complaint:
    block = op.regions[0].last
    last = block.last if block is not None else None
    if last is None or last.name != "memref.alloca_scope.return":
        return None
    given, expected = [v.type for v in last.operands], [r.type for r in op.results]
    return check_edge(f"Operation {last.name}", "parent", given, expected, last)


# ---- global and get_global


def _parse_initial_value(cursor: OpParser, parsed: ParsedOp, _: object) -> None:
    """`memref<4xf32> = dense<1.0>`; the tensor type of the value follows from that of the memref."""
    parsed.attributes["type"] = cursor.type()
    if not cursor.accept("="):
        return
    if cursor.accept("uninitialized"):
        parsed.attributes["initial_value"] = UNIT
    else:
        parsed.attributes["initial_value"] = cursor.untyped_attribute()


def _print_initial_value(op: Operation, p: OpPrinter, _: object) -> None:
    p.attribute(op.properties["type"])
    value = op.properties.get("initial_value")
    if value is None:
        return
    p.write(" = ")
    if isinstance(value, UnitAttr):
        p.write("uninitialized")
    else:
        p.attribute_without_type(value)


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
def _verify_global(op: Operation) -> Complaint:
    type, value = type_property(op), op.properties.get("initial_value")
    if not isinstance(type, MemRefType) or not type.has_static_shape:
        return f"type should be static shaped memref, but got '{type}'"
    if value is None or isinstance(value, UnitAttr):
        return None
    if not isinstance(value, _ELEMENTS):
        return "initial value should be a unit or elements attribute, but got " + str(value)
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
def _verify_get_global(op: Operation, lookup: Lookup) -> Complaint:
    name = op.properties.get("name")
    if not isinstance(name, SymbolRefAttr):
        return None
    target: Operation | None = lookup(name.root)
    if target is None or target.name != "memref.global":
        return f"'{name.root}' does not reference a valid global memref"
    type = type_property(target)
    if type != op.result.type:
        return f"result type '{op.result.type}' does not match type '{type}' of the global memref @{name.root}"
    return None


CODE: Final = {
    "alloca": OpCode(interfaces=(StackAllocation(),)),
    "alloca_scope": OpCode(
        interfaces=(RegionBranch(into_body, out),),
        custom=two_way("` ` custom<Results>(type($results)) custom<Body>($bodyRegion) attr-dict"),
    ),
    "global": OpCode(resolve=_resolve_global),
}
