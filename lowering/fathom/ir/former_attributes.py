"""The attributes of an operation as texts of a former release have them, and as they are called today.

Up to MLIR 16 the generic form has no `<{…}>`: properties stand in the dictionary of attributes, under the names that
they had, and the sizes of groups are `dense<[1, 2]> : vector<2xi32>`, or in MLIR 16 `array<i32: 1, 2>`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import Attribute, DenseArrayAttr, DenseElementsAttr
from fathom.ir.types import I32, VectorType

if TYPE_CHECKING:
    from fathom.ir.language import Language

_SIZES: Final = ("operandSegmentSizes", "resultSegmentSizes")


def as_today(language: Language, operation: str, entries: Mapping[str, Attribute]) -> dict[str, Attribute]:
    """The entries of the dictionary of a known operation under the names of today."""
    names = {text: today for today, text in language.names_in(operation).items()}
    renamed = {names.get(name, name): value for name, value in entries.items()}
    return {name: _sizes(value) if name in _SIZES else value for name, value in renamed.items()}


def _sizes(value: Attribute) -> Attribute:
    """Sizes of groups as the property holds them; what are none as they are."""
    if not isinstance(value, DenseElementsAttr) or value.type.element != I32 or len(value.type.shape or ()) != 1:
        return value
    numbers = [number for number in value.values if isinstance(number, int)]
    return DenseArrayAttr(I32, tuple(numbers * min(value.type.ranked_shape[0], 64) if value.is_splat else numbers))


def as_written(language: Language, operation: str, entries: Mapping[str, Attribute]) -> dict[str, Attribute]:
    """The properties and attributes of a known operation as the dictionary of its generic form has them."""
    names = language.names_in(operation)
    sized = {
        name: _dense(value)
        if name in _SIZES and language.sizes_are_dense and isinstance(value, DenseArrayAttr)
        else value
        for name, value in entries.items()
    }
    return {names.get(name, name): value for name, value in sized.items()}


def _dense(sizes: DenseArrayAttr) -> Attribute:
    numbers = sizes.values
    is_splat = len(set(numbers)) == 1
    return DenseElementsAttr(numbers[:1] if is_splat else numbers, VectorType((len(numbers),), I32))
