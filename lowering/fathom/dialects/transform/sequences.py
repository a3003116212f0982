"""What MLIR's verifiers say of the operations of transform that hold others.

Source of the rules: *Transform Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import eq
from typing import Final

from fathom.dialects.transform import handles as h
from fathom.ir.attributes import IntegerAttr
from fathom.ir.operation import Block, Operation, Value, types_of
from fathom.ir.traversal import ancestors
from fathom.ir.types import Type
from fathom.irdl.checking import bare
from fathom.irdl.definition import Problem, Trait
from fathom.irdl.traits import TERMINATOR
from fathom.irdl.verifying import Complaint, problem_of, verifies
from fathom.ops import transform as ops
from fathom.ops.pdl import PatternOp

YIELD: Final = "transform.yield"
TOP_LEVEL: Final = "PossibleTopLevelTransformOpTrait"


def body_of(op: Operation) -> Block | None:
    """The first block of the first region."""
    return op.regions[0].first if op.regions else None


def check_each(
    one: Sequence[Type],
    other: Sequence[Type],
    counts: Complaint,
    mismatch: Callable[[int], Complaint],
    agree: Callable[[Type, Type], bool] = eq,
) -> Complaint:
    """Two lists are of one length, else `counts` is said, and the types in each place agree."""
    if len(one) != len(other):
        return counts
    place = next((i for i, pair in enumerate(zip(one, other, strict=True)) if not agree(*pair)), None)
    return mismatch(place) if place is not None else None


# ---- what may stand at the top


def top_level(op: Operation) -> Complaint:
    """The trait of what may stand at the top: one block, whose arguments are handles."""
    if not op.regions:
        return "expects at least one region"
    body = op.regions[0].first
    if body is None or body is not op.regions[0].last:
        return "expects a single-block region"
    if not body.arguments:
        return "expects the entry block to have at least one argument"
    types = types_of(body.arguments)
    if not h.IS_OPERATION(types[0]):
        of = "first entry block argument to be of type implementing TransformHandleTypeInterface"
        return f"expects the {of}"
    if op.operands and types[0] != op.operands[0].type:
        return "expects the type of the block argument to match the type of the operand"
    other = next((index for index, type in enumerate(types) if not h.IS_ANY(type)), None)
    if other is not None:
        of = "TransformHandleTypeInterface, TransformValueHandleTypeInterface or TransformParamTypeInterface"
        message = f"expects trailing entry block arguments to be of type implementing {of}"
        return Problem(message, notes=((f"argument #{other} does not", op),))
    around = next(
        (ancestor for ancestor in ancestors(op) if ancestor.definition is not None and _is_top_level(ancestor)), None
    )
    if around is not None and len(op.operands) != len(types):
        note = ("nested in another possible top-level op", around)
        return Problem("expects operands to be provided for a nested op", notes=(note,))
    return None


def _is_top_level(op: Operation) -> bool:
    return h.implements(op, TOP_LEVEL)


_OWN: Final = frozenset(("transform.alternatives", "transform.sequence", "transform.with_pdl_patterns"))
"""Those that say it with all that they check."""


def _top_level_trait(op: Operation) -> str | None:
    problem = problem_of(top_level(op)) if op.name not in _OWN else None
    return problem.message if problem is not None else None


def _produces_parameters(op: Operation) -> str | None:
    if all(h.IS_PARAMETER(result.type) for result in op.results):
        return None
    of = "expects result types to implement TransformParamTypeInterface"
    return f"ParamProducerTransformOpTrait attached to this op {of}"


TRAITS: Final = {
    TOP_LEVEL: Trait(TOP_LEVEL, _top_level_trait),
    "ParamProducerTransformOpTrait": Trait("ParamProducerTransformOpTrait", _produces_parameters),
}


# ---- sequences


def _twice_consumed(value: Value) -> tuple[tuple[str, Operation | Value], ...]:
    """The notes about two uses of a handle that may consume it; none where there is at most one."""
    uses = h.consumers(value)
    return tuple((f"used here as operand #{place}", user) for user, place in uses[:2]) if len(uses) > 1 else ()


def sequence(op: ops.SequenceOp) -> Complaint:
    body = body_of(op)
    if body is None:
        return None
    if op.root is None and op.extra_bindings:
        return "does not expect extra operands when used as top-level"
    for argument in body.arguments:
        if notes := _twice_consumed(argument):
            return Problem(f"block argument #{argument.index} has more than one potential consumer", notes=notes)
    for child in body:
        if child is not body.last and not h.is_transform(child):
            message = "expected children ops to implement TransformOpInterface"
            return Problem(message, notes=(("op without interface", child),))
        for result in child.results:
            if notes := _twice_consumed(result):
                message = f"result #{result.index} has more than one potential consumer"
                return Problem(message, at=child, bare=True, notes=notes)
    last = body.last
    if last is None or (last.definition is not None and not last.has(TERMINATOR)):
        return "expects to have a terminator in the body"
    if last.definition is not None and types_of(last.operands) != types_of(op.results):
        message = "expects the types of the terminator operands to match the types of the result"
        return Problem(message, notes=(("terminator", last),))
    return None


def alternatives(op: ops.AlternativesOp) -> Complaint:
    for region in op.alternatives:
        last = region.first.last if region.first is not None else None
        if last is not None and types_of(last.operands) != types_of(op.results):
            message = "expects terminator operands to have the same type as results of the operation"
            return Problem(message, notes=(("terminator", last),))
    return None


@verifies("transform.foreach")
def foreach(op: ops.ForeachOp) -> Complaint:
    body = body_of(op)
    last = body.last if body is not None else None
    if body is None or last is None:
        return None
    inside, outside = types_of(body.arguments), types_of(op.operands)
    for target, argument in zip(outside, inside, strict=False):
        if target != argument:
            of = "block arguments to have the same op/value/param type"
            return f"expects co-indexed targets and the body's {of}"
    if len(inside) != len(outside):
        return "expects the same number of targets as the body has block arguments"
    given, results = types_of(last.operands), types_of(op.results)
    if any(one != other for one, other in zip(given, results, strict=False)):
        return "expects co-indexed results and yield operands to have the same op/value/param type"
    if len(given) != len(results):
        return "expects the same number of results as the yield terminator has operands"
    return None


def with_patterns(op: ops.WithPdlPatternsOp) -> Complaint:
    """`transform.with_pdl_patterns` holds patterns, and one operation that uses them."""
    top: Operation | None = None
    for inner in body_of(op) or ():
        if isinstance(inner, PatternOp) or (inner.definition is None and inner.dialect == "transform"):
            continue
        if inner.definition is None or not h.implements(inner, TOP_LEVEL):
            message = "expects only pattern and top-level transform ops in its body"
            return Problem(message, notes=(("offending op", inner),))
        if top is not None:
            notes = (("first non-pattern op", top), ("second non-pattern op", inner))
            return Problem("expects only one non-pattern op in its body", notes=notes)
        top = inner
    parent = next((ancestor for ancestor in ancestors(op) if ancestor.name == op.name), None)
    if parent is not None:
        return Problem("cannot be nested", notes=(("parent operation", parent),))
    if top is None and all(inner.definition is not None for inner in body_of(op) or ()):
        return "expects at least one non-pattern op"
    return None


@verifies("transform.tune.alternatives")
def tuned(op: ops.TuneAlternativesOp) -> Complaint:
    """The alternatives of `transform.tune.alternatives` give what it promises, and the one that is taken is there."""
    for region in op.regions:
        last = region.first.last if region.first is not None else None
        if not isinstance(last, ops.YieldOp):
            return f"expected '{YIELD}' as terminator"
        if problems := yielded(last, types_of(op.results), is_bare=False):
            return problems
    selected = op.selected_region_attr
    if isinstance(selected, IntegerAttr) and not 0 <= selected.value < len(op.regions):
        of = f"{selected.value} while op has only {len(op.regions)} regions"
        return f"'selected_region' attribute specifies region at index {of}"
    return None


def yielded(last: Operation, results: Sequence[Type], *, is_bare: bool = True) -> Complaint:
    """A terminator gives what the operation around it promises."""
    before, given = "" if is_bare else f"'{last.name}' op ", types_of(last.operands)
    counts = bare(f"{before}expected terminator to have as many operands as the parent op has results", last)

    def mismatch(index: int) -> Complaint:
        of = f"must match the type of the corresponding parent op result ('{given[index]}' vs '{results[index]}')"
        return bare(f"{before}the type of the terminator operand #{index} {of}", last)

    return check_each(given, results, counts, mismatch)
