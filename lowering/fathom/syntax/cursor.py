"""Reading one operation, token by token: what the parse function of an operation's syntax is given.

A parse function runs to its end when a region opens, as if the operation ended there, and once more when the region
was read, with a token in the place of its text; so it must depend on the tokens alone. It fails by `fail` or one of the
`expect`s, which leave by an exception that `fathom.syntax.statements` turns into an error of the tree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from fathom.ir.attributes import Attribute
from fathom.ir.types import Type
from fathom.syntax.fragments import FragmentMemory
from fathom.syntax.frames import Reached
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
from fathom.syntax.prefixes import Prefix
from fathom.syntax.probes import KINDS
from fathom.syntax.shape_reader import ShapeReader
from fathom.syntax.stream import TokenStream
from fathom.syntax.token_reader import SyntaxFailure

H = TypeVar("H")


class Cursor(ShapeReader):
    """What the parse function of an operation's syntax reads with."""

    def __init__(
        self,
        stream: TokenStream,
        fragments: FragmentMemory,
        position: int = 0,
        margin: int = 0,
        reached: Reached | None = None,
    ) -> None:
        super().__init__(stream, position)
        self.margin: Final = margin
        """The column at which the first line of the statement begins."""
        self._fragments = fragments
        self.opens = -1
        """The `{` that opens a region which is still to be read. The operation is read on as if it ended with it."""
        self.reached = reached
        """How far the list of regions was read of which the last one opened; at first, when the one before did."""
        self.looked_ahead = False
        """Whether a line that the operation does not take decided something, so that its shape cannot be remembered."""

    # ---- fragments of the grammar

    def fragment(self, start: str, *, fixed: bool) -> Node:
        first = self.position
        try:
            node, refs = self._fragments.read(start, self.stream, first, fixed=fixed)
        except FragmentError as error:
            further = tuple((message, error.position) for message in error.further)
            raise SyntaxFailure(error.message, error.position, further) from None
        self.position = self.probed_at = node.end
        self.probes = [":", "<", "::"] if not fixed else ["<", "->"]
        # All that a type is made of is part of the shape.
        self.fixed.update(range(first, node.end) if fixed else [first + ref for ref in refs])
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
        """`<{a = 1}>`, if it is there; another `<` belongs to what follows."""
        if self.peek().text == "{":
            self.any_properties(parsed)

    def any_properties(self, parsed: ParsedOp) -> None:
        """`<{a = 1}>`, or any other attribute in angles, such as an alias, if it is there."""
        if self.at("<"):
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
        argument = Argument(self.take("value", "expected SSA operand"))
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
        successor = Successor(self.take("block", "expected block name"))
        if self.accept("("):
            successor.operands = self.bare_value_list()
            self.expect(":")
            successor.types = self.type_list()
            self.expect(")")
        parsed.successors.append(successor)

    def successor_block(self, parsed: ParsedOp) -> None:
        """`^bb1` alone."""
        parsed.successors.append(Successor(self.take("block", "expected block name")))

    def at_region(self) -> bool:
        return self.token.kind == "REGION" or self.at("{")

    def region(self, parsed: ParsedOp, arguments: Sequence[Argument] = ()) -> None:
        """A region; `arguments` are those of its entry block that the operation's own syntax has named."""
        parsed.regions = (*parsed.regions, self._region(arguments))

    def _region(self, arguments: Sequence[Argument] = ()) -> ParsedRegion:
        if self.at("{"):
            self.opens = self.position
            brace = self.token
            self.stream = self.stream.up_to(self.position, Token("REGION", "", brace.line, brace.column))
        if self.token.kind != "REGION":
            self.fail("expected '{' to begin a region")
        self.position += 1
        return ParsedRegion(self.position - 1, list(arguments))

    def regions(self, parsed: ParsedOp, head: Callable[[], H | None]) -> Sequence[H]:
        """Any number of regions, with what `head` reads before each; it returns None where there is no other, and
        depends on the tokens alone. Gives what it read. They are read once, not again for each that opens."""
        begin, reached = self.position, self.reached
        heads: Prefix[Any] = Prefix()
        known = parsed.regions
        if reached is not None and reached.begin == begin:
            self.position, known, heads = reached.position, reached.regions, reached.heads
        regions = parsed.regions = known if isinstance(known, Prefix) else Prefix(known)
        while (read := head()) is not None:
            heads = heads.then((read,))
            regions = parsed.regions = regions.then((self._region(),))
            self.reached = Reached(begin, self.position, regions, heads, parsed if parsed.generic else None)
        return heads

    def further_region(self, parsed: ParsedOp, begin: Ref, head: object) -> None:
        """One of any number of regions that may stand anywhere behind `begin`. `head` is what there is to know of the
        text before it when reading goes on behind it, as it does when the next one opens."""
        known = parsed.regions if isinstance(parsed.regions, Prefix) else Prefix(parsed.regions)
        regions = parsed.regions = known.then((self._region(),))
        self.reached = Reached(begin, self.position, regions, Prefix((head,)))

    def region_list(self, parsed: ParsedOp) -> None:
        """`{…}, {…}`: at least one region."""
        begin = self.position
        self.regions(parsed, lambda: True if self.position == begin or self.accept(",") else None)
