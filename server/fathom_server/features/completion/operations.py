"""Operations where one can begin: those of the dialect that is written, or may be left out, and the dialects."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Final

from fathom.elaborate.suggestions import UNPREFIXED
from fathom.irdl.definition import OpDefinition
from fathom.irdl.expressions import DescriptionError
from fathom.irdl.format import (
    AllOperands,
    AllRegions,
    AllSuccessors,
    Custom,
    FunctionalType,
    Literal,
    Reference,
    Space,
    TypeOf,
    Variable,
    compile_format,
)
from fathom.irdl.lazy import possible_names
from fathom.irdl.traits import TERMINATOR
from fathom_server.features.completion.inquiry import Inquiry
from fathom_server.features.completion.position import Position
from fathom_server.features.completion.suggestion import Suggestion
from fathom_server.model.snapshot import Snapshot

DESCRIBED: Final = 25
"""So many operations are suggested with what they are and how they are written."""


def operations(inquiry: Inquiry) -> Iterator[Suggestion]:
    """The operations whose names begin with the word: those near first, then those that may leave out their dialect;
    before a dot is written, the names of dialects too."""
    snapshot, position = inquiry.snapshot, inquiry.position
    if not (position.expected.statement or position.expected.operation) or position.is_open:
        return
    written, dot, _ = position.word.partition(".")
    described = count()
    default = position.expected.default_dialect
    for name in inquiry.near.ordered:
        if name.startswith(position.word):
            full = name if "." in name else f"{default}.{name}"
            definition = snapshot.context.lookup(full) if "." in name or not position.is_quoted else None
            if definition is not None and next(described) < DESCRIBED:
                yield _suggestion(definition, name, position)
    if dot:
        yield from _of_dialect(snapshot, written, "", position, described)
        return
    for name in () if position.is_quoted else dict.fromkeys((default, *UNPREFIXED)):
        yield from _of_dialect(snapshot, name, f"{name}.", position, described)
    names = [name for name in snapshot.context.dialect_names() if name.startswith(written)]
    yield from (Suggestion(f"{name}.", "dialect") for name in names)
    if written:
        used = {word.partition(".")[0] for word in inquiry.near.weights}
        for name in sorted(names, key=lambda name: name not in used):
            yield from _of_dialect(snapshot, name, "", position, described)


def _of_dialect(
    snapshot: Snapshot, name: str, left_out: str, position: Position, described: Iterator[int]
) -> Iterator[Suggestion]:
    dialect = snapshot.context.dialect(name)
    for full in possible_names(dialect.by_name) if dialect is not None else ():
        label = full.removeprefix(left_out)
        if not label.startswith(position.word):
            continue
        # The definition of one in a described dialect is made when it is asked for.
        definition = snapshot.context.lookup(full) if next(described) < DESCRIBED else None
        yield _suggestion(definition, label, position) if definition is not None else Suggestion(label, "operation")


def _suggestion(definition: OpDefinition, label: str, position: Position) -> Suggestion:
    snippet = "" if position.is_quoted else snippet_of(definition)
    detail = "terminator" if any(trait is TERMINATOR for trait in definition.traits) else ""
    text = f"{label} {snippet}".rstrip() if snippet else ""
    return Suggestion(label, "operation", detail, definition.summary, text, bool(snippet))


# ---- snippets

_OPENING: Final = ("(", "[", "<", "{")
_CLOSING: Final = (",", ")", "]", ">")


def snippet_of(definition: OpDefinition) -> str:
    """What follows the name of an operation in its format, with places to fill in; without what is optional. Empty for
    one whose syntax no format says, or a format with a mistake."""
    if definition.assembly is None or definition.custom is not None:
        return ""
    try:
        directives = compile_format(definition.assembly)
    except DescriptionError:
        return ""
    operands = {each.name for each in definition.operands}
    regions = {each.name for each in definition.regions}
    successors = {each.name for each in definition.successors}
    numbers = count(1)

    def place(text: str) -> str:
        return f"${{{next(numbers)}:{text}}}"

    parts: list[str] = []
    for directive in directives:
        match directive:
            case Literal(text) | Space(text):
                parts.append(text.replace("$", "\\$").replace("}", "\\}"))
            case Variable(name) if name in operands:
                parts.append("%" + place(name))
            case Variable(name) if name in regions:
                parts.append("{\n\t" + place("") + "\n}")
            case Variable(name) if name in successors:
                parts.append("^" + place(name))
            case Variable(name):
                parts.append(place(name))
            case FunctionalType():
                parts += ["(", place("inputs"), ")", "->", place("results")]
            case TypeOf() | Reference():
                parts.append(place("type"))
            case Custom(name):
                parts.append(place(name))
            case AllOperands():
                parts.append("%" + place("operands"))
            case AllRegions():
                parts.append(place("regions"))
            case AllSuccessors():
                parts.append(place("successors"))
            case _:
                pass
    return _spaced(parts)


def _spaced(parts: list[str]) -> str:
    """The parts of a text with spaces between them, where MLIR writes them: none beside an empty part or one of white
    space, and before an opening bracket only behind punctuation."""
    text, behind = "", ""
    for part in parts:
        is_tight = part.startswith(_CLOSING) or (part in _OPENING and behind not in (",", ":", "->", "="))
        if text and part.strip() and behind.strip() and behind not in _OPENING and not is_tight:
            text += " "
        text += part
        behind = part
    return text
