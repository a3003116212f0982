"""Accesses to memory of the LLVM dialect of MLIR 16: of a pointer that says what it points to, nobody says it again.

Source of the rules: *'llvm' Dialect* of MLIR 16, "Operations"; observed behaviour of mlir-opt 16.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.former_types import TypedPointerType
from fathom.dialects.llvm.types import LLVMStructType
from fathom.editions.mlir_19.llvm import ADDRESS
from fathom.ir.attributes import UNIT, StringAttr
from fathom.ir.types import I1
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomDirective, CustomSyntax

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fathom.ir.operation import Operation
    from fathom.ir.types import Type
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Resolver

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


# ---- atomic accesses


def _resolve_atomic(values: tuple[str, ...], exchanges: bool) -> Callable[[Resolver, ParsedOp, None], None]:
    """Resolves an access of which the type of a value is written, to which the pointer points. One that exchanges gives
    the value and whether it did."""

    def resolve(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
        (type,) = resolver.types(parsed.types[values[-1]])
        pointer = resolver.operand(parsed.operands["ptr"][0], TypedPointerType(0, type))
        resolver.operands = [pointer, *(resolver.operand(parsed.operands[name][0], type) for name in values)]
        resolver.result_types = [LLVMStructType((type, I1)) if exchanges else type]

    return resolve


_ATOMICRMW: Final = two_way(
    "$bin_op $ptr `,` $val $ordering custom<Gap>(ref($ptr)) attr-dict `:` type($val)",
    _resolve_atomic(("val",), False),
)
_CMPXCHG: Final = two_way(
    "$ptr `,` $cmp `,` $val $success_ordering $failure_ordering attr-dict `:` type($val)",
    _resolve_atomic(("cmp", "val"), True),
)


# ---- fences


def _parse_scope(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    if not parser.accept("syncscope"):
        parsed.attributes[arguments[0]] = parser.composed_attribute(lambda _, __: StringAttr(""))
        return
    parser.expect("(")
    parsed.attributes[arguments[0]] = parser.string_attribute()
    parser.expect(")")


def _print_scope(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    """The scope of all there is goes without saying."""
    scope = op.properties.get(arguments[0])
    if isinstance(scope, StringAttr) and scope.value:
        p.write(f" syncscope({p.spell(scope)})")


DIRECTIVES: Final = {"Scope": CustomDirective(_parse_scope, _print_scope, spaced=True)}
CODE: Final = {
    "fence": OpCode(custom=two_way("custom<Scope>($syncscope) $ordering attr-dict")),
    "atomicrmw": OpCode(custom=_ATOMICRMW),
    "cmpxchg": OpCode(custom=_CMPXCHG),
    "getelementptr": OpCode(custom=two_way(f"{ADDRESS} (`,` $elem_type^)?")),
    "load": OpCode(custom=CustomSyntax(_parse_load, _print_load, _resolve_load)),
    "store": OpCode(custom=CustomSyntax(_parse_store, _print_store, _resolve_store)),
}
