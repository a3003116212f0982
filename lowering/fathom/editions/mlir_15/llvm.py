"""The LLVM dialect of MLIR 15: the place of a part is a list of numbers with their types, `[0 : i32]`.

Source of the rules: *'llvm' Dialect* of MLIR 15, "Operations"; observed behaviour of mlir-opt 15.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.types import LLVMArrayType, LLVMStructType
from fathom.ir.attributes import ArrayAttr, DenseArrayAttr, IntegerAttr
from fathom.ir.types import I64, VectorType
from fathom.irdl.clauses import two_way
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.definition import CustomSyntax, OpDefinition, Property
from fathom.irdl.dialect import Dialect
from fathom.irdl.lazy import Lazy, possible_names
from fathom.irdl.standard_attributes import ATTRIBUTES
from fathom.records import replace

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


def _resolve_shuffle(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    """A vector of as many elements as the mask has."""
    types = [resolver.type(parsed.types[name][0]) for name in ("v1", "v2")]
    mask, first = resolver.properties.get("mask"), types[0]
    if not isinstance(first, VectorType) or not isinstance(mask, ArrayAttr):
        resolver.fail(f"custom op '{parsed.name}' expected LLVM IR dialect vector type")
    tokens = (parsed.operands["v1"][0], parsed.operands["v2"][0])
    resolver.operands = [resolver.operand(token, of) for token, of in zip(tokens, types, strict=True)]
    resolver.result_types = [VectorType((max(len(mask.elements), 1),), first.element, first.scalable)]


_GLOBAL: Final = "llvm.mlir.global"
_SHUFFLE: Final = "llvm.shufflevector"


def completed(dialect: Dialect) -> Dialect:
    """The dialect with globals that do not say that they are in the usual address space, and with masks that list
    numbers with their types."""
    operations = dialect.by_name

    def make(name: str) -> OpDefinition | None:
        definition = operations.get(name)
        if definition is None or name not in (_GLOBAL, _SHUFFLE):
            return definition
        return replace(definition, properties=tuple(map(_former, definition.properties)))

    return replace(dialect, operations=Lazy(lambda: list(possible_names(operations)), make))


def _former(prop: Property) -> Property:
    if prop.name == "addr_space":
        return replace(prop, default=None, optional=True)
    return replace(prop, constraint=ATTRIBUTES["ArrayAttr"]) if prop.name == "mask" else prop


_MASKED: Final = "$v1 `,` $v2 $mask attr-dict `:` type($v1) `,` type($v2)"
CODE: Final = DialectCode(
    {
        "extractvalue": OpCode(custom=CustomSyntax(_read_place, _print_extract, _resolve_extract)),
        "insertvalue": OpCode(custom=CustomSyntax(_parse_insert, _print_insert, _resolve_insert)),
        "shufflevector": OpCode(custom=two_way(_MASKED, _resolve_shuffle)),
    }
)
# A mask may have any length there.
WITHOUT: Final = ("llvm.shufflevector",)
