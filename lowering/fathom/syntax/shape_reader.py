"""A position among the tokens of one operation, where what is asked for is noted: it makes the shape of a statement."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NoReturn, TypeVar

from fathom.ir.types import DYNAMIC
from fathom.syntax.carried import whole
from fathom.syntax.nodes import Ref
from fathom.syntax.probes import BY_KIND, KINDS, PREFIX
from fathom.syntax.stream import TokenStream
from fathom.syntax.token_reader import SyntaxFailure, TokenReader

M = TypeVar("M")


class ShapeReader(TokenReader):
    """A position among the tokens of one operation, with what was learnt on the way.

    `fixed` collects the tokens whose very text decided something, so that it is part of the shape; `probes` the
    beginnings of words that would have been taken at the current position.
    """

    def __init__(self, stream: TokenStream, position: int = 0) -> None:
        super().__init__(stream, position)
        self.fixed: set[Ref] = set()
        self.probes: list[str] = []
        self.probed_at: int = -1
        self.operation = ""
        """The name of the operation, which some messages give."""

    # ---- looking

    def _probe(self, prefix: str) -> None:
        if self.probed_at != self.position:
            self.probed_at = self.position
            self.probes = [prefix]
        else:
            self.probes.append(prefix)

    def final_probes(self) -> frozenset[str]:
        """What would have continued the operation where it now ends: the beginnings of words, and kinds of tokens
        (`would_take`)."""
        return frozenset(self.probes) if self.probed_at == self.position else frozenset()

    def at(self, text: str) -> bool:
        position = self.position
        # What follows is `_probe` and `token`: this is asked ten times for each operation.
        if self.probed_at != position:
            self.probed_at = position
            self.probes = [text]
        else:
            self.probes.append(text)
        tokens = self.stream.tokens
        return (tokens[position] if position < len(tokens) else self.stream.token(position)).text == text

    def at_any(self, texts: Iterable[str]) -> bool:
        return any([self.at(text) for text in texts])  # noqa: C419 - every question counts, it is part of the shape

    def at_kind(self, kind: str) -> bool:
        """Whether the next token is of a kind: value, symbol, block, string, integer, float, bare, alias or type."""
        if kind == "type":
            return self.at_type()
        self._probe(PREFIX.get(kind) or f"{BY_KIND}{kind}")
        return self.token.kind in KINDS[kind]

    def at_type(self) -> bool:
        self._probe(f"{BY_KIND}type")
        return super().at_type()

    def text(self, ref: Ref) -> str:
        """The text of a token, which thereby becomes part of the shape."""
        self.fixed.add(ref)
        return whole(self.stream.token(ref).text)

    def here(self) -> Ref:
        """The next token, to be blamed later."""
        return self.position

    # ---- failing

    def fail(self, message: str, at: Ref | None = None) -> NoReturn:
        raise SyntaxFailure(message, self.position if at is None else at)

    def fail_here(self, message: str) -> NoReturn:
        raise SyntaxFailure(message, self.position)

    def part(self, read: Callable[[], M], further: str, at: Ref | None = None) -> M:
        """What `read` reads. Of a mistake in it MLIR says `further` besides, at the token `at`, by default at the one
        that reading came to."""
        try:
            return read()
        except SyntaxFailure as failure:
            failure.further += ((further, self.position if at is None else at),)
            raise

    # ---- words

    def keyword(self, choices: Iterable[str] | None = None, message: str = "expected keyword") -> str:
        return super().keyword(choices, message)

    def optional_keyword(self, choices: Iterable[str] | None = None) -> str | None:
        if choices is None:
            return self.optional_word()
        for choice in choices:
            self._probe(choice)
        return super().optional_keyword(choices)

    def optional_word(self) -> str | None:
        """The next token, if it is a bare word."""
        if not self.at_kind("bare"):
            return None
        self.position += 1
        return self.text(self.position - 1)

    def integer_literal(self, message: str | None = None) -> int:
        """An integer whose value decides structure."""
        if (truth := self.optional_truth()) is not None:
            return truth
        sign = -1 if self.accept("-") else 1
        token = self.token
        if token.kind not in ("INTEGER", "HEX"):
            operation = f"custom op '{self.operation}' " if self.operation else ""
            self.fail(message or f"{operation}expected integer value")
        self.fixed.add(self.position)
        self.position += 1
        return sign * (int(token.text, 16) if token.kind == "HEX" else int(token.text[:4000]))

    def extents(self, message: str = "Failed parsing dimension list.") -> list[int]:
        """`2x?x4`: numbers that decide structure, DYNAMIC for `?`; `message` is said where there is none."""
        extents: list[int] = []
        while True:
            token = self.token
            if token.kind not in ("DIMS", "INTEGER", "HEX") and token.text != "?":
                self.fail("expected integer value" if extents else message)
            self.fixed.add(self.position)
            self.position += 1
            texts = [text.strip() for text in token.text.split("x")]
            # What follows `0x` is the next extent.
            extents += [DYNAMIC if text == "?" else int(text[:18]) for text in texts if text == "?" or text.isdecimal()]
            if token.kind != "DIMS":
                return extents

    def extents_with_x(self) -> list[int]:
        """`2 x 3 x`, one token: numbers that decide structure, each with an `x` behind it; none where there is no such
        token, or a number is not known."""
        token = self.token
        texts = token.text[:-1].split("x") if token.kind == "DIMS" else []
        if not texts or not all(text.strip().isdecimal() for text in texts):
            return []
        self.fixed.add(self.position)
        self.position += 1
        return [int(text.strip()[:4000]) for text in texts]

    def integer(self, message: str = "expected integer value") -> Ref:
        """An integer that decides nothing: statements that differ in it share a shape."""
        return self.take("integer", message)

    def take(self, kind: str, message: str) -> Ref:
        if not self.at_kind(kind):
            self.fail(message)
        self.position += 1
        return self.position - 1

    def dimensions(self, missing: str = "expected 'x' in dimension list") -> list[int]:
        start = self.position
        extents = super().dimensions(missing)
        self.fixed.update(range(start, self.position))
        return extents

    # ---- names

    def value_use(self, message: str = "expected SSA operand") -> Ref:
        return self.take("value", message)

    def optional_value_use(self) -> Ref | None:
        return self.value_use() if self.at_kind("value") else None

    def bare_value_list(self) -> list[Ref]:
        """`%a, %b`, or nothing."""
        if not self.at_kind("value"):
            return []
        uses = [self.value_use()]
        while self.accept(","):
            uses.append(self.value_use())
        return uses

    def value_list(self, open: str = "(", close: str = ")") -> list[Ref]:
        """`(%a, %b)`."""
        self.expect(open)
        uses = self.bare_value_list()
        self.expect(close)
        return uses

    def read_group(self, name: str) -> None:
        """Says which group of operands is read next, for those who ask what could stand here; nothing else follows."""
        del name

    def value_definition(self) -> Ref:
        return self.take("value", "expected SSA identifier")

    def symbol_name(self) -> Ref:
        operation = f"custom op '{self.operation}' " if self.operation else ""
        return self.take("symbol", f"{operation}expected valid '@'-identifier for symbol name")

    def string(self) -> Ref:
        return self.take("string", "expected string")
