"""Attributes of LLVM IR as those of the LLVM dialect: of functions, calls, parameters, results and globals.

Source of the rules: *'llvm' Dialect*, "`llvm.func`", "Attribute Pass-Through"; *LLVM Language Reference*, "Function
Attributes", "Parameter Attributes".
"""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING, Final

from fathom.dialects import own_description
from fathom.dialects.llvm.ir_names import (
    FUNCTION_BOOLEANS,
    FUNCTION_FLAGS,
    FUNCTION_STRINGS,
    MEMORY_LOCATIONS,
    PARAMETERS,
    STREAMING_MARKS,
    ZA_MARKS,
)
from fathom.ir.attributes import (
    FALSE,
    TRUE,
    UNIT,
    ArrayAttr,
    Attribute,
    DictAttr,
    StringAttr,
    TypeAttr,
    i32_attr,
    i64_attr,
)
from fathom.ir.dialect_values import DialectAttr, Parameter
from fathom.ir.types import signless
from fathom.irdl.cases import cases_of
from fathom.llvmir import attributes as llvm
from fathom.llvmir.attribute_kinds import MEMORY_ACCESS
from fathom.llvmir.module import Function
from fathom.llvmir.packed_attributes import packed
from fathom.llvmir.types import Type

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fathom.importing.state import ModuleImport
    from fathom.importing.types import Types
    from fathom.ir.locations import LocationAttr
    from fathom.llvmir.instructions import CallBase

_NO_ATTRIBUTES: Final = DictAttr(())
_OF_PARAMETERS: Final = {kind: name for name, kind in PARAMETERS.items()}
_PASSED_ON: Final = frozenset(("target-cpu", "reciprocal-estimates", "prefer-vector-width"))
"""What a function says by a property, and passes on all the same."""
_EXPLICIT: Final = (
    frozenset(
        (
            *(FUNCTION_FLAGS | FUNCTION_STRINGS | FUNCTION_BOOLEANS | STREAMING_MARKS | ZA_MARKS).values(),
            *("frame-pointer", "memory", "target-features", "uwtable", "vscale_range"),
        )
    )
    - _PASSED_ON
)
"""What a function says by a property, and does not pass on."""


def made(name: str, **parameters: Parameter) -> DialectAttr:
    """An attribute of the LLVM dialect, by the name of its definition."""
    return own_description("llvm").attributes[name].make_attribute(**parameters)


def case(name: str, word: str) -> Attribute:
    """An attribute that is a word."""
    definition = own_description("llvm").attributes[name]
    return definition.make_attribute(**{definition.names[0]: cases_of(definition)[word]})


# ---- parameters and results


def parameter_attributes(attributes: llvm.AttributeSet, module: ModuleImport) -> DictAttr:
    """The attributes of a parameter or a result that MLIR has."""
    known = module.attribute_sets.get(attributes)
    if known is None:
        known = module.attribute_sets[attributes] = _parameter_attributes(attributes, module.types)
    return known


def _parameter_attributes(attributes: llvm.AttributeSet, types: Types) -> DictAttr:
    entries: list[tuple[str, Attribute]] = []
    for attribute in attributes:
        name = _OF_PARAMETERS.get(attribute.kind)
        if name is None or isinstance(attribute, llvm.StringAttribute):
            continue
        match attribute.value:
            case llvm.CaptureInfo(other, result):
                if other or result:
                    continue
                value: Attribute = UNIT
            case Type() as type:
                value = TypeAttr(types(type))
            case int(number):
                value = i64_attr(number)
            case llvm.ConstantRange() as between:
                value = range_attribute(between)
            case _:
                value = UNIT
        entries.append((name, value))
    return DictAttr(tuple(sorted(entries, key=lambda entry: entry[0]))) if entries else _NO_ATTRIBUTES


def range_attribute(of: llvm.ConstantRange) -> Attribute:
    """The range that a value is in."""
    return made("ConstantRangeAttr", type=signless(of.bits), lower=of.lower, upper=of.upper)


def function_signature(of: Function, module: ModuleImport) -> dict[str, Attribute]:
    """The attributes of a function's parameters and result, as its properties."""
    properties: dict[str, Attribute] = {}
    sets = of.attributes.parameters
    if any(sets):
        count = len(of.value_type.parameters)
        own = [parameter_attributes(of.attributes.parameter(number), module) for number in range(count)]
        if any(each.entries for each in own):
            properties["arg_attrs"] = ArrayAttr(tuple(own))
    if of.attributes.result:
        properties["res_attrs"] = ArrayAttr((parameter_attributes(of.attributes.result, module),))
    return properties


def call_attributes(module: ModuleImport, of: CallBase, immediate: Container[int] = ()) -> dict[str, Attribute]:
    """The attributes of a call's arguments and result, as its properties; those of `immediate` arguments count for
    nothing."""
    properties: dict[str, Attribute] = {}
    attributes = of.attributes
    if attributes.parameters:
        sets = [attributes.parameter(number) for number in range(len(of.operands)) if number not in immediate]
        if any(sets):
            properties["arg_attrs"] = ArrayAttr(tuple(parameter_attributes(each, module) for each in sets))
    if attributes.result:
        properties["res_attrs"] = ArrayAttr((parameter_attributes(attributes.result, module),))
    return properties


# ---- effects on memory

_LOCATIONS: Final = ("other", *MEMORY_LOCATIONS)
_ALL: Final = (3,) * len(_LOCATIONS)
_NOT_READING: Final = frozenset(("ptrauth", "kcfi", "convergencectrl", "deactivation-symbol"))
_NOT_WRITING: Final = _NOT_READING | {"deopt", "funclet"}
"""Operand bundles that say nothing of memory."""


def memory_effects(of: Function | CallBase) -> Attribute | None:
    """What a function or a call does to memory, as an attribute; None if that is not known. A call does no more than
    what it calls."""
    effects = _effects(of.attributes.function)
    if not isinstance(of, Function) and isinstance(of.called, Function):
        callee = _effects(of.called.attributes.function)
        tags = [tag for tag, _ in of.bundles]
        if any(tag not in _NOT_READING for tag in tags) and of.called.name != "llvm.assume":
            callee = tuple(each | 1 for each in callee)
        if any(tag not in _NOT_WRITING for tag in tags) and of.called.name != "llvm.assume":
            callee = tuple(each | 2 for each in callee)
        effects = tuple(one & other for one, other in zip(effects, callee, strict=True))
    return None if effects == _ALL else _effects_attribute(effects)


def _effects_attribute(effects: tuple[int, ...]) -> Attribute:
    return made("MemoryEffectsAttr", **dict(zip(_LOCATIONS, effects, strict=True)))


def _effects(attributes: llvm.AttributeSet) -> tuple[int, ...]:
    attribute = attributes.get("memory") if attributes else None
    if attribute is None or not isinstance(attribute.value, llvm.MemoryEffects):
        return _ALL
    said, default = dict(attribute.value.locations), attribute.value.default
    words = [default, *(said.get(location, default) for location in MEMORY_LOCATIONS.values())]
    return tuple(MEMORY_ACCESS.index(word) for word in words)


# ---- functions


def function_properties(of: Function, module: ModuleImport, location: LocationAttr) -> Mapping[str, Attribute]:
    """The attributes of a function itself, as properties of its operation: once for all functions that have the same,
    unless something is said of them."""
    attributes = of.attributes.function
    if not attributes:
        return {}
    properties = module.function_sets.get(id(attributes))
    if properties is None:
        said = len(module.diagnostics)
        properties = _function_properties(of, module, location)
        if len(module.diagnostics) == said:
            module.function_sets[id(attributes)] = properties
    return properties


def _function_properties(of: Function, module: ModuleImport, location: LocationAttr) -> dict[str, Attribute]:
    attributes = of.attributes.function
    properties: dict[str, Attribute] = {}
    if (effects := memory_effects(of)) is not None:
        properties["memory_effects"] = effects
    if passed_on := passed_through(attributes, module, location, _EXPLICIT):
        properties["passthrough"] = passed_on
    for name, kind in FUNCTION_FLAGS.items():
        if attributes.get(kind) is not None:
            properties[name] = UNIT
    for marks in (STREAMING_MARKS, ZA_MARKS):
        mark = next((name for name, kind in marks.items() if attributes.get(kind) is not None), None)
        if mark is not None:
            properties[mark] = UNIT
    _add_strings(attributes, properties)
    scale = attributes.get("vscale_range")
    if scale is not None and isinstance(scale.value, tuple):
        least, most = (*scale.value, *scale.value)[:2] if len(scale.value) == 1 else scale.value[:2]
        properties["vscale_range"] = made(
            "VScaleRangeAttr", minRange=i32_attr(_int(least)), maxRange=i32_attr(_int(most))
        )
    table = attributes.get("uwtable")
    if table is not None:
        properties["uwtable_kind"] = case("UWTableKindAttr", "sync" if table.value else "async")
    return properties


def _int(of: object) -> int:
    return of if isinstance(of, int) else 0


def _add_strings(attributes: llvm.AttributeSet, properties: dict[str, Attribute]) -> None:
    strings = {each.kind: each.value for each in attributes if isinstance(each, llvm.StringAttribute)}
    if not strings:
        return
    properties |= {name: StringAttr(strings[kind]) for name, kind in FUNCTION_STRINGS.items() if kind in strings}
    for name, kind in FUNCTION_BOOLEANS.items():
        if kind in strings:
            properties[name] = TRUE if strings[kind] == "true" else FALSE
    if "frame-pointer" in strings:
        properties["frame_pointer"] = case("FramePointerKindAttr", strings["frame-pointer"])
    if "target-features" in strings:
        features = tuple(StringAttr(each) for each in strings["target-features"].split(",") if each)
        properties["target_features"] = made("TargetFeaturesAttr", features=features)


def passed_through(
    attributes: Iterable[llvm.Attribute | llvm.StringAttribute],
    module: ModuleImport,
    location: LocationAttr,
    left_out: Container[str] = (),
) -> ArrayAttr | None:
    """Attributes as texts, `"name"` or `["name", "value"]`; None for none."""
    passed: list[Attribute] = []
    for attribute in attributes:
        kind = attribute.kind
        if kind in left_out:
            continue
        if isinstance(attribute, llvm.StringAttribute):
            text: str | None = attribute.value
        else:
            text = _number_text(attribute)
        if text is None:
            module.warn(f"'{kind}' attribute is invalid on current operation, skipping it", location)
        else:
            passed.append(ArrayAttr((StringAttr(kind), StringAttr(text))) if text else StringAttr(kind))
    return ArrayAttr(tuple(passed)) if passed else None


def _number_text(attribute: llvm.Attribute) -> str | None:
    """The number that an attribute has, as a text, which is empty for one without; None for one that has no number."""
    if attribute.value is None:
        return ""
    number = packed(attribute.kind, attribute.value)
    return None if number is None else str(number)
