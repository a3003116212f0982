"""Numbers and dense elements from their trees.

Source of the rules: *Builtin Dialect*, "DenseIntOrFPElementsAttr", and the parser of MLIR 22 for the wording of
mistakes.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from fathom.elaborate.failure import ElaborationFailure
from fathom.elaborate.literals import unquote
from fathom.ir import attributes as a
from fathom.ir import types as t
from fathom.ir.dense import storage_width
from fathom.ir.floats import SEMANTICS, from_float
from fathom.syntax.nodes import Node

if TYPE_CHECKING:
    from fathom.elaborate.parts import Parts, TextOf

MOST_ELEMENTS = 1 << 24


def number_attribute(meanings: Parts, node: Node, text: TextOf | None, declared: t.Type | None) -> a.Attribute:
    """An integer or float literal of a type; without one, `i64` and `f64`."""
    if declared is None:
        declared = t.F64 if any(leaf.type == "FLOAT" for leaf in node.leaves) else t.I64
    if isinstance(declared, t.FloatType):
        return a.FloatAttr(float_bits(meanings, node, text, declared), declared)
    if not isinstance(declared, (t.IntegerType, t.IndexType)):
        is_float = any(leaf.type == "FLOAT" for leaf in node.leaves)
        kind = "floating point value" if is_float else "integer literal"
        raise ElaborationFailure(f"{kind} not valid for specified type", node.start)
    if any(leaf.type == "FLOAT" for leaf in node.leaves):
        raise ElaborationFailure("floating point value not valid for specified type", node.start)
    return a.IntegerAttr(integer_value(meanings, node, text, declared, "attribute"), declared)


def integer_value(meanings: Parts, node: Node, text: TextOf | None, type_: t.Type, what: str) -> int:
    words = [meanings.leaf(leaf, text) for leaf in node.leaves]
    negative = words[0] == "-"
    digits = words[-1]
    if len(digits) > 4000:
        raise ElaborationFailure(f"integer constant out of range for {what}", node.start)
    value = int(digits, 16) if digits.startswith("0x") else int(digits)
    width = 64 if isinstance(type_, t.IndexType) else getattr(type_, "width", 64)
    signedness = getattr(type_, "signedness", "")
    if negative and signedness == "u":
        raise ElaborationFailure("negative integer literal not valid for unsigned integer type", node.start)
    value = -value if negative else value
    low = 0 if signedness == "u" else -(1 << (width - 1)) if width else 0
    high = (1 << (width - 1)) - 1 if signedness == "s" and width else (1 << width) - 1
    if not low <= value <= high:
        raise ElaborationFailure(f"integer constant out of range for {what}", node.start)
    return wrap(value, type_)


def wrap(value: int, type_: t.Type) -> int:
    """A value in the form in which attributes hold it: signed, but for `i1` and unsigned types."""
    width = 64 if isinstance(type_, t.IndexType) else getattr(type_, "width", 64)
    value &= (1 << width) - 1
    if getattr(type_, "signedness", "") == "u" or width <= 1:
        return value
    return value - (1 << width) if value >> (width - 1) else value


def float_bits(meanings: Parts, node: Node, text: TextOf | None, type_: t.FloatType) -> int:
    if node.kind == "boolean":
        raise ElaborationFailure("expected floating point literal", node.start)
    words = [meanings.leaf(leaf, text) for leaf in node.leaves]
    negative = words[0] == "-"
    literal = words[-1]
    semantics = SEMANTICS[type_.name]
    if literal.startswith("0x"):
        if negative:
            raise ElaborationFailure("hexadecimal float literal should not have a leading minus", node.start)
        value = int(literal, 16)
        if value >> semantics.width:
            raise ElaborationFailure("hexadecimal float constant out of range for type", node.start)
        return value
    if "." not in literal:
        raise ElaborationFailure(
            "unexpected decimal integer literal for a floating point value",
            node.start,
            ("add a trailing dot to make the literal a float",),
        )
    value = float(literal)
    return from_float(-value if negative else value, type_.name)


def declared_type(
    meanings: Parts, node: Node, text: TextOf | None, implied: t.Type | None
) -> tuple[t.Type, list[Node]]:
    """The type behind elements, or the one that the context implies where they have none; and what is before it."""
    nodes = node.nodes
    if nodes and nodes[-1].kind == "type":
        return meanings.type(nodes[-1], text), nodes[:-1]
    if implied is None:
        raise ElaborationFailure("expected ':'", node.end - 1)
    return implied, nodes


def dense_attribute(meanings: Parts, node: Node, text: TextOf | None, implied: t.Type | None = None) -> a.Attribute:
    """`dense<…> : type`."""
    declared, items = declared_type(meanings, node, text, implied)
    if not isinstance(declared, (t.TensorType, t.VectorType, t.MemRefType)):
        raise ElaborationFailure("elements literal must be a shaped type", node.end - 1)
    if not declared.has_static_shape:
        raise ElaborationFailure("elements literal type must have static shape", node.end - 1)
    strings = [leaf for leaf in node.leaves if leaf.type == "STRING"]
    if strings and not items:
        return _from_string(meanings, node, meanings.leaf(strings[0], text), declared)
    if items and _holds_strings(items[0]):
        return _string_elements(meanings, node, text, items[0], declared)
    return a.DenseElementsAttr(_elements(meanings, node, text, items, declared), declared)


def _holds_strings(item: Node) -> bool:
    return item.kind == "dense_list" and any(leaf.type == "STRING" for leaf in item.all_leaves())


def _elements(
    meanings: Parts, node: Node, text: TextOf | None, items: list[Node], declared: t.ShapedType
) -> tuple[int | tuple[int, int], ...]:
    shape = list(declared.ranked_shape)
    if not items:
        if prod(shape):
            raise ElaborationFailure("expected list of elements to have a shape", node.start)
        return ()
    (item,) = items
    element = declared.element
    if item.kind != "dense_list":
        if prod(shape) == 0:
            raise ElaborationFailure(f"parsed zero elements, but type ('{declared}') expected none", node.start)
        return (_element(meanings, item, text, element),)
    values: list[int | tuple[int, int]] = []
    found = _collect(meanings, item, text, element, values)
    if found != shape:
        spelt = ", ".join(map(str, found))
        wanted = ", ".join(map(str, shape))
        raise ElaborationFailure(
            f"inferred shape of elements literal ([{spelt}]) does not match type ([{wanted}])", node.start
        )
    if len(values) > 1 and all(value == values[0] for value in values):
        return (values[0],)
    return tuple(values)


def _collect(
    meanings: Parts, item: Node, text: TextOf | None, element: t.Type, out: list[int | tuple[int, int]]
) -> list[int]:
    """Appends the elements of a nested list, and gives its shape."""
    children = item.nodes
    inner: list[int] | None = None
    for child in children:
        if child.kind == "dense_list":
            shape = _collect(meanings, child, text, element, out)
        else:
            out.append(_element(meanings, child, text, element))
            shape = []
        if inner is not None and shape != inner:
            raise ElaborationFailure("tensor literal is invalid; ranks are not consistent between elements", item.start)
        inner = shape
    return [len(children), *(inner or [])]


def _element(meanings: Parts, item: Node, text: TextOf | None, element: t.Type) -> int | tuple[int, int]:
    if isinstance(element, t.ComplexType):
        if item.kind != "dense_complex":
            raise ElaborationFailure("expected '(' to begin a complex element", item.start)
        real, imaginary = (_scalar(meanings, part, text, element.element) for part in item.nodes)
        return real, imaginary
    return _scalar(meanings, item, text, element)


def _scalar(meanings: Parts, item: Node, text: TextOf | None, element: t.Type) -> int:
    if isinstance(element, t.FloatType):
        return float_bits(meanings, item, text, element)
    if item.kind == "boolean":
        if element != t.I1:
            raise ElaborationFailure("expected i1 type for 'true' or 'false' values", item.start)
        return int(str(item.leaves[0]) == "true")
    if item.kind != "number":
        raise ElaborationFailure("expected element literal of primitive type", item.start)
    if any(leaf.type == "FLOAT" for leaf in item.leaves):
        raise ElaborationFailure("expected integer elements, but parsed floating-point", item.start)
    if not isinstance(element, (t.IntegerType, t.IndexType)):
        raise ElaborationFailure(f"expected element type of elements literal, but got '{element}'", item.start)
    return integer_value(meanings, item, text, element, "type")


def _from_string(meanings: Parts, node: Node, literal: str, declared: t.ShapedType) -> a.Attribute:
    if not isinstance(declared.element, (t.IntegerType, t.IndexType, t.FloatType, t.ComplexType)):
        return a.DenseStringsAttr((unquote(literal),), declared)
    digits = literal[3:-1] if literal.startswith('"0x') else None
    try:
        data = bytes.fromhex(digits) if digits is not None else None
    except ValueError:
        data = None
    if data is None:
        place = next((leaf.ref for leaf in node.leaves if leaf.type == "STRING"), node.start)
        raise ElaborationFailure("expected string containing hex digits starting with `0x`", place)
    count = prod(declared.ranked_shape)
    width = storage_width(declared.element)
    size = max(width // 8, 1)
    if width == 1:
        size = -(-count // 8)
        if data in (b"\x00", b"\xff"):
            return a.DenseElementsAttr((data[0] & 1,), declared)
        if len(data) == size and count <= MOST_ELEMENTS:
            bits = [data[i // 8] >> i % 8 & 1 for i in range(count)] if count > 1 else [int(data != b"\x00")]
            return a.DenseElementsAttr(_splat_or_all([*bits]), declared)
    if len(data) not in (size, size * count) or count > MOST_ELEMENTS:
        raise ElaborationFailure("elements hex data size is invalid for provided type: " + f"'{declared}'", node.start)
    raw = [int.from_bytes(data[i : i + size], "little") for i in range(0, len(data), size)]
    return a.DenseElementsAttr(_splat_or_all([_from_raw(value, declared.element) for value in raw]), declared)


def _from_raw(raw: int, element: t.Type) -> int | tuple[int, int]:
    if isinstance(element, t.ComplexType):
        half = storage_width(element.element)
        low, high = raw & ((1 << half) - 1), raw >> half
        if isinstance(element.element, t.FloatType):
            return low, high
        return wrap(low, element.element), wrap(high, element.element)
    return raw if isinstance(element, t.FloatType) else wrap(raw, element)


def _splat_or_all(values: list[int | tuple[int, int]]) -> tuple[int | tuple[int, int], ...]:
    return (values[0],) if values and all(value == values[0] for value in values) else tuple(values)


def _string_elements(
    meanings: Parts, node: Node, text: TextOf | None, item: Node, declared: t.ShapedType
) -> a.Attribute:
    values = [unquote(meanings.leaf(leaf, text)) for leaf in item.all_leaves() if leaf.type == "STRING"]
    if len(values) != prod(declared.ranked_shape):
        raise ElaborationFailure("inferred shape of elements literal does not match type", node.start)
    return a.DenseStringsAttr(tuple(values), declared)


def dense_array(meanings: Parts, node: Node, text: TextOf | None) -> a.Attribute:
    """`array<i32: 1, 2>`."""
    element = meanings.type(node.nodes[0], text)
    if not isinstance(element, (t.IntegerType, t.FloatType)):
        raise ElaborationFailure(f"expected integer or float type, got: '{element}'", node.nodes[0].start)
    if isinstance(element, t.IntegerType) and element.width not in (1, 8, 16, 32, 64):
        raise ElaborationFailure("element type of dense array must have a width of 1, 8, 16, 32 or 64 bits", node.start)
    return a.DenseArrayAttr(element, tuple(_scalar(meanings, item, text, element) for item in node.nodes[1:]))


def sparse_attribute(meanings: Parts, node: Node, text: TextOf | None, implied: t.Type | None = None) -> a.Attribute:
    """`sparse<indices, values> : type`."""
    declared, items = declared_type(meanings, node, text, implied)
    if not isinstance(declared, (t.TensorType, t.VectorType)) or not declared.has_static_shape:
        raise ElaborationFailure("elements literal must be a shaped type", node.end - 1)
    rank = len(declared.ranked_shape)
    indices: list[int | tuple[int, int]] = []
    values: list[int | tuple[int, int]] = []
    counts: list[int] = []
    for item, element, out in zip(items, (t.I64, declared.element), (indices, values), strict=False):
        if item.kind == "dense_list":
            counts.append(_collect(meanings, item, text, element, out)[0])
        else:
            out.append(_element(meanings, item, text, element))
            counts.append(1)
    number = counts[0] if counts else 0
    index_type = t.TensorType((number, rank) if items and items[0].kind == "dense_list" else (1, rank), t.I64)
    value_type = t.TensorType((len(values),), declared.element)
    return a.SparseElementsAttr(
        a.DenseElementsAttr(_splat_or_all(indices), index_type),
        a.DenseElementsAttr(_splat_or_all(values), value_type),
        declared,
    )
