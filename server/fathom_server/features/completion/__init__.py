"""Completion: what can stand where the cursor is. The parser is asked what it would take there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from fathom_server.features.completion.attributes import attribute_names, attribute_values
from fathom_server.features.completion.commands import in_command
from fathom_server.features.completion.described import documentation
from fathom_server.features.completion.inquiry import Inquiry
from fathom_server.features.completion.names import blocks, symbols
from fathom_server.features.completion.new_names import new_names
from fathom_server.features.completion.operations import operations
from fathom_server.features.completion.position import Position, position_at
from fathom_server.features.completion.suggestion import Completions, Suggestion
from fathom_server.features.completion.types_and_attributes import aliases, dialect_values, types
from fathom_server.features.completion.values import values
from fathom_server.features.completion.wanted import strings
from fathom_server.features.completion.words import asked_words, near_words
from fathom_server.model.snapshot import Snapshot

__all__ = ("completion", "documentation")

MOST: Final = 500
"""So many suggestions are made; a client asks again as the word grows."""

_Source = Callable[[Inquiry], Iterator[Suggestion]]

_WORDS: Final[tuple[_Source, ...]] = (asked_words, operations, attribute_names, attribute_values, types)
_BY_SIGN: Final[Mapping[str, tuple[_Source, ...]]] = {
    "%": (values,),
    "@": (symbols,),
    "^": (blocks,),
    "!": (aliases, dialect_values),
    "#": (attribute_values, aliases, dialect_values),
    "": (*_WORDS, near_words),
}


def completion(snapshot: Snapshot, offset: int) -> Completions | None:
    """What can stand at an offset; None in a string, in a number, and in a comment that is no command."""
    position = position_at(snapshot, offset)
    if position is None:
        number, start = snapshot.tree.line_of(offset)
        return in_command(snapshot.tree, number, offset - start)
    offered: dict[str, Suggestion] = {}
    for suggestion in _suggestions(Inquiry(snapshot, position)):
        if len(offered) == MOST:
            return Completions(position.start, position.end, tuple(offered.values()), True)
        offered.setdefault(suggestion.label, suggestion)
    return Completions(position.start, position.end, tuple(offered.values()), False)


def _suggestions(inquiry: Inquiry) -> Iterator[Suggestion]:
    for source in _sources(inquiry.position):
        yield from (offered for offered in source(inquiry) if offered.label.startswith(inquiry.position.word))


def _sources(position: Position) -> tuple[_Source, ...]:
    if position.sign and position.gives_name:
        return (new_names,)
    if position.is_quoted and not position.takes_operation:
        return (strings,)
    if position.word or position.is_quoted:
        return _BY_SIGN[position.sign]
    return (strings, *_WORDS, values, symbols, blocks, aliases)
