"""What stands in the clauses of omp's operations: lists of values and what belongs to each, and words.

Source of the rules: *'omp' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.omp.block_arguments import attribute_named, definition_for
from fathom.ir.attributes import UNIT, ArrayAttr, Attribute, i64_attr
from fathom.ir.operation import Operation, Value
from fathom.ir.property_values import elements_property, integer_property, numbers_of
from fathom.irdl.cases import bits, case_of, cases_of, word, word_of
from fathom.irdl.clauses import clause
from fathom.irdl.definition import CustomDirective
from fathom.irdl.keywords import comma_separated
from fathom.irdl.listed import any_word, print_list, typed, typed_value

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp

# ---- lists of values


def _print_linear(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    variables, steps = op.all_of(arguments[0]), op.all_of(arguments[2])

    def write(index: int) -> None:
        p.value(variables[index])
        if index < len(steps):
            p.write(" = ")
            p.value(steps[index])
        p.write(" : ")
        p.type(variables[index].type)

    print_list(p, range(len(variables)), write)


def _parse_depend(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`taskdependin -> %x : memref<i32>`."""
    variables, _, kinds = arguments
    definition = attribute_named("ClauseTaskDependAttr")

    def read() -> Attribute:
        at = parser.here()
        kind = case_of(definition, any_word(parser, parsed))
        parser.expect("->")
        typed_value(parser, parsed, variables)
        return kind or parser.fail(f"expected one of {', '.join(cases_of(definition))}", at)

    parsed.attributes[kinds] = ArrayAttr(tuple(comma_separated(parser, read)))


def _print_depend(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    def write(pair: tuple[Attribute, Value]) -> None:
        p.write(f"{word_of(pair[0])} -> ")
        typed(p, pair[1])

    print_list(p, zip(elements_property(op, arguments[2]), op.all_of(arguments[0]), strict=False), write)


# ---- words


def _accept_case(parser: OpParser, parsed: ParsedOp, prop: str) -> bool:
    """A word of the enumeration that a property is, if one is next."""
    definition = definition_for(parsed.name, prop)
    name = parser.optional_keyword(cases_of(definition))
    case = case_of(definition, name) if name is not None else None
    if case is not None:
        parsed.attributes[prop] = case
    return case is not None


def _parse_word(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    at = parser.here()
    if not _accept_case(parser, parsed, arguments[0]):
        parser.fail(f"custom op '{parsed.name}' invalid clause value: '{any_word(parser, parsed)}'", at)


def _print_word(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    p.write(word(op, arguments[0]))


def _parse_order(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`reproducible:concurrent`."""
    if _accept_case(parser, parsed, arguments[1]):
        parser.expect(":")
    _parse_word(parser, parsed, arguments)


def _print_order(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    order, modifier = arguments
    if modifier in op.properties:
        p.write(f"{word(op, modifier)}:")
    p.write(word(op, order))


def _parse_schedule(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`static = %chunk : i32, nonmonotonic, simd`."""
    kind, modifier, simd, chunk, _ = arguments
    takes_chunk = any(parser.at(policy) for policy in ("static", "dynamic", "guided"))
    if not _accept_case(parser, parsed, kind):
        any_word(parser, parsed)
        parser.fail(f"custom op '{parsed.name}'  expected schedule kind", parsed.name_token)
    if takes_chunk and parser.accept("="):
        typed_value(parser, parsed, chunk)
    words: list[str] = []
    while parser.accept(","):
        words.append(any_word(parser, parsed))
    problem = _modifier_problem(words, cases_of(definition_for(parsed.name, modifier)))
    if problem:
        parser.fail(f"custom op '{parsed.name}'  {problem}", parsed.name_token)
    if words == ["simd"]:
        words = ["none", "simd"]
    stated = case_of(definition_for(parsed.name, modifier), words[0]) if words else None
    if stated is not None:
        parsed.attributes[modifier] = stated
    if len(words) > 1:
        parsed.attributes[simd] = UNIT


def _modifier_problem(words: Sequence[str], known: Mapping[str, int]) -> str:
    """What is wrong with the modifiers of a schedule."""
    if len(words) > 2:
        return "unexpected modifier(s)"
    for modifier in words:
        if modifier not in known:
            return f"unknown modifier type: {modifier}"
    if len(words) == 2 and (words[0] == "simd" or words[1] != "simd"):
        return "incorrect modifier order"
    return ""


def _print_schedule(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    kind, modifier, simd, chunk, _ = arguments
    p.write(word(op, kind))
    for value in op.all_of(chunk):
        p.write(" = ")
        typed(p, value)
    if modifier in op.properties:
        p.write(f", {word(op, modifier)}")
    if simd in op.properties:
        p.write(", simd")


def _granularity(clause: str) -> CustomDirective:
    """`strict, %size: i32`."""

    def parse(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
        modifier, size, _ = arguments
        if _accept_case(parser, parsed, modifier):
            parser.expect(",")
        elif (name := parser.optional_word()) is not None:
            parser.fail(f"custom op '{parsed.name}' invalid {clause} modifier : '{name}'")
        typed_value(parser, parsed, size)

    def print(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
        modifier, size, _ = arguments
        if modifier in op.properties:
            p.write(f"{word(op, modifier)}, ")
        for value in op.all_of(size):
            typed(p, value, ": ")

    return CustomDirective(parse, print)


HINTS: Final = {"uncontended": 1, "contended": 2, "nonspeculative": 4, "speculative": 8}
"""What a synchronisation may expect, as the bits of a number."""


def _parse_hint(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    def read() -> int:
        name = any_word(parser, parsed)
        return HINTS.get(name) or parser.fail(f"custom op '{parsed.name}' {name} is not a valid hint")

    hints = [] if parser.accept("none") else comma_separated(parser, read)
    parsed.attributes[arguments[0]] = i64_attr(sum({*hints}))


def _print_hint(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    number = integer_property(op, arguments[0], 0)
    p.write(", ".join(name for name, bit in HINTS.items() if number & bit) if number else "none")


# ---- maps

MAP_FLAGS: Final = (
    "always implicit ompx_hold close present to from delete return_param storage private literal attach attach_always "
    "attach_none attach_auto ref_ptr ref_ptee ref_ptr_ptee is_device_ptr"
).split()
"""The words of a map clause, in the order in which they are written."""
_SPELT_DIFFERENTLY: Final = {"delete": "del", "private": "priv"}


def flag_bits() -> dict[str, int]:
    """The bit of each word of a map clause."""
    cases = cases_of(attribute_named("ClauseMapFlagsAttr"))
    return {name: cases[_SPELT_DIFFERENTLY.get(name, name)] for name in MAP_FLAGS}


def _parse_map(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`always, tofrom`. A word that means nothing is passed over."""
    flags = flag_bits()
    flags["tofrom"] = flags["to"] | flags["from"]
    number = 0
    for name in comma_separated(parser, lambda: any_word(parser, parsed)):
        number |= flags.get(name, 0)
    parsed.attributes[arguments[0]] = attribute_named("ClauseMapFlagsAttr").make_attribute(value=number)


def _print_map(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    number = bits(op, arguments[0])
    flags = flag_bits()
    words = [name for name, bit in flags.items() if number & bit]
    if "to" in words and "from" in words:
        words[words.index("to")] = "tofrom"
        words.remove("from")
    p.write(", ".join(words) if number else "none")


def _parse_capture(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`ByRef`. Another word leaves the attribute out, which is then missing."""
    if not _accept_case(parser, parsed, arguments[0]):
        any_word(parser, parsed)


def _parse_members_index(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`[0, 1], [2]`."""

    def read() -> ArrayAttr:
        parser.expect("[")
        numbers = comma_separated(parser, parser.integer_literal)
        parser.expect("]")
        return ArrayAttr(tuple(map(i64_attr, numbers)))

    parsed.attributes[arguments[0]] = ArrayAttr(tuple(comma_separated(parser, read)))


def _print_members_index(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    def write(attribute: Attribute) -> None:
        p.write(f"[{', '.join(map(str, numbers_of(attribute)))}]")

    print_list(p, elements_property(op, arguments[0]), write)


CLAUSES: Final[Mapping[str, CustomDirective]] = {
    "AlignedClause": clause("list($0 `:` type($0) `->` $2)"),
    "AllocateAndAllocator": clause("list($2 `:` type($2) `->` $0 `:` type($0))"),
    "CaptureType": CustomDirective(_parse_capture, _print_word),
    "ClauseAttr": CustomDirective(_parse_word, _print_word),
    "Copyprivate": clause("list($0 `->` $2 `:` type($0))"),
    "DependVarList": CustomDirective(_parse_depend, _print_depend),
    "GrainsizeClause": _granularity("grainsize"),
    "LinearClause": CustomDirective(print=_print_linear, form="list($0 `=` $2 `:` type($0))"),
    "MapClause": CustomDirective(_parse_map, _print_map),
    "MembersIndex": CustomDirective(_parse_members_index, _print_members_index),
    "NumTasksClause": _granularity("num_tasks"),
    "OrderClause": CustomDirective(_parse_order, _print_order),
    "ScheduleClause": CustomDirective(_parse_schedule, _print_schedule),
    "SynchronizationHint": CustomDirective(_parse_hint, _print_hint),
}
