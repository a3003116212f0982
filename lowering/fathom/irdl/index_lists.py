"""Lists that mix numbers known from the text with operands: `[%offset, 0]`, as subviews and loops have.

Registers the directive `custom<DynamicIndexList>($operands, $numbers)`. The numbers are an `array<i64: …>` in which
DYNAMIC stands for the next operand.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from fathom.ir.attributes import Attribute, DenseArrayAttr
from fathom.ir.types import DYNAMIC, I64
from fathom.irdl.custom import CUSTOM_PARSERS, CUSTOM_PRINTERS

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value


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


def parse_index_list(cursor: Any, parsed: Any, operands: str, numbers: str, brackets: str = "[]") -> None:
    """Reads `[%a, 4]` into the group `operands` and the attribute `numbers`."""
    cursor.expect(brackets[0])
    values: list[int] = []
    uses: list[int] = []
    while not cursor.at(brackets[1]):
        if cursor.at_kind("value"):
            uses.append(cursor.value_use())
            values.append(DYNAMIC)
        else:
            values.append(cursor.integer_literal("expected SSA value or integer"))
        if not cursor.accept(","):
            break
    cursor.expect(brackets[1])
    parsed.operands[operands] = uses
    parsed.attributes[numbers] = DenseArrayAttr(I64, tuple(values))


def print_index_list(values: Sequence[int | Value], p: Any, brackets: str = "[]") -> None:
    """Writes `[%a, 4]`."""
    p.write(brackets[0])
    for position, value in enumerate(values):
        p.write(", " if position else "")
        if isinstance(value, int):
            p.write(str(value))
        else:
            p.value(value)
    p.write(brackets[1])


def argument_name(directive: Any) -> str:
    """The name that `$x`, `type($x)` or `ref($x)` is about."""
    return str(getattr(directive, "argument", directive).name)


def _parse(cursor: Any, parsed: Any, arguments: tuple[Any, ...]) -> None:
    parse_index_list(cursor, parsed, argument_name(arguments[0]), argument_name(arguments[1]))


def _print(op: Operation, p: Any, arguments: tuple[Any, ...]) -> None:
    assert op.definition is not None
    operands = op.definition.operand_groups(op)[argument_name(arguments[0])]
    print_index_list(mixed(op.properties.get(argument_name(arguments[1])), operands), p)


CUSTOM_PARSERS["DynamicIndexList"] = _parse
CUSTOM_PRINTERS["DynamicIndexList"] = _print
