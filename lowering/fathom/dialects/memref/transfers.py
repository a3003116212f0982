"""Transfers of elements between memories.

Source of the rules: *'memref' Dialect*, "Operations".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.memref.common import rank_of
from fathom.ir.operation import Operation, Value, types_of
from fathom.ir.types import INDEX, MemRefType
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops.memref import DmaStartOp, DmaWaitOp

if TYPE_CHECKING:
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Resolver


def _parse_dma_start(cursor: OpParser, parsed: ParsedOp) -> dict[int, Node]:
    operands: list[int] = []
    places: list[int] = []
    for last in (False, False, True):
        if last:
            operands.append(cursor.value_use())
            cursor.expect(",")
        places.append(len(operands))
        operands.append(cursor.value_use())
        operands += cursor.value_list("[", "]")
        if not last:
            cursor.expect(",")
    if cursor.accept(","):
        operands += cursor.bare_value_list()
    cursor.expect(":")
    types = cursor.type_list()
    if len(types) != 3:
        cursor.fail("fewer/more types expected")
    parsed.operands["operands"] = operands
    return dict(zip(places, types, strict=True))


def _resolve_dma_start(resolver: Resolver, parsed: ParsedOp, memrefs: dict[int, Node]) -> None:
    types = [resolver.type(memrefs[i]) if i in memrefs else INDEX for i in range(len(parsed.operands["operands"]))]
    resolver.operands = resolver.operand_list(parsed.operands["operands"], types)


def _dma_parts(op: Operation) -> list[list[Value]]:
    """Source, target, size, tag, each memref with its indices; then stride and count, if any."""
    rest = list(op.operands)
    parts: list[list[Value]] = []
    for has_indices in (True, True, False, True):
        count = 1 + (rank_of(rest[0]) if has_indices else 0)
        parts.append(rest[:count])
        rest = rest[count:]
    return [*parts, rest]


@verifies("memref.dma_start")
def _verify_dma_start(op: DmaStartOp) -> Complaint:
    """What is wrong with the operands of a transfer, in their order."""
    types = types_of(op.operands)
    if len(types) < 4:
        return "expected at least 4 operands"
    position, least = 0, 4
    for noun, has_indices in (("source", True), ("destination", True), ("num elements", False), ("tag", True)):
        type = types[position]
        position += 1
        if not has_indices:
            if type != INDEX:
                return f"expected {noun} to be of index type"
            continue
        if not isinstance(type, MemRefType) or type.shape is None:
            return f"expected {noun} to be of memref type"
        least += len(type.shape)
        if len(types) < least:
            return f"expected at least {least} operands"
        indices = types[position : position + len(type.shape)]
        position += len(type.shape)
        if any(index != INDEX for index in indices):
            return f"expected {noun} indices to be of index type"
    if len(types) not in (least, least + 2):
        return "incorrect number of operands"
    if any(type != INDEX for type in types[least:]):
        return "expected stride and num elements per stride to be of type index"
    return None


def _print_dma_start(op: Operation, p: OpPrinter) -> None:
    source, target, size, tag, stride = _dma_parts(op)
    for lead, part in ((" ", source), (", ", target), (", ", size), (", ", tag)):
        p.write(lead)
        p.value(part[0])
        if part is not size:
            p.write("[")
            p.values(part[1:])
            p.write("]")
    if stride:
        p.write(", ")
        p.values(stride)
    p.attr_dict(op)
    p.write(" : ")
    p.types([source[0].type, target[0].type, tag[0].type])


@verifies("memref.dma_wait")
def _verify_dma_wait(op: DmaWaitOp) -> Complaint:
    rank, given = rank_of(op.tagMemRef), len(op.tagIndices)
    counts = f"expected {rank}, but got {given}"
    same = "expected tagIndices to have the same number of elements as the tagMemRef rank"
    return f"{same}, {counts}" if rank != given else None


CODE: Final = {"dma_start": OpCode(custom=CustomSyntax(_parse_dma_start, _print_dma_start, _resolve_dma_start))}
