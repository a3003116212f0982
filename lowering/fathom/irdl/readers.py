"""What the syntax of a dialect's own type or attribute is written against: a position behind its mnemonic.

`fathom.elaborate.reader.Reader` is one. Failing leaves by an exception that becomes a diagnostic.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable
from typing import NoReturn, Protocol, TypeAlias, TypeVar

from fathom.ir.attributes import Attribute
from fathom.ir.types import Type

M = TypeVar("M")


class ParameterReader(Protocol):
    """What reading parameters asks of the tokens behind a mnemonic."""

    def at(self, text: str) -> bool: ...

    def at_type(self) -> bool: ...

    def at_kind(self, *kinds: str) -> bool: ...

    def at_attribute(self) -> bool: ...

    def accept(self, text: str) -> bool: ...

    def expect(self, text: str, message: str | None = None) -> None: ...

    def keyword_or_string(self) -> str: ...

    def suggest(self, words: Iterable[str]) -> None:
        """Says which words mean something here, for those who ask what could stand here; nothing else follows."""
        ...

    def optional_keyword(self) -> str | None: ...

    def integer(self) -> int: ...

    def dimensions(self, missing: str = "expected 'x' in dimension list") -> list[int]:
        """Extents with their `x`: `4 x ?x`; the type that follows is still to be read. `missing` is what is said where
        an extent has none."""
        ...

    def string(self) -> str: ...

    def type(self) -> Type: ...

    def attribute(self) -> Attribute: ...

    def number(self, type: Type) -> Attribute: ...

    def affine_map(self) -> Attribute:
        """A map without `affine_map<…>` around it."""
        ...

    def part(self, read: Callable[[], M], further: str) -> M:
        """What `read` reads. Of a mistake in it MLIR says `further` besides, where reading came to."""
        ...

    def is_gap(self, value: Type | Attribute) -> bool:
        """Whether a value that was read is only known later."""
        ...

    def fail(self, message: str) -> NoReturn:
        """The type or attribute as a whole is wrong."""
        ...

    def fail_here(self, message: str) -> NoReturn:
        """The next token is wrong."""
        ...

    def fail_before(self, message: str) -> NoReturn:
        """The token that was read last is wrong."""
        ...


class BodyReader(ParameterReader, Protocol):
    """A position in the body of a dialect's type or attribute, behind its mnemonic. Failing leaves by an exception that
    becomes a diagnostic."""

    @property
    def at_end(self) -> bool: ...

    def keyword(self) -> str: ...

    def optional_keyword(self, choices: Iterable[str] | None = None) -> str | None: ...

    def optional_mnemonic(self, prefix: str, choices: Container[str]) -> str | None:
        """`ptr` of `!llvm.ptr`, for the prefix `!llvm.`, if it is one of the choices. Its body is still to be read."""
        ...

    def optional_integer(self) -> int | None: ...

    def optional_string(self) -> str | None: ...

    def symbol(self) -> str: ...

    def identify(self, name: Hashable, meaning: object) -> object:
        """What a name stands for that means one thing throughout a text: `meaning`, if the name was not met before."""
        ...

    def rest(self) -> str:
        """All that is left, as text with single spaces."""
        ...


TypeReader: TypeAlias = Callable[[BodyReader], Type]
"""Reads the body of a dialect's type (`ptr` of `!llvm.ptr`) and gives the type."""

AttributeReader: TypeAlias = Callable[[BodyReader], Attribute]
"""The same of an attribute."""
