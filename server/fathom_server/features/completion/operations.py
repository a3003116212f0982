"""Operations where one can begin: those of the dialect that is written, or may be left out, and the dialects."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from typing import Final

from fathom.elaborate.suggestions import UNPREFIXED
from fathom.irdl.definition import OpDefinition
from fathom.irdl.interfaces import SymbolTable
from fathom.irdl.lazy import possible_names
from fathom.irdl.traits import SYMBOL, TERMINATOR
from fathom.syntax.beginnings import ANY_DIALECT
from fathom.syntax.events import LabelEvent
from fathom_server.features.completion.inquiry import Inquiry
from fathom_server.features.completion.position import Position
from fathom_server.features.completion.suggestion import Suggestion
from fathom_server.features.completion.written import snippet_of
from fathom_server.model.terminators import terminator_in

DESCRIBED: Final = 25
"""So many operations are suggested with how they are written, and in an order that takes account of what they are."""
FAR: Final = 100
"""So many statements are looked at for the next one that is more than a comment."""


def operations(inquiry: Inquiry) -> Iterator[Suggestion]:
    """The operations whose names begin with the word, those near first; before a dot is written, the names of dialects
    too. At the end of a block terminators come before all others, elsewhere behind them; what cannot stand in what is
    around is left out."""
    position = inquiry.position
    if not position.takes_operation:
        return
    met: set[str] = set()
    if _ends_block(inquiry) and not position.expected.operation:
        yield from _described(inquiry, _ends(inquiry), met)
    yield from _described(inquiry, _near(inquiry), met)
    yield from (Suggestion(f"{name}.", "dialect") for name in _dialects(inquiry))
    yield from _described(inquiry, _names(inquiry), met)
    for label, full in _names(inquiry):
        if label not in met:
            yield Suggestion(label, "operation", subject=full)


def _described(inquiry: Inquiry, names: Iterable[tuple[str, str]], met: set[str]) -> Iterator[Suggestion]:
    """The first of some operations, in the order in which they fit; `met` are those that were looked at. The definition
    of one in a described dialect is made when it is asked for, so the others are left alone. What is deprecated comes
    last; behind names of results stands none that has no results."""
    position, described = inquiry.position, list[tuple[str, OpDefinition]]()
    for label, full in names:
        if len(described) == DESCRIBED:
            break
        if label.startswith(position.word) and label not in met:
            definition = inquiry.snapshot.context.lookup(full)
            if definition is not None:
                met.add(label)
                described.append((label, definition))
    around, ends_block = position.expected.around, _ends_block(inquiry)
    parent = around.parsed.name if around is not None and around.parsed is not None else ""
    outer = inquiry.snapshot.context.lookup(parent)
    holds_symbols = outer is None or outer.interface(SymbolTable) is not None

    def reluctance(entry: tuple[str, OpDefinition]) -> tuple[bool, bool]:
        return bool(entry[1].deprecated), entry[1].has(TERMINATOR) is not ends_block

    for label, definition in sorted(described, key=reluctance):
        is_misplaced = definition.parents and parent and parent not in definition.parents
        is_misplaced = is_misplaced or (position.expected.operation and not definition.results)
        # A symbol stands in a table; who has begun to write one may have left the brace before it for later.
        if not is_misplaced and (holds_symbols or position.word or not definition.has(SYMBOL)):
            yield _suggestion(label, definition, position)


def _ends(inquiry: Inquiry) -> Iterator[tuple[str, str]]:
    """What ends the region around, as it is written and in full."""
    position, around = inquiry.position, inquiry.position.expected.around
    parent = around.parsed.name if around is not None and around.parsed is not None else ""
    name = terminator_in(inquiry.snapshot.context, parent)
    if name is not None:
        dialect, _, mnemonic = name.partition(".")
        is_short = dialect in (position.expected.default_dialect, "func") and not position.is_quoted
        yield mnemonic if is_short and "." not in position.word else name, name


def _near(inquiry: Inquiry) -> Iterator[tuple[str, str]]:
    """The names of operations around, as they are written and in full."""
    position = inquiry.position
    for word in inquiry.near.ordered:
        if "." in word:
            yield word, word
        elif not position.is_quoted:
            yield word, f"{position.expected.default_dialect}.{word}"


def _names(inquiry: Inquiry) -> Iterator[tuple[str, str]]:
    """The operations as they can be written, with their full names: first those that may leave out their dialect, then
    those of the dialect that is written; or, where a part of its name is, of dialects in use, and of others."""
    position = inquiry.position
    begun, dot, _ = position.word.partition(".")
    default = position.expected.default_dialect
    if not (dot or position.is_quoted):
        for dialect in UNPREFIXED if default == ANY_DIALECT else (default,):
            yield from ((name.partition(".")[2], name) for name in _operations_of(inquiry, dialect))
    for dialect in (begun,) if dot else _dialects(inquiry) if begun else ():
        yield from ((name, name) for name in _operations_of(inquiry, dialect))


def _dialects(inquiry: Inquiry) -> list[str]:
    """The dialects whose names begin as the word does, those in use first; none behind a dot."""
    word = inquiry.position.word
    used = {word.partition(".")[0] for word in inquiry.near.weights}
    names = [name for name in inquiry.snapshot.context.dialect_names() if name.startswith(word)]
    return sorted(names, key=lambda name: name not in used)


def _operations_of(inquiry: Inquiry, name: str) -> Collection[str]:
    dialect = inquiry.snapshot.context.dialect(name)
    return possible_names(dialect.by_name) if dialect is not None else ()


def _ends_block(inquiry: Inquiry) -> bool:
    """Whether what begins at the position is the last operation of its block: a brace or a label follows."""
    if inquiry.position.follows_brace:
        return True
    pieces = inquiry.position.item.pieces
    for piece in islice(pieces.from_index(inquiry.position.index + 1), FAR):
        if not piece.shape.is_trivia:
            return piece.shape.tokens[0].text == "}" or isinstance(piece.shape.events[0], LabelEvent)
    return False


def _suggestion(label: str, definition: OpDefinition, position: Position) -> Suggestion:
    snippet = "" if position.is_quoted else snippet_of(definition)
    detail = "terminator" if definition.has(TERMINATOR) else ""
    text = f"{label} {snippet}".rstrip() if snippet else ""
    is_deprecated = bool(definition.deprecated)
    return Suggestion(label, "operation", detail, "", text, bool(snippet), definition.name, is_deprecated)
