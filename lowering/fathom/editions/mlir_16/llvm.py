"""The LLVM dialect of MLIR 16: a pointer may say what it points to, and what is read and written follows from that.

    %1 = llvm.getelementptr %0[%i] : (!llvm.ptr<f32>, i64) -> !llvm.ptr<f32>
    %2 = llvm.load %1 : !llvm.ptr<f32>
    llvm.store %2, %1 : !llvm.ptr<f32>

Source of the rules: *'llvm' Dialect* of MLIR 16, "Type System" and "Operations"; observed behaviour of mlir-opt 16.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.attributes import DYNAMIC_GEP_INDEX, i32_array
from fathom.dialects.llvm.former_types import FORMER_READERS, TypedPointerType
from fathom.dialects.llvm.type_syntax import types_of
from fathom.dialects.llvm.verify import callee_problem
from fathom.editions.mlir_16.calls import CALL_DIRECTIVES, CALLS
from fathom.ir.attributes import UNIT, Attribute, DenseArrayAttr
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.definition import CustomSyntax, OpDefinition
from fathom.irdl.dialect import Dialect
from fathom.irdl.keywords import comma_separated
from fathom.irdl.lazy import Lazy, possible_names
from fathom.irdl.verifying import SymbolChecks
from fathom.records import replace

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.ir.types import Type
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Resolver

_TYPES: Final = types_of(FORMER_READERS)


_GLOBAL: Final = "llvm.mlir.global"


def completed(dialect: Dialect) -> Dialect:
    """The dialect with its types, and with globals that do not say that they are in the usual address space."""
    operations = dialect.by_name

    def make(name: str) -> OpDefinition | None:
        definition = operations.get(name)
        if definition is None or name != _GLOBAL:
            return definition
        properties = tuple(
            replace(prop, default=None, optional=True) if prop.name == "addr_space" else prop
            for prop in definition.properties
        )
        return replace(definition, properties=properties)

    return replace(dialect, types=_TYPES, operations=Lazy(lambda: list(possible_names(operations)), make))


# ---- load and store


def _parse_volatile(parser: OpParser, parsed: ParsedOp) -> None:
    if parser.accept("volatile"):
        parsed.attributes["volatile_"] = UNIT


def _parse_load(parser: OpParser, parsed: ParsedOp) -> tuple[Node, Node | None]:
    """`volatile %p {…} : !llvm.ptr<f32>`, or `%p : !llvm.ptr -> f32`: the type of the pointer, and that of the value if
    it is written."""
    _parse_volatile(parser, parsed)
    parsed.operands["addr"] = [parser.value_use()]
    parser.attr_dict(parsed)
    parser.expect(":")
    pointer = parser.type()
    return pointer, parser.type() if parser.accept("->") else None


def _resolve_load(resolver: Resolver, parsed: ParsedOp, types: tuple[Node, Node | None]) -> None:
    pointer = resolver.type(types[0])
    resolver.operands = [resolver.operand(parsed.operands["addr"][0], pointer)]
    resolver.result_types = [_accessed(resolver, parsed, pointer, types[0], types[1])]


def _accessed(resolver: Resolver, parsed: ParsedOp, pointer: Type, node: Node, written: Node | None) -> Type:
    """The type of the value in memory."""
    if written is not None:
        return resolver.type(written)
    if not isinstance(pointer, TypedPointerType):
        resolver.fail(f"custom op '{parsed.name}' expected pointer type with an element type", node.start)
    return pointer.pointee


def _print_load(op: Operation, p: OpPrinter) -> None:
    address = op.operands[0]
    p.write(f"{' volatile' if op.properties.get('volatile_') else ''} {p.spell_value(address)}")
    p.attr_dict(op, _IN_TEXT)
    p.write(f" : {p.spell(address.type)}")
    if not isinstance(address.type, TypedPointerType):
        p.write(f" -> {p.spell(op.results[0].type)}")


def _parse_store(parser: OpParser, parsed: ParsedOp) -> tuple[Node, Node | None]:
    """`volatile %v, %p {…} : !llvm.ptr<f32>`, or `%v, %p : f32, !llvm.ptr`."""
    _parse_volatile(parser, parsed)
    parsed.operands["value"] = [parser.value_use()]
    parser.expect(",")
    parsed.operands["addr"] = [parser.value_use()]
    parser.attr_dict(parsed)
    parser.expect(":")
    first = parser.type()
    return (parser.type(), first) if parser.accept(",") else (first, None)


def _resolve_store(resolver: Resolver, parsed: ParsedOp, types: tuple[Node, Node | None]) -> None:
    pointer = resolver.type(types[0])
    value = _accessed(resolver, parsed, pointer, types[0], types[1])
    tokens = (parsed.operands["value"][0], parsed.operands["addr"][0])
    resolver.operands = [resolver.operand(token, type) for token, type in zip(tokens, (value, pointer), strict=True)]


def _print_store(op: Operation, p: OpPrinter) -> None:
    value, address = op.operands
    p.write(f"{' volatile' if op.properties.get('volatile_') else ''} {p.spell_values(op.operands)}")
    p.attr_dict(op, _IN_TEXT)
    stated = "" if isinstance(address.type, TypedPointerType) else f"{p.spell(value.type)}, "
    p.write(f" : {stated}{p.spell(address.type)}")


_IN_TEXT: Final = ("volatile_", "ordering")


# ---- getelementptr


def _parse_gep(parser: OpParser, parsed: ParsedOp) -> Node | None:
    """`inbounds %p[%i, 0] {…} : (!llvm.ptr<f32>, i64) -> !llvm.ptr<f32>`; behind a pointer that says nothing, the type
    of the elements."""
    if parser.accept("inbounds"):
        parsed.attributes["inbounds"] = UNIT
    parsed.operands["base"] = [parser.value_use()]
    parser.expect("[")
    dynamic = parsed.operands["dynamicIndices"] = []

    def read() -> int:
        if not parser.at_kind("value"):
            return parser.integer_literal()
        dynamic.append(parser.value_use())
        return DYNAMIC_GEP_INDEX

    at_end = parser.at("]")
    parsed.attributes["rawConstantIndices"] = i32_array(*(() if at_end else comma_separated(parser, read)))
    parser.expect("]")
    parser.attr_dict(parsed)
    parser.expect(":")
    inputs, results = parser.functional_type()
    parsed.types["base"], parsed.types["dynamicIndices"], parsed.types["res"] = inputs[:1], inputs[1:], results
    if parser.accept(","):
        parsed.attributes["elem_type"] = parser.type()
    return None


def _resolve_gep(resolver: Resolver, parsed: ParsedOp, _: Node | None) -> None:
    tokens = [*parsed.operands["base"], *parsed.operands["dynamicIndices"]]
    types = resolver.types([*parsed.types["base"], *parsed.types["dynamicIndices"]])
    resolver.operands = resolver.operand_list(tokens, types)
    resolver.result_types = resolver.types(parsed.types["res"])


def _print_gep(op: Operation, p: OpPrinter) -> None:
    raw = op.properties.get("rawConstantIndices")
    rest = iter(op.operands[1:])
    numbers = raw.values if isinstance(raw, DenseArrayAttr) else ()
    places = [next(rest, None) if number == DYNAMIC_GEP_INDEX else number for number in numbers]
    spelt = [
        p.spell_value(place) if not isinstance(place, (int, float)) and place is not None else str(place)
        for place in places
    ]
    flag = " inbounds" if op.properties.get("inbounds") is not None else ""
    p.write(f"{flag} {p.spell_value(op.operands[0])}[{', '.join(spelt)}]")
    p.attr_dict(op, ("rawConstantIndices", "elem_type", "inbounds"))
    p.write(" : ")
    p.functional_type([operand.type for operand in op.operands], [result.type for result in op.results])
    element: Attribute | None = op.properties.get("elem_type")
    if element is not None:
        p.write(f", {p.spell(element)}")


CODE: Final = DialectCode(
    {
        **CALLS,
        "getelementptr": OpCode(custom=CustomSyntax(_parse_gep, _print_gep, _resolve_gep)),
        "load": OpCode(custom=CustomSyntax(_parse_load, _print_load, _resolve_load)),
        "store": OpCode(custom=CustomSyntax(_parse_store, _print_store, _resolve_store)),
    },
    directives=CALL_DIRECTIVES,
)
WITHOUT: Final = ("llvm.alloca", "llvm.getelementptr", "llvm.load", "llvm.store")
VERIFY_SYMBOLS: Final[SymbolChecks] = {"llvm.call": partial(callee_problem, says_variadic=False)}
