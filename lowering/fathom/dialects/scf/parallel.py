"""Loops whose iterations may run in any order.

Source of the rules: *'scf' Dialect*, "Operations"; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.scf import edges
from fathom.dialects.scf.common import (
    check_terminator,
    entry_arguments,
    parse_arguments,
    parse_assignments,
    print_carried,
)
from fathom.ir.attributes import DenseArrayAttr, UnknownAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.operation import Value, types_of
from fathom.ir.types import I32, I64, INDEX
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax, Problem, Trait
from fathom.irdl.index_lists import mixed, parse_index_list, print_index_list
from fathom.irdl.keywords import expect_keyword
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops.scf import ForallInParallelOp, ForallOp, ParallelOp, ReduceOp, ReduceReturnOp
from fathom.rewriting.folding import integer_constant, known_number

if TYPE_CHECKING:
    from fathom.irdl.protocols import Argument, OpParser, OpPrinter, ParsedOp, Ref, Resolver

BOUNDS: Final = ("lowerBound", "upperBound", "step")


def _print_values(values: Sequence[Value], p: OpPrinter, lead: str = "") -> None:
    """`(%a, %b)`."""
    p.write(f"{lead}(")
    p.values(values)
    p.write(")")


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


def _print_parallel(op: ParallelOp, p: OpPrinter) -> None:
    _print_values(entry_arguments(op), p, " ")
    for word, values in ((" = ", op.lowerBound), (" to ", op.upperBound), (" step ", op.step)):
        _print_values(values, p, word)
    if op.initVals:
        _print_values(op.initVals, p, " init ")
    p.arrow_types(types_of(op.results))
    p.write(" ")
    p.region(op.region, entry_arguments=False)
    p.attr_dict(op)


@verifies("scf.parallel")
def _verify_parallel(op: ParallelOp) -> Complaint:
    if not op.step:
        return "needs at least one tuple element for lowerBound, upperBound and step"
    if any(number is not None and number <= 0 for number in map(integer_constant, op.step)):
        return "constant step operand must be positive"
    arguments = entry_arguments(op)
    if len(arguments) != len(op.step):
        counts = f"induction variables: {len(arguments)} as bound and step values: {len(op.step)}"
        return f"expects the same number of {counts}"
    if any(argument.type != INDEX for argument in arguments):
        return "expects arguments for the induction variable to be of index type"
    if problems := check_terminator(op.region, "scf.reduce", "expects body to terminate with 'scf.reduce'"):
        return problems
    reduce = op.region.entry.end
    results, reductions, initial = len(op.results), len(reduce.regions), len(op.initVals)
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


@verifies("scf.reduce", regions=True)
def _verify_reduce(op: ReduceOp) -> Complaint:
    if len(op.regions) != len(op.operands):
        counts = f"{len(op.regions)} to be the same as number of reduction operands: {len(op.operands)}"
        return f"expects number of reduction regions: {counts}"
    for index, (region, value) in enumerate(zip(op.regions, op.operands, strict=True)):
        if region.entry.is_empty:
            return f"{index}-th reduction has an empty body"
        if types_of(region.entry.arguments) != [value.type, value.type]:
            return f"expected two block arguments with type '{value.type}' in the {index}-th reduction region"
        if not isinstance(region.entry.end, ReduceReturnOp):
            return "reduction bodies must be terminated with an 'scf.reduce.return' op"
    return None


@verifies("scf.reduce.return")
def _verify_reduce_return(op: ReduceReturnOp) -> Complaint:
    given = op.operands[0].type
    expected = op.parent.arguments[0].type if op.parent is not None and op.parent.arguments else given
    return f"must have type '{expected}' (the type of the reduction inputs)" if given != expected else None


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


def bounds_of(op: ForallOp) -> list[list[int | Value]]:
    """The lower bounds, the upper bounds and the steps of an `scf.forall`."""
    return [
        mixed(op.staticLowerBound, op.dynamicLowerBound),
        mixed(op.staticUpperBound, op.dynamicUpperBound),
        mixed(op.staticStep, op.dynamicStep),
    ]


def _print_forall(op: ForallOp, p: OpPrinter) -> None:
    lower, upper, step = bounds_of(op)
    arguments = entry_arguments(op)
    _print_values(arguments[: len(upper)], p, " ")
    # MLIR looks through constants for this.
    if all(known_number(value) == 0 for value in lower) and all(known_number(value) == 1 for value in step):
        p.write(" in ")
        print_index_list(upper, p, "()")
    else:
        for word, values in ((" = ", lower), (" to ", upper), (" step ", step)):
            p.write(word)
            print_index_list(values, p, "()")
    print_carried("shared_outs", arguments[len(upper) :], op.outputs, p)
    p.write(" ")
    p.region(op.region, entry_arguments=False, terminators=bool(op.results))
    p.attr_dict(op, elide=STATIC)


def _arguments_problem(op: ForallOp, rank: int) -> str | None:
    """What is wrong with the arguments of the body, or with the results."""
    outputs, arguments = op.outputs, entry_arguments(op)
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
    return lambda value: (
        name in value.definition.traits if isinstance(value, DialectAttr) else isinstance(value, UnknownAttr)
    )


MAPPING: Final = "DeviceMappingAttrInterface"
MASKING: Final = "DeviceMaskingAttrInterface"
PREDICATES: Final = {name: _has_interface(name) for name in (MAPPING, MASKING)}


def _mapping_problem(op: ForallOp, rank: int) -> str | None:
    """What is wrong with the devices that the iterations are dealt out to."""
    elements = op.mapping.elements if op.mapping is not None else ()
    known = [each for each in elements if isinstance(each, DialectAttr)]
    if not known or len(known) < len(elements):
        return None
    if sum(MAPPING in each.definition.traits for each in known) != rank:
        return "mapping attribute size must match op rank"
    masks = sum(MASKING in each.definition.traits for each in known)
    return '"mapping" supports at most one device masking attribute' if masks > 1 else None


@verifies("scf.forall")
def _verify_forall(op: ForallOp) -> Complaint:
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
def _verify_in_parallel(op: ForallInParallelOp) -> Complaint:
    """Each operation puts something into one of the tensors that the loop's iterations share."""
    loop = op.parent_op
    if not isinstance(loop, ForallOp):
        return None
    shared = entry_arguments(loop)[len(bounds_of(loop)[1]) :]
    for inner in op.region.entry:
        if inner.definition is None:
            continue
        if not inner.has(_COMBINING):
            return "expected only ParallelCombiningOpInterface ops"
        targets = inner.definition.operand_groups(inner).get("dest", [])
        if any(target not in shared for target in targets):
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
