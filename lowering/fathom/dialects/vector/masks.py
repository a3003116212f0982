"""Masks, and the operation that is done where one is set.

Source of the rules: *'vector' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.vector.common import flags, mask_of, rank, vector, vector_type
from fathom.dialects.vector.contractions import contract_mask
from fathom.dialects.vector.transfer_maps import transfer_mask
from fathom.ir.attributes import AffineMapAttr
from fathom.ir.operation import Block, Operation, Value
from fathom.ir.types import Type, VectorType
from fathom.irdl.checking import bare
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomDirective, TypeRule
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import vector as ops

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpPrinter, ParsedOp, Resolver

MASKABLE: Final = "MaskableOpInterface"

# ---- constant_mask and create_mask


@verifies("vector.constant_mask")
def _verify_constant(op: ops.ConstantMaskOp) -> Complaint:
    type, sizes = vector_type(op.result), op.mask_dim_sizes.values
    if not type.shape:
        if len(sizes) != 1:
            return bare("array attr must have length 1 for 0-D vectors")
        return None if sizes[0] in (0, 1) else bare("mask dim size must be either 0 or 1 for 0-D vectors")
    if len(sizes) != rank(type):
        return "must specify array attr of size equal vector result rank"
    for size, extent, flag in zip(sizes, type.shape, flags(type), strict=True):
        if not 0 <= size <= extent:
            return "array attr of size out of bounds of vector result dimension size"
        if flag and size not in (0, extent):
            return "only supports 'none set' or 'all set' scalable dimensions"
    if 0 in sizes and any(sizes):
        return "expected all mask dim sizes to be zeros, as a result of conjunction with zero mask dim"
    return None


@verifies("vector.create_mask")
def _verify_create(op: ops.CreateMaskOp) -> Complaint:
    count, needed = len(op.operands), rank(op.result.type)
    if not needed and count != 1:
        return "must specify exactly one operand for 0-D create_mask"
    if needed and count != needed:
        return "must specify an operand for each result vector dimension"
    return None


# ---- mask


def _print_masked(op: ops.MaskOp, p: OpPrinter, _: Sequence[str]) -> None:
    p.write("{ ")
    block = op.maskRegion.first
    if block is not None and block.first is not None:
        p.custom_or_generic(block.first)
    p.write(" }")


MASKED: Final = CustomDirective(lambda parser, parsed, _: parser.region(parsed), _print_masked)
"""`custom<Masked>($maskRegion)`: a region without its terminator, in one line."""


def _first(types: list[Type]) -> list[Type]:
    return types[:1]


def _resolve(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    if parsed.operands.get("passthru") and not parsed.types["results"]:
        resolver.fail(f"custom op '{parsed.name}' expects a result if passthru operand is provided", parsed.name_token)
    resolver.resolve_by_rules()


def _yielded(block: Block) -> Sequence[Value]:
    """What the terminator takes where the text has none: what the only operation gives."""
    only = block.first
    return only.results if only is not None and only.next is None else ()


@verifies("vector.mask", regions=True)
def _verify(op: ops.MaskOp) -> Complaint:
    block = op.maskRegion.first
    last = block.last if block is not None else None
    if block is None or last is None:
        return "expects a terminator within the mask region"
    if len(block) > 2:
        return "expects only one operation to mask"
    if not isinstance(last, ops.YieldOp):
        return "expects a terminator within the mask region"
    if len(last.operands) != len(op.results):
        return "expects number of results to match mask region yielded values"
    return _check_masked(op, block.first, last) if len(block) == 2 and block.first is not None else None


def _check_masked(op: ops.MaskOp, masked: Operation, last: ops.YieldOp) -> Complaint:
    if masked.definition is None:
        return None
    if not any(trait.name == MASKABLE for trait in masked.definition.traits):
        return f"expects a {MASKABLE} within the mask region"
    if len(masked.results) != len(op.results):
        return "expects number of results to match maskable operation number of results"
    if list(masked.results) != last.operands:
        return f"expects all the results from the {MASKABLE} to match all the values returned by the terminator"
    types = [result.type for result in masked.results]
    if types != [result.type for result in op.results]:
        return "expects result type to match maskable operation result type"
    if sum(isinstance(type, VectorType) for type in types) > 1:
        return "multiple vector results not supported"
    expected = expected_mask(masked)
    if expected is not None and op.mask.type != expected:
        return f"expects a '{expected}' mask for the maskable operation"
    if op.passthru is None or masked.name not in _MASKS:
        return None
    if not isinstance(masked, ops.TransferReadOp):
        return "doesn't expect a passthru argument for this maskable operation"
    if len(masked.results) != 1:
        return "expects result when passthru argument is provided"
    if op.passthru.type != masked.result.type:
        return "expects passthru type to match result type"
    return None


def expected_mask(masked: Operation) -> Type | None:
    """The type of the mask of an operation, which may itself be wrong; None where it is not known."""
    if isinstance(masked, ops.ContractOp):
        return contract_mask(masked)
    part = _MASKS.get(masked.name, "")
    type = vector((masked.one_of(part) if part else masked.result).type) if masked.name in _MASKS else None
    if type is None or masked.name not in TRANSFERS:
        return mask_of(type) if type is not None else None
    map = masked.properties.get("permutation_map")
    return transfer_mask(type, map.map) if isinstance(map, AffineMapAttr) else None


TRANSFERS: Final = frozenset(("vector.transfer_read", "vector.transfer_write"))
_MASKS: Final = {
    "vector.contract": "",
    "vector.gather": "indices",
    "vector.multi_reduction": "source",
    "vector.outerproduct": "",
    "vector.reduction": "vector",
    "vector.transfer_read": "",
    "vector.transfer_write": "valueToStore",
}
"""What can be masked, and which operand the mask goes over; the result where it says nothing."""

CODE: Final = {
    "mask": OpCode(
        custom=two_way(
            "$mask (`,` $passthru^)? custom<Masked>($maskRegion) attr-dict `:` type($mask) "
            "custom<Arrow>(type($results))",
            _resolve,
        ),
        rules=(TypeRule("passthru", ("results",), _first, ""),),
        terminator_operands=_yielded,
    ),
}
