"""The pdl dialect, described in `mlir-22/pdl.toml`: patterns of rewrites, as operations.

Source of the rules: *'pdl' Dialect*; the texts of errors are those of MLIR 22's parser.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects import DESCRIBED
from fathom.ir.attributes import ArrayAttr
from fathom.ir.dialect_values import DialectType
from fathom.ir.types import Type
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.definition import CustomDirective, Problem
from fathom.irdl.description import read_description
from fathom.irdl.parametric import CustomBody

if TYPE_CHECKING:
    from fathom.ir.dialect_values import Parameter
    from fathom.ir.operation import Operation, Value
    from fathom.ir.types import Speller
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Ref, Resolver
    from fathom.irdl.readers import ParameterReader

# ---- types

_ELEMENTS: Final = {
    "attribute": "AttributeType",
    "operation": "OperationType",
    "type": "TypeType",
    "value": "ValueType",
}
"""The classes of what a range may hold, by their mnemonics."""


def is_pdl(type: object) -> bool:
    """Whether a type is one of the dialect."""
    return isinstance(type, DialectType) and type.dialect == "pdl"


def range_of(element: Type) -> DialectType:
    """`!pdl.range<element>`."""
    found = DESCRIPTION.types["RangeType"].make(elementType=element)
    assert isinstance(found, DialectType), "the definition is one of a type"
    return found


def element_or_self(type: Type) -> Type:
    """The element type of a range; another type itself."""
    if not isinstance(type, DialectType) or type.full_name != "pdl.range":
        return type
    element = type.parameters[0]
    return element if isinstance(element, Type) else type


def value_type() -> Type:
    """`!pdl.value`."""
    found = DESCRIPTION.types["ValueType"].make()
    assert isinstance(found, DialectType), "the definition is one of a type"
    return found


def _read_range(reader: ParameterReader) -> list[Parameter]:
    """`<value>`: the mnemonic of an element, or the type in full."""
    reader.expect("<")
    word = reader.optional_keyword()
    if word == "range":
        reader.fail_before("element of pdl.range cannot be another range, but got!pdl.range<…>")
    if word is None or word not in _ELEMENTS:
        reader.fail(f"invalid 'pdl' type: `{word or ''}'")
    element = DESCRIPTION.types[_ELEMENTS[word]].make()
    reader.expect(">")
    return [element]


def _spell_range(values: Sequence[Parameter], of: Speller) -> str:
    (element,) = values
    if isinstance(element, DialectType) and element.dialect == "pdl":
        return f"<{element.name}{element.spell_stripped(of)}>"
    return f"<{of(element) if isinstance(element, Type) else element}>"


RANGE: Final = CustomBody(("elementType",), _read_range, _spell_range)

# ---- custom<OperationOpAttributes>($values, $names): `{"a" = %b}`


def _parse_attributes(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    values, names = arguments
    nodes: list[Node] = []
    uses: list[Ref] = []
    if parser.accept("{"):
        while True:
            nodes.append(parser.attribute())
            parser.expect("=")
            uses.append(parser.value_use())
            if not parser.accept(","):
                break
        parser.expect("}")
    parsed.operands[values] = uses
    parsed.attributes[names] = parser.composed_attribute(
        lambda _, attribute: ArrayAttr(tuple(attribute(node, None) for node in nodes))
    )


def _print_attributes(op: Operation, p: OpPrinter, arguments: Sequence[str], lead: str) -> None:
    names = op.properties.get(arguments[1])
    if not isinstance(names, ArrayAttr) or not names.elements:
        return
    p.write(f"{lead}{{")
    for index, (name, value) in enumerate(zip(names.elements, operands_of(op, arguments[0]), strict=False)):
        p.write(", " if index else "")
        p.attribute(name)
        p.write(" = ")
        p.value(value)
    p.write("}")


def operands_of(op: Operation, name: str) -> Sequence[Value]:
    """The operands of a group."""
    assert op.definition is not None, "a format belongs to a definition"
    return op.definition.operand_groups(op)[name]


def named_values(lead: str) -> CustomDirective:
    """The directive, with further white space in front of what it writes."""
    return CustomDirective(
        _parse_attributes,
        lambda op, p, arguments: _print_attributes(op, p, arguments, lead),
        lambda parser: parser.at("{"),
    )


NAMED_VALUES: Final = named_values(" ")

# ---- custom<RangeType>(ref(type($arguments)), type($result)): `: !pdl.range<value>`, where no argument tells


def _parse_range_type(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    given, result = arguments
    nodes = parsed.types.get(given)
    if nodes:
        first = nodes[0]
        parsed.composed_types[result] = parser.composed_type(lambda type, _: range_of(element_or_self(type(first))))
        return
    parser.expect(":")
    parsed.types[result] = [parser.type()]


def _print_range_type(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    if not op.operands:
        p.write(": ")
        p.type(op.results[0].type)


RANGE_TYPE: Final = CustomDirective(_parse_range_type, _print_range_type)

# ---- custom<ResultsValueType>(ref($index), type($val)): `-> !pdl.value`, where there is an index


def _parse_results_type(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    index, result = arguments
    if index not in parsed.attributes:
        parsed.composed_types[result] = parser.composed_type(lambda _type, _attribute: range_of(value_type()))
        return
    parser.expect("->")
    parsed.types[result] = [parser.type()]


def _print_results_type(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    if arguments[0] in op.properties:
        p.write(" -> ")
        p.type(op.results[0].type)


def verify_range(values: Mapping[str, Parameter]) -> str | None:
    """What a range may not hold."""
    element = values["elementType"]
    if is_pdl(element) and isinstance(element, DialectType) and element.name != "range":
        return None
    kinds = "[!pdl.attribute, !pdl.operation, !pdl.type, !pdl.value]"
    return f"expected element of pdl.range to be one of {kinds}, but got {element}"


def resolve_range(element: str) -> OpCode:
    """The code of an operation whose only result is a range of this kind, as the text leaves unsaid."""

    def resolve(resolver: Resolver, parsed: ParsedOp) -> None:
        del parsed
        resolver.resolve_by_rules()
        made = DESCRIPTION.types[element].make()
        assert isinstance(made, DialectType), "the definition is one of a type"
        resolver.result_types = [range_of(made)]

    return OpCode(resolve=resolve)


# ---- checks


def _verify_constraint(op: Operation) -> list[Problem]:
    if not op.operands:
        return [Problem("expected at least one argument")]
    if any(isinstance(result.type, DialectType) and result.type.name == "operation" for result in op.results):
        return [Problem("returning an operation from a constraint is not supported")]
    return []


def _verify_native_rewrite(op: Operation) -> list[Problem]:
    return [] if op.operands or op.results else [Problem("expected at least one argument or result")]


def verify_range_elements(op: Operation) -> list[Problem]:
    """All that a range is made of has its element type."""
    expected = element_or_self(op.results[0].type)
    for value in op.operands:
        found = element_or_self(value.type)
        if found != expected:
            return [Problem(f"expected operand to have element type '{expected}', but got '{found}'")]
    return []


def _verify_replacement(op: Operation) -> list[Problem]:
    if op.group("replOperation") and op.group("replValues"):
        return [Problem("expected no replacement values to be provided when the replacement operation is present")]
    return []


def _verify_results(op: Operation) -> list[Problem]:
    type = op.results[0].type
    if "index" in op.properties or not isinstance(type, DialectType) or type.name != "value":
        return []
    wanted = "expected `pdl.range<value>` result type when no index is specified"
    return [Problem(f"{wanted}, but got: '{type}'")]


def _verify_rewrite(op: Operation) -> list[Problem]:
    is_empty = op.regions[0].is_empty
    if "name" in op.properties:
        return [] if is_empty else [Problem("expected rewrite region to be empty when rewrite is external")]
    if is_empty:
        return [Problem("expected rewrite region to be non-empty if external name is not specified")]
    if op.group("externalArgs"):
        return [Problem("expected no external arguments when the rewrite is specified inline")]
    return []


def _verify_pattern(op: Operation) -> list[Problem]:
    body = op.regions[0].first
    last = body.last if body is not None else None
    if body is None or last is None:
        return []
    if last.name != "pdl.rewrite":
        message = "expected body to terminate with `pdl.rewrite`"
        return [Problem(message, notes=(("see terminator defined here", last),))]
    for each in op.regions[0].walk():
        if not each.name.startswith("pdl."):
            message = "expected only `pdl` operations within the pattern body"
            return [Problem(message, notes=(("see non-`pdl` operation defined here", each),))]
    if not any(each.name == "pdl.operation" for each in body):
        return [Problem("the pattern must contain at least one `pdl.operation`")]
    return []


CODE: Final = DialectCode(
    operations={
        "operands": resolve_range("ValueType"),
        "types": resolve_range("TypeType"),
        "apply_native_constraint": OpCode(verify=_verify_constraint),
        "apply_native_rewrite": OpCode(verify=_verify_native_rewrite),
        "range": OpCode(verify=verify_range_elements),
        "replace": OpCode(verify=_verify_replacement),
        "results": OpCode(verify=_verify_results),
        "rewrite": OpCode(verify_regions=_verify_rewrite),
        "pattern": OpCode(verify_regions=_verify_pattern),
    },
    predicates={"PDL_AnyType": is_pdl},
    directives={
        "OperationOpAttributes": NAMED_VALUES,
        "RangeType": RANGE_TYPE,
        "ResultsValueType": CustomDirective(_parse_results_type, _print_results_type),
    },
    bodies={"RangeType": RANGE},
    parameters={"RangeType": verify_range},
)
DESCRIPTION: Final = read_description(DESCRIBED / "pdl.toml", CODE)
DIALECT: Final = DESCRIPTION.dialect()
