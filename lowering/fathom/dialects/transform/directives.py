"""The code behind `custom<…>` in the formats of transform and its extensions, and the syntax of `structured.split`.

Source of the rules: *Transform Dialect*; the texts of errors are those of MLIR 22's parser.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import UNIT, Attribute, DenseArrayAttr, IntegerAttr, i64_attr
from fathom.ir.operation import Operation, Value, types_of
from fathom.ir.property_values import elements_property
from fathom.ir.types import DYNAMIC, I64, INDEX, Type
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomDirective, TypeRule
from fathom.irdl.index_lists import parse_indices, print_indices
from fathom.irdl.keywords import comma_separated
from fathom.irdl.listed import array_of, print_list

if TYPE_CHECKING:
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Resolver


def results_of(op: Operation, name: str) -> Sequence[Value]:
    """The results of a group."""
    assert op.definition is not None, "a format belongs to a definition"
    return op.definition.result_groups(op)[name]


# ---- custom<SemiFunctionType>(type($operand), type($results)): `!a`, or `(!a) -> !b`


def _parse_semi_function(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    operand, result, *optional = arguments
    has_result = parser.accept("(")
    if not has_result and optional == ["false"]:
        parser.expect("(")
    parsed.types[operand] = [parser.type()]
    parsed.types[result] = []
    if not has_result:
        return
    parser.expect(")")
    parser.expect("->")
    if parser.accept("("):
        parsed.types[result] = parser.type_list()
        parser.expect(")")
    else:
        parsed.types[result] = [parser.type()]


def _print_semi_function(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    operand, result, *_ = arguments
    inputs, results = op.all_of(operand), results_of(op, result)
    p.write("(" if results else "")
    p.types(types_of(inputs))
    if results:
        p.write(")")
        p.arrow_types(types_of(results))


# ---- custom<MultitileSizesTypes>(type($target), type($a), …): `(!a) -> !b`, where all results have one type


def _parse_one_result_type(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    operand, *results = arguments
    start = parser.here()
    inputs, outputs = parser.functional_type()
    if len(inputs) != 1 or len(outputs) != 1:
        parser.fail("expects a trailing functional type with one argument and one result", start)
    parsed.types[operand] = inputs
    parsed.types.update(dict.fromkeys(results, outputs))


def _print_one_result_type(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    p.functional_type([op.operands[0].type], [op.results[0].type])


# ---- custom<TransformMatchDims>($raw_list, $is_inverted, $is_all): `all`, `0, 1`, `except(0, 1)`


def _parse_dimensions(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    numbers, inverted, everything = arguments
    if parser.accept("all"):
        parsed.attributes[numbers], parsed.attributes[everything] = DenseArrayAttr(I64, ()), UNIT
        return
    is_inverted = parser.accept("except")
    if is_inverted:
        parser.expect("(")
        parsed.attributes[inverted] = UNIT
    read = comma_separated(parser, parser.integer_literal)
    parsed.attributes[numbers] = DenseArrayAttr(I64, tuple(read))
    if is_inverted:
        parser.expect(")")


def _print_dimensions(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    numbers, inverted, everything = arguments
    if everything in op.properties:
        p.write("all")
        return
    values = op.properties.get(numbers)
    text = ", ".join(map(str, values.values)) if isinstance(values, DenseArrayAttr) else ""
    p.write(f"except({text})" if inverted in op.properties else text)


# ---- custom<ForeachMatchSymbols>($matchers, $actions): `@matcher -> @action, …`


def _parse_symbols(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    def symbol() -> Node:
        if not parser.at_kind("symbol"):
            parser.symbol_name()
        return parser.attribute()

    def pair() -> tuple[Node, Node]:
        matcher = symbol()
        parser.expect("->")
        return matcher, symbol()

    pairs = comma_separated(parser, pair)
    for name, nodes in zip(arguments, zip(*pairs, strict=True), strict=True):
        parsed.attributes[name] = array_of(parser, nodes)


def _print_symbols(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    def write(pair: Sequence[Attribute]) -> None:
        p.newline()
        p.write(f"    {' -> '.join(map(p.spell, pair))}")

    print_list(p, zip(*(elements_property(op, name) for name in arguments), strict=False), write)


# ---- custom<SequenceOpOperands>($root, type($root), $extra, type($extra)): `%a, %b : (!a, !b)`


def _parse_sequence(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    root, _, extra, _ = arguments
    use = parser.optional_value_use()
    parsed.operands[root], parsed.types[root] = [], []
    parsed.operands[extra], parsed.types[extra] = [], []
    if use is None:
        return
    parsed.operands[root] = [use]
    if parser.accept(","):
        parsed.operands[extra] = parser.bare_value_list()
    parser.expect(":")
    parser.accept("(")
    parsed.types[root] = [parser.type()]
    if parsed.operands[extra]:
        parser.expect(",")
        parsed.types[extra] = parser.type_list()
    if len(parsed.types[extra]) != len(parsed.operands[extra]):
        message = f"custom op '{parsed.name}' expected types to be provided for all operands"
        parser.fail(message, parsed.name_token)
    parser.accept(")")


def _print_sequence(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    values = [*op.all_of(arguments[0]), *op.all_of(arguments[2])]
    if not values:
        return
    p.values(values)
    p.write(" : (" if len(values) > 1 else " : ")
    p.types(types_of(values))
    p.write(")" if len(values) > 1 else "")


# ---- custom<AlternativesOpSelectedRegion>($attribute, $param): `1`, or `%p`


def _parse_selected(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    attribute, param = arguments
    if parser.at_kind("value"):
        parsed.operands[param] = [parser.value_use()]
        return
    if not parser.at("-") and not parser.at_kind("integer"):
        parser.fail("expected either an integer attribute or a transform.param operand")
    parsed.attributes[attribute] = IntegerAttr(parser.integer_literal(), INDEX)


def _print_selected(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    attribute, param = arguments
    value = op.properties.get(attribute)
    p.write(str(value.value) if isinstance(value, IntegerAttr) else "")
    p.values(op.all_of(param))


# ---- custom<PackedOrDynamicIndexList>($packed, $values, $numbers): `*(%p)`, or `[%a, 4]`


def _parse_packed(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    packed, _, numbers = arguments
    if not parser.accept("*"):
        parse_indices(parser, parsed, arguments[1:])
        return
    parser.expect("(")
    parsed.operands[packed] = [parser.value_use()]
    parser.expect(")")
    parsed.attributes[numbers] = DenseArrayAttr(I64, ())


def _print_packed(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    packed = op.all_of(arguments[0])
    if not packed:
        print_indices(op, p, arguments[1:])
        return
    p.write("*(")
    p.values(packed)
    p.write(")")


_ONE_RESULT_TYPE: Final = CustomDirective(_parse_one_result_type, _print_one_result_type)
DIRECTIVES: Final = {
    "SemiFunctionType": CustomDirective(_parse_semi_function, _print_semi_function),
    "MultitileSizesTypes": _ONE_RESULT_TYPE,
    "ContinuousTileSizeTypes": _ONE_RESULT_TYPE,
    "TransformMatchDims": CustomDirective(_parse_dimensions, _print_dimensions),
    "ForeachMatchSymbols": CustomDirective(_parse_symbols, _print_symbols),
    "SequenceOpOperands": CustomDirective(_parse_sequence, _print_sequence),
    "AlternativesOpSelectedRegion": CustomDirective(_parse_selected, _print_selected),
    "PackedOrDynamicIndexList": CustomDirective(
        _parse_packed, _print_packed, lambda parser: parser.at("*") or parser.at("[")
    ),
}

# ---- transform.structured.split


def _resolve_split(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    """The size of the chunks is an operand where the text has no number, and the result is a handle like the target."""
    resolver.properties.setdefault("static_chunk_sizes", i64_attr(DYNAMIC))
    resolver.resolve_by_rules()


SPLIT: Final = OpCode(
    custom=two_way(
        "$target `after` ($dynamic_chunk_sizes^ ` ` attr-dict ` ` `:` type($target) `,` type($dynamic_chunk_sizes)) : "
        "($static_chunk_sizes ` ` attr-dict ` ` `:` type($target))?",
        _resolve_split,
    ),
    rules=(TypeRule("split_list", ("target",), list["Type"], ""),),
)
