"""Attributes as texts. Source of the rules: *LLVM Language Reference*, "Attribute Groups"."""

from __future__ import annotations

from collections.abc import Callable

from fathom.llvmir.attribute_kinds import KINDS, MEMORY_LOCATIONS, Form
from fathom.llvmir.attributes import (
    Attribute,
    AttributeSet,
    AttributeValue,
    CaptureInfo,
    ConstantRange,
    MemoryEffects,
    StringAttribute,
)
from fathom.llvmir.types import Type
from fathom.text.escapes import escape


class AttributeTexts:
    """Texts of attributes; `spell` is that of types."""

    def __init__(self, spell: Callable[[Type], str]) -> None:
        self._spell = spell
        self._sets: dict[int, str] = {}

    def of_set(self, attributes: AttributeSet) -> str:
        """As they stand at a parameter or a result."""
        text = self._sets.get(id(attributes))
        if text is None:
            text = self._sets[id(attributes)] = " ".join(map(self._of, attributes.attributes))
        return text

    def known(self, attributes: AttributeSet) -> str:
        """What LLVM knows of them, as a comment before a function says it."""
        return " ".join(self._of(attribute) for attribute in attributes if isinstance(attribute, Attribute))

    def group(self, attributes: AttributeSet) -> str:
        """As they stand in a group."""
        return " ".join(self._of(attribute, True) for attribute in attributes)

    def _of(self, attribute: Attribute | StringAttribute, in_group: bool = False) -> str:
        if isinstance(attribute, StringAttribute):
            return f'"{attribute.kind}"' + (f'="{escape(attribute.value)}"' if attribute.value else "")
        return attribute.kind + self._value(KINDS[attribute.kind], attribute.value, in_group)

    def _value(self, form: Form, value: AttributeValue, in_group: bool) -> str:
        match value:
            case None | ():
                return ""
            case Type():
                return f"({self._spell(value)})"
            case int():
                if in_group:
                    return f"={value}"
                return f" {value}" if form is Form.ALIGN else f"({value})"
            case MemoryEffects():
                return _memory(value)
            case CaptureInfo():
                return _captures(value)
            case ConstantRange(bits, lower, upper):
                return f"(i{bits} {lower}, {upper})"
            case _ if form is Form.RANGES:
                return f"({', '.join(f'({bounds[0]}, {bounds[1]})' for bounds in value if isinstance(bounds, tuple))})"
            case _ if form is Form.QUOTED:
                return f'("{",".join(map(str, value))}")'
            case _:
                return f"({(' ' if form is Form.WORDS else ',').join(map(str, value))})"


def _memory(effects: MemoryEffects) -> str:
    known = dict(effects.locations)
    parts = [
        f"{name}: {known[name]}" for name in MEMORY_LOCATIONS if known.get(name, effects.default) != effects.default
    ]
    return f"({', '.join([effects.default, *parts] if effects.default != 'none' or not parts else parts)})"


def _captures(captures: CaptureInfo) -> str:
    other = ", ".join(captures.other) or "none"
    if captures.result is None or captures.result == captures.other:
        return f"({other})"
    result = f"ret: {', '.join(captures.result) or 'none'}"
    return f"({other}, {result})" if captures.other else f"({result})"
