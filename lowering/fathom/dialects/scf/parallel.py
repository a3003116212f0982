"""Loops whose iterations may run in any order.

Source of the rules: *'scf' Dialect*, "Operations"; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.scf import edges
from fathom.dialects.scf.common import check_terminator, entry_arguments
from fathom.dialects.scf.trip_counts import forall_trip_count, parallel_trip_count
from fathom.ir.attributes import DenseArrayAttr, UnknownAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.operation import Value, types_of
from fathom.ir.types import I64, INDEX
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomDirective, Problem, Trait
from fathom.irdl.index_lists import mixed, parse_index_list, print_index_list
from fathom.irdl.interfaces import LoopLike
from fathom.irdl.keywords import expect_keyword
from fathom.irdl.traits import TERMINATOR
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops.scf import ForallInParallelOp, ForallOp, ParallelOp, ReduceOp, ReduceReturnOp
from fathom.rewriting.folding import integer_constant, known_number

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp

# ---- scf.parallel


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
        end = region.entry.end
        if end.definition is not None and not end.has(TERMINATOR):
            # That the block does not end is said of it.
            continue
        if not isinstance(end, ReduceReturnOp):
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


def _parse_space(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`in (4)`, or `= (0) to (%n) step (2)`."""
    groups = list(zip(arguments[:3], arguments[3:], strict=True))
    if parser.accept("in"):
        parse_index_list(parser, parsed, *groups[1], "()")
        for (dynamic, static), number in ((groups[0], 0), (groups[2], 1)):
            parsed.operands[dynamic] = []
            parsed.attributes[static] = DenseArrayAttr(I64, (number,) * len(parsed.named))
    else:
        for group, word in zip(groups, ("=", "to", "step"), strict=True):
            expect_keyword(parser, parsed, word)
            parse_index_list(parser, parsed, *group, "()")


def bounds_of(op: ForallOp) -> list[list[int | Value]]:
    """The lower bounds, the upper bounds and the steps of an `scf.forall`."""
    return [
        mixed(op.staticLowerBound, op.dynamicLowerBound),
        mixed(op.staticUpperBound, op.dynamicUpperBound),
        mixed(op.staticStep, op.dynamicStep),
    ]


def _print_space(op: ForallOp, p: OpPrinter, arguments: Sequence[str]) -> None:
    del arguments
    lower, upper, step = bounds_of(op)
    # MLIR looks through constants for this.
    if all(known_number(value) == 0 for value in lower) and all(known_number(value) == 1 for value in step):
        p.write("in ")
        print_index_list(upper, p, "()")
    else:
        for word, values in (("= ", lower), (" to ", upper), (" step ", step)):
            p.write(word)
            print_index_list(values, p, "()")


SPACE: Final = CustomDirective(_parse_space, _print_space)


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
    known = [element for element in elements if isinstance(element, DialectAttr)]
    if not known or len(known) < len(elements):
        return None
    if sum(MAPPING in entry.definition.traits for entry in known) != rank:
        return "mapping attribute size must match op rank"
    masks = sum(MASKING in entry.definition.traits for entry in known)
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
        interfaces=(edges.PARALLEL, LoopLike(trip_count=parallel_trip_count)),
        custom=two_way(
            "custom<Variables>(ref($region)) `=` custom<Each>($lowerBound) `to` custom<Each>($upperBound) `step` "
            "custom<Each>($step) (`init` ` ` `(` $initVals^ `)`)? custom<Arrow>(type($results), type($initVals)) "
            "custom<Unlabelled>($region) attr-dict"
        ),
    ),
    "forall": OpCode(
        interfaces=(edges.FORALL, LoopLike(trip_count=forall_trip_count)),
        custom=two_way(
            "custom<Variables>(ref($region), ref($outputs)) custom<Space>($dynamicLowerBound, $dynamicUpperBound, "
            "$dynamicStep, $staticLowerBound, $staticUpperBound, $staticStep) "
            'custom<Carried>($outputs, type($results), "shared_outs") custom<Body>($region) attr-dict'
        ),
    ),
    "forall.in_parallel": OpCode(custom=two_way("custom<Unlabelled>($region) attr-dict")),
}
