"""What trees of types and attributes mean: `Node` to `Type` and `Attribute`.

Builtin ones are read by `builtin_types` and `builtin_attributes`, those of dialects by the dialects' own readers. What
a tree means is kept with it where it cannot differ between the statements that share the tree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from fathom.elaborate.builtin_attributes import ATTRIBUTES, dense, resource, sparse
from fathom.elaborate.builtin_types import TYPES
from fathom.elaborate.failure import ElaborationFailure
from fathom.elaborate.literals import unquote
from fathom.elaborate.numbers import number_attribute
from fathom.elaborate.reader import Reader
from fathom.ir import attributes as a
from fathom.ir import types as t
from fathom.ir.aliases import LEAVES
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.metadata import Metadata
from fathom.records import field, record
from fathom.syntax.carried import whole
from fathom.syntax.lexer import Token, tokens_of
from fathom.syntax.nodes import Leaf, Node, Ref

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.elaborate.parts import TextOf
    from fathom.elaborate.templates import Templates
    from fathom.syntax.events import AliasEvent
    from fathom.syntax.pieces import Piece

M = TypeVar("M")

_OPENING: Final = frozenset("([<{")
_CLOSING: Final = frozenset(")]>}")


@record(frozen=False)
class Aliases:
    """The aliases of a document, by name without `!` or `#`: for each the statement that defines it, with what that
    says. And its metadata, since resources too are referred to by names that are defined elsewhere."""

    types: dict[str, tuple[Piece, AliasEvent]] = field(default_factory=dict[str, "tuple[Piece, AliasEvent]"])
    attributes: dict[str, tuple[Piece, AliasEvent]] = field(default_factory=dict[str, "tuple[Piece, AliasEvent]"])
    metadata: Metadata = field(default_factory=Metadata)
    known: dict[str, t.Type | a.Attribute] = field(default_factory=dict[str, "t.Type | a.Attribute"])
    failed: dict[str, tuple[str, bool]] = field(default_factory=dict[str, tuple[str, bool]])
    """What is wrong with those that stand for nothing, and whether that is told where they are defined."""
    broken: set[str] = field(default_factory=set[str])
    """Those whose definitions cannot be read, with their `!` or `#`."""
    templates: dict[int, Templates] = field(default_factory=dict[int, "Templates"])
    """What was learned of operations in which aliases have a part, by the identity of what was parsed."""
    _levels: dict[t.Type | a.Attribute, int] = field(default_factory=dict["t.Type | a.Attribute", int])

    def definition(self, key: str) -> tuple[Piece, AliasEvent] | None:
        """The statement that defines `!name` or `#name`."""
        return (self.types if key.startswith("!") else self.attributes).get(key[1:])

    def unknown_in(self, key: str) -> list[str]:
        """The aliases that one is made of and that were not met before, each after those that it is made of itself; the
        last is the one."""
        order: list[str] = []
        met = {key}
        pending = [(key, iter(self._mentioned(key)))]
        while pending:
            around, rest = pending[-1]
            for alias in rest:
                if alias not in met and alias not in self.known and alias not in self.failed:
                    met.add(alias)
                    pending.append((alias, iter(self._mentioned(alias))))
                    break
            else:
                order.append(around)
                pending.pop()
        return order

    def _mentioned(self, key: str) -> list[str]:
        definition = self.definition(key)
        if definition is None:
            return []
        piece, event = definition
        text = piece.texts(event.base)
        names = [text(leaf.ref) for leaf in event.alias.value.all_leaves() if leaf.type in _NAMES]
        return [name for name in names if self.definition(name) is not None]

    def levels_of(self, value: t.Type | a.Attribute) -> int:
        """How deep types and attributes are nested in one, that of an alias or a part of it."""
        known = self._levels.get(value)
        if known is not None:
            return known
        parts: list[t.Type | a.Attribute] = []

        def of(part: t.Type | a.Attribute) -> str:
            parts.append(part)
            return "#"

        if not isinstance(value, LEAVES):
            value.spell(of)
        levels = 1 + max(map(self.levels_of, parts), default=0)
        if parts:
            self._levels[value] = levels
        return levels


_NAMES: Final = ("EXCLAIM", "HASH", "DIALECT_HASH")
"""The tokens that name aliases."""
MOST_LEVELS: Final = 64
"""How deep types and attributes may nest by way of aliases: deeper than anybody nests them."""


class Meanings:
    """Gives trees their meaning, under the dialects of a context and the aliases of a document."""

    def __init__(
        self, context: Context, aliases: Aliases | None = None, identities: dict[Hashable, object] | None = None
    ) -> None:
        self.context = context
        self.aliases = aliases if aliases is not None else Aliases()
        self.is_alias_free = True
        """Whether no alias, nor another name of the text, had a part in what was read since this was set."""
        self._open: set[str] = set()
        """The aliases that are being read."""
        self._identities = identities
        """The names that mean one thing throughout a text; None for a part of one, which has not all of them."""
        self._kept: dict[Node, object] = {}
        """What constant trees mean in this text, of which names in them decide that stand for something of the text."""

    # ---- caching

    def type(self, node: Node, text: TextOf | None) -> t.Type:
        """The type that a tree of kind `type` stands for."""
        cached = node.cache
        if cached is not None:
            return cast("t.Type", cached)
        return self._remember(node, text, self._type_of)

    def attribute(self, node: Node, text: TextOf | None, implied: t.Type | None = None) -> a.Attribute:
        """The attribute that a tree stands for; `implied` is the type of a literal that does not state one."""
        cached = node.cache
        if cached is not None:
            return cast("a.Attribute", cached)
        if implied is not None:
            return self._remember(node, text, lambda n, x: self._literal_of(n, x, implied))
        return self._remember(node, text, self._attribute_of)

    def _remember(self, node: Node, text: TextOf | None, make: Callable[[Node, TextOf | None], M]) -> M:
        if node.constant and (kept := self._kept.get(node.original)) is not None:
            self.is_alias_free = False
            return cast("M", kept)
        outer, self.is_alias_free = self.is_alias_free, True
        value = make(node, text)
        if self.is_alias_free and not node.varies:
            node.cache = value
        elif node.constant:
            self._kept[node.original] = value
        self.is_alias_free = self.is_alias_free and outer
        return value

    def leaf(self, leaf: Leaf, text: TextOf | None) -> str:
        return str(leaf) if text is None else whole(text(leaf.ref))

    def carried(self, leaf: Leaf, text: TextOf | None) -> str:
        return str(leaf) if text is None else text(leaf.ref)

    # ---- types and attributes

    def _type_of(self, node: Node, text: TextOf | None) -> t.Type:
        if node.kind in ("type", "plain_type"):
            (child,) = node.nodes
            return self._type_of(child, text)
        make = TYPES.get(node.kind)
        if node.kind == "dialect_type":
            return self._dialect_type(node, text)
        if make is None:
            raise ElaborationFailure("expected type", node.start)
        return make(self, node, text)

    def function_type(self, node: Node, text: TextOf | None) -> tuple[list[t.Type], list[t.Type]]:
        """The types on both sides of a tree of kind `function_type`."""
        left, right = node.nodes
        inputs = [self.type(n, text) for n in left.nodes]
        results = [self.type(n, text) for n in right.nodes] if right.kind == "type_parens" else [self.type(right, text)]
        return inputs, results

    def _dialect_type(self, node: Node, text: TextOf | None) -> t.Type:
        head = node.leaves[0]
        name = str(head)[1:]
        dialect_name, dot, mnemonic = name.partition(".")
        if not dot and not node.nodes:
            return self.alias(head, name)
        dialect = self.context.dialect(dialect_name)
        wrapped = not dot
        mnemonic = mnemonic or _first_word(node)
        reader_of = dialect.types.get(mnemonic) if dialect is not None else None
        if reader_of is None:
            if dialect is not None and (wrong := dialect.wrong_type(mnemonic)) is not None:
                raise ElaborationFailure(wrong, node.start)
            return t.UnknownType(_pretty(self.source(node, text, verbatim=dialect is None)))
        return self._read(node, text, reader_of, wrapped and bool(mnemonic))

    def _read(self, node: Node, text: TextOf | None, read: Callable[[Reader], M], wrapped: bool) -> M:
        """The type or attribute that a dialect's reader makes of the body, and of the type behind an attribute, which
        not every reader takes; `wrapped` is one like `!llvm<ptr>`. MLIR does not look at what a reader leaves: a body
        of which it takes nothing, since the type has no parameters, is no mistake, nor is anything behind a wrapped
        one."""
        tokens: list[Token] = []
        places: list[Ref] = []
        body = _without_type(node)
        leaves = list(body.all_leaves())
        behind = list(node.all_leaves())[len(leaves) :]
        for leaf in (*(leaves[3:-1] if wrapped else leaves[1:]), *behind):
            leaf_tokens = tokens_of(self.leaf(leaf, text)) if leaf.type != "DIMS" else [Token("DIMS", str(leaf), 0, 0)]
            tokens += leaf_tokens
            places += [leaf.ref] * len(leaf_tokens)
        reader = Reader(tokens, self, node.start, places)
        value = read(reader)
        if reader.position and not wrapped and not reader.at_end and not (behind and reader.at(":")):
            reader.fail(f"unexpected '{reader.token.text}'")
        return value

    def alias(self, head: Leaf, name: str) -> Any:
        """What an alias stands for; the first use of one gives it its meaning."""
        self.is_alias_free = False
        aliases = self.aliases
        key = f"{head[0]}{name}"
        if key not in aliases.known:
            if aliases.definition(key) is None:
                told = key in aliases.broken
                raise ElaborationFailure(f"undefined symbol alias id '{name}'", head.ref, told=told)
            if key in self._open:
                raise ElaborationFailure(f"alias '{name}' refers to itself", head.ref, of_uses=True)
            # Those that it is made of come first, lest a chain of them be followed by as many calls.
            for unknown in aliases.unknown_in(key):
                if unknown not in aliases.failed and unknown not in self._open:
                    self._define(unknown)
            self.is_alias_free = False
        if key in aliases.failed:
            message, told = aliases.failed[key]
            raise ElaborationFailure(message, head.ref, told=told, of_uses=not told)
        return aliases.known[key]

    def _define(self, key: str) -> None:
        """Finds out what an alias stands for, or what is wrong with it."""
        aliases = self.aliases
        definition = aliases.definition(key)
        assert definition is not None, "the alias is defined"
        piece, event = definition
        node, its_text = event.alias.value, piece.texts(event.base)
        self._open.add(key)
        try:
            value = self.type(node, its_text) if key.startswith("!") else self.attribute(node, its_text)
            if aliases.levels_of(value) > MOST_LEVELS:
                raise ElaborationFailure(
                    f"alias '{key[1:]}' nests more than {MOST_LEVELS} levels deep", 0, of_uses=True
                )
        except ElaborationFailure as failure:
            aliases.failed[key] = failure.message, not failure.of_uses
        else:
            aliases.known[key] = value
        finally:
            self._open.discard(key)

    def alias_named(self, name: str) -> t.Type | a.Attribute | None:
        """What an alias such as `#map` stands for; None where there is none that means something."""
        try:
            return self.alias(Leaf.of("ALIAS", name, 0), name[1:])
        except ElaborationFailure:
            return None

    def identify(self, name: Hashable, meaning: object) -> object:
        """What a name stands for that means one thing throughout a text: `meaning`, if the name was not met before."""
        self.is_alias_free = False
        return meaning if self._identities is None else self._identities.setdefault(name, meaning)

    def blob(self, key: str) -> a.Blob | None:
        """What the document's metadata has under the key of a resource."""
        self.is_alias_free = False
        return self.aliases.metadata.blobs.get(key)

    def source(self, node: Node, text: TextOf | None, *, verbatim: bool = False) -> str:
        """The tokens of a tree as text, with the spaces between them. A line break is a blank, or nothing at
        a bracket's edge, unless the text is to be `verbatim`, as MLIR keeps what is of no dialect that it knows."""
        words: list[str] = []
        for leaf in node.all_leaves():
            word, spaced = self.leaf(leaf, text), leaf.spaced
            if not verbatim and "\n" in spaced:
                spaced = "" if not words or word in _CLOSING or words[-1][-1:] in _OPENING else " "
            words.append(spaced + word)
        return "".join(words).lstrip()

    # ---- attributes

    def _attribute_of(self, node: Node, text: TextOf | None) -> a.Attribute:
        if node.kind == "attribute":
            (child,) = node.nodes
            return self._attribute_of(child, text)
        if node.kind in ("type", "plain_type"):
            return a.TypeAttr(self._type_of(node, text))
        make = ATTRIBUTES.get(node.kind)
        if node.kind == "hash_attr":
            return self._hash(node, text)
        if make is None:
            raise ElaborationFailure("expected attribute value", node.start)
        return make(self, node, text)

    def _literal_of(self, node: Node, text: TextOf | None, implied: t.Type) -> a.Attribute:
        if node.kind == "attribute":
            (child,) = node.nodes
            return self._literal_of(child, text, implied)
        if node.kind == "dense":
            return dense(self, node, text, implied)
        if node.kind == "sparse":
            return sparse(self, node, text, implied)
        if node.kind == "dense_resource":
            return resource(self, node, text, implied)
        if node.kind not in ("literal", "number", "boolean"):
            return self._attribute_of(node, text)
        if node.kind == "literal":
            first = node.nodes[0]
            if first.kind == "boolean" or len(node.nodes) > 1:
                return self._attribute_of(node, text)
            node = first
        return number_attribute(self, node, text, implied)

    def entries(self, node: Node, text: TextOf | None) -> dict[str, a.Attribute]:
        """The entries of a dictionary, in the order of the text."""
        entries: dict[str, a.Attribute] = {}
        for entry in node.nodes:
            key_leaf = entry.leaves[0]
            key = self.leaf(key_leaf, text)
            key = unquote(key) if key.startswith('"') else key
            if not key:
                raise ElaborationFailure("expected valid attribute name", key_leaf.ref)
            if key in entries:
                raise ElaborationFailure(f"duplicate key '{key}' in dictionary attribute", key_leaf.ref)
            entries[key] = self.attribute(entry.nodes[0], text) if entry.nodes else a.UNIT
        return entries

    def _hash(self, node: Node, text: TextOf | None) -> a.Attribute:
        head = node.leaves[0]
        name = self.leaf(head, text)[1:]
        dialect_name, dot, mnemonic = name.partition(".")
        if not dot and not node.nodes:
            return self.alias(head, name)
        dialect = self.context.dialect(dialect_name)
        wrapped = not dot
        mnemonic = mnemonic or _first_word(node)
        reader_of = dialect.attributes.get(mnemonic) if dialect is not None else None
        if reader_of is None:
            if dialect is not None and (wrong := dialect.wrong_attribute(mnemonic)) is not None:
                raise ElaborationFailure(wrong, node.start)
            declared = next((self.type(n, text) for n in node.nodes if n.kind == "type"), t.NONE)
            written = _pretty(self.source(_without_type(node), text, verbatim=dialect is None))
            return a.UnknownAttr(written, None if declared == t.NONE else declared)
        attribute = self._read(node, text, reader_of, wrapped)
        stated = next((child for child in node.nodes if child.kind == "type"), None)
        if stated is None or not isinstance(attribute, DialectAttr):
            return attribute
        from fathom.irdl.parametric import Parametric

        definition = attribute.definition
        if not isinstance(definition, Parametric):
            return attribute
        return definition.with_type(attribute, self.type(stated, text))


def _without_type(node: Node) -> Node:
    """`#foo.bar<1>` of `#foo.bar<1> : i32`."""
    if not any(child.kind == "type" for child in node.nodes):
        return node
    return Node(node.kind, node.children[:-2])


def _first_word(node: Node) -> str:
    """The mnemonic in the body of `!llvm<ptr>`."""
    leaves = list(node.all_leaves())
    return str(leaves[2]) if len(leaves) > 3 and leaves[2].type == "BARE" else ""


_WRAPPED: Final = re.compile(r"([#!]\w+)<([A-Za-z][\w.$-]*(?:<.*>)?)>", re.DOTALL)


def _pretty(source: str) -> str:
    """`#dialect.name<…>` for `#dialect<name<…>>`, as MLIR prints both."""
    match = _WRAPPED.fullmatch(source)
    if match is None or not _closes_last(match[2]):
        return source
    return f"{match[1]}.{match[2]}"


def _closes_last(body: str) -> bool:
    """Whether the first angle bracket of the body, if any, is closed by its last character."""
    depth = 0
    for index, character in enumerate(body):
        depth += (character == "<") - (character == ">" and body[index - 1] != "-")
        if depth == 0 and character == ">":
            return index == len(body) - 1
    return depth == 0
