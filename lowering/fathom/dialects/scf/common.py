"""What structured control flow shares: the checks that values fit where control goes next, and pieces of syntax."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import eq
from typing import TYPE_CHECKING

from fathom.ir.operation import Operation, Region, Value
from fathom.ir.types import Type
from fathom.irdl.definition import Problem
from fathom.irdl.verifying import Complaint

if TYPE_CHECKING:
    from fathom.irdl.protocols import Argument, OpParser, OpPrinter, Ref
    from fathom.rewriting.rewriter import Rewriter


def terminator_of(region: Region) -> Operation | None:
    """The last operation of a region of one block."""
    return region.last.last if region.last is not None else None


def check_terminator(region: Region, name: str, message: str) -> Complaint:
    """A region of one block ends with an operation of this name; `message` says so."""
    last = terminator_of(region)
    if last is not None and last.name == name:
        return None
    return Problem(message, notes=(("terminator here", last),) if last is not None else ())


def types_of(values: Sequence[Value]) -> list[Type]:
    return [value.type for value in values]


def check_edge(
    source: str,
    target: str,
    given: Sequence[Type],
    expected: Sequence[Type],
    branch: Operation | None = None,
    is_alike: Callable[[Type, Type], bool] = eq,
) -> Complaint:
    """The values that go along an edge of control flow are those that its end needs.

    `source` and `target` are worded as MLIR does: "Operation scf.yield", "parent", "Region #0". `branch` is the
    terminator that the edge leaves from, if it is no operation's beginning. `is_alike` tells whether a value of one
    type may become one of another.
    """
    if given == expected and is_alike is eq:
        return None
    notes = (("region branch point", branch),) if branch is not None else ()
    edge = f"along control flow edge from {source} to {target}: "
    if len(given) != len(expected):
        counts = f"region branch point has {len(given)} operands, but region successor needs {len(expected)} inputs"
        return Problem(edge + counts, notes=notes)
    for index, (left, right) in enumerate(zip(given, expected, strict=True)):
        if not is_alike(left, right):
            types = f"'{left}' should match successor input type #{index} '{right}'"
            return Problem(f"{edge}successor operand type #{index} {types}", notes=notes)
    return None


def check_yield(region: Region, target: str, expected: Sequence[Type]) -> Complaint:
    """What the `scf.yield` at the end of a region gives is what is expected; another terminator is not looked at."""
    last = terminator_of(region)
    if last is None or last.name != "scf.yield":
        return None
    return check_edge("Operation scf.yield", target, types_of(last.operands), expected, last)


def check_carried(
    initial: Sequence[Value], carried: Sequence[Value], yielded: Sequence[Value], results: Sequence[Value] | None
) -> Complaint:
    """What `LoopLikeOpInterface` asks: a value that is carried from iteration to iteration has one type everywhere.

    `results` are those of the loop, or None where its interface does not give them.
    """
    if len(initial) != len(carried):
        return f"different number of inits and region iter_args: {len(initial)} != {len(carried)}"
    if yielded and len(yielded) != len(carried):
        counts = f"{len(carried)} != {len(yielded)}"
        return f"different number of region iter_args and yielded values: {counts}"
    if results is not None and len(results) != len(carried):
        counts = f"{len(results)} != {len(carried)}"
        return f"different number of loop results and region iter_args: {counts}"
    types = types_of(carried)
    if types == types_of(initial) and (not yielded or types == types_of(yielded)):
        if results is None or types == types_of(results):
            return None
    for index, (start, argument) in enumerate(zip(initial, carried, strict=True)):
        if start.type != argument.type:
            differ = f"'{start.type}' != '{argument.type}'"
            return f"{index}-th init and {index}-th region iter_arg have different type: {differ}"
        if yielded and argument.type != yielded[index].type:
            differ = f"'{argument.type}' != '{yielded[index].type}'"
            return f"{index}-th region iter_arg and {index}-th yielded value have different type: {differ}"
    for argument, result in zip(carried, results or (), strict=False):
        if argument.type != result.type:
            differ = f"'{argument.type}' != '{result.type}'"
            # MLIR does not count these.
            return f"0-th region iter_arg and 0-th loop result have different type: {differ}"
    return None


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


def inline_only_block(rewriter: Rewriter, op: Operation, region: Region, arguments: Sequence[Value] = ()) -> None:
    """Puts the only block of a region of `op` in its place: its arguments are these values, and the results are what
    it ends with."""
    block = region.first
    end = block.last if block is not None else None
    if block is None or end is None or op.parent is None:
        return
    rewriter.inline_block_before(block, op.parent, op, arguments)
    rewriter.replace(op, end.operands)
    rewriter.erase(end)


def entry_arguments(op: Operation) -> list[Value]:
    """The arguments of an operation's first region."""
    entry = op.regions[0].first
    return [*entry.arguments] if entry is not None else []


def print_while(op: Operation, p: OpPrinter) -> None:
    """` (%a = %b) : (T) -> T {…} do {…} attributes {…}`, the regions of which are its
    condition and its body."""
    before, after = op.regions
    if op.operands:
        p.write(" (")
        print_assignments(before.first.arguments if before.first is not None else (), op.operands, p)
        p.write(")")
    p.write(" : ")
    p.functional_type(types_of(op.operands), types_of(op.results))
    p.write(" ")
    p.region(before, entry_arguments=False)
    p.write(" do ")
    p.region(after)
    p.attr_dict(op, keyword=True)
