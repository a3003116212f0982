"""Tensors and their elements: making one of values, looking one up, gathering many.

Source of the rules: *'tensor' Dialect*; the texts of errors are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING, Final

from fathom.dialects.tensor.casts import ranked
from fathom.ir.attributes import Attribute, DenseArrayAttr
from fathom.ir.operation import Operation
from fathom.ir.types import DYNAMIC, INDEX, TensorType, Type
from fathom.irdl.code import OpCode
from fathom.irdl.definition import Problem
from fathom.irdl.verifying import Checks, Complaint, verifies
from fathom.ops import tensor as ops
from fathom.records import replace
from fathom.rewriting.speculation import SIZE_OF_DIMENSION

if TYPE_CHECKING:
    from fathom.irdl.protocols import ParsedOp, Resolver


# ---- empty, splat, generate, from_elements


def _check_dynamic_sizes(op: Operation, given: int) -> Complaint:
    """Each size that the result leaves open needs an operand."""
    result = ranked(op.result.type)
    expected = result.ranked_shape.count(DYNAMIC) if result is not None else given
    if expected == given:
        return None
    return f"incorrect number of dynamic sizes, has {given}, expected {expected}"


@verifies("tensor.generate", regions=True)
def _check_generate(op: ops.GenerateOp) -> Complaint:
    result = ranked(op.result.type)
    entry = op.body.first
    if result is None or entry is None:
        return None
    if any(argument.type != INDEX for argument in entry.arguments):
        return Problem("all body arguments must be index", bare=True)
    if len(entry.arguments) != len(result.ranked_shape):
        return Problem("must have one body argument per input dimension", bare=True)
    if yields_another(op, result):
        return "body must be terminated with a `yield` operation of the tensor element type"
    return None


def yields_another(op: Operation, result: TensorType) -> bool:
    """Whether the region gives values that are no elements of the result."""
    last = op.regions[0].first.last if op.regions[0].first is not None else None
    if not isinstance(last, ops.YieldOp) or not last.operands:
        return False  # That is said there.
    return last.operands[0].type != result.element


def _resolve_elements(resolver: Resolver, parsed: ParsedOp) -> None:
    """The operands are the elements of the result, whose type stands in the text."""
    result = ranked(resolver.type(parsed.types["result"][0]))
    tokens = parsed.operands["elements"]
    if result is None or not result.has_static_shape:
        resolver.resolve_by_rules()
        return
    count = prod(result.ranked_shape)
    if count != len(tokens):
        counts = f"got {len(tokens)} operands and {count} types"
        at = tokens[0] if tokens else None
        resolver.fail(f"custom op '{parsed.name}' number of operands and types do not match: {counts}", at)
    resolver.operands = [resolver.operand(token, result.element) for token in tokens]
    resolver.result_types = [result]


@verifies("tensor.from_elements")
def _check_elements(op: ops.FromElementsOp) -> Complaint:
    result = ranked(op.result.type)
    if result is None:
        return None
    is_whole = len(op.operands) == prod(result.ranked_shape)
    if is_whole and all(operand.type == result.element for operand in op.operands):
        return None
    return "failed to verify that operand types match result element type"


# ---- extract, insert


def _check_indices(op: Operation, tensor: str, message: str) -> Complaint:
    type = ranked(op.one_of(tensor).type)
    return message if type is not None and len(type.ranked_shape) != len(op.all_of("indices")) else None


# ---- gather, scatter


def _numbers(attribute: Attribute | None) -> tuple[int, ...]:
    return attribute.values if isinstance(attribute, DenseArrayAttr) else ()


def _mistake_in_dims(what: str, of: str, dims: Sequence[int], indices: Sequence[int], rank: int) -> str | None:
    if not dims:
        return f"{what}_dims must be non-empty"
    if len(dims) > rank:
        return f"{what}_dims overflow {of} rank"
    if not indices or indices[-1] != len(dims):
        return f"{what}_dims length must match the size of last dimension of indices"
    for dim in dims:
        if dim < 0:
            return f"{what}_dims value must be non-negative"
        if dim >= rank:
            return f"{what}_dims value must be smaller than {of} rank"
    if any(first >= second for first, second in pairwise(dims)):
        return f"{what}_dims values must be strictly increasing"
    return None


def _gathered(source: TensorType, indices: TensorType, dims: Sequence[int], *, reduced: bool) -> TensorType:
    """The type of what is gathered: a slice of the source for each index, in which dimensions have the size one, or are
    not there."""
    slices = [1 if dim in dims else size for dim, size in enumerate(source.ranked_shape)]
    kept = [size for dim, size in enumerate(slices) if not (reduced and dim in dims)]
    return replace(source, shape=(*indices.ranked_shape[:-1], *kept))


def _check_dims(op: Operation, what: str, whole: str, part: Type, part_name: str) -> Complaint:
    source, indices = ranked(op.one_of(whole).type), ranked(op.one_of("indices").type)
    if source is None or indices is None:
        return None
    dims = _numbers(op.properties.get(f"{what}_dims"))
    found = _mistake_in_dims(what, whole, dims, indices.ranked_shape, len(source.ranked_shape))
    if found is not None:
        return found
    if what == "scatter" and "unique" not in op.properties:
        return "requires 'unique' attribute to be set"
    expected, reduced = (_gathered(source, indices, dims, reduced=reduced) for reduced in (False, True))
    if part in (expected, reduced):
        return None
    types = f"expected '{expected}' or its rank-reduced variant '{reduced}' (got: '{part}')"
    return f"{part_name} type mismatch: {types}"


OPERATIONS: Final = {
    "dim": OpCode(interfaces=(SIZE_OF_DIMENSION,)),
    "from_elements": OpCode(resolve=_resolve_elements),
}


VERIFY: Final[Checks] = {
    "tensor.empty": lambda op: _check_dynamic_sizes(op, len(op.operands)),
    "tensor.splat": lambda op: _check_dynamic_sizes(op, len(op.operands) - 1),
    "tensor.generate": lambda op: _check_dynamic_sizes(op, len(op.operands)),
    "tensor.extract": lambda op: _check_indices(op, "tensor", "incorrect number of indices for extract_element"),
    "tensor.insert": lambda op: _check_indices(op, "dest", "incorrect number of indices"),
    "tensor.gather": lambda op: _check_dims(op, "gather", "source", op.result.type, "result"),
    "tensor.scatter": lambda op: _check_dims(op, "scatter", "dest", op.one_of("source").type, "source"),
}
