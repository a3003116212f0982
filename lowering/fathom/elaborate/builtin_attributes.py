"""The builtin attributes from their trees.

Source of the rules: *Builtin Dialect*, "Attributes", and the parser of MLIR 22 for the wording of mistakes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from fathom.elaborate import affine_maps, locations
from fathom.elaborate.failure import ElaborationFailure
from fathom.elaborate.literals import symbol_name, unquote
from fathom.elaborate.numbers import number_attribute
from fathom.ir import attributes as a
from fathom.ir import types as t
from fathom.ir.strides import strided_map
from fathom.slices import paced
from fathom.syntax.expectations import exceeds_64_bits, integer_of
from fathom.syntax.nodes import Node

if TYPE_CHECKING:
    from fathom.elaborate.parts import Parts, TextOf


def literal(meanings: Parts, node: Node, text: TextOf | None) -> a.Attribute:
    first = node.nodes[0]
    if first.kind == "boolean":
        return a.TRUE if str(first.leaves[0]) == "true" else a.FALSE
    declared = meanings.type(node.nodes[1], text) if len(node.nodes) > 1 else None
    return number_attribute(meanings, first, text, declared)


def string(meanings: Parts, node: Node, text: TextOf | None) -> a.Attribute:
    declared = meanings.type(node.nodes[0], text) if node.nodes else None
    return a.StringAttr(unquote(meanings.leaf(node.leaves[0], text)), declared)


def array(meanings: Parts, node: Node, text: TextOf | None) -> a.Attribute:
    return a.ArrayAttr(tuple([meanings.attribute(n, text) for n in paced(node.nodes)]))


def attr_dict(meanings: Parts, node: Node, text: TextOf | None) -> a.Attribute:
    return a.dict_attr(meanings.entries(node, text))


def symbol_ref(meanings: Parts, node: Node, text: TextOf | None) -> a.Attribute:
    root, *nested = [symbol_name(meanings.leaf(leaf, text)) for leaf in node.leaves if leaf.type == "SYMBOL"]
    return a.SymbolRefAttr(root, tuple(nested))


def resource(meanings: Parts, node: Node, text: TextOf | None, implied: t.Type | None = None) -> a.Attribute:
    """`dense_resource<key> : type`, or without a type where the context implies one."""
    spelt = meanings.leaf(node.leaves[2], text)
    key = unquote(spelt) if spelt.startswith('"') else spelt
    return a.DenseResourceAttr(key, _shaped(meanings, node, text, implied), meanings.blob(key))


def _shaped(meanings: Parts, node: Node, text: TextOf | None, implied: t.Type | None) -> t.ShapedType:
    given = node.nodes[-1] if node.nodes else None
    declared = meanings.type(given, text) if given is not None else implied
    if declared is None:
        raise ElaborationFailure("expected ':'", node.end - 1)
    if not isinstance(declared, t.ShapedType):
        raise ElaborationFailure("`dense_resource` expected a shaped type", given.start - 1 if given else node.end - 1)
    return declared


def strided(meanings: Parts, node: Node, text: TextOf | None) -> a.Attribute:
    numbers = [_extent(meanings, n, text) for n in node.nodes]
    has_offset = any(leaf.type == "OFFSET" for leaf in node.leaves)
    offset = numbers.pop() if has_offset else 0
    return a.StridedLayoutAttr(tuple(numbers), offset)


def former_layout(meanings: Parts, node: Node, text: TextOf | None) -> a.Attribute:
    """`offset: 2, strides: [4, 1]` of a former release, which stands for a map."""
    offset, *strides = (_extent(meanings, n, text) for n in node.nodes)
    return a.AffineMapAttr(strided_map(strides, offset))


def former_elements(meanings: Parts, node: Node, text: TextOf | None) -> a.Attribute:
    """`opaque<"dialect", "0x1234"> : tensor<2xi8>` of a former release, which stays as it is."""
    dialect, data = (meanings.leaf(leaf, text) for leaf in node.leaves if leaf.type == "STRING")
    return a.UnknownAttr(f"opaque<{dialect}, {data}>", meanings.type(node.nodes[0], text))


def _extent(meanings: Parts, node: Node, text: TextOf | None) -> int:
    words = [meanings.leaf(leaf, text) for leaf in node.leaves]
    if words == ["?"]:
        return t.DYNAMIC
    number = -1 if exceeds_64_bits(words[-1]) else integer_of(words[-1])
    # The smallest of 64 bits stands for `?`.
    if not 0 <= number < 2**63:
        raise ElaborationFailure("expected a 64-bit signed integer or '?'", node.start)
    return number if len(words) == 1 else -number


def distinct(meanings: Parts, node: Node, text: TextOf | None) -> a.Attribute:
    referenced = meanings.attribute(node.nodes[0], text) if node.nodes else a.UNIT
    number = meanings.leaf(node.leaves[2], text)
    if exceeds_64_bits(number):
        raise ElaborationFailure("expected an unsigned 64-bit integer", node.leaves[3].ref)
    value = integer_of(number)
    known = meanings.identify(("distinct", value), referenced)
    if known != referenced:
        raise ElaborationFailure(f"referenced attribute does not match previous definition: {known}", node.start)
    return a.DistinctAttr(value, referenced)


# Most texts have no elements: what reads them is imported when some are met.


def dense(meanings: Parts, node: Node, text: TextOf | None, implied: t.Type | None = None) -> a.Attribute:
    """`dense<…> : tensor<2xi8>`."""
    from fathom.elaborate.dense_values import dense_attribute

    return dense_attribute(meanings, node, text, implied)


def dense_array(meanings: Parts, node: Node, text: TextOf | None) -> a.Attribute:
    """`array<i64: 1, 2>`."""
    from fathom.elaborate.dense_values import dense_array

    return dense_array(meanings, node, text)


def sparse(meanings: Parts, node: Node, text: TextOf | None, implied: t.Type | None = None) -> a.Attribute:
    """`sparse<…> : tensor<2xi8>`."""
    from fathom.elaborate.dense_values import sparse_attribute

    return sparse_attribute(meanings, node, text, implied)


ATTRIBUTES: Final[Mapping[str, Callable[[Parts, Node, TextOf | None], a.Attribute]]] = {
    "literal": literal,
    "number": lambda meanings, node, text: number_attribute(meanings, node, text, None),
    "string": string,
    "array": array,
    "attr_dict": attr_dict,
    "symbol_ref": symbol_ref,
    "dense": dense,
    "dense_array": dense_array,
    "dense_resource": resource,
    "sparse": sparse,
    "affine_map_attr": affine_maps.map_attribute,
    "affine_map": lambda meanings, node, text: a.AffineMapAttr(affine_maps.affine_map(meanings, node, text)),
    "affine_set_attr": affine_maps.set_attribute,
    "strided": strided,
    "former_layout": former_layout,
    "former_elements": former_elements,
    "distinct": distinct,
    "location": locations.location_attribute,
    "unit": lambda _meanings, _node, _text: a.UNIT,
}
"""What reads a tree of each kind."""
