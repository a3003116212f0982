"""What is written at a place that has no name of its own: a number, the name of an attribute, a case of an enumeration,
or a type or an attribute."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from fathom.elaborate.failure import ElaborationFailure
from fathom.elaborate.literals import unquote
from fathom.elaborate.meaning import Meanings
from fathom.elaborate.numbers import number_attribute
from fathom.elaborate.parts import TextOf
from fathom.ir.attributes import Attribute, DenseArrayAttr, FloatAttr, IntegerAttr
from fathom.ir.operation import Operation
from fathom.ir.types import INDEX, FloatType, IndexType, IntegerType, ShapedType, Type
from fathom.irdl.cases import cases_of
from fathom.irdl.definition import Property
from fathom.records import record
from fathom.syntax.nodes import Leaf, Node
from fathom_server.model.places import Spot
from fathom_server.model.ways import OWN, Way

MOST_READ: Final = 100
"""Of a long array so many parts are read: more than anybody is shown."""
_VALUES: Final = (
    "hash_attr",
    "dense",
    "dense_array",
    "sparse",
    "affine_map_attr",
    "affine_set_attr",
    "strided",
    "location",
)
"""Attributes of which the whole is meant wherever one points in them, but for numbers."""
_NUMBERS: Final = ("INTEGER", "FLOAT", "HEX")
_WORDS: Final = ("BARE", "STRING")


@record
class Case:
    """A word for a number, among the `cases` of an enumeration that a property of an operation has."""

    word: str
    number: int
    cases: Mapping[str, int]
    property: Property
    op: Operation


@record
class Number:
    """A number with its type, as it is written, and the case that it stands for."""

    text: str
    value: IntegerAttr | FloatAttr
    case: Case | None


@record
class UntypedNumber:
    """A number of which nobody knows what type it has, as it is written."""

    text: str


@record
class AttributeName:
    """The name of an attribute of an operation; of one that its definition has, what may stand there."""

    name: str
    op: Operation
    property: Property | None


@record
class EntryName:
    """The name of an entry of a dictionary that is a part of an attribute."""

    name: str


@record
class WrittenAttribute:
    """An attribute; of a long array the beginning, and how many `elements` it has."""

    attribute: Attribute
    elements: int | None = None


@record
class WrittenType:
    """A type."""

    type: Type


Word: TypeAlias = Number | UntypedNumber | Case | AttributeName | EntryName
"""What a token is by itself."""
Tree: TypeAlias = WrittenAttribute | WrittenType
"""What several tokens are together."""


def word_at(spot: Spot, op: Operation | None, way: Way | None, meanings: Meanings) -> Word | None:
    """What the token at a spot is by itself, in the text of an operation or in the trees around it: a number, a name or
    a case. None for any other, and for a number that no type of its place has."""
    kind = spot.token.kind
    if kind in _NUMBERS:
        return _number(spot, op, way, meanings)
    if kind not in _WORDS:
        return None
    name = _name(spot, op, way)
    return name if name is not None or way is not None or op is None else _case(spot, op)


def tree_at(way: Way, meanings: Meanings) -> tuple[Tree, Node] | None:
    """The smallest type or attribute around a token, and its tree; None where that is mistaken."""
    type, number = way.innermost("type", "plain_type"), _attribute(way, meanings)
    if number is not None and (type is None or number[1].end - number[1].start < type.end - type.start):
        return number
    if type is None:
        return None
    try:
        return WrittenType(meanings.type(type, way.text)), type
    except ElaborationFailure:
        return None


def _attribute(way: Way, meanings: Meanings) -> tuple[Tree, Node] | None:
    """The attribute that stands around a token, and its tree; None where there is none, or one that is mistaken."""
    node = way.innermost(*_VALUES)
    if node is None:
        return None
    children, read = node.children, node
    if node.kind == "dense_array" and len(children) > MOST_READ:
        read = Node(node.kind, children[:MOST_READ])
    try:
        attribute = meanings.attribute(read, way.text)
    except ElaborationFailure:
        return None
    elements = None
    if isinstance(attribute, DenseArrayAttr) and read is not node:
        elements = len(attribute.values) + sum(isinstance(child, Node) for child in children[MOST_READ:])
    return WrittenAttribute(attribute, elements), node


# ---- numbers


def _number(spot: Spot, op: Operation | None, way: Way | None, meanings: Meanings) -> Number | UntypedNumber | None:
    """A number with its type if that is known; None for one that no such type has."""
    node, text = _number_at(spot, way)
    if text is None and (way is not None or op is None or op.definition is None):
        return UntypedNumber(spot.token.text)
    try:
        value = number_attribute(meanings, node, text, _type_of_number(meanings, spot, op, way))
    except ElaborationFailure:
        return None
    assert isinstance(value, (IntegerAttr, FloatAttr))
    return Number(meanings.source(node, text), value, _case_of_number(value, spot, op, way))


def _number_at(spot: Spot, way: Way | None) -> tuple[Node, TextOf | None]:
    """The tree of a number, with its sign; where it belongs to none, one of its token alone."""
    node = way.innermost("number") if way is not None else None
    if way is None or node is None:
        return Node("number", [Leaf.of(spot.token.kind, spot.token.text, 0)]), None
    return node, way.text


def _type_of_number(meanings: Meanings, spot: Spot, op: Operation | None, way: Way | None) -> Type | None:
    """The type of a number: as the text around it says, or as the operation's attribute has it; None where it is what
    a number without a type has."""
    around = way.innermost("literal", "dense", "dense_array", "sparse") if way is not None else None
    if way is None or way.innermost("number") is None:
        return INDEX if spot.token.kind == "INTEGER" else None
    parts = around.children if around is not None else ()
    stated = next((part for part in parts if isinstance(part, Node) and part.kind == "type"), None)
    if stated is not None:
        type = meanings.type(stated, way.text)
    else:
        kept = op.attribute(way.key) if op is not None and way.key else None
        type = getattr(kept, "type", None)
    element = type.element if isinstance(type, ShapedType) else type
    return element if isinstance(element, (IntegerType, IndexType, FloatType)) else None


def _case_of_number(value: IntegerAttr | FloatAttr, spot: Spot, op: Operation | None, way: Way | None) -> Case | None:
    """The case of an enumeration that a number stands for."""
    known = _property(op, _key_around(spot, way)) if op is not None and way is not None else None
    if op is None or known is None or op.properties.get(known.name) != value:
        return None
    cases = known.constraint.numbers
    matching = ((word, case) for word, case in cases.items() if value == IntegerAttr(case, value.type))
    return next((Case(word, number, cases, known, op) for word, number in matching), None)


def _key_around(spot: Spot, way: Way) -> str:
    """The name of the operation's attribute that stands around a place."""
    entries = [node for node in way.nodes if node.kind == "entry"]
    return _key(way.text(entries[0].start)) if way.key == OWN and len(entries) == 1 else way.key


# ---- words


def _name(spot: Spot, op: Operation | None, way: Way | None) -> AttributeName | EntryName | None:
    """The name of an attribute; None where there is no such name."""
    is_key = way is not None and way.nodes[-1].kind == "entry" and way.leaf is not None
    key = _key(spot.token.text)
    if is_key and way is not None and (way.key != OWN or sum(node.kind == "entry" for node in way.nodes) > 1):
        return EntryName(key)
    known = _property(op, key) if op is not None else None
    return AttributeName(key, op, known) if op is not None and (is_key or (way is None and known is not None)) else None


def _case(spot: Spot, op: Operation) -> Case | None:
    """A case of an enumeration that is a property of the operation; None for any other word."""
    word = _key(spot.token.text)
    for prop in op.definition.properties if op.definition is not None else ():
        cases = cases_of_property(prop)
        number = cases.get(word)
        if number is not None and op.properties.get(prop.name) is not None:
            return Case(word, number, cases, prop, op)
    return None


def cases_of_property(known: Property) -> Mapping[str, int]:
    """The words that a property may be; none of one that is no enumeration."""
    constraint = known.constraint
    if constraint.cases or constraint.definition is None or not constraint.definition.parameters:
        return constraint.cases
    return cases_of(constraint.definition)


def _key(text: str) -> str:
    try:
        return unquote(text) if text.startswith('"') else text
    except ElaborationFailure:
        return ""


def _property(op: Operation | None, name: str) -> Property | None:
    return op.definition.property_map.get(name) if op is not None and op.definition is not None else None
