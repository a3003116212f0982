"""The syntax that structured operations share: `ins(…) outs(…)`, attributes before and behind them, results."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.linalg.structured import MEMOIZED, inputs_and_inits
from fathom.ir.attributes import Attribute, DenseArrayAttr
from fathom.ir.operation import Operation
from fathom.ir.types import I32, I64, TensorType, Type
from fathom.irdl.groups import SEGMENTS
from fathom.irdl.keywords import bracketed, expect_keyword
from fathom.irdl.listed import print_list
from fathom.records import field, record

if TYPE_CHECKING:
    from fathom.irdl.protocols import Argument, OpParser, OpPrinter, ParsedOp, Resolver
    from fathom.syntax.nodes import Node, Ref


@record(frozen=False)
class Parts:
    """What stands in the text of a structured operation: operands with their types, further dictionaries of attributes,
    the types of the results; `begin`, `at_inputs` and `at_outputs` are where mistakes are shown."""

    begin: Ref
    inputs: list[Ref] = field(default_factory=lambda: [])
    input_types: list[Node] = field(default_factory=lambda: [])
    outputs: list[Ref] = field(default_factory=lambda: [])
    output_types: list[Node] = field(default_factory=lambda: [])
    at_inputs: Ref | None = None
    at_outputs: Ref | None = None
    at_attributes: Ref | None = None
    dictionaries: list[Node] = field(default_factory=lambda: [])
    results: list[Node] = field(default_factory=lambda: [])


# ---- reading


def parse_parts(cursor: OpParser, parsed: ParsedOp) -> Parts:
    """`<{…}> {…} ins(%a : tensor<4xf32>) outs(%b : tensor<4xf32>)`, of which nothing must be there."""
    parts = Parts(cursor.here())
    cursor.properties(parsed)
    parts.at_attributes = cursor.here()
    cursor.attr_dict(parsed)
    if cursor.accept("ins"):
        parts.inputs, parts.input_types, parts.at_inputs = _parse_operands(cursor, inside=True)
        parsed.operands["inputs"] = parts.inputs
    if cursor.accept("outs"):
        parts.outputs, parts.output_types, parts.at_outputs = _parse_operands(cursor, inside=False)
        parsed.operands["outputs"] = parts.outputs
    return parts


def _parse_operands(cursor: OpParser, *, inside: bool) -> tuple[list[Ref], list[Node], Ref]:
    """`(%a, %b : i32, f32)`; mistakes are shown inside the parenthesis or at it."""
    before = cursor.here()
    cursor.expect("(")
    at = cursor.here() if inside else before
    values = cursor.bare_value_list()
    cursor.expect(":")
    types = cursor.type_list()
    cursor.expect(")")
    return values, types, at


def parse_further_attributes(cursor: OpParser, parts: Parts) -> None:
    """A dictionary behind the operands."""
    dictionary = cursor.optional_dictionary()
    if dictionary is not None:
        parts.dictionaries.append(dictionary)


def parse_dimensions(cursor: OpParser, parsed: ParsedOp, name: str) -> None:
    """`dimensions = [0, 1]`."""
    expect_keyword(cursor, parsed, name)
    cursor.expect("=")
    values = bracketed(
        cursor, "[]", lambda: cursor.integer_literal(f"custom op '{parsed.name}' expected integer value")
    )
    if any(not -(1 << 63) <= value < 1 << 63 for value in values):
        cursor.fail(f"custom op '{parsed.name}' integer value too large", cursor.here() - 1)
    parsed.attributes[name] = DenseArrayAttr(I64, tuple(values))


def parse_region_arguments(cursor: OpParser) -> list[Argument]:
    """`(%in: f32, %init: f32)`."""
    return bracketed(cursor, "()", cursor.argument, "argument list")


# ---- what it means


def resolve_parts(resolver: Resolver, parsed: ParsedOp, parts: Parts, *, segments: bool = True) -> list[Type]:
    """Finds operands and attributes; the types of the operands."""
    inputs, outputs = resolver.types(parts.input_types), resolver.types(parts.output_types)
    resolver.operands = resolver.operand_list(parts.inputs, inputs, parts.at_inputs)
    resolver.operands += resolver.operand_list(parts.outputs, outputs, parts.at_outputs)
    if segments:
        resolver.properties[SEGMENTS["operands"]] = DenseArrayAttr(I32, (len(inputs), len(outputs)))
    for dictionary in parts.dictionaries:
        for name, value in resolver.entries(dictionary).items():
            store(resolver, name, value)
    resolver.check_properties(parts.at_attributes)
    return [*inputs, *outputs]


def store(resolver: Resolver, name: str, value: Attribute) -> None:
    """Keeps an attribute where it belongs."""
    (resolver.properties if resolver.is_inherent(name) else resolver.attributes)[name] = value


def tensors_of(types: Sequence[Type]) -> list[Type]:
    """The types of what is written that is a result too."""
    return [type for type in types if isinstance(type, TensorType) and type.shape is not None]


# ---- writing


def print_operands(op: Operation, p: OpPrinter) -> None:
    """` ins(%a : f32) outs(%b : tensor<4xf32>)`."""
    for word, values in zip(("ins", "outs"), inputs_and_inits(op), strict=True):
        if values:
            p.write(f" {word}(")
            p.typed_values(values)
            p.write(")")


NEVER_SHOWN: Final = frozenset(SEGMENTS.values())


def print_attributes(op: Operation, p: OpPrinter, elide: Collection[str] = ()) -> None:
    """` {cast = …}`: all attributes but those that the text says in another way."""
    p.attributes_but(op, NEVER_SHOWN.union(elide))


def print_named(op: Operation, p: OpPrinter, elide: Collection[str] = (MEMOIZED,)) -> None:
    """What all named operations write. The maps of most are kept with them, and not shown."""
    print_attributes(op, p, elide)
    print_operands(op, p)
    p.arrow_types([result.type for result in op.results])


def print_dimensions(op: Operation, p: OpPrinter, name: str) -> None:
    """` dimensions = [0, 1] `."""
    value = op.properties.get(name)
    p.write(f" {name} = [{value.spell_values() if isinstance(value, DenseArrayAttr) else ''}] ")


def print_body(op: Operation, p: OpPrinter) -> None:
    """The region on a line of its own, behind its arguments."""
    region = op.regions[0]

    def write() -> None:
        p.newline()
        p.write("(")
        print_list(p, region.arguments, p.region_argument)
        p.write(") ")
        p.region(region, entry_arguments=False)

    p.further_in(write)


Names = Callable[[Operation], Sequence[Sequence[str]]]


def argument_names(output: str) -> Names:
    """`%in` for the arguments of the block that are read, and another name for those that are written."""

    def names(op: Operation) -> list[list[str]]:
        inputs, inits = inputs_and_inits(op)
        return [["in"] * len(inputs) + [output] * len(inits)]

    return names
