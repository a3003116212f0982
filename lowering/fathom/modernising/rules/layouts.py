"""Layouts: up to MLIR 19 each entry of a data layout has its long form, and up to 16 sizes have 32 bits; up to 15 a
memref has strides and an offset as a map.

Source of the rules: *DLTI Dialect* and *Builtin Dialect* of the releases.
"""

from __future__ import annotations

from fathom.dialects.dlti import EntriesAttr
from fathom.editions.mlir_19.dlti import FormerEntriesAttr
from fathom.ir.attributes import AffineMapAttr, Attribute, DenseElementsAttr, StridedLayoutAttr
from fathom.ir.element_printer import Element
from fathom.ir.strides import strides_and_offset
from fathom.ir.types import I32, I64, MemRefType
from fathom.records import replace


def today(element: Element) -> Element:
    """`#dlti.dl_spec<#dlti.dl_entry<index, 32 : i64>>` as `#dlti.dl_spec<index = 32 : i64>`."""
    if not isinstance(element, FormerEntriesAttr):
        return element
    return EntriesAttr(element.kind, tuple((key, _wide(value)) for key, value in element.entries))


def strided(element: Element) -> Element:
    """`memref<4x8xf32, affine_map<(i, j) -> (i * 16 + j + 2)>>` as `memref<4x8xf32, strided<[16, 1], offset: 2>>`."""
    if not isinstance(element, MemRefType) or not isinstance(element.layout, AffineMapAttr):
        return element
    known = strides_and_offset(element)
    return replace(element, layout=StridedLayoutAttr(*known)) if known is not None else element


def _wide(value: Attribute) -> Attribute:
    """`dense<64> : vector<2xi32>` as `dense<64> : vector<2xi64>`."""
    if not isinstance(value, DenseElementsAttr) or value.type.element != I32:
        return value
    return replace(value, type=replace(value.type, element=I64))
