"""What each word of a `.ll` file is. What is sent of a unit follows from its text alone, and stays with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final

from fathom.llvmir.words import FLOAT_PREDICATES, INTEGER_PREDICATES, OPERATIONS, ORDERINGS
from fathom.slices import paced
from fathom.syntax.sequence import Chunk
from fathom.text.encodings import Encoding, to_units
from fathom_server.features.semantic_tokens.delta import MOST_TOLD, Changes, Reading, Tokens, note, replaced
from fathom_server.features.semantic_tokens.legend import Kind as Shown
from fathom_server.features.semantic_tokens.legend import Modifier
from fathom_server.features.semantic_tokens.segments import Placed, Segment, joined, numbers_of
from fathom_server.model.llvm_ir.snapshot import LlvmSnapshot
from fathom_server.model.llvm_ir.tokens import Kind, Token, key_of, tokens_in
from fathom_server.model.llvm_ir.units import Unit, UnitKind

_OPERATIONS: Final = frozenset(OPERATIONS)
_CASES: Final = frozenset(
    (
        *("true", "false", "null", "undef", "poison", "zeroinitializer", "none"),
        *FLOAT_PREDICATES,
        *INTEGER_PREDICATES,
        *ORDERINGS,
    )
)
_SHOWN: Final = {
    Kind.COMMENT: Shown.COMMENT,
    Kind.STRING: Shown.STRING,
    Kind.COMDAT: Shown.NAMESPACE,
    Kind.NODE: Shown.OPERATION,
    Kind.METADATA: Shown.DECORATOR,
    Kind.RECORD: Shown.OPERATION,
    Kind.GROUP: Shown.DECORATOR,
    Kind.SUMMARY: Shown.DECORATOR,
    Kind.NUMBER: Shown.NUMBER,
    Kind.TYPE: Shown.TYPE,
}
"""What a token is shown as where its kind says it."""
LONG: Final = 1 << 20
"""Of a file of more characters only one version is kept of which the client was told."""


def tokens(snapshot: LlvmSnapshot, encoding: Encoding) -> Tokens:
    """The tokens of a file, in the units of an encoding."""
    whole = joined(snapshot.tree.units.known(_chunks_in(encoding)))
    return Tokens(_version_told(snapshot), whole.numbers(whole.first))


def changes(snapshot: LlvmSnapshot, version: str, encoding: Encoding) -> Changes | Tokens:
    """What changed since a version that was told; all of it, if that is not at hand any more."""
    former = snapshot.told.get(version)
    if former is None:
        return tokens(snapshot, encoding)
    units = snapshot.tree.units
    return Changes(_version_told(snapshot), replaced(former, units, former.difference(units), _reading_in(encoding)))


def _version_told(snapshot: LlvmSnapshot) -> str:
    """Notes that the client is told of the tokens of a version, and gives the name of that."""
    # A unit is as long as it is, and of another version nothing of it is shared.
    most = MOST_TOLD if snapshot.tree.length <= LONG else 1
    return note(snapshot.told, str(snapshot.version), snapshot.tree.units, most)


def tokens_between(snapshot: LlvmSnapshot, start: int, end: int, encoding: Encoding) -> Tokens:
    """The tokens of the units between two offsets."""
    units = snapshot.tree.units
    if not units:
        return Tokens("", "")
    low, high = units.find_offset(start)[0], units.find_offset(max(end, start))[0]
    whole = joined(_segment(unit, encoding) for unit in units[low : high + 1])
    return Tokens("", whole.numbers(units.line(low) + whole.first))


@lru_cache(maxsize=4)
def _chunks_in(encoding: Encoding) -> Callable[[Chunk[Unit]], Segment]:
    """The function that gives the tokens of a chunk of units; one for each encoding."""
    return lambda chunk: joined(_segment(unit, encoding) for unit in chunk.elements)


@lru_cache(maxsize=4)
def _reading_in(encoding: Encoding) -> Reading[Unit]:
    """What tells the tokens of units; one for each encoding."""
    of_chunk = _chunks_in(encoding)
    return Reading(lambda unit: (_segment(unit, encoding),), lambda chunk: chunk.known(of_chunk).size)


def _segment(unit: Unit, encoding: Encoding) -> Segment:
    known = unit.cache.get((_made, encoding))
    if known is None:
        known = unit.cache[_made, encoding] = _made(unit, encoding)
    return known


def _made(unit: Unit, encoding: Encoding) -> Segment:
    placed = list(_placed(unit, encoding))
    if not placed:
        return Segment(unit.line_count, 0, 0, -1, "")
    numbers = list(numbers_of(placed))
    return Segment(unit.line_count, len(placed), placed[0].line, placed[-1].line, ",".join(map(str, numbers[1:])))


def _placed(unit: Unit, encoding: Encoding) -> Iterator[Placed]:
    """The tokens of a unit with their places in it."""
    starts, text = unit.line_starts, unit.text
    is_plain = encoding == "utf-32" or text.isascii()
    line, begin = 0, 0
    end = starts[1] if len(starts) > 1 else unit.length
    for token, shown, modifiers in _told(unit):
        while token.start >= end:
            line += 1
            begin = end
            end = starts[line + 1] if line + 1 < len(starts) else unit.length
        column, length = token.start - begin, len(token.text)
        if not is_plain:
            before = text[begin:end]
            column, length = to_units(before, column, encoding), 0
            length = to_units(before, token.end - begin, encoding) - column
        yield Placed(line, column, length, shown, modifiers)


def _told(unit: Unit) -> Iterator[tuple[Token, Shown, Modifier]]:
    """The tokens of which something is said."""
    names = unit.names
    own = _own(unit)
    given = {mention.start for mentions in names.mentions.values() for mention in mentions if mention.is_definition}
    for token, following in _with_next(unit.text):
        kind = token.kind
        shown = _SHOWN.get(kind)
        if shown is None:
            shown = _of_name(unit, token, following, own) if kind is not Kind.WORD else _of_word(token.text)
        if shown is None:
            continue
        if kind is Kind.LABEL:
            # The colon belongs to the token, and not to the name.
            token = Token(kind, token.text[:-1], token.start)
        # An argument without a name is given where its type stands.
        is_given = token.start in given and kind is not Kind.TYPE
        yield token, shown, Modifier.DEFINITION if is_given else Modifier.NONE


def _with_next(text: str) -> Iterator[tuple[Token, Token | None]]:
    """The tokens of a text, each with the one behind it."""
    last: Token | None = None
    for token in paced(tokens_in(text)):
        if last is not None:
            yield last, token
        last = token
    if last is not None:
        yield last, None


def _own(unit: Unit) -> dict[str, Shown]:
    """What the names are that a function gives itself."""
    if not unit.is_function:
        return {}
    names = unit.names
    given = {key for key, mentions in names.mentions.items() if any(mention.is_definition for mention in mentions)}
    return {
        **dict.fromkeys(given, Shown.VARIABLE),
        **dict.fromkeys((key for key, _ in names.labels), Shown.LABEL),
        **dict.fromkeys((argument.key for argument in names.arguments), Shown.PARAMETER),
    }


def _of_name(unit: Unit, token: Token, following: Token | None, own: dict[str, Shown]) -> Shown | None:
    match token.kind:
        case Kind.LOCAL:
            return own.get(key_of(token.text), Shown.TYPE)
        case Kind.GLOBAL:
            is_called = following is not None and following.text == "("
            return Shown.FUNCTION if is_called else Shown.VARIABLE
        case Kind.LABEL:
            is_block = unit.kind is UnitKind.FUNCTION and own.get(key_of(token.text)) is Shown.LABEL
            return Shown.LABEL if is_block else Shown.PROPERTY
        case _:
            return None


def _of_word(word: str) -> Shown:
    if word in _OPERATIONS:
        return Shown.OPERATION
    return Shown.ENUM_MEMBER if word in _CASES or word.startswith(("DW_", "DIFlag", "DISPFlag")) else Shown.KEYWORD
