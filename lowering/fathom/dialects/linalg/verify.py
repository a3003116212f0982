"""What MLIR's verifiers say of the operations of linalg.

Source of the rules: *'linalg' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.diagnostics import LINALG_BODY
from fathom.dialects.linalg.bodies import BINARY
from fathom.dialects.linalg.named import NAMED, mistake_in_windows
from fathom.dialects.linalg.structured import (
    check_structure,
    dims_of,
    inputs_and_inits,
    is_projected_permutation,
    maps_and_loops,
)
from fathom.ir.affine import AffineBinary, AffineConstant, AffineDim, AffineExpr, AffineMap, AffineSymbol
from fathom.ir.operation import Operation, Value
from fathom.ir.types import MemRefType, TensorType, element_type
from fathom.irdl.checking import all_of, bare
from fathom.irdl.definition import Problem
from fathom.irdl.traits import PURE
from fathom.irdl.verifying import Checks, Complaint, verifies
from fathom.ops import linalg as ops

_PRODUCTS: Final = ("contract", "matmul", "batch_matmul", "batch_reduce_matmul")
_CONTRACTIONS: Final = (*_PRODUCTS, "mmt4d", "batch_mmt4d", "matvec", "vecmat", "batch_matvec", "batch_vecmat", "dot")
_STRUCTURED: Final = (*NAMED, "broadcast", "elementwise", "generic", "map", "reduce", "transpose")
_CONVOLUTIONS: Final = tuple(name for name in NAMED if name.startswith(("conv_", "depthwise_conv_", "pooling_")))


@verifies(*(f"linalg.{name}" for name in _CONVOLUTIONS))
def _convolution(op: Operation) -> Complaint:
    named = NAMED[op.name.removeprefix("linalg.")]
    return mistake_in_windows(op.properties, named.windows) or _check_convolution(op)


def _check_contraction(op: Operation) -> Complaint:
    """What `ContractionOpInterface` asks."""
    inputs, inits = inputs_and_inits(op)
    if len(inputs) != 2 or len(inits) != 1:
        return bare("expected op with 2 inputs and 1 output")
    structure = maps_and_loops(op)
    if structure is None:
        return None
    if "r" not in structure[1]:
        return bare("expected at least 1 reduction")
    if not all(map(is_projected_permutation, structure[0])):
        return bare("expected indexing maps to be projected permutations")
    if not _multiplies_and_adds(op):
        return Problem("expected add/mul op in the body", bare=True, code=LINALG_BODY)
    return None


_PAIRS: Final = frozenset(zip(BINARY["mul"], BINARY["add"], strict=True))


def _multiplies_and_adds(op: Operation) -> bool:
    """Whether the body adds to the output the product of the two inputs, all of them cast as may be."""
    entry = op.regions[0].first if op.regions else None
    last = entry.last if entry is not None else None
    if entry is None or last is None or len(entry.arguments) != 3 or len(last.operands) != 1:
        return False
    first, second, third = entry.arguments
    added = _source(last.operands[0]).defining_op
    if added is None or len(added.results) != 1 or len(added.operands) != 2:
        return False
    left, right = map(_source, added.operands)
    if left is not third and right is not third:
        return False
    product = _source(right if left.defining_op is None else left).defining_op
    if product is None or len(product.results) != 1 or len(product.operands) != 2:
        return False
    if (product.name, added.name) not in _PAIRS:
        return False
    factors = [_source(operand) for operand in product.operands]
    return factors in ([first, second], [second, first])


def _source(value: Value) -> Value:
    """The value in front of operations of one operand that have no effects."""
    op = value.defining_op
    while op is not None and len(op.operands) == 1 and op.has(PURE):
        value = op.operands[0]
        op = value.defining_op
    return value


# ---- convolutions


def _check_convolution(op: Operation) -> Complaint:
    """What `ConvolutionOpInterface` asks."""
    inputs, inits = inputs_and_inits(op)
    if len(inputs) < 2 or len(inits) != 1:
        return bare("expected op with 2 inputs and 1 output")
    structure = maps_and_loops(op)
    problem = _mistake_of_convolution(*structure) if structure is not None and len(structure[0]) >= 3 else None
    return bare(problem) if problem is not None else None


def _mistake_of_convolution(maps: Sequence[AffineMap], loops: str) -> str | None:
    """Each loop is one of these, by where it stands: in the output, the filter, and the input alone or in a sum."""
    loops_of_input = _loops_of_input(maps[0])
    if loops_of_input is None:
        return "unexpected input index map for convolutions"
    alone, summed = loops_of_input
    if not is_projected_permutation(maps[1]) or not is_projected_permutation(maps[-1]):
        return "expected output/filter indexing maps to be projected permutations"
    outputs, filters = dims_of(maps[-1]) or [], dims_of(maps[1]) or []
    unexpected = "unexpected loop dimension for convolution op"
    if any(dim >= len(loops) for dim in (*outputs, *filters)):
        return unexpected
    for dim in outputs:
        in_input, in_filter = dim in alone or dim in summed, dim in filters
        if in_input == in_filter and not (dim in alone and in_filter):
            return unexpected
        if loops[dim] != "p":
            return "expected all iterators used to access outputs to be parallel"
    covered = {*outputs}
    for dim in filters:
        in_input = dim in alone or dim in summed
        if dim in outputs and (not in_input or dim in alone):
            continue
        if dim in outputs or not in_input:
            return unexpected
        if loops[dim] != "r":
            return "expected all iterators not used to access outputs to be reduction"
        covered.add(dim)
    if len(covered) != len(loops):
        return unexpected
    return None if summed else "expected convolved dim to be non-empty"


def _loops_of_input(map: AffineMap) -> tuple[set[int], set[int]] | None:
    """The loops that the input's map has alone, and those that it has in sums; None where it is of another form."""
    alone: set[int] = set()
    summed: set[int] = set()
    for expr in map.results:
        match expr:
            case AffineDim(position):
                if position in alone or position in summed:
                    return None
                alone.add(position)
            case AffineBinary("+", lhs, rhs):
                for part in (lhs, rhs):
                    dim = _scaled_dim(part)
                    if dim is None or dim in alone or dim in summed:
                        return None
                    summed.add(dim)
            case _:
                return None
    return alone, summed


def _scaled_dim(expr: AffineExpr) -> int | None:
    """The dimension of `d1` or `d1 * 2`."""
    match expr:
        case AffineDim(position):
            return position
        case AffineBinary("*", AffineDim(position), AffineConstant() | AffineSymbol()):
            return position
        case _:
            return None


# ---- fills


@verifies("linalg.fill")
def _check_fill(op: ops.FillOp) -> Complaint:
    """What `FillOpInterface` asks."""
    if len(op.inputs) != 1 or len(op.outputs) != 1:
        return bare("expected op with 1 input and 1 output")
    source, element = op.inputs[0].type, element_type(op.outputs[0].type)
    if isinstance(source, (TensorType, MemRefType)):
        return bare("expected op with scalar input")
    if source != element:
        return f"expected fill value type ('{source}') to match output element type ('{element}')"
    return None


_CHECKS: Final = {name: all_of(check_structure, _check_contraction) for name in _CONTRACTIONS}
VERIFY_REGIONS: Final[Checks] = {
    f"linalg.{name}": _CHECKS.get(name, check_structure) for name in (*_STRUCTURED, *_CONTRACTIONS)
}
