"""The LLVM dialect of MLIR 15: the place of a part is a list of numbers with their types, `[0 : i32]`.

Source of the rules: *'llvm' Dialect* of MLIR 15, "Operations"; observed behaviour of mlir-opt 15.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.types import LLVMArrayType, LLVMStructType
from fathom.ir.attributes import ArrayAttr, DenseArrayAttr, IntegerAttr
from fathom.ir.types import I64
from fathom.irdl.clauses import two_way
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.definition import CustomDirective, CustomSyntax
from fathom.irdl.verifying import AttributeChecks

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.ir.types import Type
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Resolver


def _read_place(parser: OpParser, parsed: ParsedOp) -> tuple[Node, Node]:
    """`%s[0 : i32] {…} : !llvm.struct<…>`: the place and the type of the aggregate."""
    parsed.operands["container"] = [parser.value_use()]
    place = parser.attribute()
    parser.attr_dict(parsed)
    parser.expect(":")
    return place, parser.type()


def _parse_insert(parser: OpParser, parsed: ParsedOp) -> tuple[Node, Node]:
    parsed.operands["value"] = [parser.value_use()]
    parser.expect(",")
    return _read_place(parser, parsed)


def _part(resolver: Resolver, parsed: ParsedOp, read: tuple[Node, Node]) -> tuple[Type, Type]:
    """The type of the aggregate and that of the part; the place becomes a property."""
    node, aggregate = read
    place, type = resolver.attribute(node), resolver.type(aggregate)
    elements = place.elements if isinstance(place, ArrayAttr) else ()
    numbers = [element.value for element in elements if isinstance(element, IntegerAttr)]
    part: Type = type
    for number in numbers:
        if isinstance(part, LLVMStructType) and 0 <= number < len(part.body or ()):
            part = part.field(number)
        elif isinstance(part, LLVMArrayType) and 0 <= number < part.size:
            part = part.element
        else:
            resolver.fail(f"custom op '{parsed.name}' position out of bounds: {number}", node.start)
    resolver.properties["position"] = DenseArrayAttr(I64, tuple(numbers))
    return type, part


def _resolve_extract(resolver: Resolver, parsed: ParsedOp, read: tuple[Node, Node]) -> None:
    type, part = _part(resolver, parsed, read)
    resolver.operands = [resolver.operand(parsed.operands["container"][0], type)]
    resolver.result_types = [part]


def _resolve_insert(resolver: Resolver, parsed: ParsedOp, read: tuple[Node, Node]) -> None:
    type, part = _part(resolver, parsed, read)
    tokens = (parsed.operands["container"][0], parsed.operands["value"][0])
    resolver.operands = [resolver.operand(token, of) for token, of in zip(tokens, (type, part), strict=True)]
    resolver.result_types = [type]


def _print_extract(op: Operation, p: OpPrinter) -> None:
    _print_place(op, p, "")


def _print_insert(op: Operation, p: OpPrinter) -> None:
    _print_place(op, p, f"{p.spell_value(op.operands[1])}, ")


def _print_place(op: Operation, p: OpPrinter, before: str) -> None:
    place = op.properties.get("position")
    numbers = ", ".join(map(str, place.values)) if isinstance(place, DenseArrayAttr) else ""
    p.write(f" {before}{p.spell_value(op.operands[0])}[{numbers}]")
    p.attr_dict(op, ("position",))
    p.write(f" : {p.spell(op.operands[0].type)}")


def _nothing(one: object, other: object, arguments: object) -> None:
    """Before the dictionary of attributes stands a blank, be it there or not."""
    del one, other, arguments


_ARITHMETIC: Final = "add and ashr fadd fdiv fmul frem fsub lshr mul or sdiv shl srem sub udiv urem xor"
_BINARY: Final = OpCode(custom=two_way("$lhs `,` $rhs custom<Gap>(ref($lhs)) attr-dict `:` type($res)"))
CODE: Final = DialectCode(
    {
        **dict.fromkeys(_ARITHMETIC.split(), _BINARY),
        "fneg": OpCode(custom=two_way("$operand custom<Gap>(ref($operand)) attr-dict `:` type($res)")),
        "extractvalue": OpCode(custom=CustomSyntax(_read_place, _print_extract, _resolve_extract)),
        "insertvalue": OpCode(custom=CustomSyntax(_parse_insert, _print_insert, _resolve_insert)),
    },
    directives={"Gap": CustomDirective(_nothing, _nothing)},
)
ATTRIBUTE_CHECKS: Final = AttributeChecks()
"""Of what arguments have less is asked than today."""
