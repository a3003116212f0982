"""The pdl dialect, described in `mlir-22/pdl.toml`: patterns of rewrites, as operations.

Source of the rules: *'pdl' Dialect*; the texts of errors are those of MLIR 22's parser.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects import description_of
from fathom.dialects.pdl.verify import element_or_self
from fathom.ir.dialect_values import DialectType
from fathom.ir.types import Type
from fathom.irdl.clauses import clause
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.definition import CustomDirective
from fathom.irdl.keywords import enclosed
from fathom.irdl.parametric import CustomBody

if TYPE_CHECKING:
    from fathom.ir.dialect_values import Parameter
    from fathom.ir.operation import Operation
    from fathom.ir.types import Speller
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver
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
    return DESCRIPTION.types["RangeType"].make_type(elementType=element)


def value_type() -> Type:
    """`!pdl.value`."""
    return DESCRIPTION.types["ValueType"].make_type()


def _read_range(reader: ParameterReader) -> list[Parameter]:
    """`value`: the mnemonic of an element, or the type in full."""
    reader.suggest(_ELEMENTS)
    word = reader.optional_keyword()
    if word == "range":
        element, *_ = enclosed(_read_range)(reader)
        inner = range_of(element) if isinstance(element, Type) else element
        reader.fail_before(f"element of pdl.range cannot be another range, but got'{inner}'")
    if word is None or word not in _ELEMENTS:
        reader.fail(f"invalid 'pdl' type: `{word or ''}'")
    return [DESCRIPTION.types[_ELEMENTS[word]].make()]


def _spell_range(values: Sequence[Parameter], of: Speller) -> str:
    (element,) = values
    if isinstance(element, DialectType) and element.dialect == "pdl":
        return f"{element.name}{element.spell_stripped(of)}"
    return of(element) if isinstance(element, Type) else str(element)


RANGE: Final = CustomBody(("elementType",), _read_range, _spell_range)


def named_values(lead: str) -> CustomDirective:
    """`custom<OperationOpAttributes>($values, $names)`, `{"a" = %b}` or nothing, with further white space in front."""
    return clause(f"({lead} `{{` list($1 `=` $0)^ `}}`)?")


NAMED_VALUES: Final = named_values("` `")

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
        made = DESCRIPTION.types[element].make_type()
        resolver.result_types = [range_of(made)]

    return OpCode(resolve=resolve)


CODE: Final = DialectCode(
    operations={"operands": resolve_range("ValueType"), "types": resolve_range("TypeType")},
    predicates={"PDL_AnyType": is_pdl},
    directives={
        "OperationOpAttributes": NAMED_VALUES,
        "RangeType": RANGE_TYPE,
        "ResultsValueType": CustomDirective(_parse_results_type, _print_results_type),
    },
    bodies={"RangeType": RANGE},
    parameters={"RangeType": verify_range},
)
DESCRIPTION: Final = description_of("pdl", CODE)
DIALECT: Final = DESCRIPTION.dialect()
