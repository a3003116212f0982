"""Where the name at a place of a `.ll` file is given, and where else it stands."""

from __future__ import annotations

from fathom.ir.operation import Span
from fathom_server.features.mentions import Mention
from fathom_server.model.llvm_ir.meaning import meant_at, mentions_of, spot_at
from fathom_server.model.llvm_ir.snapshot import LlvmSnapshot


def definition(snapshot: LlvmSnapshot, offset: int) -> list[Span]:
    """Where the name at an offset is given."""
    return [Span(mention.start, mention.end) for mention in _mentions(snapshot, offset) if mention.is_definition]


def references(snapshot: LlvmSnapshot, offset: int, include_declaration: bool) -> list[Span]:
    """Where the name at an offset is used, and where it is given if that is asked for."""
    return [
        Span(mention.start, mention.end)
        for mention in _mentions(snapshot, offset)
        if include_declaration or not mention.is_definition
    ]


def highlights(snapshot: LlvmSnapshot, offset: int) -> list[Mention] | None:
    """The places of the name at an offset. None where no name stands."""
    return _mentions(snapshot, offset) or None


def _mentions(snapshot: LlvmSnapshot, offset: int) -> list[Mention]:
    spot = spot_at(snapshot, offset)
    meant = meant_at(snapshot, spot) if spot is not None else None
    return [Mention(*mention) for mention in mentions_of(snapshot, meant)] if meant is not None else []
