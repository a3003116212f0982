"""The defaults of attributes in descriptions: `none` of an enumeration, `1`, `"text"`, `[1, 2]`, `#dialect.name`.

They are written as a format shows them where the constraint says how, and else as MLIR's attributes are, as far as
defaults need it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from fathom.ir import attributes as a
from fathom.ir import types as t
from fathom.ir.floats import from_float
from fathom.irdl.constraint import AttributeConstraint, AttributeForm
from fathom.irdl.constraints import parse_cases
from fathom.irdl.expressions import DescriptionError

_TYPES: Final = re.compile(r"(?:s|u)?i\d{1,7}|index|b?f\d+|none")
_INTEGER: Final = re.compile(r"-?\d+|-?0x[0-9A-Fa-f]+")
_FLOAT: Final = re.compile(r"-?\d+\.\d*(?:[eE][+-]?\d+)?")
_STRING: Final = re.compile(r'"((?:[^"\\]|\\.)*)"')

Lookup = Callable[[str], "a.Attribute | None"]
"""The attribute of a dialect without parameters, by its name after `#`."""


def default_of(constraint: AttributeConstraint, text: str, column: int, lookup: Lookup) -> a.Attribute:
    """The attribute that `text` stands for. A text that cannot be read, or does not satisfy the constraint, raises
    DescriptionError."""
    attribute = _read(constraint, text, lookup)
    if attribute is None:
        raise DescriptionError(f"cannot read the default '{text}'", column)
    if not constraint.accepts(attribute):
        raise DescriptionError(f"the default is not: {constraint.summary or constraint.name}", column)
    return attribute


def _read(constraint: AttributeConstraint, text: str, lookup: Lookup) -> a.Attribute | None:
    match constraint.form:
        case AttributeForm.KEYWORD | AttributeForm.FLAGS | AttributeForm.CASES:
            words = re.split(r"\s*[|,]\s*", text)
            if all(word in constraint.cases for word in words):
                return parse_cases(constraint, words)
            # A case that nobody writes has its number alone.
            return _number(text, constraint.type) if constraint.type is not None else None
        case AttributeForm.STRIPPED if constraint.definition is not None and not text.startswith("#"):
            return _enumerated(constraint, text)
        case AttributeForm.TYPED_LITERAL if constraint.type is not None and constraint.type != t.NONE:
            return _number(text, constraint.type)
        case AttributeForm.ARRAY if constraint.type is not None:
            return _dense_array(text, constraint.type)
        case AttributeForm.TYPE:
            type = simple_type(text)
            return a.TypeAttr(type) if type is not None else None
        case AttributeForm.UNIT:
            return a.UNIT if text == "unit" else None
        case _:
            return _plain(text, lookup)


def _enumerated(constraint: AttributeConstraint, text: str) -> a.Attribute | None:
    from fathom.irdl.parameters import EnumerationKind

    definition = constraint.definition
    if definition is None or len(definition.parameters) != 1:
        return None
    (parameter,) = definition.parameters
    if not isinstance(parameter.kind, EnumerationKind):
        return None
    words = re.split(r"\s*[|,]\s*", text)
    if any(word not in parameter.kind.enumeration.cases for word in words):
        return None
    made = definition.make(**{parameter.name: parameter.kind.enumeration.value_of(words)})
    return made if isinstance(made, a.Attribute) else None


def simple_type(text: str) -> t.Type | None:
    """`i32`, `ui8`, `index`, `f32`, `none`; None for any other text."""
    if _TYPES.fullmatch(text) is None:
        return None
    if text == "index":
        return t.INDEX
    if text == "none":
        return t.NONE
    match = re.fullmatch(r"(s|u)?i(\d+)", text)
    return t.IntegerType(int(match[2]), match[1] or "") if match else t.FloatType(text)


def _number(text: str, type: t.Type) -> a.Attribute | None:
    if isinstance(type, t.FloatType):
        if _FLOAT.fullmatch(text) is None and _INTEGER.fullmatch(text) is None:
            return None
        return a.FloatAttr(from_float(float(text), type.name), type)
    if text in ("true", "false") and type == t.I1:
        return a.TRUE if text == "true" else a.FALSE
    return a.IntegerAttr(int(text, 0), type) if _INTEGER.fullmatch(text) else None


def _dense_array(text: str, element: t.Type) -> a.Attribute | None:
    if not text.startswith("[") or not text.endswith("]"):
        return None
    words = [word.strip() for word in text[1:-1].split(",")] if text[1:-1].strip() else []
    numbers = [_number(word, element) for word in words]
    values: list[int] = []
    for number in numbers:
        if isinstance(number, a.IntegerAttr):
            values.append(number.value)
        elif isinstance(number, a.FloatAttr):
            values.append(number.bits)
        else:
            return None
    return a.DenseArrayAttr(element, tuple(values))


def _plain(text: str, lookup: Lookup) -> a.Attribute | None:
    if (match := _STRING.fullmatch(text)) is not None:
        return a.StringAttr(re.sub(r"\\(.)", r"\1", match[1]))
    if text.startswith("#"):
        return lookup(text[1:])
    if text.startswith("@"):
        root, *nested = [part.removeprefix("@") for part in text.split("::")]
        return a.SymbolRefAttr(root, tuple(nested))
    if text.startswith("[") and text.endswith("]"):
        inner = text[1:-1].strip()
        parts = [_plain(part.strip(), lookup) for part in inner.split(",")] if inner else []
        elements = tuple(part for part in parts if part is not None)
        return a.ArrayAttr(elements) if len(elements) == len(parts) else None
    if text == "{}":
        return a.DictAttr(())
    if text == "unit":
        return a.UNIT
    if text in ("true", "false"):
        return a.TRUE if text == "true" else a.FALSE
    value, _, type = (part.strip() for part in text.partition(":"))
    is_float = _FLOAT.fullmatch(value) is not None
    declared = simple_type(type) if type else (t.F64 if is_float else t.I64)
    if declared is not None and (is_float or _INTEGER.fullmatch(value)):
        return _number(value, declared)
    named = simple_type(text)
    return a.TypeAttr(named) if named is not None else None
