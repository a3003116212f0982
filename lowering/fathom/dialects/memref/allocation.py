"""Memory that memrefs refer to: on the heap, on the stack, and global.

Source of the rules: *'memref' Dialect*, "Operations".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.memref.common import (
    ALIGNMENT,
    check_dynamic_sizes,
    dynamic_sizes,
    ranked,
)
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
from fathom.irdl.constraints import (
    ANY,
    ANY_ATTRIBUTE,
    ANY_MEMREF,
    ANY_RANKED_OR_UNRANKED_MEMREF,
    FLAT_SYMBOL_REF,
    INDEX_TYPE,
    MEMREF_TYPE,
    STATIC_MEMREF,
    STRING,
    SYMBOL_NAME,
    UNIT_ATTRIBUTE,
)
from fathom.irdl.definition import (
    CustomDirective,
    CustomSyntax,
    OpDefinition,
    Operand,
    Problem,
    Property,
    RegionDefinition,
    Result,
)
from fathom.irdl.groups import Arity
from fathom.irdl.interfaces import EffectKind, RegionBranch, StackAllocation, effects_on
from fathom.irdl.traits import (
    ATTR_SIZED_OPERAND_SEGMENTS,
    AUTOMATIC_ALLOCATION_SCOPE,
    NO_REGION_ARGUMENTS,
    PURE,
    RECURSIVE_MEMORY_EFFECTS,
    RETURN_LIKE,
    SINGLE_BLOCK,
    SYMBOL,
    SYMBOL_USER,
    TERMINATOR,
    has_parent,
)

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver
    from fathom.irdl.symbols import Lookup


def _verify_allocation(op: Operation) -> list[Problem]:
    problems = check_dynamic_sizes(op.result.type, len(op.group("dynamicSizes")))
    type = ranked(op.result.type)
    if problems or type is None:
        return problems
    given, expected = len(op.group("symbolOperands")), layout_symbols(type)
    if given != expected:
        return [Problem(f"symbol operand count does not equal memref symbol count: expected {expected}, got {given}")]
    return []


def _verify_stack_allocation(op: Operation) -> list[Problem]:
    around = op.parent_op
    while around is not None and not (around.has(AUTOMATIC_ALLOCATION_SCOPE) or is_kept_text(around)):
        around = around.parent_op
    if around is None:
        return [Problem("requires an ancestor op with AutomaticAllocationScope trait")]
    return _verify_allocation(op)


def _allocation(name: str, summary: str) -> OpDefinition:
    return OpDefinition(
        f"memref.{name}",
        interfaces=(effects_on((EffectKind.ALLOCATE, "memref")), *((StackAllocation(),) if name == "alloca" else ())),
        operands=(
            Operand("dynamicSizes", INDEX_TYPE, Arity.VARIADIC),
            Operand("symbolOperands", INDEX_TYPE, Arity.VARIADIC),
        ),
        results=(Result("memref", ANY_MEMREF),),
        properties=(ALIGNMENT,),
        traits=(ATTR_SIZED_OPERAND_SEGMENTS,),
        assembly="`(` $dynamicSizes `)` (`` `[` $symbolOperands^ `]`)? attr-dict `:` type($memref)",
        verify=_verify_stack_allocation if name == "alloca" else _verify_allocation,
        result_names=lambda _: (name,),
        summary=summary,
    )


ALLOC: Final = _allocation("alloc", "memory on the heap")
ALLOCA: Final = _allocation("alloca", "memory on the stack, until the enclosing scope ends")
DEALLOC: Final = OpDefinition(
    "memref.dealloc",
    interfaces=(effects_on((EffectKind.FREE, "memref")),),
    operands=(Operand("memref", ANY_RANKED_OR_UNRANKED_MEMREF),),
    assembly="$memref attr-dict `:` type($memref)",
    summary="gives memory on the heap back",
)


def _verify_realloc(op: Operation) -> list[Problem]:
    source, target = op.operands[0].type, op.result.type
    if not isinstance(source, MemRefType) or not isinstance(target, MemRefType):
        return []
    if not is_identity(source):
        return [Problem(f"unsupported layout for source memref type '{source}'", bare=True)]
    if not is_identity(target):
        return [Problem(f"unsupported layout for result memref type '{target}'", bare=True)]
    if source.space != target.space:
        spaces = f"'{source}' and result memref type '{target}'"
        return [Problem(f"different memory spaces specified for source memref type {spaces}", bare=True)]
    if source.element != target.element:
        elements = f"'{source}' and result memref type '{target}'"
        return [Problem(f"different element types specified for source memref type {elements}", bare=True)]
    dynamic, given = dynamic_sizes(target) > 0, len(op.operands) > 1
    if dynamic and not given:
        return [Problem(f"missing dimension operand for result type '{target}'", bare=True)]
    if given and not dynamic:
        return [Problem(f"unnecessary dimension operand for result type '{target}'", bare=True)]
    return []


REALLOC: Final = OpDefinition(
    "memref.realloc",
    interfaces=(effects_on((EffectKind.FREE, "source"), (EffectKind.ALLOCATE, "")),),
    operands=(Operand("source", ANY_MEMREF), Operand("dynamicResultSize", INDEX_TYPE, Arity.OPTIONAL)),
    results=(Result("result", ANY_MEMREF),),
    properties=(ALIGNMENT,),
    assembly="$source (`(` $dynamicResultSize^ `)`)? attr-dict `:` type($source) `to` type(results)",
    verify=_verify_realloc,
    summary="memory on the heap of another size, with the same contents",
)

# ---- alloca_scope


def _parse_scope(cursor: OpParser, parsed: ParsedOp) -> None:
    parsed.types["results"] = cursor.optional_arrow_types()
    cursor.region(parsed)
    cursor.attr_dict(parsed)


def _print_scope(op: Operation, p: OpPrinter) -> None:
    p.write(" ")
    if op.results:
        p.write(" -> (")
        p.types([result.type for result in op.results])
        p.write(")")
    p.write(" ")
    p.region(op.regions[0], entry_arguments=False, terminators=bool(op.results))
    p.attr_dict(op)


def _verify_scope(op: Operation) -> list[Problem]:
    block = op.regions[0].last
    last = block.last if block is not None else None
    if last is None or last.name != "memref.alloca_scope.return":
        return []
    given, expected = [v.type for v in last.operands], [r.type for r in op.results]
    return check_edge(f"Operation {last.name}", "parent", given, expected, last)


ALLOCA_SCOPE: Final = OpDefinition(
    "memref.alloca_scope",
    results=(Result("results", ANY, Arity.VARIADIC),),
    regions=(RegionDefinition("bodyRegion", single_block=True),),
    traits=(AUTOMATIC_ALLOCATION_SCOPE, NO_REGION_ARGUMENTS, RECURSIVE_MEMORY_EFFECTS, SINGLE_BLOCK),
    interfaces=(RegionBranch(into_body, out),),
    implicit_terminator="memref.alloca_scope.return",
    custom=CustomSyntax(_parse_scope, _print_scope),
    verify_regions=_verify_scope,
    summary="a scope whose end gives the memory on the stack back",
)


ALLOCA_SCOPE_RETURN: Final = OpDefinition(
    "memref.alloca_scope.return",
    operands=(Operand("results", ANY, Arity.VARIADIC),),
    traits=(has_parent("memref.alloca_scope"), PURE, RETURN_LIKE, TERMINATOR),
    assembly="attr-dict ($results^ `:` type($results))?",
    summary="the end of a scope",
)

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


_INITIAL_VALUE: Final = CustomDirective(_parse_initial_value, _print_initial_value)


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


def _verify_global(op: Operation) -> list[Problem]:
    type, value = type_property(op), op.properties.get("initial_value")
    if not isinstance(type, MemRefType) or not type.has_static_shape:
        return [Problem(f"type should be static shaped memref, but got '{type}'")]
    if value is None or isinstance(value, UnitAttr):
        return []
    if not isinstance(value, _ELEMENTS):
        return [Problem("initial value should be a unit or elements attribute, but got " + str(value))]
    if value.type.element != type.element:
        types = f"'{type.element}', but was of type '{value.type.element}'"
        return [Problem(f"initial value element expected to be of type {types}")]
    if value.type.shape != type.shape:
        shapes = f"{_listed(type.ranked_shape)} but was {_listed(value.type.shape or ())}"
        return [Problem(f"initial value shape expected to be {shapes}")]
    return []


def _listed(shape: Sequence[int]) -> str:
    return ", ".join(map(str, shape))


GLOBAL: Final = OpDefinition(
    "memref.global",
    properties=(
        Property("sym_visibility", STRING, optional=True),
        Property("constant", UNIT_ATTRIBUTE, optional=True),
        Property("sym_name", SYMBOL_NAME),
        Property("type", MEMREF_TYPE),
        Property("initial_value", ANY_ATTRIBUTE, optional=True),
        ALIGNMENT,
    ),
    traits=(SYMBOL,),
    assembly="($sym_visibility^)? (`constant` $constant^)? $sym_name `:` "
    "custom<GlobalMemrefOpTypeAndInitialValue>($type, $initial_value) attr-dict",
    directives={"GlobalMemrefOpTypeAndInitialValue": _INITIAL_VALUE},
    resolve=_resolve_global,
    verify=_verify_global,
    summary="a global memref",
)


def _verify_get_global(op: Operation, lookup: Lookup) -> list[Problem]:
    name = op.properties.get("name")
    if not isinstance(name, SymbolRefAttr):
        return []
    target: Operation | None = lookup(name.root)
    if target is None or target.name != "memref.global":
        return [Problem(f"'{name.root}' does not reference a valid global memref")]
    type = type_property(target)
    if type != op.result.type:
        return [
            Problem(f"result type '{op.result.type}' does not match type '{type}' of the global memref @{name.root}")
        ]
    return []


GET_GLOBAL: Final = OpDefinition(
    "memref.get_global",
    results=(Result("result", STATIC_MEMREF),),
    properties=(Property("name", FLAT_SYMBOL_REF),),
    traits=(PURE, SYMBOL_USER),
    assembly="$name `:` type($result) attr-dict",
    verify_symbols=_verify_get_global,
    summary="a global memref, to be used",
)


OPERATIONS: Final = (ALLOC, ALLOCA, DEALLOC, REALLOC, ALLOCA_SCOPE, ALLOCA_SCOPE_RETURN, GLOBAL, GET_GLOBAL)
