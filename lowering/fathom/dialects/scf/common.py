"""What structured control flow shares: the checks that values fit where control goes next, and pieces of syntax."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.ir.operation import Operation, Region, Value
from fathom.ir.types import Type
from fathom.irdl.definition import Problem

if TYPE_CHECKING:
    from fathom.irdl.protocols import Argument, OpParser, OpPrinter, ParsedOp, Ref


def terminator_of(region: Region) -> Operation | None:
    """The last operation of a region of one block."""
    return region.last.last if region.last is not None else None


def types_of(values: Sequence[Value]) -> list[Type]:
    return [value.type for value in values]


def check_edge(
    source: str, target: str, given: Sequence[Type], expected: Sequence[Type], branch: Operation | None = None
) -> list[Problem]:
    """The values that go along an edge of control flow are those that its end needs.

    `source` and `target` are worded as MLIR does: "Operation scf.yield", "parent", "Region #0". `branch` is the
    terminator that the edge leaves from, if it is no operation's beginning.
    """
    notes = (("region branch point", branch),) if branch is not None else ()
    edge = f"along control flow edge from {source} to {target}: "
    if len(given) != len(expected):
        counts = f"region branch point has {len(given)} operands, but region successor needs {len(expected)} inputs"
        return [Problem(edge + counts, notes=notes)]
    for index, (left, right) in enumerate(zip(given, expected, strict=True)):
        if left != right:
            types = f"'{left}' should match successor input type #{index} '{right}'"
            return [Problem(f"{edge}successor operand type #{index} {types}", notes=notes)]
    return []


def check_yield(region: Region, target: str, expected: Sequence[Type]) -> list[Problem]:
    """What the `scf.yield` at the end of a region gives is what is expected; another terminator is not looked at."""
    last = terminator_of(region)
    if last is None or last.name != "scf.yield":
        return []
    return check_edge("Operation scf.yield", target, types_of(last.operands), expected, last)


def expect_word(word: str, cursor: OpParser, parsed: ParsedOp) -> None:
    """A keyword; MLIR names the operation that lacks one."""
    cursor.expect(word, f"custom op '{parsed.name}' expected '{word}'")


def parse_assignments(cursor: OpParser) -> tuple[list[Argument], list[Ref]]:
    """`(%a = %x, %b = %y)`: the arguments of the region, and the values they start with."""
    arguments: list[Argument] = []
    values: list[Ref] = []
    cursor.expect("(")
    while not cursor.at(")"):
        arguments.append(cursor.argument(allow_type=False, allow_attributes=False))
        cursor.expect("=")
        values.append(cursor.value_use())
        if not cursor.accept(","):
            break
    cursor.expect(")")
    return arguments, values


def print_assignments(arguments: Sequence[Value], values: Sequence[Value], p: OpPrinter) -> None:
    """The same, without the parentheses."""
    for index, (argument, value) in enumerate(zip(arguments, values, strict=False)):
        p.write(", " if index else "")
        p.value(argument)
        p.write(" = ")
        p.value(value)


def parse_arguments(cursor: OpParser) -> list[Argument]:
    """`(%x, %y)`, without types."""
    arguments: list[Argument] = []
    cursor.expect("(")
    while not cursor.at(")"):
        arguments.append(cursor.argument(allow_type=False, allow_attributes=False))
        if not cursor.accept(","):
            break
    cursor.expect(")")
    return arguments


def print_values(values: Sequence[Value], p: OpPrinter) -> None:
    """`(%a, %b)`."""
    p.write("(")
    p.values(values)
    p.write(")")


def print_typed_results(op: Operation, p: OpPrinter) -> None:
    """` -> (f32, i32)`, always in parentheses; nothing for no results."""
    if op.results:
        p.write(" -> (")
        p.types(types_of(op.results))
        p.write(")")
