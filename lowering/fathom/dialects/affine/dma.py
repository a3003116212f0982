"""Transfers between memrefs that go on beside the program, until they are waited for.

Source of the rules: *Affine Dialect*; the texts of errors are those of MLIR 22's parser and verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.affine.memory import print_subscripts
from fathom.dialects.affine.scope import Validity, affine_scope
from fathom.dialects.affine.syntax import indices, map_of, refuse
from fathom.dialects.memref.common import ranked
from fathom.ir.attributes import AffineMapAttr
from fathom.ir.operation import Operation, Value, types_of
from fathom.ir.types import INDEX
from fathom.irdl.affine_values import Tree, parse_affine_map_of_values, resolve_affine_map
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.interfaces import Effect, EffectKind, MemoryEffects
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops.affine import DmaStartOp, DmaWaitOp
from fathom.records import record

if TYPE_CHECKING:
    from fathom.irdl.protocols import Node, OpParser, OpPrinter, ParsedOp, Ref, Resolver

MAPS: Final = ("src_map", "dst_map", "tag_map")
WORDS: Final = {"src_map": "source", "dst_map": "destination", "tag_map": "tag"}


@record
class Place:
    """`%m[%i + 1]`."""

    memref: Ref
    subscripts: list[Tree]


@record
class Transfer:
    """Places, the number of elements, the stride and the elements of each stride, if any, and the types of places."""

    places: list[Place]
    numbers: list[Ref]
    types: list[Node]


def _parse_place(parser: OpParser) -> Place:
    memref = parser.value_use()
    return Place(memref, parse_affine_map_of_values(parser))


def _parse_start(parser: OpParser, parsed: ParsedOp) -> Transfer:
    """`%src[%i], %dst[%j], %tag[%k], %n, %stride, %each : memref<…>, memref<…>, memref<…>`."""
    places: list[Place] = []
    for _ in MAPS:
        places.append(_parse_place(parser))
        parser.expect(",")
    numbers = [parser.value_use()]
    if parser.accept(","):
        # A comma without what it announces is accepted.
        numbers += parser.bare_value_list()
    if len(numbers) not in (1, 3):
        parser.fail(f"custom op '{parsed.name}' expected two stride related operands", parsed.name_token)
    parser.expect(":")
    types = parser.type_list()
    if len(types) != len(MAPS):
        parser.fail(f"custom op '{parsed.name}' expected three types", parsed.name_token)
    return Transfer(places, numbers, types)


def _parse_wait(parser: OpParser, parsed: ParsedOp) -> Transfer:
    """`%tag[%k], %n : memref<…>`."""
    place = _parse_place(parser)
    parser.expect(",")
    numbers = [parser.value_use()]
    parser.expect(":")
    return Transfer([place], numbers, [parser.type()])


def _resolve(resolver: Resolver, parsed: ParsedOp, transfer: Transfer) -> None:
    names = MAPS[-len(transfer.places) :]
    for name, place, node in zip(names, transfer.places, transfer.types, strict=True):
        map, values = resolve_affine_map(resolver, place.subscripts)
        # MLIR defines these operations by hand, so that their maps are no inherent attributes.
        resolver.attributes[name] = AffineMapAttr(map)
        resolver.operands += [resolver.operand(place.memref, resolver.type(node)), *indices(resolver, values)]
    resolver.operands += indices(resolver, transfer.numbers)
    if len(transfer.places) == 1 and ranked(resolver.operands[0].type) is None:
        refuse(resolver, parsed, "expected tag to be of memref type")


@record
class Operands:
    """The operands of a transfer: memrefs and subscripts by the name of the map, and numbers."""

    places: dict[str, tuple[Value, list[Value]]]
    numbers: list[Value]


def operands_of(op: DmaStartOp | DmaWaitOp) -> Operands | None:
    """The operands by what they mean; None where they are too few."""
    values = op.operands
    places: dict[str, tuple[Value, list[Value]]] = {}
    for name in MAPS if isinstance(op, DmaStartOp) else MAPS[-1:]:
        count = map_of(op, name).inputs + 1
        if len(values) <= count:
            return None
        places[name] = (values[0], values[1:count])
        values = values[count:]
    return Operands(places, values)


def _print(op: DmaStartOp | DmaWaitOp, p: OpPrinter) -> None:
    operands = operands_of(op)
    places = operands.places if operands is not None else {}
    p.write(" ")
    for name, (memref, values) in places.items():
        p.value(memref)
        print_subscripts(op.attribute(name), values, p)
        p.write(", ")
    p.values(operands.numbers if operands is not None else op.operands)
    p.write(" : ")
    p.types(types_of([memref for memref, _ in places.values()]))


@verifies("affine.dma_start")
def _verify_start(op: DmaStartOp) -> Complaint:
    inputs = sum(map_of(op, name).inputs for name in MAPS)
    operands = operands_of(op)
    if operands is None:
        return "incorrect number of operands"
    for name, (memref, _) in operands.places.items():
        if ranked(memref.type) is None:
            return f"expected DMA {WORDS[name]} to be of memref type"
    if len(op.operands) not in (inputs + 4, inputs + 6):
        return "incorrect number of operands"
    for name, (_, values) in operands.places.items():
        if problems := _verify_indices(op, values, f"{name.removesuffix('_map')} index", "dma_start"):
            return problems
    return None


def _verify_indices(op: Operation, values: Sequence[Value], what: str, name: str) -> Complaint:
    validity = Validity(affine_scope(op))
    for value in values:
        if value.type != INDEX:
            return f"{what} to {name} must have 'index' type"
        if not validity.is_index(value):
            return f"{what} must be a valid dimension or symbol identifier"
    return None


@verifies("affine.dma_wait")
def _verify_wait(op: DmaWaitOp) -> Complaint:
    operands = operands_of(op)
    if operands is None:
        return "incorrect number of operands"
    memref, values = operands.places["tag_map"]
    if ranked(memref.type) is None:
        return "expected DMA tag to be of memref type"
    return _verify_indices(op, values, "index", "dma_wait")


def _effects(op: DmaStartOp) -> tuple[Effect, ...]:
    """What is copied and the tag are read, the destination is written. Of waiting for it, nothing is known."""
    operands = operands_of(op)
    if operands is None:
        return (Effect(EffectKind.READ), Effect(EffectKind.WRITE))
    kinds = {"dst_map": EffectKind.WRITE}
    return tuple(Effect(kinds.get(name, EffectKind.READ), memref) for name, (memref, _) in operands.places.items())


CODE: Final = {
    "dma_start": OpCode(custom=CustomSyntax(_parse_start, _print, _resolve), interfaces=(MemoryEffects(_effects),)),
    "dma_wait": OpCode(custom=CustomSyntax(_parse_wait, _print, _resolve)),
}
