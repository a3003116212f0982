"""What structured control flow shares: the checks that values fit where control goes next, and pieces of syntax."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from operator import eq
from typing import TYPE_CHECKING

from fathom.ir.operation import BlockArgument, Operation, Region, Value, types_of
from fathom.ir.types import Type
from fathom.irdl.definition import CustomSyntax, Problem
from fathom.irdl.keywords import bracketed, expect_keyword
from fathom.irdl.verifying import Complaint
from fathom.ops.scf import YieldOp

if TYPE_CHECKING:
    from fathom.irdl.protocols import Argument, Node, OpParser, OpPrinter, ParsedOp, Ref, Resolver
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
    if not isinstance(last, YieldOp):
        return None
    return check_edge("Operation scf.yield", target, types_of(last.operands), expected, last)


def check_carried(
    initial: Sequence[Value], carried: Sequence[Value], yielded: Sequence[Value], results: Sequence[Value] | None
) -> Complaint:
    """What `LoopLikeOpInterface` asks: a value that is carried from iteration to iteration has one type everywhere.

    `results` are those of the loop, or None where its interface does not give them.
    """
    given = carried if results is None else results
    handed_on = yielded or carried
    for counted, some, others in (
        ("inits and region iter_args", initial, carried),
        ("region iter_args and yielded values", carried, handed_on),
        ("loop results and region iter_args", given, carried),
    ):
        if len(some) != len(others):
            return f"different number of {counted}: {len(some)} != {len(others)}"
    rows = [types_of(values) for values in (initial, carried, handed_on, given)]
    for index, (first, inside, last, _) in enumerate(zip(*rows, strict=True)):
        if first != inside:
            return f"{index}-th init and {index}-th region iter_arg have different type: '{first}' != '{inside}'"
        if inside != last:
            differ = f"'{inside}' != '{last}'"
            return f"{index}-th region iter_arg and {index}-th yielded value have different type: {differ}"
    for inside, result in zip(rows[1], rows[3], strict=True):
        if inside != result:
            # MLIR does not count these.
            return f"0-th region iter_arg and 0-th loop result have different type: '{inside}' != '{result}'"
    return None


def parse_assignments(cursor: OpParser) -> tuple[list[Argument], list[Ref]]:
    """`(%a = %x, %b = %y)`: the arguments of the region, and the values they start with."""

    def assignment() -> tuple[Argument, Ref]:
        argument = cursor.argument(allow_type=False, allow_attributes=False)
        cursor.expect("=")
        return argument, cursor.value_use()

    pairs = bracketed(cursor, "()", assignment)
    return [argument for argument, _ in pairs], [value for _, value in pairs]


def parse_arguments(cursor: OpParser) -> list[Argument]:
    """`(%x, %y)`, without types."""
    read = partial(cursor.argument, allow_type=False, allow_attributes=False)
    return bracketed(cursor, "()", read, "argument list")


def parse_iter_args(cursor: OpParser) -> tuple[list[Argument], list[Ref], list[Node]]:
    """` iter_args(%a = %x) -> (f32)`, or nothing."""
    if not cursor.accept("iter_args"):
        return [], [], []
    arguments, values = parse_assignments(cursor)
    cursor.expect("->")
    return arguments, values, cursor.arrow_types()


def print_carried(word: str, arguments: Sequence[Value], values: Sequence[Value], p: OpPrinter) -> None:
    """` iter_args(%a = %x) -> (f32)`, if values are carried; or with another word."""
    if values:
        p.write(f" {word}(")
        print_assignments(arguments, values, p)
        p.write(") -> (")
        p.types(types_of(values))
        p.write(")")


def print_assignments(arguments: Sequence[Value], values: Sequence[Value], p: OpPrinter) -> None:
    """The same, without the parentheses."""
    for index, (argument, value) in enumerate(zip(arguments, values, strict=False)):
        p.write(", " if index else "")
        p.value(argument)
        p.write(" = ")
        p.value(value)


def inline_only_block(rewriter: Rewriter, op: Operation, region: Region, arguments: Sequence[Value] = ()) -> None:
    """Puts the only block of a region of `op` in its place: its arguments are these values, and the results are what
    it ends with."""
    if op.parent is not None:
        end = region.entry.end
        rewriter.inline_block_before(region.entry, op.parent, op, arguments)
        rewriter.replace(op, end.operands)
        rewriter.erase(end)


def entry_arguments(op: Operation) -> list[BlockArgument]:
    """The arguments of an operation's first region."""
    entry = op.regions[0].first
    return [*entry.arguments] if entry is not None else []


def while_loop(
    operands: str, results: str, *, operands_first: bool = False, completes: bool = True
) -> CustomSyntax[None]:
    """`(%a = %x) : (f32) -> f32 {…} do {…} attributes {…}`, by the names of the groups of operands and results."""

    def parse(cursor: OpParser, parsed: ParsedOp) -> None:
        arguments, values = parse_assignments(cursor) if cursor.at("(") else ([], [])
        at = cursor.here()
        cursor.expect(":")
        inputs, outputs = cursor.functional_type()
        if len(inputs) != len(values):
            counts = f"(expected {len(values)} got {len(inputs)})"
            message = f"custom op '{parsed.name}' expected as many input types as operands {counts}"
            cursor.fail(message, at if operands_first else None)
        parsed.operands[operands] = values
        parsed.types[operands], parsed.types[results] = inputs, outputs
        for argument, type in zip(arguments, inputs, strict=True):
            argument.type = type
        cursor.region(parsed, arguments)
        expect_keyword(cursor, parsed, "do")
        cursor.region(parsed)
        cursor.attr_dict_with_keyword(parsed)

    def resolve(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
        carried = resolver.types(parsed.types[operands])
        resolver.region_argument_types = [carried, []]
        resolver.result_types = resolver.types(parsed.types[results])
        resolver.operands = resolver.operand_list(parsed.operands[operands], carried)

    return CustomSyntax(parse, print_while, resolve, operands_first=operands_first, completes=completes)


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
