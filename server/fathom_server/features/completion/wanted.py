"""Which attributes an operation takes at a position: as the value of the property whose name stands before, or where
its syntax has one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from fathom.elaborate.meaning import Meanings
from fathom.ir.affine import AffineMap, IntegerSet
from fathom.ir.attributes import (
    AffineMapAttr,
    ArrayAttr,
    Attribute,
    DenseArrayAttr,
    DenseElementsAttr,
    DenseResourceAttr,
    DistinctAttr,
    IntegerAttr,
    IntegerSetAttr,
    StridedLayoutAttr,
    SymbolRefAttr,
    TypeAttr,
    UnitAttr,
)
from fathom.ir.types import F32, I1, I8, I16, I32, I64, INDEX, FunctionType, MemRefType, TensorType, VectorType
from fathom.irdl.constraint import AttributeForm
from fathom.irdl.definition import OpDefinition, Property
from fathom.records import record
from fathom.syntax.nodes import Leaf
from fathom_server.features.completion.inquiry import Inquiry
from fathom_server.features.completion.suggestion import Suggestion
from fathom_server.model.aliases import aliases_for

_VECTORS: Final = [TensorType((1,), element) for element in (I1, I8, I32, I64, INDEX, F32)]
_SAMPLES: Final[Mapping[str, Sequence[Attribute]]] = {
    "true": (IntegerAttr(1, I1),),
    "unit": (UnitAttr(),),
    "dense": [DenseElementsAttr((0,), type) for type in _VECTORS],
    "array": [DenseArrayAttr(element, (0,)) for element in (I1, I8, I16, I32, I64, F32)],
    "affine_map": (AffineMapAttr(AffineMap(0, 0, ())),),
    "affine_set": (IntegerSetAttr(IntegerSet(0, 0, ())),),
    "strided": (StridedLayoutAttr((1,)),),
    "dense_resource": [DenseResourceAttr("key", type) for type in _VECTORS],
    "distinct": (DistinctAttr(0, UnitAttr()),),
    "@": (SymbolRefAttr("f"),),
}
"""Attributes that begin with a word, or with the sign of a symbol."""
_TYPES: Final = [
    TypeAttr(type)
    for type in (I32, INDEX, F32, FunctionType((), ()), MemRefType((1,), F32), VectorType((1,), F32), *_VECTORS)
]


@record
class Wanted:
    """The properties of which one stands there, or, so many arrays `deep`, an element of it."""

    properties: tuple[Property, ...]
    deep: int

    def takes(self, word: str) -> bool:
        """Whether what begins with a word may be meant; `false` where `true` may, and types where any type may."""
        return self._takes(_SAMPLES.get("true" if word == "false" else word, _TYPES))

    def takes_types(self) -> bool:
        return self._takes(_TYPES)

    def takes_alias(self, inquiry: Inquiry, name: str) -> bool:
        """Whether what an alias such as `#map` stands for may be meant, as far as that is known."""
        context, aliases = inquiry.snapshot.context, aliases_for(inquiry.snapshot, inquiry.position.item)
        alias_named = Meanings(context, aliases).alias_named(name)
        return not isinstance(alias_named, Attribute) or self._takes((alias_named,))

    def _takes(self, samples: Sequence[Attribute]) -> bool:
        return any(self._accepts(prop, sample) for prop in self.properties for sample in samples)

    def _accepts(self, wanted: Property, sample: Attribute) -> bool:
        constraint = wanted.constraint
        for _ in range(self.deep):
            sample = ArrayAttr((sample,))
        # Of what sort it must be is certain; which it must be besides may be one that is no sample.
        return constraint.accepts(sample) or (
            not self.deep and constraint.is_stored is not None and constraint.is_stored(sample)
        )


def wanted_at(inquiry: Inquiry) -> Wanted | None:
    """What an operation takes at a position; None where nothing is known of that."""
    unfinished, definition = inquiry.asked.unfinished, inquiry.definition
    if unfinished is None or definition is None or inquiry.position.expected.in_argument:
        return None
    leaves = [str(leaf) if isinstance(leaf, Leaf) else "" for leaf in unfinished.stack]
    key = max((number for number, text in enumerate(leaves) if text == "="), default=-1)
    inside = [leaf for leaf in leaves[key + 1 :] if leaf not in ("", ",")]
    if any(bracket != "[" for bracket in inside):
        return None
    if key > 0:
        property_ = definition.property_map.get(leaves[key - 1].strip('"'))
        return Wanted((property_,), len(inside)) if property_ is not None else None
    properties = _of_syntax(inquiry, definition) if unfinished.start == "attribute" else ()
    return Wanted(properties, len(inside)) if properties else None


def _of_syntax(inquiry: Inquiry, definition: OpDefinition) -> tuple[Property, ...]:
    """The properties that may stand where the syntax of an operation has any attribute. Of an irregular syntax that is
    known where there is one such."""
    parsed = inquiry.position.expected.parsed
    given = parsed.attributes if parsed is not None else {}
    properties = [prop for prop in definition.properties if prop.constraint.form is AttributeForm.ANY]
    if definition.custom is not None and len(properties) > 1:
        return ()
    return tuple(declared for declared in properties if declared.name not in given)


def strings(inquiry: Inquiry) -> Iterator[Suggestion]:
    """The strings that an operation has in the array at a position."""
    parsed, definition, wanted = inquiry.position.expected.parsed, inquiry.definition, wanted_at(inquiry)
    custom = definition.custom if definition is not None else None
    if parsed is None or parsed.generic or custom is None or wanted is None or wanted.deep != 1:
        return
    quote = "" if inquiry.position.is_quoted else '"'
    for prop in wanted.properties:
        for string in custom.strings.get(prop.name, ()):
            yield Suggestion(f"{quote}{string}{quote}", "keyword", prop.name)
