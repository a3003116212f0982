"""Attributes of functions and calls, from the LLVM dialect's names to LLVM IR's.

Source of the rules: *LLVM Language Reference*, "Function Attributes"; *'llvm' Dialect*, "`llvm.func`".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from fathom.ir.attributes import ArrayAttr, Attribute, IntegerAttr, StringAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.operation import Operation
from fathom.ir.property_values import elements_property
from fathom.irdl.cases import word_of
from fathom.translation.attribute_sets import EMPTY, ORDER, AttributeSet, attribute_set
from fathom.translation.unsaid import Lost

_FLAGS: Final = {
    "always_inline": "alwaysinline",
    "no_inline": "noinline",
    "inline_hint": "inlinehint",
    "optimize_none": "optnone",
    "convergent": "convergent",
    "no_unwind": "nounwind",
    "will_return": "willreturn",
}
_STRINGS: Final = {
    "target_cpu": "target-cpu",
    "tune_cpu": "tune-cpu",
    "reciprocal_estimates": "reciprocal-estimates",
    "prefer_vector_width": "prefer-vector-width",
    "denormal_fp_math": "denormal-fp-math",
    "denormal_fp_math_f32": "denormal-fp-math-f32",
    "fp_contract": "fp-contract",
    "instrument_function_entry": "instrument-function-entry",
    "instrument_function_exit": "instrument-function-exit",
}
_BOOLEANS: Final = {
    "no_infs_fp_math": "no-infs-fp-math",
    "no_nans_fp_math": "no-nans-fp-math",
    "no_signed_zeros_fp_math": "no-signed-zeros-fp-math",
}
_MARKS: Final = {
    "arm_streaming": "aarch64_pstate_sm_enabled",
    "arm_locally_streaming": "aarch64_pstate_sm_body",
    "arm_streaming_compatible": "aarch64_pstate_sm_compatible",
    "arm_new_za": "aarch64_new_za",
    "arm_in_za": "aarch64_in_za",
    "arm_out_za": "aarch64_out_za",
    "arm_inout_za": "aarch64_inout_za",
    "arm_preserves_za": "aarch64_preserves_za",
}
_NUMBERS: Final = frozenset({"align", "alignstack", "dereferenceable", "dereferenceable_or_null"})
"""What takes a number, and stands in LLVM IR with it."""
_PACKED: Final = frozenset({"allocsize", "allockind", "captures", "memory", "nofpclass", "uwtable", "vscale_range"})
"""What takes a number that stands for something else."""
_ACCESSES: Final = ("none", "read", "write", "readwrite")
_PLACES: Final = {
    "argMem": "argmem",
    "inaccessibleMem": "inaccessiblemem",
    "errnoMem": "errnomem",
    "targetMem0": "target_mem0",
    "targetMem1": "target_mem1",
}


def function_attributes(properties: Mapping[str, Attribute]) -> AttributeSet:
    """Those of a function or a call, from the inherent attributes of its operation. Raises Lost for what is not
    translated."""
    known: dict[str, str] = {}
    strings: dict[str, str] = {}
    for name, value in properties.items():
        if name in _FLAGS:
            known[_FLAGS[name]] = ""
        elif name in _STRINGS and isinstance(value, StringAttr):
            strings[_STRINGS[name]] = value.value
        elif name in _BOOLEANS and isinstance(value, IntegerAttr):
            strings[_BOOLEANS[name]] = "true" if value.value else "false"
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
    access = {name: _access(value.parameter(name)) for name in ("other", *_PLACES)}
    other = access.pop("other")
    parts = [f"{_PLACES[name]}: {kind}" for name, kind in access.items() if kind != other]
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
FUNCTION_ATTRIBUTES: Final = frozenset({*_FLAGS, *_STRINGS, *_BOOLEANS, *_MARKS, *_SPECIAL, "passthrough"})
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
