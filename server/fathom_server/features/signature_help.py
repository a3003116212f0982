"""Signature help: what stands in the parentheses of a call, or as the operands of an operation, and which of it is
being typed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from fathom.irdl.definition import OpDefinition
from fathom.records import NamedTuple, record
from fathom_server.features.completion.inquiry import Inquiry
from fathom_server.features.completion.position import position_at
from fathom_server.features.completion.slots import Callee, Slot, callee_at, signature_of, slot_at
from fathom_server.features.completion.written import parts_of, spaced
from fathom_server.model.snapshot import Snapshot


@record
class Parameter:
    """One of the parts of a signature, between two offsets of its label, and what is to say of it."""

    start: int
    end: int
    documentation: str = ""


@record
class Signature:
    """What is being typed, and the number of its `active` part, which may be one too many."""

    label: str
    parameters: tuple[Parameter, ...]
    active: int
    documentation: str = ""


def signature_help(snapshot: Snapshot, offset: int) -> Signature | None:
    """The signature of what is being typed at an offset; None where that is no argument or operand."""
    position = position_at(snapshot, offset)
    if position is None:
        return None
    inquiry = Inquiry(snapshot, position)
    called = callee_at(inquiry)
    if called is not None:
        return _of_call(called) if called.argument is not None else None
    slot, definition = slot_at(inquiry), inquiry.definition
    if slot is None or definition is None:
        return None
    if slot.types:
        return _listed(f"{slot.name}(", [str(type) for type in slot.types], ")", slot.number)
    parsed = position.expected.parsed
    if parsed is not None and parsed.generic:
        operands = [_Piece("%" + operand.name, operand.name) for operand in definition.operands]
        commas = [_Piece(", ")] * len(operands)
        between = [part for pair in zip(commas, operands, strict=True) for part in pair][1:]
        pieces = [_Piece(f'"{definition.name}"('), *between, _Piece(")")]
    elif definition.custom is not None:
        pieces = [_Piece(definition.name)]
        for number, operand in enumerate(definition.operands):
            pieces += [_Piece(", " if number else " "), _Piece("%" + operand.name, operand.name)]
    else:
        parts = parts_of(definition, whole=True)
        texts = spaced([f"{part.text}{part.place or ''}" for part in parts])
        named = [part.place if part.is_operand else None for part in parts]
        pieces = [_Piece(f"{definition.name} "), *map(_Piece, texts, named)]
    return _of_operation(definition, slot, pieces)


class _Piece(NamedTuple):
    """A piece of a label, and the name of the operand that it stands for."""

    text: str
    operand: str | None = None


def _of_call(called: Callee) -> Signature:
    inputs, results = signature_of(called.operation)
    names = called.names()
    named = [f"{name}: {type}" if name else str(type) for name, type in zip_longest(names[: len(inputs)], inputs)]
    named += ["..."] if called.is_variadic else []
    texts = ", ".join(map(str, results))
    arrow = "" if not results else f" -> {texts}" if len(results) == 1 else f" -> ({texts})"
    return _listed(f"@{called.symbol.name}(", named, f"){arrow}", called.argument or 0, called.symbol.op_name)


def _listed(before: str, texts: Sequence[str], behind: str, active: int, documentation: str = "") -> Signature:
    """A signature of parts with commas between them."""
    label, parameters = before, list[Parameter]()
    for number, text in enumerate(texts):
        label += ", " if number else ""
        parameters.append(Parameter(len(label), len(label) + len(text)))
        label += text
    return Signature(label + behind, tuple(parameters), active, documentation)


def _of_operation(definition: OpDefinition, slot: Slot, pieces: Sequence[_Piece]) -> Signature:
    """What an operation is made of, with what each operand must be."""
    label, parameters, active = "", list[Parameter](), 0
    by_name = {operand.name: operand for operand in definition.operands}
    for text, name in pieces:
        if name is not None:
            operand = by_name.get(name)
            said = operand.constraint.summary if operand is not None else ""
            if name == slot.name:
                active = len(parameters)
                said += f", here `{slot.type}`" if slot.type is not None and str(slot.type) != said else ""
            start = len(label) + len(text) - len(text.lstrip())
            parameters.append(Parameter(start, len(label) + len(text), said))
        label += text
    return Signature(label.rstrip(), tuple(parameters), active, definition.summary)
