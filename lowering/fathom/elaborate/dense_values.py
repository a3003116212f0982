"""Dense and sparse elements from their trees.

The elements are collected first, and then judged by the type, as MLIR does: its mistakes come in that order.
Source of the rules: *Builtin Dialect*, "DenseIntOrFPElementsAttr" and "SparseElementsAttr", and the parser of MLIR 22
for the wording of mistakes.
"""

from __future__ import annotations

import re
from functools import partial
from math import prod
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.elaborate import long_lists
from fathom.elaborate.failure import ElaborationFailure
from fathom.elaborate.literals import unquote
from fathom.elaborate.numbers import float_bits, integer_value, wrap
from fathom.ir import attributes as a
from fathom.ir import types as t
from fathom.ir.dense import storage_width
from fathom.ir.dialect_values import DialectType
from fathom.ir.floats import SEMANTICS
from fathom.ir.packed import PackedElements, code_of
from fathom.records import field, record
from fathom.slices import paced
from fathom.syntax.carried import Carried, whole
from fathom.syntax.carried import width as text_width
from fathom.syntax.nodes import Leaf, Node, Ref

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.elaborate.parts import Parts, TextOf

MOST_ELEMENTS = 1 << 24

Element: TypeAlias = "int | tuple[int, int]"

_HEX: Final = re.compile('"0x(?:[0-9a-fA-F]{2})*+"')


@record(frozen=False)
class _Items:
    """What stands between the brackets: its shape, empty for a single element, and the numbers, words and strings in
    it, of which a complex element has two. A long list, at token `place`, is `carried`; its numbers are read when they
    are needed."""

    shape: list[int] = field(default_factory=list[int])
    scalars: list[Node | Leaf] = field(default_factory=list["Node | Leaf"])
    carried: Carried | None = None
    place: Ref = 0


def _declared_type(
    meanings: Parts, node: Node, text: TextOf | None, implied: t.Type | None
) -> t.ShapedType | t.UnknownType | DialectType:
    """The type behind elements, or the one that the context implies where they have none. A dialect's type may be
    shaped in a way of its own."""
    nodes = node.nodes
    given = nodes[-1] if nodes and nodes[-1].kind == "type" else None
    if given is None and implied is None:
        raise ElaborationFailure("expected ':'", node.end - 1)
    declared = meanings.type(given, text) if given is not None else implied
    if isinstance(declared, t.UnknownType) or (
        isinstance(declared, DialectType) and "ShapedType" in declared.definition.traits
    ):
        return declared
    if not isinstance(declared, t.ShapedType):
        raise ElaborationFailure("elements literal must be a shaped type", node.start)
    if not declared.has_static_shape:
        raise ElaborationFailure("elements literal type must have static shape", node.start)
    return declared


def _literals(node: Node) -> list[Node | Leaf]:
    """The elements and lists of them that are directly in something."""
    return [
        child
        for child in node.children
        if (child.type == "STRING" if isinstance(child, Leaf) else child.kind != "type")
    ]


def dense_attribute(meanings: Parts, node: Node, text: TextOf | None, implied: t.Type | None = None) -> a.Attribute:
    """`dense<…> : type`."""
    # What is wrong with the elements alone comes before the type.
    items = [_items(meanings, literal, text) for literal in _literals(node)]
    declared = _declared_type(meanings, node, text, implied)
    if isinstance(declared, (t.UnknownType, DialectType)):
        return _as_written(meanings, node, text, declared)
    return _elements(meanings, items[0] if items else _Items(), text, declared, node.start)


def _as_written(meanings: Parts, node: Node, text: TextOf | None, declared: t.Type) -> a.UnknownAttr:
    """Elements of which the type does not tell how they are read."""
    literals = [child for child in node.children if isinstance(child, Leaf) or child.kind != "type"]
    written = meanings.source(Node(node.kind, literals), text)
    return a.UnknownAttr(written.rstrip().removesuffix(":").rstrip(), declared)


def _items(meanings: Parts, item: Node | Leaf, text: TextOf | None) -> _Items:
    items = _Items()
    literal = meanings.carried(item, text) if isinstance(item, Leaf) else ""
    if isinstance(item, Leaf) and isinstance(literal, Carried) and literal.literal.kind == "elements":
        shape = long_lists.shape_of(literal)
        if shape is None:
            return _Items(*long_lists.scalars_of(literal, item.ref), literal, item.ref)
        return _Items(list(shape), [], literal, item.ref)
    if isinstance(item, Node) and item.kind == "dense_list":
        items.shape = _collect(item, items.scalars)
    else:
        _collect_element(item, items.scalars)
    return items


def _collect(item: Node, out: list[Node | Leaf]) -> list[int]:
    """Appends the elements of a nested list, and gives its shape."""
    inner: list[int] | None = None
    count = 0
    for child in _literals(item):
        shape: list[int] = []
        if isinstance(child, Node) and child.kind == "dense_list":
            shape = _collect(child, out)
        else:
            _collect_element(child, out)
        count += 1
        if inner is not None and shape != inner:
            end = child.end if isinstance(child, Node) else child.ref + 1
            raise ElaborationFailure("tensor literal is invalid; ranks are not consistent between elements", end)
        inner = shape
    return [count, *(inner or [])]


def _collect_element(item: Node | Leaf, out: list[Node | Leaf]) -> None:
    if isinstance(item, Leaf) or item.kind != "dense_complex":
        out.append(item)
        return
    for part in _literals(item):
        _collect_element(part, out)


def _elements(
    meanings: Parts, items: _Items, text: TextOf | None, declared: t.ShapedType, place: Ref
) -> a.DenseElementsAttr | a.DenseStringsAttr:
    """The attribute that elements of a type are; `place` is where they begin."""
    element, scalars = declared.element, items.scalars
    has_numbers = isinstance(element, (t.IntegerType, t.IndexType, t.FloatType, t.ComplexType))
    is_string = not items.shape and len(scalars) == 1 and isinstance(scalars[0], Leaf)
    if has_numbers and is_string and isinstance(scalars[0], Leaf):
        return _from_hex(meanings.carried(scalars[0], text), declared, place, scalars[0].ref)
    shape = list(declared.ranked_shape)
    if items.shape and items.shape != shape:
        given, wanted = (", ".join(map(str, extents)) for extents in (items.shape, shape))
        raise ElaborationFailure(
            f"inferred shape of elements literal ([{given}]) does not match type ([{wanted}])", place
        )
    number = prod(shape)
    if items.carried is not None:
        values = long_lists.values_of(items.carried, element) if items.shape else None
        if values is not None:
            return a.DenseElementsAttr(values, declared)
        scalars = scalars or long_lists.scalars_of(items.carried, items.place)[1]
        text = None
    if not scalars and number:
        raise ElaborationFailure(f"parsed zero elements, but type ('{declared}') expected at least 1", place)
    if not has_numbers:
        return a.DenseStringsAttr(tuple(_string(meanings, scalar, text, place) for scalar in scalars), declared)
    if isinstance(element, t.ComplexType):
        expected, what = (2 * number, f"{declared}") if items.shape else (2 if number else 0, f"{element}")
        if len(scalars) != expected and (items.shape or number):
            raise ElaborationFailure(
                f"parsed {len(scalars)} elements, but type ('{what}') expected {expected} elements", place
            )
        parts = _numbers(meanings, items, scalars, text, element.element)
        return a.DenseElementsAttr(_splat_or_all(list(zip(parts[::2], parts[1::2], strict=False))), declared)
    numbers: list[Element] = [*_numbers(meanings, items, scalars, text, element)]
    if items.shape or len(numbers) > 1:
        # Pairs where the type wants one number each are read on end. Of too few MLIR makes what it cannot read again.
        if len(numbers) < number:
            raise ElaborationFailure("expected element literal of primitive type", place)
        numbers = numbers[:number]
    return a.DenseElementsAttr(_splat_or_all(numbers), declared)


def _numbers(
    meanings: Parts, items: _Items, scalars: Sequence[Node | Leaf], text: TextOf | None, element: t.Type
) -> list[int]:
    try:
        return [_scalar(meanings, scalar, text, element) for scalar in paced(scalars)]
    except ElaborationFailure as failure:
        if items.carried is None:
            raise
        raise long_lists.blamed(items.carried, failure, items.place) from None


def _string(meanings: Parts, item: Node | Leaf, text: TextOf | None, place: Ref) -> str:
    if isinstance(item, Node):
        raise ElaborationFailure(f"expected string token, got {meanings.leaf(item.leaves[-1], text)}", place)
    return unquote(meanings.leaf(item, text))


def _scalar(meanings: Parts, item: Node | Leaf, text: TextOf | None, element: t.Type) -> int:
    if isinstance(element, t.FloatType):
        if isinstance(item, Leaf):
            raise ElaborationFailure("expected floating point literal", item.ref)
        return float_bits(meanings, item, text, element)
    if isinstance(item, Leaf):
        raise ElaborationFailure("integer constant out of range for type", item.ref)
    place = item.leaves[-1].ref
    if str(item.leaves[0]) == "-" and getattr(element, "signedness", "") == "u":
        raise ElaborationFailure("expected unsigned integer elements, but parsed negative value", place)
    if item.kind == "boolean":
        if element != t.I1:
            raise ElaborationFailure("expected i1 type for 'true' or 'false' values", place)
        return int(str(item.leaves[0]) == "true")
    if any(leaf.type == "FLOAT" for leaf in item.leaves):
        raise ElaborationFailure("expected integer elements, but parsed floating-point", place)
    return integer_value(meanings, item, text, element, " for type")


def _from_hex(literal: str, declared: t.ShapedType, place: Ref, of_string: Ref) -> a.DenseElementsAttr:
    if isinstance(literal, Carried):
        is_hex = literal.literal.kind == "digits" and not literal.width % 2
    else:
        is_hex = _HEX.fullmatch(literal) is not None
    if not is_hex:
        raise ElaborationFailure("expected string containing hex digits starting with `0x`", of_string)
    element = declared.element
    count = prod(declared.ranked_shape)
    if storage_width(element) == 1:
        return a.DenseElementsAttr(_bits(bytes.fromhex(whole(literal)[3:-1]), count, declared, place), declared)
    size = storage_width(element) // 8
    length = (text_width(literal) - len('"0x"')) // 2
    if length not in (size, size * count) or (length != size and count > MOST_ELEMENTS):
        raise _wrong_size(declared, place)
    if isinstance(literal, Carried) and code_of(element) is not None and not _is_splat(literal, size, count):
        return a.DenseElementsAttr(PackedElements(element, count, partial(_read_digits, literal)), declared)
    data = bytes.fromhex(whole(literal)[3:-1])
    raw = [int.from_bytes(data[i : i + size], "little") for i in range(0, len(data), size)]
    return a.DenseElementsAttr(_splat_or_all([_from_raw(value, element) for value in raw]), declared)


def _wrong_size(declared: t.ShapedType, place: Ref) -> ElaborationFailure:
    return ElaborationFailure("elements hex data size is invalid for provided type: " + f"'{declared}'", place)


def _bits(data: bytes, count: int, declared: t.ShapedType, place: Ref) -> tuple[Element, ...]:
    """Booleans, eight in a byte; a byte of equal bits is all of them."""
    if data in (b"\x00", b"\xff"):
        return (data[0] & 1,)
    if len(data) != -(-count // 8) or count > MOST_ELEMENTS:
        raise _wrong_size(declared, place)
    bits = [data[i // 8] >> i % 8 & 1 for i in range(count)] if count > 1 else [int(data != b"\x00")]
    return _splat_or_all([*bits])


def _read_digits(literal: Carried, start: int, stop: int) -> bytes:
    """The bytes of a literal from one to another."""
    first = literal.literal.start + len('"0x')
    return bytes.fromhex(literal.line[first + 2 * start : first + 2 * stop]) if literal.line is not None else b""


def _is_splat(literal: Carried, size: int, count: int) -> bool:
    first = _read_digits(literal, 0, size)
    if count > 1 and _read_digits(literal, size, 2 * size) != first:
        return False
    return _read_digits(literal, 0, size * count) == first * count


def _from_raw(raw: int, element: t.Type) -> Element:
    if isinstance(element, t.ComplexType):
        half = storage_width(element.element)
        low, high = raw & ((1 << half) - 1), raw >> half
        if isinstance(element.element, t.FloatType):
            return low, high
        return wrap(low, element.element), wrap(high, element.element)
    return raw if isinstance(element, t.FloatType) else wrap(raw, element)


def _splat_or_all(values: Sequence[Element]) -> tuple[Element, ...]:
    return (values[0],) if values and all(value == values[0] for value in values) else tuple(values)


def dense_array(meanings: Parts, node: Node, text: TextOf | None) -> a.Attribute:
    """`array<i32: 1, 2>`."""
    element = meanings.type(node.nodes[0], text)
    if not isinstance(element, (t.IntegerType, t.FloatType)):
        raise ElaborationFailure(f"expected integer or float type, got: '{element}'", node.nodes[0].start)
    width = element.width if isinstance(element, t.IntegerType) else SEMANTICS[element.name].width
    if element != t.I1 and width % 8:
        raise ElaborationFailure("element type bitwidth must be a multiple of 8", node.nodes[0].start)
    values = [_array_element(meanings, item, text, element) for item in paced(node.nodes[1:])]
    return a.DenseArrayAttr(element, tuple(values))


def _array_element(meanings: Parts, item: Node, text: TextOf | None, element: t.IntegerType | t.FloatType) -> int:
    if isinstance(element, t.FloatType):
        return float_bits(meanings, item, text, element)
    if item.kind == "boolean":
        if element != t.I1:
            raise ElaborationFailure("expected i1 type for 'true' or 'false' values", item.start)
        return int(str(item.leaves[0]) == "true")
    if any(leaf.type == "FLOAT" for leaf in item.leaves):
        raise ElaborationFailure("expected integer literal", item.leaves[-1].ref)
    if element == t.I1:
        raise ElaborationFailure("expected 'true' or 'false' values for i1 type", item.end)
    # A number below zero stands for a pattern, in an array of unsigned ones too.
    is_negative = str(item.leaves[0]) == "-"
    try:
        value = integer_value(meanings, item, text, t.IntegerType(element.width) if is_negative else element, "")
    except ElaborationFailure as failure:
        raise ElaborationFailure(failure.message, item.end) from None
    return wrap(value, element)


def sparse_attribute(meanings: Parts, node: Node, text: TextOf | None, implied: t.Type | None = None) -> a.Attribute:
    """`sparse<indices, values> : type`."""
    literals = _literals(node)
    indices, values = [_items(meanings, literal, text) for literal in literals] or [_Items([0, 0]), _Items([0])]
    declared = _declared_type(meanings, node, text, implied)
    if isinstance(declared, (t.UnknownType, DialectType)) or isinstance(declared.element, t.UnknownType):
        return _as_written(meanings, node, text, declared)
    rank = len(declared.ranked_shape)
    if not literals:
        indices.shape = [0, rank]
    index_shape = tuple(indices.shape or [1, rank])
    value_shape = tuple(values.shape or index_shape[:1])
    starts = [literal.start if isinstance(literal, Node) else literal.ref for literal in literals] or [node.start] * 2
    index_type = t.TensorType(index_shape, t.I64)
    value_type = t.TensorType(value_shape, declared.element)
    numbers = _elements(meanings, indices, text, index_type, starts[0])
    elements = _elements(meanings, values, text, value_type, starts[1])
    if not (isinstance(numbers, a.DenseElementsAttr) and isinstance(elements, a.DenseElementsAttr)):
        raise ElaborationFailure(f"expected element type of elements literal, but got '{declared.element}'", starts[1])
    problem = _sparse_problem(declared, index_shape, value_shape, numbers)
    if problem is not None:
        raise ElaborationFailure(problem, node.start)
    return a.SparseElementsAttr(numbers, elements, declared)


def _sparse_problem(
    declared: t.ShapedType, index_shape: tuple[int, ...], value_shape: tuple[int, ...], indices: a.DenseElementsAttr
) -> str | None:
    """What is wrong with the shapes of indices and values, or with where the indices point."""
    if len(value_shape) != 1:
        return "expected 1-d tensor for sparse element values"
    shape = declared.ranked_shape
    rank = len(shape)
    fits = index_shape[1] == rank if len(index_shape) == 2 else len(index_shape) == rank == 1
    if not fits or index_shape[0] != value_shape[0]:
        wanted, found_shape, given = (", ".join(map(str, extents)) for extents in (shape, index_shape, value_shape))
        return (
            f"expected shape ([{wanted}]); inferred shape of indices literal ([{found_shape}]); "
            f"inferred shape of values literal ([{given}])"
        )
    numbers = [value for value in indices.values if isinstance(value, int)]
    if len(numbers) == 1:
        places = [numbers * rank]
    else:
        places = [numbers[start : start + rank] for start in range(0, len(numbers), rank or 1)]
    for number, place in enumerate(places):
        if any(not 0 <= index < extent for index, extent in zip(place, shape, strict=True)):
            spelt = ", ".join(str(index % (1 << 64)) for index in place)
            return (
                f"sparse index #{number} is not contained within the value shape, with index=[{spelt}], "
                f"and type='{declared}'"
            )
    return None
