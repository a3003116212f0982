"""Lists that mix numbers known from the text with operands: `[%offset, 0]`, as subviews and loops have.

`DYNAMIC_INDEX_LIST` is the directive `custom<DynamicIndexList>($operands, $numbers)`. The numbers are an `array<i64:
…>` in which DYNAMIC stands for the next operand. A third argument is an `array<i1: …>` that says which elements are
scalable, and stand in brackets of their own: `[4, [8]]`. `DIMENSION_LIST` is `custom<DimensionList>($numbers)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import Attribute, DenseArrayAttr
from fathom.ir.types import DYNAMIC, I1, I64
from fathom.irdl.declared import CustomDirective
from fathom.irdl.keywords import bracketed

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp


def mixed(numbers: Attribute | None, operands: Iterable[Value]) -> list[int | Value]:
    """The list, with each operand in its place."""
    rest = iter(operands)
    values = numbers.values if isinstance(numbers, DenseArrayAttr) else ()
    result: list[int | Value] = []
    for value in values:
        if value != DYNAMIC:
            result.append(value)
            continue
        operand = next(rest, None)
        if operand is not None:
            result.append(operand)
    return result


def separated(values: Iterable[int | Value]) -> tuple[list[Value], DenseArrayAttr]:
    """The operands and the numbers of a list that mixes them."""
    values = list(values)
    operands = [value for value in values if not isinstance(value, int)]
    return operands, DenseArrayAttr(I64, tuple(value if isinstance(value, int) else DYNAMIC for value in values))


def parse_index_list(
    cursor: OpParser, parsed: ParsedOp, operands: str, numbers: str, brackets: str = "[]", scalable: str = ""
) -> None:
    """Reads `[%a, 4]` into the group `operands` and the attribute `numbers`, and which elements are scalable into the
    attribute `scalable`, if there is one."""
    lead = f"custom op '{parsed.name}' expected"
    values: list[int] = []
    uses: list[int] = []
    flags: list[int] = []

    def read() -> None:
        flags.append(1 if scalable and cursor.accept("[") else 0)
        if cursor.at_kind("value"):
            uses.append(cursor.value_use())
            values.append(DYNAMIC)
        else:
            values.append(cursor.integer_literal(f"{lead} integer value"))
        if flags[-1]:
            cursor.expect("]")

    whole = partial(bracketed, cursor, brackets, read, "dynamic index list")
    cursor.part(whole, f"{lead} SSA value or integer", parsed.name_token)
    parsed.operands[operands] = uses
    parsed.attributes[numbers] = DenseArrayAttr(I64, tuple(values))
    if scalable:
        parsed.attributes[scalable] = DenseArrayAttr(I1, tuple(flags))


def print_index_list(
    values: Sequence[int | Value], p: OpPrinter, brackets: str = "[]", scalable: Sequence[int] = ()
) -> None:
    """Writes `[%a, 4]`."""
    p.write(brackets[0])
    for position, value in enumerate(values):
        is_scalable = position < len(scalable) and bool(scalable[position])
        p.write((", " if position else "") + ("[" if is_scalable else ""))
        if isinstance(value, int):
            p.write(str(value))
        else:
            p.value(value)
        p.write("]" if is_scalable else "")
    p.write(brackets[1])


def parse_indices(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """Reads what `DYNAMIC_INDEX_LIST` is."""
    parse_index_list(parser, parsed, *arguments[:2], scalable=arguments[2] if len(arguments) > 2 else "")


def print_indices(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    """Writes what `DYNAMIC_INDEX_LIST` is."""
    assert op.definition is not None, "a format belongs to a definition"
    operands = op.definition.operand_groups(op)[arguments[0]]
    flags = op.properties.get(arguments[2]) if len(arguments) > 2 else None
    scalable = flags.values if isinstance(flags, DenseArrayAttr) else ()
    print_index_list(mixed(op.properties.get(arguments[1]), operands), p, scalable=scalable)


DYNAMIC_INDEX_LIST: Final = CustomDirective(parse_indices, print_indices, lambda parser: parser.at("["))
"""`custom<DynamicIndexList>($operands, $numbers)`, or with the attribute of the scalable ones behind them."""


def _parse_dimensions(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`2x?x4`, or `[]` for none."""
    extents: list[int] = []
    if parser.accept("["):
        parser.part(lambda: parser.expect("]"), "Failed parsing dimension list.")
    else:
        empty = 'Failed parsing dimension list. Did you mean an empty list? It must be denoted by "[]".'
        extents = parser.extents(f"custom op '{parsed.name}' {empty}")
    parsed.attributes[arguments[0]] = DenseArrayAttr(I64, tuple(extents))


def _print_dimensions(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    numbers = op.properties.get(arguments[0])
    values = numbers.values if isinstance(numbers, DenseArrayAttr) else ()
    p.write("x".join("?" if value == DYNAMIC else str(value) for value in values) or "[]")


DIMENSION_LIST: Final = CustomDirective(_parse_dimensions, _print_dimensions, lambda parser: parser.at("["))
"""`custom<DimensionList>($numbers)`."""
