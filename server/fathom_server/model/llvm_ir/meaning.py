"""What stands at a place of an LLVM IR text: the token, and what its name means.

A name behind `%` is one of the function's own, or a type's of the module. Where there are both, its place says which:
what follows a type is a value, and what a value follows is a type.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from fathom.records import record
from fathom_server.model.llvm_ir.names import Mention
from fathom_server.model.llvm_ir.snapshot import LlvmSnapshot
from fathom_server.model.llvm_ir.tokens import Kind, Token, key_of
from fathom_server.model.llvm_ir.units import Unit, UnitKind

NAMES: Final = frozenset((Kind.LOCAL, Kind.GLOBAL, Kind.COMDAT, Kind.METADATA, Kind.GROUP, Kind.SUMMARY))
_BEFORE_TYPES: Final = frozenset(
    "alloca load volatile atomic getelementptr inbounds nusw nuw x to ret global constant { [ <".split()
)
_AFTER_TYPES: Final = frozenset("* ] } > null undef poison zeroinitializer none true false {".split())
_BLOCK_ADDRESS: Final = ("blockaddress", "(")


@record
class Spot:
    """The token at an offset: its unit, which begins at `base`, and the tokens of its line, whose places count from
    there; `start` and `end` are offsets of the document."""

    unit: Unit
    base: int
    tokens: tuple[Token, ...]
    index: int

    @property
    def token(self) -> Token:
        return self.tokens[self.index]

    @property
    def start(self) -> int:
        return self.base + self.token.start

    @property
    def end(self) -> int:
        return self.base + self.token.end

    def before(self, count: int = 1) -> str:
        """The token so many places before; the empty text if there is none in the line."""
        return self.tokens[self.index - count].text if self.index >= count else ""

    def after(self, count: int = 1) -> str:
        """The token so many places behind."""
        return self.tokens[self.index + count].text if self.index + count < len(self.tokens) else ""


@record
class Meant:
    """What a name means: what it is known by, and the function whose own it is; None if the whole module knows it."""

    key: str
    function: Unit | None


def spot_at(snapshot: LlvmSnapshot, offset: int) -> Spot | None:
    """The token under an offset, or that ends there; None between two of them. A name or a word goes before a sign."""
    if not snapshot.tree.units:
        return None
    index, base = snapshot.tree.units.find_offset(offset)
    unit, inside = snapshot.tree.units[index], offset - base
    tokens = tuple(unit.tokens_of_line(unit.line_number(inside)))
    here = [number for number, token in enumerate(tokens) if token.start <= inside <= token.end]
    if not here:
        return None
    best = max(here, key=lambda number: (tokens[number].kind is not Kind.SIGN, number))
    return Spot(unit, base, tokens, best)


def meant_at(snapshot: LlvmSnapshot, spot: Spot) -> Meant | None:
    """What the name at a place means; None if there is none."""
    token, unit = spot.token, spot.unit
    if token.kind is Kind.LABEL:
        is_block = unit.kind is UnitKind.FUNCTION and _is_label(unit, token)
        return Meant(key_of(token.text), unit) if is_block else None
    if token.kind not in NAMES:
        return None
    key = key_of(token.text)
    if token.kind is not Kind.LOCAL:
        return Meant(key, None)
    if (spot.before(4), spot.before(3)) == _BLOCK_ADDRESS:
        return Meant(key, snapshot.unit_of(key_of(spot.before(2))))
    return Meant(key, _function_of(snapshot, unit, key, spot.tokens, spot.index))


def mentions_of(snapshot: LlvmSnapshot, meant: Meant) -> Iterator[Mention]:
    """Where a name stands that means the same, in the order of the text."""
    units = snapshot.units_with(meant.key)
    if meant.function is not None:
        index = snapshot.tree.units.index_of(meant.function)
        units = iter([(meant.function, snapshot.tree.units.offset(index))])
    for unit, base in units:
        for start, end, is_definition in unit.names.mentions.get(meant.key, ()):
            if meant.key[0] == "%" and _function_at(snapshot, unit, meant.key, start) is not meant.function:
                continue
            yield Mention(base + start, base + end, is_definition)


def definition_of(snapshot: LlvmSnapshot, meant: Meant) -> Mention | None:
    """Where a name is given."""
    return next((mention for mention in mentions_of(snapshot, meant) if mention.is_definition), None)


def _is_label(unit: Unit, token: Token) -> bool:
    return any(mention.start == token.start for _, mention in unit.names.labels)


def _function_at(snapshot: LlvmSnapshot, unit: Unit, key: str, start: int) -> Unit | None:
    """The function whose own a name at a place is."""
    if not unit.is_function:
        return None
    if unit.names.definition(key) is None or snapshot.unit_of(key) is None:
        return _function_of(snapshot, unit, key, (), 0)
    tokens = unit.tokens_of_line(unit.line_number(start))
    index = next((number for number, token in enumerate(tokens) if token.start == start), 0)
    return _function_of(snapshot, unit, key, tokens, index)


def _function_of(snapshot: LlvmSnapshot, unit: Unit, key: str, tokens: Sequence[Token], index: int) -> Unit | None:
    """The function whose own a local name is; None for that of a type."""
    if not unit.is_function:
        return None
    is_own, is_type = unit.names.definition(key) is not None, snapshot.unit_of(key) is not None
    if is_own and is_type and tokens:
        return None if _is_type(tokens, index) else unit
    return unit if is_own or not is_type else None


def _is_type(tokens: Sequence[Token], index: int) -> bool:
    """Whether what stands there is a type, by what stands beside it."""
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    if after is not None and (after.text in _AFTER_TYPES or after.kind in (Kind.LOCAL, Kind.GLOBAL, Kind.NUMBER)):
        return True
    return index > 0 and tokens[index - 1].text in _BEFORE_TYPES
