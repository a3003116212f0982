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
from fathom.ir.attributes import ArrayAttr, Attribute, IntegerAttr, StringAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.operation import Operation
from fathom.ir.property_values import elements_property
from fathom.irdl.cases import word_of
from fathom.translation.attribute_sets import EMPTY, ORDER, AttributeSet, attribute_set
from fathom.translation.unsaid import Lost

_NUMBERS: Final = frozenset({"align", "alignstack", "dereferenceable", "dereferenceable_or_null"})
"""What takes a number, and stands in LLVM IR with it."""
_PACKED: Final = frozenset({"allocsize", "allockind", "captures", "memory", "nofpclass", "uwtable", "vscale_range"})
"""What takes a number that stands for something else."""
_ACCESSES: Final = ("none", "read", "write", "readwrite")
_MARKS: Final = STREAMING_MARKS | ZA_MARKS


def function_attributes(properties: Mapping[str, Attribute]) -> AttributeSet:
    """Those of a function or a call, from the inherent attributes of its operation. Raises Lost for what is not
    translated."""
    known: dict[str, str] = {}
    strings: dict[str, str] = {}
    for name, value in properties.items():
        if name in FUNCTION_FLAGS:
            known[FUNCTION_FLAGS[name]] = ""
        elif name in FUNCTION_STRINGS and isinstance(value, StringAttr):
            strings[FUNCTION_STRINGS[name]] = value.value
        elif name in FUNCTION_BOOLEANS and isinstance(value, IntegerAttr):
            strings[FUNCTION_BOOLEANS[name]] = "true" if value.value else "false"
        elif name in _MARKS:
            strings[_MARKS[name]] = ""
        elif name in _SPECIAL:
            _SPECIAL[name](value, known, strings)
        elif name == "passthrough" and isinstance(value, ArrayAttr):
            pass_through(value.elements, known, strings, name)
    return attribute_set(known, strings) if known or strings else EMPTY


def _memory(value: Attribute, known: dict[str, str], _strings: dict[str, str]) -> None:
    """The access of all other memory, then what differs from it."""
    if not isinstance(value, DialectAttr):
        return
    access = {name: _access(value.parameter(name)) for name in ("other", *MEMORY_LOCATIONS)}
    other = access.pop("other")
    parts = [f"{MEMORY_LOCATIONS[name]}: {kind}" for name, kind in access.items() if kind != other]
    known["memory"] = ", ".join(parts if other == "none" and parts else [other, *parts])


def _access(number: object) -> str:
    return _ACCESSES[number] if isinstance(number, int) else _ACCESSES[-1]


def _frame_pointer(value: Attribute, _known: dict[str, str], strings: dict[str, str]) -> None:
    strings["frame-pointer"] = word_of(value).strip('"')


def _unwind_table(value: Attribute, known: dict[str, str], _strings: dict[str, str]) -> None:
    if (word := word_of(value)) != "none":
        known["uwtable"] = "" if word == "async" else word


def _scale(value: Attribute, known: dict[str, str], _strings: dict[str, str]) -> None:
    if isinstance(value, DialectAttr):
        known["vscale_range"] = ",".join(
            str(parameter.value) for parameter in value.parameters if isinstance(parameter, IntegerAttr)
        )


def _features(value: Attribute, _known: dict[str, str], strings: dict[str, str]) -> None:
    features = value.parameter("features") if isinstance(value, DialectAttr) else None
    texts = (
        [feature.value for feature in features if isinstance(feature, StringAttr)]
        if isinstance(features, tuple)
        else []
    )
    strings["target-features"] = ",".join(texts)


_SPECIAL: Final[Mapping[str, Callable[[Attribute, dict[str, str], dict[str, str]], None]]] = {
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


def _sizes(packed: int) -> str | None:
    """Which arguments say how much is allocated: the size of an element, and the count, if there is one."""
    size, count = packed >> 32, packed & 0xFFFFFFFF
    return f"{size}" if count == 0xFFFFFFFF else f"{size},{count}"


_UNPACKED: Final[Mapping[str, Callable[[int], str | None]]] = {
    "allocsize": _sizes,
    "memory": lambda packed: None if packed else "none",
}
"""What a number stands for, of some; None where that is not known here."""


def texts_as_attributes(op: Operation, prop: str) -> AttributeSet:
    """The attributes that a property is a list of. Raises Lost."""
    known: dict[str, str] = {}
    strings: dict[str, str] = {}
    pass_through(elements_property(op, prop), known, strings, prop)
    return attribute_set(known, strings)


def pass_through(elements: Iterable[Attribute], known: dict[str, str], strings: dict[str, str], prop: str) -> None:
    """`"name"` and `["name", "value"]`, in a property: those that LLVM knows, and others as they stand. Raises Lost."""
    for element in elements:
        pair = element.elements if isinstance(element, ArrayAttr) else (element, StringAttr(""))
        if not isinstance(element, (StringAttr, ArrayAttr)) or len(pair) != 2:
            raise Lost(f"expected '{prop}' to contain string or array attributes")
        key, value = pair
        if not isinstance(key, StringAttr) or not isinstance(value, StringAttr):
            raise Lost(f"expected arrays within '{prop}' to contain two strings")
        name, text = key.value, value.value
        if name not in ORDER:
            strings[name] = text
        elif name not in _NUMBERS | _PACKED:
            if text:
                raise Lost(f"LLVM attribute '{name}' does not expect a value, found '{text}'")
            known[name] = ""
        elif not text:
            raise Lost(f"LLVM attribute '{name}' expects a value")
        elif name in _UNPACKED and text.isdecimal() and (unpacked := _UNPACKED[name](int(text))) is not None:
            known[name] = unpacked
        elif name in _PACKED or not text.isdecimal() or not text.isascii():
            raise Lost(f"the translation to LLVM IR does not carry the attribute '{name}' with the value '{text}'")
        else:
            known[name] = str(int(text))
