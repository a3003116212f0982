"""Loops whose iterations may run in any order.

Source of the rules: *'scf' Dialect*, "Operations"; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from fathom.dialects.scf import edges
from fathom.dialects.scf.common import (
    check_terminator,
    entry_arguments,
    parse_arguments,
    parse_assignments,
    print_assignments,
    print_values,
    terminator_of,
    types_of,
)
from fathom.ir.attributes import ArrayAttr, DenseArrayAttr, IntegerAttr, UnknownAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.operation import Operation, Value
from fathom.ir.types import I32, I64, INDEX
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax, Problem, Trait
from fathom.irdl.index_lists import mixed, parse_index_list, print_index_list
from fathom.irdl.keywords import expect_keyword
from fathom.irdl.verifying import Complaint, verifies
from fathom.rewriting.folding import constant_value

if TYPE_CHECKING:
    from fathom.irdl.protocols import Argument, OpParser, OpPrinter, ParsedOp, Ref, Resolver

BOUNDS: Final = ("lowerBound", "upperBound", "step")

# ---- scf.parallel


def _parse_parallel(cursor: OpParser, parsed: ParsedOp) -> None:
    """`(%i) = (%lb) to (%ub) step (%s) init (%x) -> f32 {…} {attributes}`."""
    arguments = parse_arguments(cursor)
    for name, word in zip(BOUNDS, ("=", "to", "step"), strict=True):
        expect_keyword(cursor, parsed, word)
        start = cursor.here()
        parsed.operands[name] = cursor.value_list("(", ")")
        if len(parsed.operands[name]) != len(arguments):
            cursor.fail(f"custom op 'scf.parallel' expected {len(arguments)} operands", start)
    parsed.operands["initVals"] = cursor.value_list("(", ")") if cursor.accept("init") else []
    parsed.types["results"] = cursor.optional_arrow_types()
    cursor.region(parsed, arguments)
    cursor.attr_dict(parsed)


def _resolve_parallel(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    results = resolver.types(parsed.types["results"])
    counts = [len(parsed.operands[name]) for name in (*BOUNDS, "initVals")]
    resolver.region_argument_types = [[INDEX] * counts[0]]
    resolver.result_types = results
    bounds = [token for name in BOUNDS for token in parsed.operands[name]]
    resolver.operands = [resolver.operand(token, INDEX) for token in bounds]
    resolver.operands += resolver.operand_list(parsed.operands["initVals"], results)
    resolver.properties["operandSegmentSizes"] = DenseArrayAttr(I32, tuple(counts))


def _print_parallel(op: Operation, p: OpPrinter) -> None:
    p.write(" ")
    print_values(entry_arguments(op), p)
    for word, name in ((" = ", "lowerBound"), (" to ", "upperBound"), (" step ", "step")):
        p.write(word)
        print_values(op.all_of(name), p)
    if op.all_of("initVals"):
        p.write(" init ")
        print_values(op.all_of("initVals"), p)
    p.arrow_types(types_of(op.results))
    p.write(" ")
    p.region(op.regions[0], entry_arguments=False)
    p.attr_dict(op)


@verifies("scf.parallel")
def _verify_parallel(op: Operation) -> Complaint:
    if not op.all_of("step"):
        return "needs at least one tuple element for lowerBound, upperBound and step"
    if any(_constant_of(step) <= 0 for step in op.all_of("step")):
        return "constant step operand must be positive"
    arguments = entry_arguments(op)
    if len(arguments) != len(op.all_of("step")):
        counts = f"induction variables: {len(arguments)} as bound and step values: {len(op.all_of('step'))}"
        return f"expects the same number of {counts}"
    if any(argument.type != INDEX for argument in arguments):
        return "expects arguments for the induction variable to be of index type"
    if problems := check_terminator(op.regions[0], "scf.reduce", "expects body to terminate with 'scf.reduce'"):
        return problems
    reduce = terminator_of(op.regions[0])
    assert reduce is not None, "the body has its terminator"
    results, reductions, initial = len(op.results), len(reduce.regions), len(op.all_of("initVals"))
    if results != reductions:
        return f"expects number of results: {results} to be the same as number of reductions: {reductions}"
    if results != initial:
        return f"expects number of results: {results} to be the same as number of initial values: {initial}"
    if len(reduce.operands) != initial:
        return None  # The reduction says so itself.
    for index, (result, value) in enumerate(zip(op.results, reduce.operands, strict=True)):
        if result.type != value.type:
            types = f"'{value.type}' to be the same as the {index}-th result type: '{result.type}'"
            return Problem(f"'scf.reduce' op expects type of {index}-th reduction operand: {types}", reduce, bare=True)
    return None


def _constant_of(step: Value) -> int:
    """The number that defines a step; 1 where it is not known."""
    value = constant_value(step)
    return value.value if isinstance(value, IntegerAttr) else 1


@verifies("scf.reduce", regions=True)
def _verify_reduce(op: Operation) -> Complaint:
    if len(op.regions) != len(op.operands):
        counts = f"{len(op.regions)} to be the same as number of reduction operands: {len(op.operands)}"
        return f"expects number of reduction regions: {counts}"
    for index, (region, value) in enumerate(zip(op.regions, op.operands, strict=True)):
        entry = region.first
        if entry is None or entry.is_empty:
            return f"{index}-th reduction has an empty body"
        if types_of(entry.arguments) != [value.type, value.type]:
            return f"expected two block arguments with type '{value.type}' in the {index}-th reduction region"
        last = entry.last
        if last is None or last.name != "scf.reduce.return":
            return "reduction bodies must be terminated with an 'scf.reduce.return' op"
    return None


@verifies("scf.reduce.return")
def _verify_reduce_return(op: Operation) -> Complaint:
    block = op.parent
    expected = block.arguments[0].type if block is not None and block.arguments else op.operands[0].type
    if op.operands[0].type == expected:
        return None
    return f"must have type '{expected}' (the type of the reduction inputs)"


# ---- scf.forall

DYNAMIC: Final = ("dynamicLowerBound", "dynamicUpperBound", "dynamicStep")
STATIC: Final = ("staticLowerBound", "staticUpperBound", "staticStep")


def _parse_forall(cursor: OpParser, parsed: ParsedOp) -> None:
    """`(%i) in (4)`, or `(%i) = (0) to (%n) step (2)`; then `shared_outs(%o = %t) -> (tensor<4xf32>) {…} {…}`."""
    arguments = parse_arguments(cursor)
    if cursor.accept("in"):
        parse_index_list(cursor, parsed, DYNAMIC[1], STATIC[1], "()")
        parsed.operands[DYNAMIC[0]] = parsed.operands[DYNAMIC[2]] = []
        parsed.attributes[STATIC[0]] = DenseArrayAttr(I64, (0,) * len(arguments))
        parsed.attributes[STATIC[2]] = DenseArrayAttr(I64, (1,) * len(arguments))
    else:
        for index, word in enumerate(("=", "to", "step")):
            expect_keyword(cursor, parsed, word)
            parse_index_list(cursor, parsed, DYNAMIC[index], STATIC[index], "()")
    outputs: list[Ref] = []
    shared: list[Argument] = []
    if cursor.accept("shared_outs"):
        shared, outputs = parse_assignments(cursor)
    parsed.operands["outputs"] = outputs
    parsed.types["results"] = cursor.optional_arrow_types()
    cursor.region(parsed, [*arguments, *shared])
    cursor.attr_dict(parsed)


def _resolve_forall(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    results = resolver.types(parsed.types["results"])
    rank = len(parsed.regions[0].arguments) - len(parsed.operands["outputs"])
    resolver.region_argument_types = [[INDEX] * rank + results]
    resolver.result_types = results
    resolver.operands = [resolver.operand(token, INDEX) for name in DYNAMIC for token in parsed.operands[name]]
    resolver.operands += resolver.operand_list(parsed.operands["outputs"], results)
    counts = tuple(len(parsed.operands[name]) for name in (*DYNAMIC, "outputs"))
    resolver.properties["operandSegmentSizes"] = DenseArrayAttr(I32, counts)


def bounds_of(op: Operation) -> list[list[int | Value]]:
    """The lower bounds, the upper bounds and the steps of an `scf.forall`."""
    return [
        mixed(op.properties.get(static), op.all_of(dynamic)) for dynamic, static in zip(DYNAMIC, STATIC, strict=True)
    ]


def _is_number(bound: int | Value, number: int) -> bool:
    if isinstance(bound, int):
        return bound == number
    found = constant_value(bound)
    return isinstance(found, IntegerAttr) and found.value == number


def _print_forall(op: Operation, p: OpPrinter) -> None:
    lower, upper, step = bounds_of(op)
    arguments = entry_arguments(op)
    p.write(" ")
    print_values(arguments[: len(upper)], p)
    # MLIR looks through constants for this.
    if all(_is_number(value, 0) for value in lower) and all(_is_number(value, 1) for value in step):
        p.write(" in ")
        print_index_list(upper, p, "()")
    else:
        for word, values in ((" = ", lower), (" to ", upper), (" step ", step)):
            p.write(word)
            print_index_list(values, p, "()")
    outputs = op.all_of("outputs")
    if outputs:
        p.write(" shared_outs(")
        print_assignments(arguments[len(upper) :], outputs, p)
        p.write(") -> (")
        p.types(types_of(op.results))
        p.write(")")
    p.write(" ")
    p.region(op.regions[0], entry_arguments=False, terminators=bool(op.results))
    p.attr_dict(op, elide=STATIC)


def _arguments_problem(op: Operation, rank: int) -> str | None:
    """What is wrong with the arguments of the body, or with the results."""
    outputs, arguments = op.all_of("outputs"), entry_arguments(op)
    if len(op.results) != len(outputs):
        return f"produces {len(op.results)} results, but has only {len(outputs)} outputs"
    if len(arguments) != rank + len(outputs):
        return f"region expects {rank} arguments"
    for index, argument in enumerate(arguments[:rank]):
        if argument.type != INDEX:
            return f"expects {index}-th block argument to be an index"
    for index, (output, argument) in enumerate(zip(outputs, arguments[rank:], strict=True)):
        if argument.type != output.type:
            return f"type mismatch between {index}-th output and corresponding block argument"
    return None


def _has_interface(name: str) -> Callable[[object], bool]:
    """Whether an attribute has an interface; of one that is not known nobody can tell."""

    def test(value: object) -> bool:
        return name in value.definition.traits if isinstance(value, DialectAttr) else isinstance(value, UnknownAttr)

    return test


MAPPING: Final = "DeviceMappingAttrInterface"
MASKING: Final = "DeviceMaskingAttrInterface"
PREDICATES: Final = {name: _has_interface(name) for name in (MAPPING, MASKING)}


def _mapping_problem(op: Operation, rank: int) -> str | None:
    """What is wrong with the devices that the iterations are dealt out to."""
    mapping = op.properties.get("mapping")
    elements = mapping.elements if isinstance(mapping, ArrayAttr) else ()
    known = [each for each in elements if isinstance(each, DialectAttr)]
    if not known or len(known) < len(elements):
        return None
    if sum(MAPPING in each.definition.traits for each in known) != rank:
        return "mapping attribute size must match op rank"
    masks = sum(MASKING in each.definition.traits for each in known)
    return '"mapping" supports at most one device masking attribute' if masks > 1 else None


@verifies("scf.forall")
def _verify_forall(op: Operation) -> Complaint:
    lower, upper, step = bounds_of(op)
    rank = len(lower)
    if (problem := _arguments_problem(op, rank) or _mapping_problem(op, rank)) is not None:
        return problem
    for name, values in (("lower bound", lower), ("upper bound", upper), ("step", step)):
        if len(values) != rank:
            return Problem(f"expected {rank} {name} values, got {len(values)}", bare=True)
    return None


_COMBINING: Final = Trait("ParallelCombiningOpInterface")


@verifies("scf.forall.in_parallel")
def _verify_in_parallel(op: Operation) -> Complaint:
    """Each operation puts something into one of the tensors that the loop's iterations share."""
    loop, entry = op.parent_op, op.regions[0].first
    if loop is None or loop.name != "scf.forall" or entry is None:
        return None
    shared = entry_arguments(loop)[len(bounds_of(loop)[1]) :]
    for inner in entry:
        if inner.definition is None:
            continue
        if not inner.has(_COMBINING):
            return "expected only ParallelCombiningOpInterface ops"
        targets = inner.definition.operand_groups(inner).get("dest", [])
        if any(all(target is not argument for argument in shared) for target in targets):
            message = f"'{inner.name}' op may only insert into an output block argument"
            return Problem(message, inner, bare=True)
    return None


CODE: Final = {
    "parallel": OpCode(
        interfaces=(edges.PARALLEL,), custom=CustomSyntax(_parse_parallel, _print_parallel, _resolve_parallel)
    ),
    "forall": OpCode(interfaces=(edges.FORALL,), custom=CustomSyntax(_parse_forall, _print_forall, _resolve_forall)),
    "forall.in_parallel": OpCode(custom=two_way("custom<Unlabelled>($region) attr-dict")),
}
