"""Reading the body of a dialect's type or attribute: what the dialect's own readers are given."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Hashable
from typing import TYPE_CHECKING, Final, NoReturn, TypeVar

from fathom.elaborate.failure import ElaborationFailure
from fathom.elaborate.literals import symbol_name, unquote
from fathom.ir.attributes import Attribute
from fathom.ir.types import Type
from fathom.syntax.grammar import FragmentError, parse_fragment
from fathom.syntax.lexer import Token
from fathom.syntax.nodes import Node, Ref
from fathom.syntax.stream import TokenStream
from fathom.syntax.token_reader import TokenReader

if TYPE_CHECKING:
    from fathom.elaborate.parts import Parts

M = TypeVar("M")
_SPACED_EXTENT: Final = re.compile(r"([0-9]+)[ \t]+x")


class Reader(TokenReader):
    """A position among the tokens after `!dialect.mnemonic` or `#dialect.mnemonic`. Failing raises
    ElaborationFailure."""

    def __init__(self, tokens: list[Token], meanings: Parts, head: Ref, places: list[Ref]) -> None:
        super().__init__(TokenStream(tokens, Token("END", "", 0, 0)))
        self._meanings = meanings
        self._head = head
        self._places = places

    @property
    def at_end(self) -> bool:
        return self.position >= len(self.stream.tokens)

    def fail(self, message: str) -> NoReturn:
        """The type or attribute as a whole is wrong."""
        raise ElaborationFailure(message, self._head)

    def fail_here(self, message: str) -> NoReturn:
        """The next token is wrong."""
        raise ElaborationFailure(message, self._place(self.position))

    def fail_before(self, message: str) -> NoReturn:
        """The token that was read last is wrong."""
        raise ElaborationFailure(message, self._place(self.position - 1))

    def part(self, read: Callable[[], M], further: str) -> M:
        """What `read` reads. Of a mistake in it MLIR says `further` besides, where reading came to."""
        try:
            return read()
        except ElaborationFailure as failure:
            failure.further += ((further, self._place(self.position)),)
            raise

    def _place(self, index: int) -> Ref:
        """The reference of a token in the operation that the body stands in."""
        return self._places[min(index, len(self._places) - 1)] if self._places else self._head

    def at_kind(self, *kinds: str) -> bool:
        kind = self.token.kind
        return (kind if kind != "ALIAS" else "HASH") in kinds

    def optional_mnemonic(self, prefix: str, choices: Container[str]) -> str | None:
        """`ptr` of `!llvm.ptr`, for the prefix `!llvm.`, if it is one of the choices. Its body is still to be read."""
        mnemonic = self.token.text.removeprefix(prefix)
        if mnemonic == self.token.text or mnemonic not in choices:
            return None
        self.position += 1
        return mnemonic

    def keyword_or_string(self) -> str:
        """The next word, or the contents of a string literal."""
        text = self.optional_string()
        word = text if text is not None else self.optional_keyword()
        if word is None:
            self.fail_here("expected valid keyword or string")
        return word

    def integer(self) -> int:
        token = self.token
        if token.kind == "DIMS" and (extent := _SPACED_EXTENT.fullmatch(token.text)) is not None:
            # A number with an `x` apart from it, which is a word here.
            self.stream.tokens[self.position] = Token("BARE", "x", token.line, token.column + len(token.text) - 1)
            return int(extent[1][:4000])
        value = self.optional_integer()
        if value is None:
            self.fail_here("expected integer value")
        return value

    def string(self) -> str:
        value = self.optional_string()
        if value is None:
            self.fail_here("expected string")
        return value

    def optional_string(self) -> str | None:
        if self.token.kind != "STRING":
            return None
        self.position += 1
        return unquote(self.token_at(self.position - 1).text)

    def symbol(self) -> str:
        if self.token.kind != "SYMBOL":
            self.fail_here("expected valid '@'-identifier for symbol name")
        self.position += 1
        return symbol_name(self.token_at(self.position - 1).text)

    def split_hex(self) -> bool:
        token = self.token
        self.stream.tokens[self.position] = Token("BARE", token.text[2:], token.line, token.column + 2)
        return True

    def _fragment(self, start: str, meaning: Callable[[Node], M]) -> M:
        """What the fragment here means; a mistake in it is placed among the tokens of the operation."""
        first = self.position
        try:
            parsed = parse_fragment(start, self.token_at, first)
        except FragmentError as error:
            place = self._place(error.position)
            further = tuple((message, place) for message in error.further)
            raise ElaborationFailure(error.message, place, further=further) from None
        node = parsed.node
        self.position += parsed.length
        for inner in node.walk():
            inner.constant = True
        try:
            return meaning(node)
        except ElaborationFailure as failure:
            further = tuple((message, self._place(first + place)) for message, place in failure.further)
            place = self._place(first + failure.place)
            raise failure.at(place, further) from None

    def type(self) -> Type:
        return self._fragment("type", lambda node: self._meanings.type(node, None))

    def at_attribute(self) -> bool:
        """Whether an attribute stands next."""
        kinds = ("SYMBOL", "STRING", "INTEGER", "HEX", "FLOAT", "ALIAS", "HASH")
        words = ("[", "{", "-", "true", "false", "unit", "dense", "array", "affine_map", "affine_set", "strided")
        words += ("dense_resource", "sparse", "distinct", "loc")
        return self.token.kind in kinds or any(map(self.at, words)) or self.at_type()

    def attribute(self) -> Attribute:
        return self._fragment("attribute", lambda node: self._meanings.attribute(node, None))

    def identify(self, name: Hashable, meaning: object) -> object:
        """What a name stands for that means one thing throughout a text: `meaning`, if the name was not met before."""
        return self._meanings.identify(name, meaning)

    def is_gap(self, value: Type | Attribute) -> bool:
        """Whether a value that was read is only known later; here all is known."""
        del value
        return False

    def number(self, type: Type) -> Attribute:
        """A literal of a type that is known."""
        return self._fragment("number", lambda node: self._meanings.attribute(node, None, type))

    def affine_map(self) -> Attribute:
        """`(d0) -> (d0)`, without `affine_map<…>` around it."""
        return self._fragment("affine_map", lambda node: self._meanings.attribute(node, None))

    def rest(self) -> str:
        """All that is left, as text with single spaces."""
        words = [token.text for token in self.stream.tokens[self.position :]]
        self.position = len(self.stream.tokens)
        return " ".join(words)
