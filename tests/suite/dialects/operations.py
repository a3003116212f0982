"""Operations of `test` that C++ parses, names and verifies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import ArrayAttr, Attribute, StringAttr
from fathom.ir.dialect_values import DialectAttr, DialectType
from fathom.ir.types import INDEX, ShapedType, Type
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax, Problem
from fathom.irdl.verifying import Complaint, verifies
from tests.suite.dialects.rewrites import JOINED

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Resolver


def _nothing(resolver: Resolver, parsed: ParsedOp, read: object) -> None:
    del resolver, parsed, read


# ---- a region alone


def _parse_region(parser: OpParser, parsed: ParsedOp) -> None:
    parser.region(parsed)


def _print_region(lead: str) -> Callable[[Operation, OpPrinter], None]:
    def write(op: Operation, p: OpPrinter) -> None:
        p.write(lead)
        p.region(op.regions[0], entry_arguments=False)

    return write


# ---- test.region_if %x: i32 -> i32 then {…} else {…} join {…}


def _parse_region_if(parser: OpParser, parsed: ParsedOp) -> tuple[list[Node], list[Node]]:
    parsed.operands["operands"] = parser.bare_value_list()
    parser.expect(":")
    types = parser.type_list()
    parser.expect("->")
    results = parser.arrow_types()
    for word in ("then", "else", "join"):
        parser.expect(word)
        parser.region(parsed)
    return types, results


def _resolve_region_if(resolver: Resolver, parsed: ParsedOp, nodes: tuple[list[Node], list[Node]]) -> None:
    resolver.operands = resolver.operand_list(parsed.operands["operands"], resolver.types(nodes[0]))
    resolver.result_types = resolver.types(nodes[1])


def _print_region_if(op: Operation, p: OpPrinter) -> None:
    p.write(" ")
    p.values(op.operands)
    p.write(": ")
    p.types([value.type for value in op.operands])
    p.arrow_types([value.type for value in op.results])
    for word, region in zip(("then", "else", "join"), op.regions, strict=True):
        p.write(f" {word} ")
        p.region(region)


# ---- test.with_bounds_region {…} %x: index {…}


def _parse_bounds(parser: OpParser, parsed: ParsedOp) -> None:
    parser.attr_dict(parsed)
    parser.region(parsed, [parser.argument(allow_attributes=False)])


def _print_bounds(op: Operation, p: OpPrinter) -> None:
    p.attr_dict(op)
    p.write(" ")
    first = op.regions[0].first
    for argument in first.arguments[:1] if first is not None else ():
        p.region_argument(argument)
    p.write(" ")
    p.region(op.regions[0], entry_arguments=False)


# ---- test.polyfor %i, %j {…}


def _parse_polyfor(parser: OpParser, parsed: ParsedOp) -> int:
    arguments = [parser.argument(allow_type=False, allow_attributes=False)]
    while parser.accept(","):
        arguments.append(parser.argument(allow_type=False, allow_attributes=False))
    parser.region(parsed, arguments)
    return len(arguments)


def _resolve_polyfor(resolver: Resolver, parsed: ParsedOp, count: int) -> None:
    del parsed
    resolver.region_argument_types = [[INDEX] * count]


def _print_polyfor(op: Operation, p: OpPrinter) -> None:
    first = op.regions[0].first
    p.write(" ")
    for position, argument in enumerate(first.arguments if first is not None else ()):
        p.write(", " if position else "")
        p.region_argument(argument, omit_type=True)
    p.write(" ")
    p.region(op.regions[0], entry_arguments=False)


def _polyfor_names(op: Operation) -> Sequence[Sequence[str]]:
    return [_strings(op.attribute("arg_names"))]


# ---- test.parse_integer_literal : 5, which has so many results; test.parse_wrapped_keyword word


def _parse_integer(parser: OpParser, parsed: ParsedOp) -> int:
    del parsed
    return parser.integer_literal() if parser.accept(":") else 0


def _resolve_integer(resolver: Resolver, parsed: ParsedOp, count: int) -> None:
    del parsed
    resolver.result_types = [INDEX] * min(count, 1000)


def _print_integer(op: Operation, p: OpPrinter) -> None:
    p.write(f" : {len(op.results)}" if op.results else "")


def _parse_keyword(parser: OpParser, parsed: ParsedOp) -> None:
    word = parser.optional_word()
    if word is None:
        parser.fail(f"custom op '{parsed.name}' expected valid keyword")
    parsed.attributes["keyword"] = StringAttr(word)


def _print_keyword(op: Operation, p: OpPrinter) -> None:
    word = op.properties.get("keyword")
    p.write(f" {word.value}" if isinstance(word, StringAttr) else "")


# ---- names of results


def _strings(attribute: Attribute | None) -> list[str]:
    strings = attribute.elements if isinstance(attribute, ArrayAttr) else ()
    return [element.value if isinstance(element, StringAttr) else "" for element in strings]


def _names(op: Operation) -> Sequence[str | None]:
    return [name or None for name in _strings(op.properties.get("names"))][: len(op.results)]


def _name_of(value: Value) -> str | None:
    """What a type that implements `OpAsmTypeInterface` calls its values."""
    is_so = isinstance(value.type, DialectType) and value.type.full_name == "test.op_asm_type_interface"
    return "op_asm_type_interface" if is_so else None


def _names_of_types(op: Operation) -> Sequence[str | None]:
    return [_name_of(value) for value in op.results]


def _names_of_all_types(op: Operation) -> Sequence[str | None]:
    names = _names_of_types(op)
    return names if None not in names else [None] * len(names)


def _argument_names(op: Operation) -> Sequence[Sequence[str]]:
    blocks = [region.first for region in op.regions]
    return [[_name_of(argument) or "" for argument in block.arguments] if block is not None else [] for block in blocks]


# ---- verifiers


@verifies("test.reify_bound")
def _verify_bound(op: Operation) -> Complaint:
    dim = op.properties.get("dim")
    type = op.operands[0].type
    if isinstance(type, ShapedType):
        return "expected 'dim' attribute for shaped type variable" if dim is None else None
    if type == INDEX:
        return "unexpected 'dim' attribute for index variable" if dim is not None else None
    return "expected index-typed variable or shape type variable"


@verifies("test.result_type_with_trait")
def _verify_result_trait(op: Operation) -> Complaint:
    type = op.results[0].type
    has_it = isinstance(type, DialectType) and "TestTypeTrait" in type.definition.traits
    return None if has_it else Problem("result type should have trait 'TestTypeTrait'", bare=True)


@verifies("test.attr_with_trait")
def _verify_attribute_trait(op: Operation) -> Complaint:
    value = op.properties.get("attr")
    has_it = isinstance(value, DialectAttr) and "TestAttrTrait" in value.definition.traits
    return None if has_it else Problem("'attr' attribute should have trait 'TestAttrTrait'", bare=True)


def _infer(op: Operation) -> Type | Problem:
    """The type of the result, which is that of both operands."""
    first, second = (value.type for value in op.operands[:2])
    if first != second:
        return Problem(f"operand type mismatch '{first}' vs '{second}'", bare=True)
    return first


@verifies("test.op_with_infer_type_if")
def _verify_inferred(op: Operation) -> Complaint:
    infer = _infer(op)
    if isinstance(infer, Problem):
        return infer
    given = op.results[0].type
    types = f"'{infer}' are incompatible with return type(s) of operation '{given}'"
    return f"inferred type(s) {types}" if given != infer else None


@verifies("test.op_with_refine_type_if")
def _verify_refined(op: Operation) -> Complaint:
    infer = _infer(op)
    if isinstance(infer, Problem):
        return infer
    return None if op.results[0].type == infer else Problem("required first operand and result to match", bare=True)


def _syntax(
    parse: Callable[[OpParser, ParsedOp], None], print: Callable[[Operation, OpPrinter], None]
) -> CustomSyntax[None]:
    return CustomSyntax(parse, print, _nothing)


OPERATIONS: Final = {
    "affine_scope": OpCode(custom=_syntax(_parse_region, _print_region(" "))),
    "block_argument_name_from_type": OpCode(region_argument_names=_argument_names),
    "custom_result_name": OpCode(result_names=_names),
    "parse_integer_literal": OpCode(custom=CustomSyntax(_parse_integer, _print_integer, _resolve_integer)),
    "parse_wrapped_keyword": OpCode(custom=CustomSyntax(_parse_keyword, _print_keyword)),
    "polyfor": OpCode(
        custom=CustomSyntax(_parse_polyfor, _print_polyfor, _resolve_polyfor), region_argument_names=_polyfor_names
    ),
    "region_if": OpCode(
        custom=CustomSyntax(_parse_region_if, _print_region_if, _resolve_region_if), interfaces=(JOINED,)
    ),
    "result_name_from_type": OpCode(result_names=_names_of_types),
    "result_name_from_type_interface": OpCode(result_names=_names_of_all_types),
    "block_argument_name_from_type_interface": OpCode(region_argument_names=_argument_names),
    "single_no_terminator_custom_asm_op": OpCode(custom=_syntax(_parse_region, _print_region(""))),
    "string_attr_pretty_name": OpCode(result_names=_names),
    "with_bounds_region": OpCode(custom=_syntax(_parse_bounds, _print_bounds)),
}
