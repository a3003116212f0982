"""What the syntax of an operation is written against: typed protocols, not the classes behind them.

A custom `parse` reads from an `OpParser` into a `ParsedOp`, and returns what else its `resolve` needs; `resolve` finds
out types and values with a `Resolver`; `print` writes to an `OpPrinter`.
`fathom.syntax.cursor.Cursor`, `fathom.elaborate.operations.Resolution` and `fathom.ir.printer.Printer` are these; for
types and attributes, see `readers`.

The records that pass through the protocols (`ParsedOp`, `Argument`, …) are the parser's. A `Node` is a type, attribute
or location as it is written, and a `Ref` a token; both are opaque here: a resolver says what they mean.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Sequence
from typing import TYPE_CHECKING, NoReturn, Protocol, TypeVar

from fathom.ir.attributes import Attribute, DictAttr
from fathom.ir.operation import Block, BlockArgument, Operation, Region, Value
from fathom.ir.types import Type

if TYPE_CHECKING:
    from fathom.irdl.dialect import Definitions
    from fathom.syntax.nodes import Argument, AttributeSource, ComposedType, FunctionSignature, Node, ParsedOp, Ref

M = TypeVar("M")

H = TypeVar("H")


class OpParser(Protocol):
    """A position among the tokens of one operation, behind its name.

    What a parse function reads may depend on the tokens alone, since it is kept for all statements of the same shape.
    Whatever fails does so by an exception that never reaches who called the parser.
    """

    # ---- looking

    def at(self, text: str) -> bool:
        """Whether the next token is this punctuation or bare word."""
        ...

    def at_any(self, texts: Iterable[str]) -> bool: ...

    def at_kind(self, kind: str) -> bool:
        """Whether the next token is of a kind: value, symbol, block, string, integer, float, bare, alias or type."""
        ...

    def at_type(self) -> bool: ...

    def at_region(self) -> bool: ...

    def here(self) -> Ref:
        """The next token, to be blamed later."""
        ...

    def text(self, ref: Ref) -> str:
        """The text of a token that was read, which thereby becomes part of the shape."""
        ...

    def fail(self, message: str, at: Ref | None = None) -> NoReturn:
        """The text is wrong at a token, by default the next one."""
        ...

    def part(self, read: Callable[[], M], further: str, at: Ref | None = None) -> M:
        """What `read` reads. Of a mistake in it MLIR says `further` besides, at a token, by default at the one that
        reading came to."""
        ...

    # ---- words and literals

    def accept(self, text: str) -> bool: ...

    def expect(self, text: str, message: str | None = None) -> None: ...

    def keyword(self, choices: Iterable[str], message: str = "expected keyword") -> str: ...

    def optional_keyword(self, choices: Iterable[str]) -> str | None: ...

    def optional_word(self) -> str | None:
        """The next token, if it is a bare word; any will do."""
        ...

    def read_group(self, name: str) -> None:
        """Says which group of operands is read next, for those who ask what could stand here; nothing else follows."""
        ...

    def suggest(self, words: Iterable[str]) -> None:
        """Says which words mean something here, for those who ask what could stand here; nothing else follows."""
        ...

    def integer_literal(self, message: str | None = None) -> int:
        """An integer whose value decides structure."""
        ...

    def extents(self, message: str = "Failed parsing dimension list.") -> list[int]:
        """`2x?x4`: numbers that decide structure, DYNAMIC for `?`; `message` is said where there is none."""
        ...

    def extents_with_x(self) -> list[int]:
        """`2 x 3 x`, one token: numbers that decide structure; nothing where there is none."""
        ...

    def integer(self, message: str = "expected integer value") -> Ref:
        """An integer without a sign, whose value `resolve` finds out."""
        ...

    def string(self) -> Ref: ...

    def symbol_name(self) -> Ref: ...

    def dimensions(self, missing: str = "expected 'x' in dimension list") -> list[int]:
        """Extents with their `x`: `4 x ?x`; the type that follows is still to be read. `missing` is what is said where
        an extent has none."""
        ...

    # ---- values

    def value_use(self, message: str = "expected SSA operand") -> Ref: ...

    def optional_value_use(self) -> Ref | None: ...

    def bare_value_list(self) -> list[Ref]:
        """`%a, %b`, or nothing."""
        ...

    def value_list(self, open: str = "(", close: str = ")") -> list[Ref]:
        """`(%a, %b)`."""
        ...

    # ---- types

    def type(self) -> Node: ...

    def plain_type(self) -> Node:
        """A type that is no function type."""
        ...

    def type_list(self) -> list[Node]: ...

    def optional_type_list(self) -> list[Node]: ...

    def arrow_types(self) -> list[Node]:
        """What follows `->`: one type, or several in parentheses."""
        ...

    def optional_arrow_types(self) -> list[Node]: ...

    def functional_type(self) -> tuple[list[Node], list[Node]]:
        """`(i32) -> f32` as the types on the left and on the right."""
        ...

    # ---- attributes

    def attribute(self, implied: Type | None = None) -> Node:
        """An attribute; with `implied`, a literal that does not state its type."""
        ...

    def untyped_attribute(self) -> AttributeSource:
        """An attribute whose type stands elsewhere; it means nothing before the operation's `resolve` says it."""
        ...

    def symbol_attribute(self) -> AttributeSource:
        """`@name` as a string attribute."""
        ...

    def string_attribute(self) -> AttributeSource:
        """A string literal as a string attribute."""
        ...

    def composed_attribute(
        self, make: Callable[[Callable[[Node], Type], Callable[[Node, Type | None], Attribute]], Attribute]
    ) -> AttributeSource:
        """An attribute that `make` makes when it is known what the trees in it mean."""
        ...

    def composed_type(
        self, make: Callable[[Callable[[Node], Type], Callable[[Node, Type | None], Attribute]], Type]
    ) -> ComposedType:
        """The same of a type."""
        ...

    def array(self) -> Node:
        """`[1, 2]`."""
        ...

    def affine_map(self) -> Node:
        """`(d0, d1) -> (d1, d0)`, without `affine_map<…>` around it."""
        ...

    def optional_dictionary(self) -> Node | None:
        """`{a = 1}` behind an argument or a result."""
        ...

    def properties(self, parsed: ParsedOp) -> None:
        """`<{…}>`, or nothing."""
        ...

    def attr_dict(self, parsed: ParsedOp) -> None:
        """`{a = 1, b}`, or nothing."""
        ...

    def attr_dict_with_keyword(self, parsed: ParsedOp) -> None: ...

    # ---- what is composed

    def argument(self, *, allow_type: bool = True, allow_attributes: bool = True) -> Argument:
        """`%x: i32 {attributes} loc(…)`."""
        ...

    def argument_called(self, token: Ref, type: Node) -> Argument:
        """An argument that has the name of a value which was read."""
        ...

    def signature(self, parsed: ParsedOp, *, variadic: bool = False) -> FunctionSignature:
        """`(%a: i32 {…}) -> (f32 {…})` into `parsed.function`. The arguments of a declaration may be types alone."""
        ...

    def successor(self, parsed: ParsedOp) -> None:
        """`^bb1(%a, %b : i32, f32)`."""
        ...

    def successor_block(self, parsed: ParsedOp) -> None:
        """`^bb1` alone."""
        ...

    def region(self, parsed: ParsedOp, arguments: Sequence[Argument] = ()) -> None:
        """A region; `arguments` are those of its entry block that the operation's own syntax has named."""
        ...

    def regions(self, parsed: ParsedOp, head: Callable[[], H | None]) -> Sequence[H]:
        """Any number of regions, with what `head` reads before each; it returns None where there is no other, and
        depends on the tokens alone. Gives what it read."""
        ...

    def region_list(self, parsed: ParsedOp) -> None:
        """`{…}, {…}`: at least one region."""
        ...


class Resolver(Protocol):
    """The operation that is being elaborated: what its text refers to, and what has been found out about it.

    A custom `resolve` fills `operands` and `result_types`, and whatever else does not follow from the text. It fails
    where that is inconsistent, by an exception that never reaches who called the elaborator.

    What it finds is kept for all operations of the same shape whose operands have the same types, unless it asks a
    value for more than its type. It must not compare values by `is`, which goes unnoticed.
    """

    operands: list[Value]
    result_types: list[Type]
    properties: dict[str, Attribute]
    attributes: dict[str, Attribute]
    region_argument_types: list[list[Type]]
    region_order: list[int]
    imply: Callable[[Operation, Definitions], None] | None
    """Gives the operation, once it is made, the regions that its text leaves out."""

    def fail(self, message: str, token: Ref | None = None) -> NoReturn:
        """The operation is wrong, at a token or at its name."""
        ...

    def report(self, message: str, token: Ref) -> None:
        """Something is wrong at a token, with which the operation is one all the same."""
        ...

    def is_empty_region(self, index: int) -> bool:
        """Whether the text has a region, and nothing in it. False while it is still to be read."""
        ...

    def text(self, ref: Ref, /) -> str:
        """The text of a token."""
        ...

    def end_of(self, node: Node) -> Ref:
        """The token behind a tree."""
        ...

    def type(self, node: Node) -> Type: ...

    def types(self, nodes: Sequence[Node]) -> list[Type]: ...

    def operand(self, token: Ref, type: Type | None = None) -> Value:
        """The value that a token names, which must be of the type, if one is given."""
        ...

    def operand_list(self, tokens: Sequence[Ref], types: Sequence[Type], at: Ref | None = None) -> list[Value]:
        """The values that tokens name, of as many types; fails where the numbers differ."""
        ...

    def attribute(self, source: AttributeSource, implied: Type | None = None) -> Attribute:
        """What an attribute means; `implied` is the type of a literal that does not state its own."""
        ...

    def entries(self, dictionary: Node) -> dict[str, Attribute]:
        """The entries of `{a = 1, b}`."""
        ...

    def is_inherent(self, name: str) -> bool:
        """Whether an attribute of this name is one of the definition's properties."""
        ...

    def check_properties(self, token: Ref | None = None) -> None:
        """Fails where a property is not what the definition asks of it, unless the text has them in `<{…}>`, or the
        operation's own syntax has it."""
        ...

    def argument_type(self, argument: Argument) -> Type: ...

    def argument_attributes(self, node: Node | None) -> Attribute:
        """The dictionary of an argument or result, empty when there is none."""
        ...

    def signature_attributes(self, signature: FunctionSignature) -> None:
        """Stores the attributes of the arguments and results of a signature, if any, as `arg_attrs` and `res_attrs`."""
        ...

    def resolve_successors(self) -> None:
        """Finds the blocks that the text names, and appends the values that it hands them to `operands`."""
        ...

    def resolve_by_rules(self) -> None:
        """What an operation without its own `resolve` gets: the groups that were parsed, and types by the rules."""
        ...


class OpPrinter(Protocol):
    """Writes the text of an operation behind its name. Nothing writes white space of its own but where it says so."""

    @property
    def write(self) -> Callable[[str], None]: ...

    def spell_newline(self) -> str:
        """A line break, and the indentation of the operation that is being printed."""
        ...

    def newline(self) -> None:
        """A line break, and the indentation of the operation that is being printed."""
        ...

    def further_in(self, write: Callable[[], None]) -> None:
        """What `write` writes, with its lines one level further in."""
        ...

    def value(self, value: Value) -> None: ...

    def values(self, values: Iterable[Value]) -> None:
        """The values, comma-separated."""
        ...

    def typed_values(self, values: Sequence[Value]) -> None:
        """The values and then their types, as in `%a, %b : i32, f32`."""
        ...

    @property
    def spell_value(self) -> Callable[[Value], str]:
        """The name of a value."""
        ...

    def spell_values(self, values: Iterable[Value]) -> str:
        """The values, comma-separated."""
        ...

    def shadow(self, region: Region, values: Iterable[Value]) -> None:
        """Has the arguments of a region's entry block called as values outside of it are."""
        ...

    def spell(self, element: Type | Attribute) -> str:
        """The text of a type or attribute, by its alias where it has one."""
        ...

    def type(self, type: Type) -> None: ...

    def types(self, types: Iterable[Type]) -> None:
        """The types, comma-separated."""
        ...

    def spell_types(self, types: Iterable[Type]) -> str:
        """The types, comma-separated."""
        ...

    def arrow_types(self, types: Sequence[Type]) -> None:
        """` -> ` and the types of results; nothing for none."""
        ...

    def functional_type(self, inputs: Iterable[Type], results: Sequence[Type]) -> None:
        """`(inputs) -> results`."""
        ...

    def spell_functional_type(self, inputs: Iterable[Type], results: Sequence[Type]) -> str:
        """`(inputs) -> results`."""
        ...

    def attribute(self, attribute: Attribute) -> None: ...

    def attribute_without_type(self, attribute: Attribute) -> None:
        """An attribute whose type the context implies: `5`, not `5 : i32`."""
        ...

    def spell_without_type(self, attribute: Attribute) -> str:
        """The text of an attribute whose type the context implies: `5`, not `5 : i32`."""
        ...

    def symbol(self, name: str) -> None:
        """`@name`, quoted where it has to be."""
        ...

    def string(self, text: str) -> None:
        """A string literal."""
        ...

    def attr_dict(self, op: Operation, elide: Collection[str] = (), *, keyword: bool = False) -> None:
        """` {a = 1, b}` of all inherent attributes but those in `elide`, and the discardable ones; nothing for none."""
        ...

    def attributes_but(self, op: Operation, elide: Container[str], *, keyword: bool = False) -> None:
        """` {a = 1}` of all attributes, inherent or not, but those in `elide`. With `keyword`, after ` attributes`."""
        ...

    def entries(self, entries: list[tuple[str, Attribute]]) -> None:
        """` {a = 1, b}`, sorted; nothing for no entries."""
        ...

    def spell_dictionary(self, entries: Collection[tuple[str, Attribute]]) -> str:
        """` {a = 1, b}`, sorted; nothing for no entries."""
        ...

    def spell_entries(self, entries: Iterable[tuple[str, Attribute]]) -> str:
        """`a = 1, b`, sorted."""
        ...

    def region(
        self, region: Region, *, entry_arguments: bool = True, terminators: bool = True, empty_block: bool = False
    ) -> None:
        """`{…}`. Without `entry_arguments` the entry block has no label, without `terminators` no last operation."""
        ...

    def region_argument(
        self, argument: BlockArgument, attributes: DictAttr | None = None, *, omit_type: bool = False
    ) -> None:
        """`%arg0: i32 {attributes}`, as in a signature."""
        ...

    def custom_or_generic(self, op: Operation) -> None:
        """An operation without its results."""
        ...

    @property
    def label(self) -> Callable[[Block], str]:
        """`^bb1`."""
        ...

    def successor(self, block: Block, operands: Sequence[Value] = ()) -> None:
        """`^bb1`, or with operands `^bb1(%a, %b : i32, f32)`."""
        ...
