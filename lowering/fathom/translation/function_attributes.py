"""Attributes of functions and calls, from the LLVM dialect's names to LLVM IR's.

Source of the rules: *LLVM Language Reference*, "Function Attributes"; *'llvm' Dialect*, "`llvm.func`".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from fathom.dialects.llvm.ir_names import (
    FUNCTION_BOOLEANS,
    FUNCTION_FLAGS,
    FUNCTION_STRINGS,
    MEMORY_LOCATIONS,
    STREAMING_MARKS,
    ZA_MARKS,
)
from fathom.ir.attributes import ArrayAttr, IntegerAttr, StringAttr
from fathom.ir.attributes import Attribute as MLIRAttribute
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.operation import Operation
from fathom.ir.property_values import elements_property
from fathom.irdl.cases import word_of
from fathom.llvmir.attribute_kinds import KINDS, MEMORY_ACCESS, Form
from fathom.llvmir.attributes import NONE, Attribute, AttributeSet, MemoryEffects, StringAttribute, attribute_set
from fathom.llvmir.packed_attributes import unpacked
from fathom.translation.unsaid import Lost

_FLAGS: Final = {name: Attribute(kind) for name, kind in FUNCTION_FLAGS.items()}
_MARKS: Final = {name: StringAttribute(kind) for name, kind in (STREAMING_MARKS | ZA_MARKS).items()}


def function_attributes(properties: Mapping[str, MLIRAttribute]) -> AttributeSet:
    """Those of a function or a call, from the inherent attributes of its operation. Raises Lost for what is not
    translated."""
    said: list[Attribute | StringAttribute] = []
    for name, value in properties.items():
        if name in _FLAGS:
            said.append(_FLAGS[name])
        elif name in FUNCTION_STRINGS and isinstance(value, StringAttr):
            said.append(StringAttribute(FUNCTION_STRINGS[name], value.value))
        elif name in FUNCTION_BOOLEANS and isinstance(value, IntegerAttr):
            said.append(StringAttribute(FUNCTION_BOOLEANS[name], "true" if value.value else "false"))
        elif name in _MARKS:
            said.append(_MARKS[name])
        elif name in _SPECIAL:
            said += _SPECIAL[name](value)
        elif name == "passthrough" and isinstance(value, ArrayAttr):
            said += pass_through(value.elements, name)
    return attribute_set(said) if said else NONE


Said = Iterable[Attribute | StringAttribute]


def _memory(value: MLIRAttribute) -> Said:
    """The access of all other memory, then what differs from it."""
    if isinstance(value, DialectAttr):
        access = {name: _access(value.parameter(name)) for name in ("other", *MEMORY_LOCATIONS)}
        other = access.pop("other")
        locations = tuple((MEMORY_LOCATIONS[name], kind) for name, kind in access.items() if kind != other)
        yield Attribute("memory", MemoryEffects(other, locations))


def _access(number: object) -> str:
    return MEMORY_ACCESS[number] if isinstance(number, int) else MEMORY_ACCESS[-1]


def _frame_pointer(value: MLIRAttribute) -> Said:
    yield StringAttribute("frame-pointer", word_of(value).strip('"'))


def _unwind_table(value: MLIRAttribute) -> Said:
    if (word := word_of(value)) != "none":
        yield Attribute("uwtable", () if word == "async" else (word,))


def _scale(value: MLIRAttribute) -> Said:
    if isinstance(value, DialectAttr):
        bounds = tuple(parameter.value for parameter in value.parameters if isinstance(parameter, IntegerAttr))
        yield Attribute("vscale_range", bounds)


def _features(value: MLIRAttribute) -> Said:
    features = value.parameter("features") if isinstance(value, DialectAttr) else None
    texts = (
        [feature.value for feature in features if isinstance(feature, StringAttr)]
        if isinstance(features, tuple)
        else []
    )
    yield StringAttribute("target-features", ",".join(texts))


_SPECIAL: Final[Mapping[str, Callable[[MLIRAttribute], Said]]] = {
    "memory_effects": _memory,
    "frame_pointer": _frame_pointer,
    "uwtable_kind": _unwind_table,
    "vscale_range": _scale,
    "target_features": _features,
}
FUNCTION_ATTRIBUTES: Final = frozenset(
    {*FUNCTION_FLAGS, *FUNCTION_STRINGS, *FUNCTION_BOOLEANS, *_MARKS, *_SPECIAL, "passthrough"}
)
"""The properties that are said as attributes of a function or a call."""


def texts_as_attributes(op: Operation, prop: str) -> AttributeSet:
    """The attributes that a property is a list of. Raises Lost."""
    return attribute_set(pass_through(elements_property(op, prop), prop))


def pass_through(elements: Iterable[MLIRAttribute], prop: str) -> Said:
    """`"name"` and `["name", "value"]`, in a property: those that LLVM knows, and others as they stand. Raises Lost."""
    for element in elements:
        pair = element.elements if isinstance(element, ArrayAttr) else (element, StringAttr(""))
        if not isinstance(element, (StringAttr, ArrayAttr)) or len(pair) != 2:
            raise Lost(f"expected '{prop}' to contain string or array attributes")
        key, value = pair
        if not isinstance(key, StringAttr) or not isinstance(value, StringAttr):
            raise Lost(f"expected arrays within '{prop}' to contain two strings")
        name, text = key.value, value.value
        if name not in KINDS:
            yield StringAttribute(name, text)
        elif KINDS[name] in (Form.FLAG, Form.TYPE, Form.RANGE, Form.RANGES):
            if text:
                raise Lost(f"LLVM attribute '{name}' does not expect a value, found '{text}'")
            yield Attribute(name)
        elif not text:
            raise Lost(f"LLVM attribute '{name}' expects a value")
        elif not text.isdecimal() or not text.isascii() or KINDS[name] is Form.CAPTURES:
            raise Lost(f"the translation to LLVM IR does not carry the attribute '{name}' with the value '{text}'")
        else:
            yield Attribute(name, unpacked(name, int(text)))
