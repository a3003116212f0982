"""Reading one operation, token by token: what the parse function of an operation's syntax is given.

A parse function runs to its end when a region opens, as if the operation ended there, and once more when the region
was read, with a token in the place of its text; so it must depend on the tokens alone. It fails by `fail` or one of the
`expect`s, which leave by an exception that `fathom.syntax.statements` turns into an error of the tree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NoReturn, TypeVar

from fathom.ir.attributes import Attribute
from fathom.ir.types import DYNAMIC, Type
from fathom.syntax.carried import whole
from fathom.syntax.fragments import FragmentMemory
from fathom.syntax.grammar import FragmentError
from fathom.syntax.lexer import Token
from fathom.syntax.nodes import (
    Argument,
    AttributeSource,
    ComposedAttribute,
    ComposedType,
    FunctionSignature,
    Node,
    ParsedOp,
    ParsedRegion,
    Ref,
    StringToken,
    Successor,
    SymbolToken,
    UntypedLiteral,
)
from fathom.syntax.stream import TokenStream
from fathom.syntax.token_reader import TokenReader, begins_type

M = TypeVar("M")

KINDS = {
    "value": ("VALUE",),
    "symbol": ("SYMBOL",),
    "block": ("BLOCK",),
    "string": ("STRING",),
    "integer": ("INTEGER", "HEX"),
    "float": ("FLOAT",),
    "bare": ("BARE",),
    "alias": ("ALIAS", "HASH"),
}
_PREFIX = {"value": "%", "symbol": "@", "block": "^", "string": '"', "alias": "#"}
_BY_KIND: Final = "\0"
"""Begins what is noted of a question for a kind of token that no first character tells from all others."""


def would_take(probes: Iterable[str], token: Token) -> bool:
    """Whether an operation that asked for these beginnings where it ends would have gone on with a token."""
    return any(
        _is_kind(token, probe[1:]) if probe.startswith(_BY_KIND) else token.text.startswith(probe) for probe in probes
    )


def words_and_kinds(probes: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The beginnings of words among what an operation asked for, and the questions for kinds of tokens."""
    kinds = tuple(sorted(probe for probe in probes if probe.startswith(_BY_KIND)))
    return tuple(sorted({*probes}.difference(kinds))), kinds


def _is_kind(token: Token, kind: str) -> bool:
    return begins_type(token) if kind == "type" else token.kind in KINDS[kind]


class SyntaxFailure(Exception):
    """The text does not fit; `position` is the token where that became clear. `further` is what MLIR says besides,
    each with the token that it is shown at. Never leaves `fathom.syntax`."""

    def __init__(self, message: str, position: int, further: tuple[tuple[str, int], ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.position = position
        self.further = further


class Cursor(TokenReader):
    """A position among the tokens of one operation, with what was learnt on the way.

    `fixed` collects the tokens whose very text decided something, so that it is part of the shape; `probes` the
    beginnings of words that would have been taken at the current position.
    """

    def __init__(self, stream: TokenStream, fragments: FragmentMemory, position: int = 0, margin: int = 0) -> None:
        super().__init__(stream, position)
        self.margin: Final = margin
        """The column at which the first line of the statement begins."""
        self.fixed: set[Ref] = set()
        self.probes: list[str] = []
        self._fragments = fragments
        self._probed_at = -1
        self.operation = ""
        """The name of the operation, which some messages give."""
        self.opens = -1
        """The `{` that opens a region which is still to be read. The operation is read on as if it ended with it."""
        self.looked_ahead = False
        """Whether a line that the operation does not take decided something, so that its shape cannot be remembered."""

    # ---- looking

    def _probe(self, prefix: str) -> None:
        if self._probed_at != self.position:
            self._probed_at = self.position
            self.probes = [prefix]
        else:
            self.probes.append(prefix)

    def final_probes(self) -> frozenset[str]:
        """What would have continued the operation where it now ends: the beginnings of words, and kinds of tokens
        (`would_take`)."""
        return frozenset(self.probes) if self._probed_at == self.position else frozenset()

    def at(self, text: str) -> bool:
        position = self.position
        # What follows is `_probe` and `token`: this is asked ten times for each operation.
        if self._probed_at != position:
            self._probed_at = position
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
        self._probe(_PREFIX.get(kind) or f"{_BY_KIND}{kind}")
        return self.token.kind in KINDS[kind]

    def at_type(self) -> bool:
        self._probe(f"{_BY_KIND}type")
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
        sign = -1 if self.accept("-") else 1
        token = self.token
        if token.kind not in ("INTEGER", "HEX"):
            operation = f"custom op '{self.operation}' " if self.operation else ""
            self.fail(message or f"{operation}expected integer value")
        self.fixed.add(self.position)
        self.position += 1
        return sign * (int(token.text, 16) if token.kind == "HEX" else int(token.text[:4000]))

    def extents(self) -> list[int]:
        """`2x?x4`: numbers that decide structure, DYNAMIC for `?`."""
        found: list[int] = []
        while True:
            token = self.token
            if token.kind not in ("DIMS", "INTEGER", "HEX") and token.text != "?":
                self.fail("expected integer value" if found else "Failed parsing dimension list.")
            self.fixed.add(self.position)
            self.position += 1
            texts = [text.strip() for text in token.text.split("x")]
            # What follows `0x` is the next extent.
            found += [DYNAMIC if text == "?" else int(text[:18]) for text in texts if text == "?" or text.isdecimal()]
            if token.kind != "DIMS":
                return found

    def integer(self, message: str = "expected integer value") -> Ref:
        """An integer that decides nothing: statements that differ in it share a shape."""
        return self._take("integer", message)

    def _take(self, kind: str, message: str) -> Ref:
        if not self.at_kind(kind):
            self.fail(message)
        self.position += 1
        return self.position - 1

    def dimensions(self) -> list[int]:
        start = self.position
        extents = super().dimensions()
        self.fixed.update(range(start, self.position))
        return extents

    # ---- names

    def value_use(self, message: str = "expected SSA operand") -> Ref:
        return self._take("value", message)

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

    def value_definition(self) -> Ref:
        return self._take("value", "expected SSA identifier")

    def symbol_name(self) -> Ref:
        operation = f"custom op '{self.operation}' " if self.operation else ""
        return self._take("symbol", f"{operation}expected valid '@'-identifier for symbol name")

    def string(self) -> Ref:
        return self._take("string", "expected string")

    # ---- fragments of the grammar

    def fragment(self, start: str, *, fixed: bool) -> Node:
        first = self.position
        try:
            node, refs = self._fragments.read(start, self.stream, first, fixed=fixed)
        except FragmentError as error:
            further = tuple((message, error.position) for message in error.further)
            raise SyntaxFailure(error.message, error.position, further) from None
        self.position = self._probed_at = node.end
        self.probes = [":", "<", "::"] if not fixed else ["<", "->"]
        self.fixed.update([first + ref for ref in refs])
        return node

    def type(self) -> Node:
        return self.fragment("type", fixed=True)

    def plain_type(self) -> Node:
        """A type that is no function type."""
        return self.fragment("plain_type", fixed=True)

    def type_list(self) -> list[Node]:
        types = [self.type()]
        while self.accept(","):
            types.append(self.type())
        return types

    def optional_type_list(self) -> list[Node]:
        return self.type_list() if self.at_type() else []

    def type_parens(self) -> list[Node]:
        """`(i32, f32)`."""
        return [n for n in self.fragment("type_parens", fixed=True).nodes if n.kind == "type"]

    def arrow_types(self) -> list[Node]:
        """What follows `->`: one type, or several in parentheses."""
        return self.type_parens() if self.at("(") else [self.plain_type()]

    def optional_arrow_types(self) -> list[Node]:
        return self.arrow_types() if self.accept("->") else []

    def function_type(self) -> Node:
        return self.fragment("function_type", fixed=True)

    def functional_type(self) -> tuple[list[Node], list[Node]]:
        """`(i32) -> f32` as the types on the left and on the right."""
        inputs = self.type_parens()
        self.expect("->", "expected '->' in function type")
        return inputs, self.arrow_types()

    def attribute(self, implied: Type | None = None) -> Node:
        """An attribute; with `implied`, a literal that does not state its type."""
        if implied is not None and self.token.kind not in KINDS["alias"]:
            return self.fragment("number" if self.token.text not in ("true", "false") else "literal", fixed=False)
        return self.fragment("attribute", fixed=False)

    def untyped_attribute(self) -> UntypedLiteral:
        """An attribute whose type stands elsewhere; it means nothing before the operation's `resolve` says it."""
        return UntypedLiteral(self.attribute())

    def array(self) -> Node:
        """`[1, 2]`."""
        return self.fragment("array", fixed=False)

    def affine_map(self) -> Node:
        """`(d0, d1) -> (d1, d0)`, without `affine_map<…>` around it."""
        return self.fragment("affine_map", fixed=True)

    def optional_dictionary(self) -> Node | None:
        """`{a = 1}` behind an argument or a result."""
        return self.fragment("attr_dict", fixed=False) if self.at("{") else None

    def symbol_attribute(self) -> AttributeSource:
        """`@name` as a string attribute."""
        return SymbolToken(self.symbol_name())

    def string_attribute(self) -> AttributeSource:
        """A string literal as a string attribute."""
        return StringToken(self.string())

    def composed_attribute(
        self, make: Callable[[Callable[[Node], Type], Callable[[Node, Type | None], Attribute]], Attribute]
    ) -> AttributeSource:
        """An attribute that `make` makes when it is known what the trees in it mean."""
        return ComposedAttribute(make)

    def composed_type(
        self, make: Callable[[Callable[[Node], Type], Callable[[Node, Type | None], Attribute]], Type]
    ) -> ComposedType:
        """The same of a type."""
        return ComposedType(make)

    def properties(self, parsed: ParsedOp) -> None:
        if self.at("<") and self.peek().text == "{":
            parsed.properties = self.fragment("properties", fixed=False)

    def attr_dict(self, parsed: ParsedOp) -> None:
        """The optional dictionary of attributes."""
        if self.at("{"):
            parsed.attr_dict = self.fragment("attr_dict", fixed=False)

    def attr_dict_with_keyword(self, parsed: ParsedOp) -> None:
        if self.accept("attributes"):
            if not self.at("{"):
                self.fail("expected '{' in attribute dictionary")
            self.attr_dict(parsed)

    def at_location(self) -> bool:
        """Whether a trailing location begins here, and no clause of an unknown operation that is called `loc`."""
        inside = self.peek(2)
        is_location = inside.kind in ("STRING", "ALIAS", "HASH") or inside.text in ("unknown", "callsite", "fused")
        return self.token.text == "loc" and self.peek().text == "(" and is_location

    def optional_location(self) -> Node | None:
        if self.at("loc"):
            return self.fragment("location", fixed=False)
        return None

    # ---- composite pieces

    def argument(self, *, allow_type: bool = True, allow_attributes: bool = True) -> Argument:
        """`%x: i32 {attributes} loc(…)`."""
        argument = Argument(self.value_use())
        if allow_type:
            self.expect(":")
            argument.type = self.type()
        if allow_attributes:
            argument.attributes = self.optional_dictionary()
        argument.location = self.optional_location()
        return argument

    def argument_called(self, token: Ref, type: Node) -> Argument:
        """An argument that has the name of a value which was read."""
        return Argument(token, type)

    def block_argument(self) -> Argument:
        """`%x: i32 loc(…)` in the label of a block."""
        argument = Argument(self._take("value", "expected SSA operand"))
        self.expect(":", "expected ':' and type for SSA operand")
        argument.type = self.type()
        argument.location = self.optional_location()
        return argument

    def signature(self, parsed: ParsedOp, *, variadic: bool = False) -> FunctionSignature:
        """`(%a: i32 {…}) -> (f32 {…})` into `parsed.function`. The arguments of a declaration may be types without
        names."""
        signature = parsed.function = FunctionSignature()
        named: bool | None = None
        self.expect("(")
        while not self.at(")"):
            if variadic and self.accept("..."):
                signature.variadic = True
                if not self.at(")"):
                    self.fail(f"custom op '{parsed.name}' variadic arguments must be in the end of the argument list")
                break
            if self.at_kind("value"):
                if named is False:
                    self.fail(f"custom op '{parsed.name}' expected type instead of SSA identifier")
                named = True
                signature.arguments.append(self.argument())
            else:
                if named:
                    self.fail(f"custom op '{parsed.name}' expected SSA identifier")
                named = False
                signature.arguments.append(self._unnamed_argument())
            if not self.accept(","):
                break
        self.expect(")")
        if self.accept("->"):
            self._signature_results(signature)
        return signature

    def _unnamed_argument(self) -> Argument:
        argument = Argument(-1, self.type())
        argument.attributes = self.optional_dictionary()
        argument.location = self.optional_location()
        return argument

    def _signature_results(self, signature: FunctionSignature) -> None:
        if not self.accept("("):
            signature.results.append(self.plain_type())
            signature.result_attributes.append(None)
            return
        while not self.at(")"):
            signature.results.append(self.type())
            signature.result_attributes.append(self.optional_dictionary())
            if not self.accept(","):
                break
        self.expect(")")

    def successor(self, parsed: ParsedOp) -> None:
        """`^bb1(%a, %b : i32, f32)`."""
        successor = Successor(self._take("block", "expected block name"))
        if self.accept("("):
            successor.operands = self.bare_value_list()
            self.expect(":")
            successor.types = self.type_list()
            self.expect(")")
        parsed.successors.append(successor)

    def successor_block(self, parsed: ParsedOp) -> None:
        """`^bb1` alone."""
        parsed.successors.append(Successor(self._take("block", "expected block name")))

    def at_region(self) -> bool:
        return self.token.kind == "REGION" or self.at("{")

    def region(self, parsed: ParsedOp, arguments: Sequence[Argument] = ()) -> None:
        """A region; `arguments` are those of its entry block that the operation's own syntax has named."""
        if self.at("{"):
            self.opens = self.position
            brace = self.token
            known = [*self.stream.tokens[: self.position], Token("REGION", "", brace.line, brace.column)]
            self.stream = TokenStream(known, Token("END", "", brace.line, brace.column))
        if self.token.kind != "REGION":
            self.fail("expected '{' to begin a region")
        parsed.regions.append(ParsedRegion(self.position, list(arguments)))
        self.position += 1
