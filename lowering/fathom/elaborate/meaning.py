"""What trees of types and attributes mean: `Node` to `Type` and `Attribute`.

Source of the rules: *Builtin Dialect*, and the parser of MLIR 22 for the wording of mistakes.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from fathom.elaborate import affine_maps, dense_values, locations
from fathom.elaborate.failure import ElaborationFailure
from fathom.elaborate.reader import Reader
from fathom.ir import attributes as a
from fathom.ir import types as t
from fathom.ir.floats import SEMANTICS
from fathom.syntax.lexer import Token, tokens_of
from fathom.syntax.nodes import Leaf, Node

if TYPE_CHECKING:
    from fathom.dialects import Registry

TextOf = Callable[[int], str]
"""The text of a token of the operation at hand, by its reference."""

_VARYING: Final = frozenset(("INTEGER", "FLOAT", "STRING", "SYMBOL", "VALUE", "BLOCK"))
_SIMPLE: Final = {"index": t.INDEX, "none": t.NONE, **{name: t.FloatType(name) for name in SEMANTICS}}


@dataclass(slots=True)
class Aliases:
    """The aliases of a document, by name without `!` or `#`; each with the tree it stands for and that tree's texts."""

    types: dict[str, tuple[Node, TextOf | None]] = field(default_factory=dict[str, "tuple[Node, TextOf | None]"])
    attributes: dict[str, tuple[Node, TextOf | None]] = field(default_factory=dict[str, "tuple[Node, TextOf | None]"])
    _open: set[str] = field(default_factory=set[str])
    known: dict[str, t.Type | a.Attribute] = field(default_factory=dict[str, "t.Type | a.Attribute"])


def unquote(literal: str) -> str:
    """The value of a string literal: `\\n`, `\\t`, `\\\\`, `\\"` and two hexadecimal digits for a byte of UTF-8."""
    inner = literal[1:-1]
    if "\\" not in inner:
        return inner
    out = bytearray()
    data = inner.encode("utf-8", "surrogateescape")
    index = 0
    while index < len(data):
        byte = data[index]
        if byte != 0x5C or index + 1 >= len(data):
            out.append(byte)
            index += 1
            continue
        escape = chr(data[index + 1])
        if escape in _ESCAPES:
            out.append(_ESCAPES[escape])
            index += 2
        else:
            digits = data[index + 1 : index + 3].decode("ascii", "replace")
            try:
                out += codecs.decode(digits, "hex")
            except ValueError:
                raise ElaborationFailure("unknown escape in string literal", 0) from None
            index += 3
    return out.decode("utf-8", "surrogateescape")


_ESCAPES: Final = {"n": 0x0A, "t": 0x09, "\\": 0x5C, '"': 0x22}


def symbol_name(text: str) -> str:
    """The name in `@name` or `@"name"`."""
    return unquote(text[1:]) if text.startswith('@"') else text[1:]


class Meanings:
    """Gives trees their meaning, under the dialects of a registry and the aliases of a document."""

    def __init__(self, registry: Registry, aliases: Aliases | None = None) -> None:
        self.registry = registry
        self.aliases = aliases if aliases is not None else Aliases()
        self._alias_free = True

    # ---- caching

    def type(self, node: Node, text: TextOf | None) -> t.Type:
        """The type that a tree of kind `type` stands for."""
        cached = node.cache
        if cached is not None:
            return cached  # type: ignore[return-value]
        return self._remember(node, text, self._type_of)

    def attribute(self, node: Node, text: TextOf | None, implied: t.Type | None = None) -> a.Attribute:
        """The attribute that a tree stands for; `implied` is the type of a literal that does not state one."""
        cached = node.cache
        if cached is not None:
            return cached  # type: ignore[return-value]
        if implied is not None:
            return self._remember(node, text, lambda n, x: self._literal_of(n, x, implied))
        return self._remember(node, text, self._attribute_of)

    def _remember(self, node: Node, text: TextOf | None, make: Callable[[Node, TextOf | None], object]) -> object:  # type: ignore[return]
        outer, self._alias_free = self._alias_free, True
        value = make(node, text)
        if self._alias_free and (node.constant or not any(leaf.type in _VARYING for leaf in node.all_leaves())):
            node.cache = value
        self._alias_free = self._alias_free and outer
        return value

    def leaf(self, leaf: Leaf, text: TextOf | None) -> str:
        return str(leaf) if text is None else text(leaf.index)

    # ---- types

    def _type_of(self, node: Node, text: TextOf | None) -> t.Type:
        if node.kind in ("type", "plain_type"):
            (child,) = node.nodes
            return self._type_of(child, text)
        make = _TYPES.get(node.kind)
        if make is None:
            raise ElaborationFailure("expected type", node.start)
        return make(self, node, text)

    def _simple(self, node: Node, text: TextOf | None) -> t.Type:
        word = str(node.leaves[0])
        known = _SIMPLE.get(word)
        if known is not None:
            return known
        signedness = word[0] if word[0] in "su" else ""
        width = int(word.lstrip("sui")[:9])
        if width >= 1 << 24:
            raise ElaborationFailure("integer bitwidth is limited to 16777215 bits", node.start)
        return t.IntegerType(width, signedness)

    def _dims(self, node: Node) -> tuple[list[int] | None, list[bool]]:
        text = next((str(leaf) for leaf in node.leaves if leaf.type == "DIMS"), "")
        if text == "*x":
            return None, []
        parts = text.split("x")[:-1]
        extents = [t.DYNAMIC if p == "?" else int(p.strip("[]")[:18]) for p in parts]
        if any(extent > 0x7FFFFFFFFFFFFFFF for extent in extents):
            raise ElaborationFailure("invalid dimension", node.start)
        return extents, [p.startswith("[") for p in parts]

    def _element(self, node: Node, text: TextOf | None) -> t.Type:
        return self.type(next(n for n in node.nodes if n.kind == "type"), text)

    def _tensor(self, node: Node, text: TextOf | None) -> t.Type:
        shape, scalable = self._dims(node)
        element = self._element(node, text)
        if any(scalable):
            raise ElaborationFailure("expected dimension", node.start)
        if not _is_element(element) and not isinstance(element, (t.ComplexType, t.VectorType, t.UnknownType)):
            if type(element).__module__ == t.__name__:
                raise ElaborationFailure("invalid tensor element type: " + _quoted(element), node.start)
        encoding = next((self.attribute(n, text) for n in node.nodes if n.kind == "attribute"), None)
        return t.TensorType(None if shape is None else tuple(shape), element, encoding)

    def _vector(self, node: Node, text: TextOf | None) -> t.Type:
        shape, scalable = self._dims(node)
        element = self._element(node, text)
        if shape is None or t.DYNAMIC in shape:
            raise ElaborationFailure("expected dimension size in vector type", node.start)
        if 0 in shape:
            raise ElaborationFailure(
                "vector types must have positive constant sizes but got " + ", ".join(map(str, shape)), node.start
            )
        if not _is_element(element) and type(element).__module__ == t.__name__:
            raise ElaborationFailure("failed to verify 'elementType': VectorElementTypeInterface instance", node.start)
        return t.VectorType(tuple(shape), element, tuple(scalable) if any(scalable) else ())

    def _memref(self, node: Node, text: TextOf | None) -> t.Type:
        shape, scalable = self._dims(node)
        element = self._element(node, text)
        if any(scalable):
            raise ElaborationFailure("expected dimension", node.start)
        if isinstance(element, (t.FunctionType, t.TupleType, t.NoneType, t.TensorType)):
            raise ElaborationFailure("invalid memref element type", node.start)
        layout: a.Attribute | None = None
        space: a.Attribute | None = None
        for each in [n for n in node.nodes if n.kind == "attribute"]:
            value = self.attribute(each, text)
            if isinstance(value, (a.AffineMapAttr, a.StridedLayoutAttr)):
                if shape is None:
                    raise ElaborationFailure("cannot have affine map for unranked memref type", each.start)
                if space is not None:
                    raise ElaborationFailure("expected memory space to be last in memref type", each.start)
                if layout is not None:
                    raise ElaborationFailure("multiple memory spaces specified in memref type", each.start)
                layout = value
            elif space is not None:
                raise ElaborationFailure("multiple memory spaces specified in memref type", each.start)
            else:
                space = value
        if shape is not None:
            layout = self._layout(node, layout, len(shape))
        if isinstance(space, a.IntegerAttr) and space.value == 0 and space.type == t.I64:
            space = None
        return t.MemRefType(None if shape is None else tuple(shape), element, layout, space)

    def _layout(self, node: Node, layout: a.Attribute | None, rank: int) -> a.Attribute | None:
        if isinstance(layout, a.AffineMapAttr):
            if layout.map.dims != rank:
                raise ElaborationFailure(
                    f"memref layout mismatch between rank and affine map: {rank} != {layout.map.dims}", node.start
                )
            return None if layout.map.is_identity else layout
        if isinstance(layout, a.StridedLayoutAttr) and len(layout.strides) != rank:
            raise ElaborationFailure("expected the number of strides to match the rank", node.start)
        return layout

    def _complex(self, node: Node, text: TextOf | None) -> t.Type:
        element = self._element(node, text)
        if not isinstance(element, (t.IntegerType, t.FloatType)):
            raise ElaborationFailure("invalid element type for complex", node.start)
        return t.ComplexType(element)

    def _tuple(self, node: Node, text: TextOf | None) -> t.Type:
        return t.TupleType(tuple(self.type(n, text) for n in node.nodes))

    def _function(self, node: Node, text: TextOf | None) -> t.Type:
        inputs, results = self.function_type(node, text)
        return t.FunctionType(tuple(inputs), tuple(results))

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
            return self._alias(head, name, text)  # type: ignore[return-value]
        dialect = self.registry.dialect(dialect_name)
        wrapped = not dot
        mnemonic = mnemonic or _first_word(node)
        reader_of = dialect.types.get(mnemonic) if dialect is not None else None
        if reader_of is None:
            return t.UnknownType(_pretty(self.source(node, text)))
        return self._read(node, text, reader_of, wrapped)  # type: ignore[return-value]

    def _read(self, node: Node, text: TextOf | None, read: Callable[[Reader], object], wrapped: bool) -> object:
        """The type or attribute that a dialect's reader makes of the body; `wrapped` is one like `!llvm<ptr>`."""
        tokens: list[Token] = []
        leaves = list(node.all_leaves())
        for leaf in leaves[3:-1] if wrapped else leaves[1:]:
            tokens += tokens_of(self.leaf(leaf, text)) if leaf.type != "DIMS" else [Token("DIMS", str(leaf), 0, 0)]
        reader = Reader(tokens, self, node.start)
        value = read(reader)
        if not reader.at_end:
            reader.fail(f"unexpected '{reader.token.text}'")
        return value

    def _alias(self, head: Leaf, name: str, text: TextOf | None) -> t.Type | a.Attribute:
        self._alias_free = False
        aliases = self.aliases
        key = str(head)
        if key in aliases.known:
            return aliases.known[key]
        is_type = key.startswith("!")
        found = (aliases.types if is_type else aliases.attributes).get(name)
        if found is None:
            raise ElaborationFailure(f"undefined symbol alias id '{name}'", head.index)
        if key in aliases._open:
            raise ElaborationFailure(f"alias '{name}' refers to itself", head.index)
        aliases._open.add(key)
        try:
            node, its_text = found
            value = self.type(node, its_text) if is_type else self.attribute(node, its_text)
        finally:
            aliases._open.discard(key)
        self._alias_free = False
        aliases.known[key] = value
        return value

    def source(self, node: Node, text: TextOf | None) -> str:
        """The tokens of a tree as text, with a space where the source has white space."""
        out = ""
        for leaf in node.all_leaves():
            out += f" {self.leaf(leaf, text)}" if leaf.spaced and out else self.leaf(leaf, text)
        return out

    # ---- attributes

    def _attribute_of(self, node: Node, text: TextOf | None) -> a.Attribute:
        if node.kind == "attribute":
            (child,) = node.nodes
            return self._attribute_of(child, text)
        if node.kind in ("type", "plain_type"):
            return a.TypeAttr(self._type_of(node, text))
        make = _ATTRIBUTES.get(node.kind)
        if make is None:
            raise ElaborationFailure("expected attribute value", node.start)
        return make(self, node, text)

    def _literal_of(self, node: Node, text: TextOf | None, implied: t.Type) -> a.Attribute:
        if node.kind == "attribute":
            (child,) = node.nodes
            return self._literal_of(child, text, implied)
        if node.kind == "dense":
            return dense_values.dense_attribute(self, node, text, implied)
        if node.kind == "sparse":
            return dense_values.sparse_attribute(self, node, text, implied)
        if node.kind not in ("literal", "number", "boolean"):
            return self._attribute_of(node, text)
        if node.kind == "literal":
            first = node.nodes[0]
            if first.kind == "boolean" or len(node.nodes) > 1:
                return self._attribute_of(node, text)
            node = first
        return dense_values.number_attribute(self, node, text, implied)

    def _literal(self, node: Node, text: TextOf | None) -> a.Attribute:
        first = node.nodes[0]
        if first.kind == "boolean":
            return a.TRUE if str(first.leaves[0]) == "true" else a.FALSE
        declared = self.type(node.nodes[1], text) if len(node.nodes) > 1 else None
        return dense_values.number_attribute(self, first, text, declared)

    def _string(self, node: Node, text: TextOf | None) -> a.Attribute:
        declared = self.type(node.nodes[0], text) if node.nodes else None
        return a.StringAttr(unquote(self.leaf(node.leaves[0], text)), declared)

    def _array(self, node: Node, text: TextOf | None) -> a.Attribute:
        return a.ArrayAttr(tuple(self.attribute(n, text) for n in node.nodes))

    def entries(self, node: Node, text: TextOf | None) -> dict[str, a.Attribute]:
        """The entries of a dictionary, in the order of the text."""
        found: dict[str, a.Attribute] = {}
        for entry in node.nodes:
            key_leaf = entry.leaves[0]
            key = self.leaf(key_leaf, text)
            key = unquote(key) if key.startswith('"') else key
            if not key:
                raise ElaborationFailure("expected valid attribute name", key_leaf.index)
            if key in found:
                raise ElaborationFailure(f"duplicate key '{key}' in dictionary attribute", key_leaf.index)
            found[key] = self.attribute(entry.nodes[0], text) if entry.nodes else a.UNIT
        return found

    def _attr_dict(self, node: Node, text: TextOf | None) -> a.Attribute:
        return a.dict_attr(self.entries(node, text))

    def _symbol_ref(self, node: Node, text: TextOf | None) -> a.Attribute:
        root, *nested = [symbol_name(self.leaf(leaf, text)) for leaf in node.leaves if leaf.type == "SYMBOL"]
        return a.SymbolRefAttr(root, tuple(nested))

    def _resource(self, node: Node, text: TextOf | None) -> a.Attribute:
        key = self.leaf(node.leaves[2], text)
        return a.DenseResourceAttr(unquote(key) if key.startswith('"') else key, self._shaped(node, text))

    def _shaped(self, node: Node, text: TextOf | None) -> t.ShapedType:
        if not node.nodes:
            raise ElaborationFailure("expected ':'", node.end - 1)
        declared = self.type(node.nodes[-1], text)
        if not isinstance(declared, t.ShapedType):
            raise ElaborationFailure("expected a shaped type", node.nodes[-1].start)
        return declared

    def _strided(self, node: Node, text: TextOf | None) -> a.Attribute:
        numbers = [self._extent(n, text) for n in node.nodes]
        has_offset = any(leaf.type == "OFFSET" for leaf in node.leaves)
        offset = numbers.pop() if has_offset else 0
        return a.StridedLayoutAttr(tuple(numbers), offset)

    def _extent(self, node: Node, text: TextOf | None) -> int:
        words = [self.leaf(leaf, text) for leaf in node.leaves]
        return t.DYNAMIC if words == ["?"] else int("".join(words))

    def _hash(self, node: Node, text: TextOf | None) -> a.Attribute:
        head = node.leaves[0]
        name = str(head)[1:]
        dialect_name, dot, mnemonic = name.partition(".")
        if not dot and not node.nodes:
            return self._alias(head, name, text)  # type: ignore[return-value]
        dialect = self.registry.dialect(dialect_name)
        wrapped = not dot
        mnemonic = mnemonic or _first_word(node)
        reader_of = dialect.attributes.get(mnemonic) if dialect is not None else None
        if reader_of is None:
            return a.UnknownAttr(_pretty(self.source(node, text)))
        return self._read(node, text, reader_of, wrapped)  # type: ignore[return-value]

    def _distinct(self, node: Node, text: TextOf | None) -> a.Attribute:
        return a.UnknownAttr(self.source(node, text))


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


def _quoted(type_: t.Type) -> str:
    return f"'{type_}'"


def _is_element(type_: t.Type) -> bool:
    return isinstance(type_, (t.IntegerType, t.IndexType, t.FloatType))


_TYPES: Final[Mapping[str, Callable[[Meanings, Node, TextOf | None], t.Type]]] = {
    "simple_type": Meanings._simple,
    "tensor_type": Meanings._tensor,
    "memref_type": Meanings._memref,
    "vector_type": Meanings._vector,
    "complex_type": Meanings._complex,
    "tuple_type": Meanings._tuple,
    "function_type": Meanings._function,
    "dialect_type": Meanings._dialect_type,
}
_ATTRIBUTES: Final[Mapping[str, Callable[[Meanings, Node, TextOf | None], a.Attribute]]] = {
    "literal": Meanings._literal,
    "number": lambda meanings, node, text: dense_values.number_attribute(meanings, node, text, None),
    "string": Meanings._string,
    "array": Meanings._array,
    "attr_dict": Meanings._attr_dict,
    "symbol_ref": Meanings._symbol_ref,
    "dense": dense_values.dense_attribute,
    "dense_array": dense_values.dense_array,
    "dense_resource": Meanings._resource,
    "sparse": dense_values.sparse_attribute,
    "affine_map_attr": affine_maps.map_attribute,
    "affine_map": lambda meanings, node, text: a.AffineMapAttr(affine_maps.affine_map(meanings, node, text)),
    "affine_set_attr": affine_maps.set_attribute,
    "strided": Meanings._strided,
    "hash_attr": Meanings._hash,
    "distinct": Meanings._distinct,
    "location": locations.location_attribute,
    "unit": lambda _meanings, _node, _text: a.UNIT,
}
