"""What parsing yields: trees of types and attributes, and one record for each operation, block label and alias.

All of it belongs to a *shape* and is shared by the many statements of that shape. A name or number is a `Ref`, the
index of a token of the statement; its text is looked up in the statement at hand (`fathom.syntax.tree`).

There are many of these records, so their lists are made by `lambda: []`: `list[Ref]` takes six times as long to call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fathom.records import field, record
from fathom.slices import checkpoint

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.types import Type
    from fathom.irdl.definition import Property

Ref: TypeAlias = int
"""The index of a token among those of its operation, where a region counts as one token."""


VARYING: Final = frozenset(("INTEGER", "FLOAT", "STRING", "SYMBOL", "VALUE", "BLOCK", "ALIAS"))
"""The kinds of tokens whose text may differ between statements of one shape."""


class Leaf(str):
    """A token in a tree: its text in the statement that the shape was learnt from, its terminal, its reference, and
    the white space that stands before it, as `space_between` tells it."""

    __slots__ = ("ref", "spaced", "type")

    type: str
    ref: Ref
    spaced: str

    @classmethod
    def of(cls, terminal: str, text: str, index: Ref, *, spaced: str = "") -> Leaf:
        leaf = cls(text)
        leaf.type = terminal
        leaf.ref = index
        leaf.spaced = spaced
        return leaf

    def copy(self, shift: Ref) -> Leaf:
        """The same token with its reference moved by `shift`."""
        return Leaf.of(self.type, self, self.ref + shift, spaced=self.spaced)

    def placed(self, shift: Ref, texts: Sequence[str]) -> Leaf:
        return Leaf.of(self.type, texts[self.ref], self.ref + shift, spaced=self.spaced)


_new_leaf: Final[Callable[[type[Leaf], str], Leaf]] = str.__new__
"""Takes less time than to call the class."""


def _varies(leaf: Leaf) -> bool:
    # The name of an alias is the same terminal as that of a dialect.
    return leaf.type in VARYING or (leaf.type == "HASH" and "." not in leaf)


class Node:
    """A tree of the grammar `mlir.lark`, with at least one child.

    `start` and `end` are the references of its first token and past its last.
    `constant` says that no name or number below it can differ between statements of the shape; then `cache` may keep
    what it means. A constant tree may be a copy of a `pattern` whose references are smaller by `shift`: its children
    are made when they are asked for, and what it means is kept with the pattern, for all its copies.
    """

    __slots__ = ("_cache", "_children", "_pattern", "_varies", "constant", "end", "kind", "start")

    def __init__(self, kind: str, children: list[Node | Leaf]) -> None:
        self.kind = kind
        self.constant = False
        self._children: list[Node | Leaf] | None = children
        self._pattern: Node | None = None
        self._cache: object = None
        self._varies: bool | None = None
        self.start: Ref = 0
        self.end: Ref = 0
        if children:
            first, last = children[0], children[-1]
            self.start = first.ref if isinstance(first, Leaf) else first.start
            self.end = last.ref + 1 if isinstance(last, Leaf) else last.end

    def copy(self, shift: Ref) -> Node:
        """A copy of a constant tree with its references moved by `shift`."""
        copy = Node.__new__(Node)
        copy.kind = self.kind
        copy.constant = True
        copy._children = None
        copy._pattern = self
        copy._cache = None
        copy._varies = False
        copy.start = self.start + shift
        copy.end = self.end + shift
        return copy

    def placed(self, shift: Ref, texts: Sequence[str]) -> Node:
        """The tree with its references moved by `shift`, for other `texts` of the tokens from its first on."""
        if self.constant:
            return self.copy(shift)
        children: list[Node | Leaf] = []
        for child in self.children:  # a comprehension would take a second call for each level
            checkpoint()
            children.append(child.placed(shift, texts))
        return Node(self.kind, children)

    def again(self, texts: Sequence[str]) -> Node:
        """A tree of its own that is the same for other `texts` of the tokens from its first on, of which there are
        few; what is constant in this one is in that."""
        children: list[Node | Leaf] = []
        for child in self.children:
            if isinstance(child, Leaf):
                ref = child.ref
                leaf = _new_leaf(Leaf, texts[ref])
                leaf.type, leaf.ref, leaf.spaced = child.type, ref, ""
                children.append(leaf)
            else:
                children.append(child.again(texts))
        node = Node.__new__(Node)
        node.kind = self.kind
        node.constant = self.constant
        node._children = children
        node._pattern = node._cache = node._varies = None
        node.start = self.start
        node.end = self.end
        return node

    @property
    def children(self) -> list[Node | Leaf]:
        children = self._children
        if children is None:
            pattern = self._pattern
            assert pattern is not None, "a tree has children, or a pattern that has them"
            shift = self.start - pattern.start
            children = self._children = [child.copy(shift) for child in pattern.children]
        return children

    @property
    def varies(self) -> bool:
        """Whether a name or number below it may differ between statements of the shape."""
        if self.constant:
            return False
        if self._varies is None:
            self._varies = any(map(_varies, self.all_leaves()))
        return self._varies

    @property
    def original(self) -> Node:
        """The tree that this one is a copy of, or itself."""
        return self._pattern or self

    @property
    def cache(self) -> object:
        return (self._pattern or self)._cache

    @cache.setter
    def cache(self, meaning: object) -> None:
        (self._pattern or self)._cache = meaning

    def __repr__(self) -> str:
        return f"{self.kind}({', '.join(map(repr, self.children))})"

    @property
    def nodes(self) -> list[Node]:
        return [child for child in self.children if isinstance(child, Node)]

    @property
    def leaves(self) -> list[Leaf]:
        return [child for child in self.children if isinstance(child, Leaf)]

    def all_leaves(self) -> Iterator[Leaf]:
        """The tokens below, in order."""
        pending = list(reversed(self.children))
        while pending:
            child = pending.pop()
            if isinstance(child, Leaf):
                yield child
            else:
                pending += reversed(child.children)

    def walk(self) -> Iterator[Node]:
        """This node and all below, each before its children."""
        pending: list[Node] = [self]
        while pending:
            node = pending.pop()
            yield node
            pending += reversed(node.nodes)


@record
class SymbolToken:
    """An attribute given as `@name`: a string attribute with the name."""

    token: Ref


@record
class StringToken:
    """An attribute given as a string literal."""

    token: Ref


@record
class UntypedLiteral:
    """An attribute that does not state its type, which only the operation's own elaboration can tell."""

    node: Node


@record
class ComposedAttribute:
    """An attribute of a dialect that stands without its name; `make` gets what the trees in it mean."""

    make: Callable[[Callable[[Node], Type], Callable[[Node, Type | None], Attribute]], Attribute]


@record
class ComposedType:
    """The same of a type."""

    make: Callable[[Callable[[Node], Type], Callable[[Node, Type | None], Attribute]], Type]


AttributeSource: TypeAlias = "Node | Attribute | SymbolToken | StringToken | UntypedLiteral | ComposedAttribute"


@record(frozen=False)
class Argument:
    """`%x: i32 {attributes} loc(…)` in a signature or a block label. A declaration's argument may have no name (token
    -1). Its type may stand elsewhere, or in no text."""

    token: Ref
    type: Node | Type | None = None
    attributes: Node | None = None
    location: Node | None = None


@record(frozen=False)
class ResultGroup:
    """`%x` or `%x:2` before the `=`."""

    token: Ref
    count: int = 1


@record(frozen=False)
class Successor:
    """`^bb1(%a, %b : i32, f32)`. `group` is the place of its group in the operation's definition."""

    block: Ref
    operands: list[Ref] = field(default_factory=lambda: [])
    types: list[Node] = field(default_factory=lambda: [])
    group: int = 0


@record(frozen=False)
class FunctionSignature:
    """The signature of a function-like operation."""

    arguments: list[Argument] = field(default_factory=lambda: [])
    results: list[Node] = field(default_factory=lambda: [])
    result_attributes: list[Node | None] = field(default_factory=lambda: [])
    variadic: bool = False


@record(frozen=False)
class ParsedRegion:
    """A region of an operation; `arguments` are those that the operation's own syntax names for its entry block."""

    token: Ref
    arguments: list[Argument] = field(default_factory=lambda: [])


@record(frozen=False)
class ParsedOp:
    """An operation as it is written. Group names are those of its definition; the generic form has the group `""`.

    An operation that is `unregistered` has the name of none, which is the mistake in it; one that is not `known` is
    kept as it is written. `absent_regions` are the places of regions that the text may leave out and does.
    `function_type` is the type at the end of the generic form. The text of one that is not `is_whole` goes wrong, or
    breaks off, behind what is kept of it. `value` is what the `parse` of its syntax returned, for its elaboration.
    """

    name: str
    name_token: Ref
    start: Ref = 0
    end: Ref = 0
    generic: bool = False
    known: bool = True
    unregistered: bool = False
    result_groups: list[ResultGroup] = field(default_factory=lambda: [])
    operands: dict[str, list[Ref]] = field(default_factory=lambda: {})
    types: dict[str, list[Node]] = field(default_factory=lambda: {})
    composed_types: dict[str, ComposedType] = field(default_factory=lambda: {})
    attributes: dict[str, AttributeSource] = field(default_factory=lambda: {})
    attr_dict: Node | None = None
    properties: Node | None = None
    prop_dict: Sequence[Property] | None = None
    """The properties that may stand in `properties`, where others are a mistake."""
    function_type: Node | None = None
    function: FunctionSignature | None = None
    successors: list[Successor] = field(default_factory=lambda: [])
    regions: Sequence[ParsedRegion] = ()
    named: list[Argument] = field(default_factory=lambda: [])
    """The arguments of the next region that clauses have named."""
    notes: dict[str, Any] = field(default_factory=lambda: {})
    """What clauses have read beside all that, by the names of properties, for the elaboration of the operation."""
    absent_regions: list[int] = field(default_factory=lambda: [])
    location: Node | None = None
    is_whole: bool = True
    value: object = None
    templates: object = None
    """What elaboration learned of it (`fathom.elaborate.templates`)."""

    def regions_from(self, first: Ref) -> Sequence[ParsedRegion]:
        """Its regions that stand at a token or behind it. Of many each may be in a statement of its own, from
        which the operation is looked at: those before are not gone over again."""
        return [*takewhile(lambda region: region.token >= first, reversed(self.regions))][::-1]


@record(frozen=False)
class ParsedLabel:
    """`^bb1(%a: i32):`."""

    block: Ref
    arguments: list[Argument]
    end: Ref = 0


@record(frozen=False)
class ParsedAlias:
    """`!name = type` or `#name = attribute`."""

    name: Ref
    value: Node
    _is_location: bool | None = None

    @property
    def is_location(self) -> bool:
        """Whether it is a location, which has a meaning whatever the names and numbers in it are, unless a string has
        an escape."""
        if self._is_location is None:
            inside = [node.kind for outer in self.value.nodes for node in outer.walk()]
            self._is_location = bool(inside) and _LOCATIONS.issuperset(inside)
        return self._is_location


_LOCATIONS: Final = frozenset(
    "location file_location name_location callsite_location fused_location unknown_location".split()
)
"""The kinds of trees that a location is made of."""
