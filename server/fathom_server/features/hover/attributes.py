"""Hovers of attributes: their names, their values, numbers in them, and the cases of enumerations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod
from typing import Final

from fathom.elaborate.failure import ElaborationFailure
from fathom.elaborate.literals import unquote
from fathom.elaborate.meaning import Meanings
from fathom.elaborate.numbers import number_attribute
from fathom.elaborate.parts import TextOf
from fathom.ir.attributes import (
    AffineMapAttr,
    Attribute,
    DenseArrayAttr,
    DenseElementsAttr,
    DenseStringsAttr,
    EnumAttr,
    FloatAttr,
    IntegerAttr,
    SparseElementsAttr,
    UnitAttr,
)
from fathom.ir.operation import Operation
from fathom.ir.types import INDEX, FloatType, IndexType, IntegerType, ShapedType, Type
from fathom.irdl.cases import cases_of
from fathom.irdl.definition import Property
from fathom.syntax.nodes import Leaf, Node
from fathom.text.beginnings import beginning
from fathom_server.features.hover.numbers import number_line, untyped_number
from fathom_server.features.hover.texts import LONGEST, brief, code, listed, together
from fathom_server.features.hover.trees import OWN, Way, texts
from fathom_server.features.hover.types import parameter_lines
from fathom_server.model.aliases import aliases_for
from fathom_server.model.places import Spot
from fathom_server.model.snapshot import Snapshot

MOST_CASES: Final = 24
"""So many cases of an enumeration are listed."""
MOST_READ: Final = 100
"""Of a long array so many parts are read: more than are shown."""
_VALUES: Final = ("hash_attr", "dense", "dense_array", "sparse", "affine_map_attr", "affine_set_attr", "strided")
"""Attributes of which the whole is meant wherever one points in them, but for numbers."""


# ---- numbers


def number_text(snapshot: Snapshot, spot: Spot, op: Operation | None, way: Way | None) -> str | None:
    """A number as it is written, with its type if that is known, and in other bases; None for one that no such type
    has."""
    node, text = _number_at(spot, way)
    meanings = Meanings(snapshot.context, aliases_for(snapshot, spot.item))
    if text is None and (way is not None or op is None or op.definition is None):
        return untyped_number(spot.token.text)
    try:
        number = number_attribute(meanings, node, text, _type_of_number(meanings, spot, op, way))
    except ElaborationFailure:
        return None
    assert isinstance(number, (IntegerAttr, FloatAttr))
    written = meanings.source(node, text)
    head = code(f"{beginning(written, LONGEST)} : {brief(number.type)}")
    case = _case_of_number(number, spot, op, way)
    return together([head, number_line(number), *case[:1]], case[1:])


def _case_of_number(number: IntegerAttr | FloatAttr, spot: Spot, op: Operation | None, way: Way | None) -> list[str]:
    """Of a number that stands for a case of an enumeration: that case, and it among the others."""
    known = _property(op, _key_around(spot, way)) if op is not None and way is not None else None
    if op is None or known is None or op.properties.get(known.name) != number:
        return []
    cases = known.constraint.numbers
    word = next((case for case, value in cases.items() if number == IntegerAttr(value, number.type)), None)
    if word is None:
        return []
    return [f"`{word}`, as `{known.name}` of `{op.name}`", _cases_line(cases, word)]


def _key_around(spot: Spot, way: Way) -> str:
    """The name of the operation's attribute that stands around a place."""
    entries = [node for node in way.nodes if node.kind == "entry"]
    return _key(texts(spot, way.base)(entries[0].start)) if way.key == OWN and len(entries) == 1 else way.key


def _number_at(spot: Spot, way: Way | None) -> tuple[Node, TextOf | None]:
    """The tree of a number, with its sign; where it belongs to none, one of its token alone."""
    node = way.innermost("number") if way is not None else None
    if way is None or node is None:
        return Node("number", [Leaf.of(spot.token.kind, spot.token.text, 0)]), None
    return node, texts(spot, way.base)


def _type_of_number(meanings: Meanings, spot: Spot, op: Operation | None, way: Way | None) -> Type | None:
    """The type of a number: as the text around it says, or as the operation's attribute has it; None where it is what
    a number without a type has."""
    around = way.innermost("literal", "dense", "dense_array", "sparse") if way is not None else None
    if way is None or way.innermost("number") is None:
        return INDEX if spot.token.kind == "INTEGER" else None
    parts = around.children if around is not None else ()
    stated = next((each for each in parts if isinstance(each, Node) and each.kind == "type"), None)
    if stated is not None:
        type = meanings.type(stated, texts(spot, way.base))
    else:
        kept = op.attribute(way.key) if op is not None and way.key else None
        type = getattr(kept, "type", None)
    found = type.element if isinstance(type, ShapedType) else type
    return found if isinstance(found, (IntegerType, IndexType, FloatType)) else None


# ---- values


def attribute_text(snapshot: Snapshot, spot: Spot, way: Way) -> tuple[str, Node] | None:
    """The attribute that stands at a spot, and its tree; None where there stands none, or one that is mistaken."""
    node = way.innermost(*_VALUES)
    if node is None:
        return None
    children, read = node.children, node
    if node.kind == "dense_array" and len(children) > MOST_READ:
        read = Node(node.kind, children[:MOST_READ])
    try:
        found = Meanings(snapshot.context, aliases_for(snapshot, spot.item)).attribute(read, texts(spot, way.base))
    except ElaborationFailure:
        return None
    if isinstance(found, DenseArrayAttr) and read is not node:
        elements = len(found.values) + sum(isinstance(each, Node) for each in children[MOST_READ:])
        return together([code(brief(found)), *_array_lines(elements, found.element)]), node
    return together([code(brief(found)), *attribute_lines(found)]), node


def _array_lines(count: int, element: Type) -> Iterator[str]:
    yield f"{_count(count, 'element')} of `{brief(element)}`"


def attribute_lines(attribute: Attribute) -> Iterator[str]:
    """What there is to say of an attribute beside its text."""
    match attribute:
        case IntegerAttr() | FloatAttr():
            yield number_line(attribute)
        case EnumAttr():
            yield f"the number {attribute.value}, `0x{attribute.value:X}`"
        case AffineMapAttr(map):
            parts = (map.dims, "dimension"), (map.symbols, "symbol"), (len(map.results), "result")
            yield ", ".join(_count(*each) for each in parts)
        case DenseElementsAttr() | DenseStringsAttr() | SparseElementsAttr() if attribute.type.has_static_shape:
            yield f"{_count(prod(attribute.type.ranked_shape), 'element')} of `{brief(attribute.type.element)}`"
        case DenseArrayAttr():
            yield from _array_lines(len(attribute.values), attribute.element)
        case _:
            yield from parameter_lines(attribute)


def _count(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


# ---- names


def name_text(spot: Spot, op: Operation | None, way: Way | None) -> str | None:
    """The name of an attribute: what may stand there, and what does. None where there is no such name."""
    is_key = way is not None and way.nodes[-1].kind == "entry" and way.leaf is not None
    key = _key(spot.token.text)
    if is_key and way is not None and (way.key != OWN or sum(node.kind == "entry" for node in way.nodes) > 1):
        return together([code(key), "entry of a dictionary"])
    if op is None or not (is_key or (way is None and _property(op, key) is not None)):
        return None
    value, known = op.attribute(key), _property(op, key)
    head = code(f"{key} = {brief(value)}" if value is not None and not isinstance(value, UnitAttr) else key)
    if known is None:
        return together([head, f"discardable attribute of `{op.name}`"])
    default = f"by default `{brief(known.default)}`" if known.default is not None else ""
    said = [head, f"attribute of `{op.name}`: {known.constraint.summary}", default]
    numbered = known.constraint.numbered(MOST_CASES)
    return together(said, [f"one of {numbered}" if numbered else _cases_line(cases_of_property(known), "")])


def _key(text: str) -> str:
    try:
        return unquote(text) if text.startswith('"') else text
    except ElaborationFailure:
        return ""


def _property(op: Operation, name: str) -> Property | None:
    return op.definition.property_map.get(name) if op.definition is not None else None


# ---- enumerations


def case_text(spot: Spot, op: Operation) -> str | None:
    """A case of an enumeration that is a property of the operation, among its others; None for any other word."""
    word = _key(spot.token.text)
    for each in op.definition.properties if op.definition is not None else ():
        cases = cases_of_property(each)
        number = cases.get(word)
        if number is None or op.properties.get(each.name) is None:
            continue
        flag = f", `0x{number:X}`" if each.constraint.enumeration.bits else ""
        said = [code(word), f"the number {number}{flag} of `{each.name}` of `{op.name}`"]
        return together(said, [_cases_line(cases, word)])
    return None


def cases_of_property(known: Property) -> Mapping[str, int]:
    """The words that a property may be; none of one that is no enumeration."""
    constraint = known.constraint
    if constraint.cases or constraint.definition is None or not constraint.definition.parameters:
        return constraint.cases
    return cases_of(constraint.definition)


def _cases_line(cases: Mapping[str, int], word: str) -> str:
    """The cases, of which one is meant."""
    if not cases:
        return ""
    return "one of " + listed(list(cases), lambda each: f"**`{each}`**" if each == word else f"`{each}`", MOST_CASES)
