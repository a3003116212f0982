"""Iteration over the elements that a sparse tensor keeps: spaces of levels, and `sparse_tensor.iterate`, which goes
through one, and `sparse_tensor.coiterate`, which goes through several at once.

Source of the rules: *'sparse_tensor' Dialect*; the texts of errors are those of MLIR 22's parser.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import ArrayAttr, Attribute, DenseArrayAttr, IntegerAttr, i64_attr
from fathom.ir.dialect_values import DialectType, Parameter
from fathom.ir.operation import BlockArgument, Operation, Value, types_of
from fathom.ir.types import I32, I64, INDEX, POISON, Speller, Type
from fathom.irdl.definition import CustomDirective, CustomSyntax
from fathom.irdl.groups import SEGMENTS
from fathom.irdl.keywords import comma_separated, expect_keyword
from fathom.irdl.parametric import CustomBody
from fathom.irdl.region_arguments import parse_assignments, print_assignments

if TYPE_CHECKING:
    from fathom.irdl.protocols import Argument, Node, OpParser, OpPrinter, ParsedOp, Ref, Resolver
    from fathom.irdl.readers import ParameterReader

_WIDEST: Final = 64
"""How many levels a set of levels has room for."""
_ORDER: Final = "expect larger level upper bound than lower bound"


# ---- spaces


def _spell_range(low: int, high: int) -> str:
    return str(low) if low + 1 == high else f"{low} to {high}"


def _read_space(reader: ParameterReader) -> list[Parameter]:
    """`#CSR, lvls = 0 to 2`."""
    encoding = reader.attribute()
    reader.expect(",")
    reader.expect("lvls")
    reader.expect("=")
    low = reader.integer()
    high = reader.integer() if reader.accept("to") else low + 1
    if high <= low:
        reader.fail(_ORDER)
    return [encoding, low, high]


def _spell_space(values: Sequence[Parameter], of: Speller) -> str:
    encoding, low, high = values
    if not isinstance(low, int) or not isinstance(high, int):
        return ""
    text = of(encoding) if isinstance(encoding, (Type, Attribute)) else str(encoding)
    return f"{text}, lvls = {_spell_range(low, high)}"


SPACE: Final = CustomBody(("encoding", "loLvl", "hiLvl"), _read_space, _spell_space)
"""Levels of a storage, and an iterator over them."""


def iterator_of(type: Type) -> Type | None:
    """The type of the iterators over a space."""
    if not isinstance(type, DialectType) or type.full_name != "sparse_tensor.iter_space":
        return None
    return DialectType("sparse_tensor", "iterator", type.parameters, type.definition)


def levels_in(type: Type) -> tuple[object, int, int] | None:
    """The encoding and the levels of a space or an iterator."""
    if not isinstance(type, DialectType) or len(type.parameters) != 3:
        return None
    encoding, low, high = type.parameters
    return (encoding, low, high) if isinstance(low, int) and isinstance(high, int) else None


def extent_of(type: Type) -> int:
    """How many levels a space or an iterator has."""
    _, low, high = levels_in(type) or (None, 0, 0)
    return high - low


# ---- custom<LevelRange>($loLvl, $hiLvl)


def _parse_range(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`1 to 3`, or `1` for `1 to 2`."""
    low = parser.integer_literal()
    high = parser.integer_literal() if parser.accept("to") else low + 1
    if high <= low:
        parser.fail(f"custom op '{parsed.name}' {_ORDER}", parsed.name_token)
    for name, value in zip(arguments, (low, high), strict=True):
        parsed.attributes[name] = IntegerAttr(value, INDEX)


def _print_range(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    low, high = (number_of(op.properties.get(name)) for name in arguments)
    p.write(_spell_range(low, high))


def number_of(attribute: Attribute | None) -> int:
    """The value of an integer attribute; 0 where it is none."""
    return attribute.value if isinstance(attribute, IntegerAttr) else 0


LEVEL_RANGE: Final = CustomDirective(_parse_range, _print_range, lambda parser: parser.at_kind("integer"))

# ---- lists some of whose elements are not wanted


def _parse_wanted(parser: OpParser, closing: str = "") -> tuple[int, list[Argument], int]:
    """`%a, _, %b`: the set of the places that have a name, as bits, the names, and how many places there are."""
    wanted, names, count = 0, list["Argument"](), 0
    if closing and parser.at(closing):
        return wanted, names, count
    while not count or parser.accept(","):
        if not parser.accept("_"):
            names.append(parser.argument(allow_type=False, allow_attributes=False))
            wanted |= 1 << min(count, _WIDEST)
        count += 1
    return wanted, names, count


def _print_wanted(wanted: int, count: int, names: Sequence[Value], p: OpPrinter) -> None:
    rest = iter(names)
    for index in range(min(count, _WIDEST)):
        p.write(", " if index else "")
        value = next(rest, None) if wanted >> index & 1 else None
        if value is None:
            p.write("_")
        else:
            p.value(value)


def _parse_loop(
    parser: OpParser, parsed: ParsedOp, name: str, spaces: list[Ref], parse_types: Callable[[], list[Node]]
) -> list[Argument]:
    """` at(%i, _) iter_args(%a = %x) : !sparse_tensor.iter_space<…> -> f32`, behind the spaces; gives the arguments for
    what is carried and for coordinates."""
    wanted, coordinates = 0, list["Argument"]()
    if parser.accept("at"):
        parser.expect("(")
        wanted, coordinates, _ = _parse_wanted(parser, ")")
        parser.expect(")")
    parsed.attributes["crdUsedLvls"] = i64_attr(wanted)
    is_carried = parser.accept("iter_args")
    arguments, values = parse_assignments(parser) if is_carried else ([], [])
    parser.expect(":")
    types, results = parse_types(), list["Node"]()
    if len(types) != len(spaces):
        message = "mismatch in number of iteration space operands and iteration space types"
        parser.fail(message, parsed.name_token)
    if is_carried:
        parser.expect("->")
        results = parser.arrow_types()
        if len(results) != len(values):
            parser.fail("mismatch in number of iteration arguments and return values", parsed.name_token)
    parsed.operands[name], parsed.operands["initArgs"] = spaces, values
    parsed.types[name], parsed.types["results"] = types, results
    return [*arguments, *coordinates]


def _resolve_loop(resolver: Resolver, parsed: ParsedOp, name: str) -> tuple[list[Type], list[Type]]:
    """Finds the operands; returns the types of the arguments for what is carried and for coordinates, and of
    iterators."""
    spaces, results = resolver.types(parsed.types[name]), resolver.types(parsed.types["results"])
    if any(iterator_of(type) is None and type != POISON for type in spaces):
        resolver.fail("expected sparse_tensor.iter_space type for iteration space operands")
    resolver.operands = [
        *resolver.operand_list(parsed.operands[name], spaces),
        *resolver.operand_list(parsed.operands["initArgs"], results),
    ]
    resolver.result_types = results
    wanted = number_of(resolver.properties.get("crdUsedLvls")).bit_count()
    return [*results, *[INDEX] * wanted], [iterator_of(type) or POISON for type in spaces]


def _print_loop(
    op: Operation, coordinates: Sequence[Value], extent: int, carried: Sequence[BlockArgument], p: OpPrinter
) -> None:
    """` at(%i, _) iter_args(%a = %x) : `, where `carried` become the last operands."""
    wanted = number_of(op.properties.get("crdUsedLvls"))
    if wanted:
        p.write(" at(")
        _print_wanted(wanted, extent, coordinates, p)
        p.write(")")
    if op.results:
        p.write(" iter_args(")
        print_assignments(carried, op.operands[-len(op.results) :], p)
        p.write(")")
    p.write(" : ")


# ---- sparse_tensor.iterate


def _parse_iterate(parser: OpParser, parsed: ParsedOp) -> None:
    """`%it in %space at(%i, _) iter_args(%a = %x) : !sparse_tensor.iter_space<…> -> f32 {…} {attributes}`."""
    iterators = comma_separated(parser, lambda: parser.argument(allow_type=False, allow_attributes=False))
    expect_keyword(parser, parsed, "in")
    spaces = comma_separated(parser, parser.value_use)
    if len(iterators) != len(spaces):
        parser.fail("mismatch in number of sparse iterators and sparse spaces", parsed.name_token)
    arguments = _parse_loop(parser, parsed, "iterSpace", spaces, parser.type_list)
    if len(iterators) != 1:
        parser.fail("expected only one iterator/iteration space", parsed.name_token)
    parser.region(parsed, [*arguments, *iterators])
    parser.attr_dict(parsed)


def _resolve_iterate(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    arguments, iterators = _resolve_loop(resolver, parsed, "iterSpace")
    resolver.region_argument_types = [[*arguments, *iterators]]


def _print_iterate(op: Operation, p: OpPrinter) -> None:
    space, *values = op.operands
    arguments = op.regions[0].arguments
    p.write(" ")
    p.values(arguments[-1:])
    p.write(" in ")
    p.value(space)
    _print_loop(op, arguments[len(values) : -1], extent_of(space.type), arguments, p)
    p.type(space.type)
    p.write(" ")
    if values:
        p.arrow_types(types_of(values))
    p.write(" ")
    p.region(op.regions[0], entry_arguments=False, terminators=bool(values))


ITERATE: Final = CustomSyntax(_parse_iterate, _print_iterate, _resolve_iterate, operands_first=True)

# ---- sparse_tensor.coiterate


def _parse_coiterate(parser: OpParser, parsed: ParsedOp) -> None:
    """`(%a, %b) at(%i) iter_args(%c = %x) : (…, …) -> f32 case %it, _ {…} {attributes}`."""
    spaces = parser.value_list()

    def types() -> list[Node]:
        parser.expect("(")
        nodes = parser.type_list()
        parser.expect(")")
        return nodes

    arguments = _parse_loop(parser, parsed, "iterSpaces", spaces, types)
    cases: list[Attribute] = []
    while parser.accept("case"):
        wanted, iterators, count = _parse_wanted(parser)
        if count > len(spaces):
            parser.fail("parsed more value than expected.", parsed.name_token)
        cases.append(IntegerAttr(wanted, I64))
        parsed.attributes["cases"] = ArrayAttr(tuple(cases))
        parser.region(parsed, [*arguments, *iterators])
    parsed.attributes["cases"] = ArrayAttr(tuple(cases))
    parser.attr_dict(parsed)


def cases_of(properties: Mapping[str, Attribute]) -> list[int]:
    """The sets of spaces that the regions of a co-iteration are for, as bits."""
    attribute = properties.get("cases")
    return [number_of(element) for element in attribute.elements] if isinstance(attribute, ArrayAttr) else []


def _resolve_coiterate(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    arguments, iterators = _resolve_loop(resolver, parsed, "iterSpaces")
    sizes = (len(iterators), len(resolver.result_types))
    resolver.properties[SEGMENTS["operands"]] = DenseArrayAttr(I32, sizes)
    resolver.region_argument_types = [
        [*arguments, *(type for index, type in enumerate(iterators) if case >> index & 1)]
        for case in cases_of(resolver.properties)
    ]


def _print_coiterate(op: Operation, p: OpPrinter) -> None:
    groups = op.definition.operand_groups(op) if op.definition is not None else {}
    spaces, values = groups.get("iterSpaces", ()), groups.get("initArgs", ())
    arguments = op.regions[0].arguments if op.regions else []
    count = number_of(op.properties.get("crdUsedLvls")).bit_count()
    p.write(" (")
    p.values(spaces)
    p.write(")")
    extent = max((extent_of(space.type) for space in spaces), default=0)
    _print_loop(op, arguments[len(values) : len(values) + count], extent, arguments, p)
    p.write("(")
    p.types(types_of(spaces))
    p.write(")")
    if values:
        p.arrow_types(types_of(values))
    for case, region in zip(cases_of(op.properties), op.regions, strict=False):
        entry = region.first
        iterators = entry.arguments[len(values) + count :] if entry is not None else []
        p.newline()
        p.write("case ")
        if case:
            _print_wanted(case, len(spaces), iterators, p)
        p.write(" ")
        p.region(region, entry_arguments=False, terminators=bool(values))


COITERATE: Final = CustomSyntax(_parse_coiterate, _print_coiterate, _resolve_coiterate, operands_first=True)
