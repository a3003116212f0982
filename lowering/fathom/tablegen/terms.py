"""The values of TableGen while a file is evaluated: terms, which may have variables in them.

A term does not change. `resolved` gives the term in which a resolver's variables have been replaced, and everything
that can be worked out by then has been. What a term says of itself is kept with it, so that nobody goes through one in
vain: `free`, the variables in it, and `late`, whether there is something in it that is only worked out when a record is
finished.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.tablegen.limits import LARGEST_VALUE
from fathom.tablegen.mistakes import TooLarge
from fathom.tablegen.types import BIT, INT, STRING, UNKNOWN, BitsType, RecordType, Type, bits_type

if TYPE_CHECKING:
    from fathom.tablegen.resolvers import Resolver

NOTHING: Final[frozenset[str]] = frozenset()
LARGEST_TEXT: Final = 10_000
"""Terms within a term that is still written out in a message."""
CHARACTERS_FOR_A_STEP: Final = 10
"""So many characters of a string count as one term more."""

Key: TypeAlias = "tuple[object, ...]"


class Term:
    """A value. `type` is UNKNOWN for `?` only."""

    __slots__ = ()
    type: Type
    free: frozenset[str] = NOTHING
    late: bool = False
    size: int = 1
    """How many terms it is made of, each counted as often as it is in it."""

    @property
    def text(self) -> str:
        """As llvm-tblgen prints it."""
        raise AssertionError("each kind of term says it")

    @property
    def unquoted(self) -> str:
        """The text; of a string, what is in it."""
        return self.text

    @property
    def concrete(self) -> bool:
        """Whether nothing in it is left to be worked out. `?` is concrete."""
        return False

    @property
    def complete(self) -> bool:
        """Whether nothing in it is `?`."""
        return True

    def resolved(self, by: Resolver) -> Term:
        if (self.free and not by.names.isdisjoint(self.free)) or (self.late and by.final):
            return self._resolved(by)
        return self

    def _resolved(self, by: Resolver) -> Term:
        del by
        return self

    def convert(self, to: Type) -> Term | None:
        """The value as one of another type; None if it is not known to be one."""
        own = self.type
        if own is to or own.is_a(to):
            return self
        if own is BIT and isinstance(to, BitsType) and to.width == 1:
            return Bits((self,))
        return None

    def bit(self, index: int) -> Term:
        """One of its bits."""
        return self if self.type is BIT else BitOf(self, index)

    def bit_range(self, indices: Sequence[int]) -> Term | None:
        """Some of its bits; None where it has not got them."""
        own = self.type
        if not isinstance(own, BitsType) or any(index >= own.width for index in indices):
            return None
        return Bits(tuple(BitOf(self, index) for index in indices))

    def field_type(self, name: str) -> Type | None:
        """The type of a field of the record that it is; None where it has none of this name."""
        if isinstance(self.type, RecordType):
            for class_ in self.type.classes:
                field = class_.fields.get(name)
                if field is not None:
                    return field.type
        return None

    @property
    def key(self) -> Key:
        """What is equal for equal terms, and only for these."""
        raise AssertionError("each kind of term says it")


class Unset(Term):
    __slots__ = ()
    type: Type = UNKNOWN

    @property
    def text(self) -> str:
        return "?"

    @property
    def concrete(self) -> bool:
        return True

    @property
    def complete(self) -> bool:
        return False

    @property
    def key(self) -> Key:
        return ("?",)

    def convert(self, to: Type) -> Term | None:
        return self

    def bit(self, index: int) -> Term:
        return self

    def bit_range(self, indices: Sequence[int]) -> Term | None:
        return None


class Bit(Term):
    __slots__ = ("value",)
    type: Type = BIT

    def __init__(self, value: bool) -> None:
        self.value = value

    @property
    def concrete(self) -> bool:
        return True

    @property
    def text(self) -> str:
        return "1" if self.value else "0"

    def convert(self, to: Type) -> Term | None:
        if to is BIT:
            return self
        if to is INT:
            return Int(int(self.value))
        return Bits((self,)) if isinstance(to, BitsType) and to.width == 1 else None

    @property
    def key(self) -> Key:
        return ("bit", self.value)


UNSET: Final = Unset()
TRUE: Final = Bit(True)
FALSE: Final = Bit(False)


class Compound(Term):
    """A term that is made of others. They may be part of many terms, so what was found out about them is kept."""

    __slots__ = ("_complete", "_concrete", "free", "late", "size")

    def __init__(self, parts: Sequence[Term]) -> None:
        self.free, self.late, self.size = together(parts)
        self._concrete = False
        self._complete: bool | None = None

    @property
    def parts(self) -> Sequence[Term]:
        """The terms that it is made of."""
        raise AssertionError("each kind of compound says it")

    @property
    def concrete(self) -> bool:
        # A record that it names may have been finished since: only what is concrete stays so.
        if not self._concrete:
            self._concrete = all(part.concrete for part in self.parts)
        return self._concrete

    @property
    def complete(self) -> bool:
        if self._complete is None:
            self._complete = all(part.complete for part in self.parts)
        return self._complete


class Bits(Compound):
    """The lowest bit first."""

    __slots__ = ("bits", "type")

    def __init__(self, bits: tuple[Term, ...]) -> None:
        super().__init__(bits)
        self.bits = bits
        self.type = bits_type(len(bits))

    @property
    def parts(self) -> Sequence[Term]:
        return self.bits

    @property
    def text(self) -> str:
        return f"{{ {', '.join(bit.text for bit in reversed(self.bits))} }}"

    @property
    def number(self) -> int | None:
        """The number they are, if each is known: 64 bits with a sign."""
        total = 0
        for place, bit in enumerate(self.bits):
            if not isinstance(bit, Bit):
                return None
            total |= bit.value << place
        return wrapped(total)

    def convert(self, to: Type) -> Term | None:
        if to is BIT:
            return self.bits[0] if len(self.bits) == 1 else None
        if isinstance(to, BitsType):
            return self if to is self.type else None
        if to is INT and (number := self.number) is not None:
            return Int(number)
        return None

    def bit(self, index: int) -> Term:
        return self.bits[index] if index < len(self.bits) else UNSET

    def bit_range(self, indices: Sequence[int]) -> Term | None:
        if any(index >= len(self.bits) for index in indices):
            return None
        return Bits(tuple(self.bits[index] for index in indices))

    def _resolved(self, by: Resolver) -> Term:
        by.keeper.work(len(self.bits))
        known: dict[int, Term] = {}
        new: list[Term] = []
        for bit in self.bits:
            now = bit
            if isinstance(bit, BitOf):
                whole = known.get(id(bit.of))
                if whole is None:
                    whole = known[id(bit.of)] = bit.of.resolved(by)
                now = whole.bit(bit.index) if whole is not bit.of else bit
            elif bit.free or bit.late:
                now = bit.resolved(by).bit(0)
            new.append(bit if now is UNSET and by.keeps_unset_bits else now)
        return Bits(tuple(new)) if any(a is not b for a, b in zip(new, self.bits, strict=True)) else self

    @property
    def key(self) -> Key:
        return ("bits", *(bit.key for bit in self.bits))


class Int(Term):
    """A number of 64 bits, with a sign."""

    __slots__ = ("value",)
    type: Type = INT

    def __init__(self, value: int) -> None:
        self.value = value

    @property
    def concrete(self) -> bool:
        return True

    @property
    def text(self) -> str:
        return str(self.value)

    def convert(self, to: Type) -> Term | None:
        if to is INT:
            return self
        if to is BIT:
            return TRUE if self.value == 1 else FALSE if self.value == 0 else None
        if isinstance(to, BitsType) and self._fits(to.width):
            return Bits(tuple(TRUE if place < 64 and self.value >> place & 1 else FALSE for place in range(to.width)))
        return None

    def _fits(self, width: int) -> bool:
        """With four bits, from -8 to 15."""
        return width >= 64 or self.value >> width == 0 or self.value >> max(width - 1, 0) == -1

    def bit(self, index: int) -> Term:
        return TRUE if index < 64 and self.value >> index & 1 else FALSE

    def bit_range(self, indices: Sequence[int]) -> Term | None:
        if any(index >= 64 for index in indices):
            return None
        return Bits(tuple(self.bit(index) for index in indices))

    @property
    def key(self) -> Key:
        return ("int", self.value)


class String(Term):
    __slots__ = ("is_code", "size", "value")
    type: Type = STRING

    def __init__(self, value: str, is_code: bool = False) -> None:
        self.value = value
        self.size = 1 + len(value) // CHARACTERS_FOR_A_STEP
        self.is_code = is_code

    @property
    def concrete(self) -> bool:
        return True

    @property
    def text(self) -> str:
        return f"[{{{self.value}}}]" if self.is_code else f'"{self.value}"'

    @property
    def unquoted(self) -> str:
        return self.value

    def convert(self, to: Type) -> Term | None:
        return self if to is STRING else None

    @property
    def key(self) -> Key:
        return ("code" if self.is_code else "string", self.value)


class BitOf(Term):
    """A bit of what is not known yet."""

    __slots__ = ("free", "index", "late", "of", "size")
    type: Type = BIT

    def __init__(self, of: Term, index: int) -> None:
        self.of = of
        self.index = index
        self.free = of.free
        self.late = of.late
        self.size = of.size + 1

    @property
    def text(self) -> str:
        return f"{self.of.text}{{{self.index}}}"

    def bit(self, index: int) -> Term:
        return self

    def _resolved(self, by: Resolver) -> Term:
        of = self.of.resolved(by)
        return of.bit(self.index) if of is not self.of else self

    @property
    def key(self) -> Key:
        return ("bit of", self.of.key, self.index)


def together(terms: Sequence[Term]) -> tuple[frozenset[str], bool, int]:
    """What a term made of others has of them: `free`, `late` and `size`. Raises TooLarge."""
    free = NOTHING
    late = False
    size = 1
    for term in terms:
        own = term.free
        if own and own is not free:
            free = free | own if free else own
        if term.late:
            late = True
        size += term.size
    if size > LARGEST_VALUE:
        raise TooLarge(f"a value of {size} values is too large: at most {LARGEST_VALUE}")
    return free, late, size


def changed(new: Sequence[Term], old: Sequence[Term]) -> bool:
    return tuple(new) != tuple(old)


def wrapped(number: int) -> int:
    """As a number of 64 bits with a sign."""
    number &= 0xFFFF_FFFF_FFFF_FFFF
    return number - (1 << 64) if number >> 63 else number


def shown(term: Term) -> str:
    """The text of a term in a message; an ellipsis for one that nobody would read."""
    try:
        return term.text if term.size <= LARGEST_TEXT else "…"
    except RecursionError:
        return "…"


def int_of(term: Term) -> int | None:
    """The number that it is, be it an `int`, a `bit` or `bits`."""
    if term.__class__ is Int:
        return term.value  # type: ignore[attr-defined]
    if isinstance(term, Bit):
        return int(term.value)
    return term.number if isinstance(term, Bits) else None
