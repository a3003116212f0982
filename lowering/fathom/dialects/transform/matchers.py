"""What MLIR's verifiers say of transform's matchers, and of what asks for operands and results by their places.

Source of the rules: *Transform Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from fathom.dialects.transform import handles as h
from fathom.dialects.transform.sequences import body_of
from fathom.ir.attributes import ArrayAttr
from fathom.ir.operation import Operation
from fathom.ir.property_values import numbers_of
from fathom.irdl.checking import Check, all_of
from fathom.irdl.definition import Problem, Trait
from fathom.irdl.verifying import Checks, Complaint, verifies
from fathom.ops import transform as ops


def numbers(op: Operation, name: str) -> Sequence[int]:
    """The numbers of an array of either kind; none of one that is not there."""
    return numbers_of(op.properties.get(name))


def _dimensions(name: str) -> Check:
    """Either all dimensions are asked for, or some, each once."""

    def check(op: Operation) -> Complaint:
        given, is_all = numbers(op, name), "is_all" in op.properties
        if is_all and "is_inverted" in op.properties:
            return "cannot request both 'all' and 'inverted' values in the list"
        if is_all and given:
            return "cannot both request 'all' and specific values in the list"
        if not is_all and not given:
            return "must request specific values in the list if 'all' is not specified"
        # Only numbers beside each other are compared.
        if any(one == other for one, other in pairwise(given)):
            return "expected the listed values to be unique"
        return None

    return check


def _match_dim(op: Operation) -> Complaint:
    if not {"parallel", "reduction"} <= op.properties.keys():
        return None
    return "cannot request the same dimension to be both parallel and reduction"


def _match_operand(op: Operation) -> Complaint:
    if {"permutation", "projected_permutation"} <= op.properties.keys():
        return '"permutation" and "projected_permutation" are mutually exclusive'
    if len(numbers(op, "raw_position_list")) > 1 and op.results:
        return "cannot bind multiple inputs/inits to the same value"
    return None


@verifies("transform.match.structured.result")
def _match_result(op: ops.MatchStructuredResultOp) -> Complaint:
    words = {"any", "single"} & op.properties.keys()
    if bool(words) != h.IS_OPERATION(op.result.type):
        return "expects either the any/single keyword or the type value handle result type"
    return "'any' and 'single' are mutually exclusive" if len(words) > 1 else None


@verifies("transform.match.structured.body")
def _match_body(op: ops.MatchStructuredBodyOp) -> Complaint:
    names = ("reduction_position", "passthrough", "elementwise", "contraction")
    if sum(name in op.properties for name in names) > 1:
        quoted = ", ".join(f'"{name}"' for name in names)
        return f"only one of {{{quoted}}} is allowed"
    pair = op.contraction
    if isinstance(pair, ArrayAttr) and len(pair.elements) != 2:
        return 'expects "contraction" to contain two elements'
    return None


@verifies("transform.match.structured")
def _match_structured(op: ops.MatchStructuredOp) -> Complaint:
    body = body_of(op)
    if body is None or len(body.arguments) != 1:
        return "expected one body argument"
    if not h.IS_OPERATION(body.arguments[0].type):
        return "expected body argument to implement TransformHandleTypeInterface"
    for inner in body:
        if inner is not body.last and not h.implements(inner, "MatchOpInterface"):
            message = "expects nested operations to implement MatchOpInterface"
            return Problem(message, notes=(("offending operation", inner),))
    return None


def _is_predicate(op: Operation) -> str | None:
    """What is asked of a structured operation stands in what matches one, and is asked of that."""
    parent = op.parent_op
    if not isinstance(parent, ops.MatchStructuredOp):
        return "expects parent op to be 'transform.match.structured'"
    body = body_of(parent)
    if body is not None and body.arguments and op.operands[0] is not body.arguments[0]:
        return "expected predicate to apply to the surrounding structured op"
    return None


PREDICATE: Final = Trait("StructuredPredicate", _is_predicate)


VERIFY: Final[Checks] = {
    "transform.get_operand": _dimensions("raw_position_list"),
    "transform.get_result": _dimensions("raw_position_list"),
    "transform.match.structured.dim": all_of(_match_dim, _dimensions("raw_dim_list")),
    **dict.fromkeys(
        ("transform.match.structured.init", "transform.match.structured.input"),
        all_of(_match_operand, _dimensions("raw_position_list")),
    ),
}
