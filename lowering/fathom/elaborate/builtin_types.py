"""The builtin types from their trees.

Source of the rules: *Builtin Dialect*, "Types", and the parser of MLIR 22 for the wording of mistakes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from fathom.elaborate.element_types import (
    element_of_complex,
    element_of_memref,
    element_of_tensor,
    element_of_vector,
)
from fathom.elaborate.failure import ElaborationFailure
from fathom.ir import attributes as a
from fathom.ir import types as t
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.floats import SEMANTICS
from fathom.syntax.nodes import Node

if TYPE_CHECKING:
    from fathom.elaborate.parts import Parts, TextOf

_SIMPLE: Final[Mapping[str, t.Type]] = {
    "index": t.INDEX,
    "none": t.NONE,
    **{name: t.FloatType(name) for name in SEMANTICS},
}


_MOST_DIGITS: Final = 10
"""More than 32 bits hold."""


def simple_type(meanings: Parts, node: Node, text: TextOf | None) -> t.Type:
    word = str(node.leaves[0])
    known = _SIMPLE.get(word)
    if known is not None:
        return known
    signedness = word[0] if word[0] in "su" else ""
    digits = word.lstrip("sui").lstrip("0") or "0"
    if len(digits) > _MOST_DIGITS or int(digits) >= 1 << 32:
        raise ElaborationFailure("invalid integer width", node.start)
    width = int(digits)
    if width >= 1 << 24:
        raise ElaborationFailure("integer bitwidth is limited to 16777215 bits", node.start)
    return t.IntegerType(width, signedness) if signedness else t.signless(width)


def _dims(meanings: Parts, node: Node) -> tuple[list[int] | None, list[bool]]:
    leaves = [leaf for leaf in node.leaves if leaf.type == "DIMS"]
    text = "".join(leaves)
    parts = [part.strip() for part in text.split("x")[:-1]]
    if parts == ["*"]:
        return None, []
    if "*" in parts:
        raise ElaborationFailure("expected non-function type", leaves[1].ref)
    digits = [p.strip(" \t[]").lstrip("0") or "0" for p in parts]
    # Twenty digits are more than 64 bits hold, whatever their value.
    if any(digit != "?" and (len(digit) > 19 or int(digit) >= 1 << 63) for digit in digits):
        raise ElaborationFailure("invalid dimension", leaves[0].ref)
    extents = [t.DYNAMIC if digit == "?" else int(digit) for digit in digits]
    return extents, [p.startswith("[") for p in parts]


def _not_a_type(node: Node) -> ElaborationFailure:
    """What MLIR says of a dimension that types of this kind have not: it stands where the type of the elements may."""
    dims = next(leaf for leaf in node.leaves if leaf.type == "DIMS")
    return ElaborationFailure("expected non-function type", dims.ref)


def tensor_type(meanings: Parts, node: Node, text: TextOf | None) -> t.Type:
    shape, scalable = _dims(meanings, node)
    if any(scalable):
        raise _not_a_type(node)
    element = element_of_tensor(meanings, node, text)
    encoding = next((meanings.attribute(n, text) for n in node.nodes if n.kind == "attribute"), None)
    if isinstance(encoding, DialectAttr) and shape is not None:
        problem = encoding.definition.encoding_problem(encoding.parameters, shape, element)
        if problem is not None:
            # MLIR has come to the bracket that closes the type.
            raise ElaborationFailure(problem, node.end - 1)
    return t.TensorType(None if shape is None else tuple(shape), element, encoding)


def vector_type(meanings: Parts, node: Node, text: TextOf | None) -> t.Type:
    shape, scalable = _dims(meanings, node)
    if shape is None or t.DYNAMIC in shape:
        raise _not_a_type(node)
    element = element_of_vector(meanings, node, text)
    if 0 in shape:
        raise ElaborationFailure(
            "vector types must have positive constant sizes but got " + ", ".join(map(str, shape)), node.start
        )
    return t.VectorType(tuple(shape), element, tuple(scalable) if any(scalable) else ())


def memref_type(meanings: Parts, node: Node, text: TextOf | None) -> t.Type:
    shape, scalable = _dims(meanings, node)
    if any(scalable):
        raise _not_a_type(node)
    element = element_of_memref(meanings, node, text)
    layout: a.Attribute | None = None
    space: a.Attribute | None = None
    for attribute in [n for n in node.nodes if n.kind == "attribute"]:
        value = meanings.attribute(attribute, text)
        if isinstance(value, (a.AffineMapAttr, a.StridedLayoutAttr)):
            if shape is None:
                raise ElaborationFailure("cannot have affine map for unranked memref type", attribute.start)
            if space is not None:
                raise ElaborationFailure("expected memory space to be last in memref type", attribute.start)
            # Of several the last one counts.
            layout = value
        elif isinstance(space, a.UnknownAttr) and layout is None and shape is not None:
            # Of an attribute of a dialect that nobody has described it is not known that it is no layout.
            layout, space = space, value
        elif space is not None:
            raise ElaborationFailure("multiple memory spaces specified in memref type", attribute.start)
        elif isinstance(value, _NO_MEMORY_SPACES):
            raise ElaborationFailure("unsupported memory space Attribute", node.start)
        else:
            space = value
    if shape is not None:
        layout = _layout(meanings, node, layout, len(shape))
    if isinstance(space, a.IntegerAttr) and space.value == 0 and space.type == t.I64:
        space = None
    return t.MemRefType(None if shape is None else tuple(shape), element, layout, space)


_NO_MEMORY_SPACES: Final = (
    a.ArrayAttr,
    a.DenseArrayAttr,
    a.DenseElementsAttr,
    a.DenseResourceAttr,
    a.DenseStringsAttr,
    a.FloatAttr,
    a.IntegerSetAttr,
    a.SparseElementsAttr,
    a.SymbolRefAttr,
    a.TypeAttr,
    a.UnitAttr,
)
"""The attributes of the builtin dialect that are no memory space; those of other dialects may be one."""


def _layout(meanings: Parts, node: Node, layout: a.Attribute | None, rank: int) -> a.Attribute | None:
    if isinstance(layout, a.AffineMapAttr):
        if layout.map.dims != rank:
            raise ElaborationFailure(
                f"memref layout mismatch between rank and affine map: {rank} != {layout.map.dims}", node.start
            )
        return None if layout.map.is_identity else layout
    if isinstance(layout, a.StridedLayoutAttr) and len(layout.strides) != rank:
        raise ElaborationFailure("expected the number of strides to match the rank", node.start)
    return layout


def complex_type(meanings: Parts, node: Node, text: TextOf | None) -> t.Type:
    return t.ComplexType(element_of_complex(meanings, node, text))


def tuple_type(meanings: Parts, node: Node, text: TextOf | None) -> t.Type:
    return t.TupleType(tuple(meanings.type(n, text) for n in node.nodes))


def function_type(meanings: Parts, node: Node, text: TextOf | None) -> t.Type:
    inputs, results = meanings.function_type(node, text)
    return t.FunctionType(tuple(inputs), tuple(results))


TYPES: Final[Mapping[str, Callable[[Parts, Node, TextOf | None], t.Type]]] = {
    "simple_type": simple_type,
    "tensor_type": tensor_type,
    "memref_type": memref_type,
    "vector_type": vector_type,
    "complex_type": complex_type,
    "tuple_type": tuple_type,
    "function_type": function_type,
}
"""What reads a tree of each kind."""
