"""Masks, and the operation that is done where one is set.

Source of the rules: *'vector' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.vector.common import flags, mask_of, numbers_of, rank, vector
from fathom.dialects.vector.contractions import contract_mask
from fathom.dialects.vector.transfer_maps import map_of, transfer_mask
from fathom.ir.operation import Block, Operation, Value
from fathom.ir.types import Type, VectorType
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax, Problem
from fathom.irdl.verifying import Complaint, verifies
from fathom.records import record

if TYPE_CHECKING:
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Ref, Resolver

MASKABLE: Final = "MaskableOpInterface"

# ---- constant_mask and create_mask


@verifies("vector.constant_mask")
def _verify_constant(op: Operation) -> Complaint:
    type, sizes = vector(op.result.type), numbers_of(op, "mask_dim_sizes")
    if type is None:
        return None
    if not type.shape:
        if len(sizes) != 1:
            return Problem("array attr must have length 1 for 0-D vectors", bare=True)
        bare = Problem("mask dim size must be either 0 or 1 for 0-D vectors", bare=True)
        return None if sizes[0] in (0, 1) else bare
    if len(sizes) != rank(type):
        return "must specify array attr of size equal vector result rank"
    for size, extent, flag in zip(sizes, type.shape, flags(type), strict=True):
        if not 0 <= size <= extent:
            return "array attr of size out of bounds of vector result dimension size"
        if flag and size not in (0, extent):
            return "only supports 'none set' or 'all set' scalable dimensions"
    if 0 in sizes and any(sizes):
        zero = "as a result of conjunction with zero mask dim"
        return f"expected all mask dim sizes to be zeros, {zero}"
    return None


@verifies("vector.create_mask")
def _verify_create(op: Operation) -> Complaint:
    count, needed = len(op.operands), rank(op.result.type)
    if not needed and count != 1:
        return "must specify exactly one operand for 0-D create_mask"
    if needed and count != needed:
        return "must specify an operand for each result vector dimension"
    return None


# ---- mask


@record
class Masked:
    """The types as they are written."""

    mask: Node
    results: list[Node]


def _parse(parser: OpParser, parsed: ParsedOp) -> Masked:
    """`%mask, %passthru {…} {…} : vector<…> -> vector<…>`."""
    parsed.operands["mask"] = [parser.value_use()]
    parsed.operands["passthru"] = [parser.value_use()] if parser.accept(",") else []
    parser.region(parsed)
    parser.attr_dict(parsed)
    parser.expect(":")
    return Masked(parser.type(), parser.optional_arrow_types())


def _resolve(resolver: Resolver, parsed: ParsedOp, found: Masked) -> None:
    passed: list[Ref] = parsed.operands["passthru"]
    mask = resolver.type(found.mask)
    results = resolver.types(found.results)
    resolver.operands = [resolver.operand(token, mask) for token in parsed.operands["mask"]]
    if passed and not results:
        resolver.fail(f"custom op '{parsed.name}' expects a result if passthru operand is provided", parsed.name_token)
    resolver.operands += [resolver.operand(token, results[0]) for token in passed]
    resolver.result_types = results


def _print(op: Operation, p: OpPrinter) -> None:
    p.write(" ")
    p.values(op.operands)
    p.write(" { ")
    block = op.regions[0].first
    if block is not None and block.first is not None:
        p.custom_or_generic(block.first)
    p.write(" }")
    p.attr_dict(op)
    p.write(" : ")
    p.type(op.operands[0].type)
    p.arrow_types([result.type for result in op.results])


def _yielded(block: Block) -> Sequence[Value]:
    """What the terminator takes where the text has none: what the only operation gives."""
    only = block.first
    return only.results if only is not None and only.next is None else ()


@verifies("vector.mask", regions=True)
def _verify(op: Operation) -> Complaint:
    block = op.regions[0].first if op.regions else None
    last = block.last if block is not None else None
    if block is None or last is None:
        return "expects a terminator within the mask region"
    if len(block) > 2:
        return "expects only one operation to mask"
    if last.name != "vector.yield":
        return "expects a terminator within the mask region"
    if len(last.operands) != len(op.results):
        return "expects number of results to match mask region yielded values"
    return _check_masked(op, block.first, last) if len(block) == 2 and block.first is not None else None


def _check_masked(op: Operation, masked: Operation, last: Operation) -> Complaint:
    definition = masked.definition
    if definition is None:
        return None
    if not any(trait.name == MASKABLE for trait in definition.traits):
        return f"expects a {MASKABLE} within the mask region"
    if len(masked.results) != len(op.results):
        return "expects number of results to match maskable operation number of results"
    if list(masked.results) != last.operands:
        of = f"the {MASKABLE} to match all the values returned by the terminator"
        return f"expects all the results from {of}"
    types = [result.type for result in masked.results]
    if types != [result.type for result in op.results]:
        return "expects result type to match maskable operation result type"
    if sum(isinstance(type, VectorType) for type in types) > 1:
        return "multiple vector results not supported"
    expected = expected_mask(masked)
    if expected is not None and op.operands[0].type != expected:
        return f"expects a '{expected}' mask for the maskable operation"
    return _check_passed(op, masked)


def _check_passed(op: Operation, masked: Operation) -> Complaint:
    """The value that is passed where the mask is not set."""
    if len(op.operands) < 2 or masked.name not in _MASKS:
        return None
    if masked.name != "vector.transfer_read":
        return "doesn't expect a passthru argument for this maskable operation"
    if len(masked.results) != 1:
        return "expects result when passthru argument is provided"
    if op.operands[1].type != masked.result.type:
        return "expects passthru type to match result type"
    return None


def expected_mask(masked: Operation) -> Type | None:
    """The type of the mask of an operation; None where it is not known."""
    find = _MASKS.get(masked.name)
    return find(masked) if find is not None else None


def _of_group(name: str) -> Callable[[Operation], Type | None]:
    """The mask of the vector in a group of operands."""

    def find(op: Operation) -> Type | None:
        type = vector(op.one_of(name).type)
        return mask_of(type) if type is not None else None

    return find


def _of_result(op: Operation) -> Type | None:
    type = vector(op.result.type)
    return mask_of(type) if type is not None else None


def _of_transfer(op: Operation) -> Type | None:
    is_read = op.name == "vector.transfer_read"
    type, map = vector(op.result.type if is_read else op.one_of("valueToStore").type), map_of(op)
    return transfer_mask(type, map) if type is not None and map is not None else None


_MASKS: Final[dict[str, Callable[[Operation], Type | None]]] = {
    "vector.contract": contract_mask,
    "vector.gather": _of_group("indices"),
    "vector.multi_reduction": _of_group("source"),
    "vector.outerproduct": _of_result,
    "vector.reduction": _of_group("vector"),
    "vector.transfer_read": _of_transfer,
    "vector.transfer_write": _of_transfer,
}

CODE: Final = {
    "mask": OpCode(custom=CustomSyntax(_parse, _print, _resolve), terminator_operands=_yielded),
}
