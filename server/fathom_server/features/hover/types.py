"""Hovers of types: what a type becomes in the LLVM dialect, and where the elements of a memref lie."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fathom.ir.attributes import Attribute
from fathom.ir.dialect_values import DialectAttr, DialectType, Parameter
from fathom.ir.types import FunctionType, MemRefType, Type
from fathom.irdl.parameters import EnumerationKind, ParameterKind
from fathom.irdl.parametric import Parametric
from fathom.passes.to_llvm.describe import Description, describe
from fathom.text.beginnings import beginning
from fathom_server.features.hover.layout import layout_lines
from fathom_server.features.hover.texts import LONGEST, Element, Said, brief, code, listed, quoted, table
from fathom_server.model.written import WrittenType

MOST_FIELDS: Final = 32
"""Of a descriptor so many fields are shown."""


def type_text(subject: WrittenType) -> Said:
    """A type, what it becomes, and of one of a dialect's what it is made of."""
    return about_type(subject.type).after(code(brief(subject.type)))


def about_type(type: Type) -> Said:
    """What a type becomes in the LLVM dialect; below, what it is made of, and where the elements of a memref lie."""
    description = describe(type)
    layout = _layout(type, description) if isinstance(type, MemRefType) else ()
    return Said(tuple(_converted(description)), (*parameter_lines(type), *layout))


def _layout(type: MemRefType, description: Description) -> Iterator[str]:
    """The layout of a memref, its descriptor field by field, and its arguments."""
    yield from layout_lines(type)
    if description.fields:
        rows = [
            (str(number), field.name, f"`{brief(field.type)}`", field.text or "")
            for number, field in enumerate(description.fields[:MOST_FIELDS])
        ]
        if len(description.fields) > MOST_FIELDS:
            rows.append(("…", "", "", ""))
        yield "Descriptor, and arguments in a signature:\n\n" + table(("#", "field", "type", "value"), rows)


def _converted(description: Description) -> Iterator[str]:
    type, converted = description.type, description.converted
    if description.signature is not None:
        yield f"LLVM dialect: `{brief(description.signature)}`"
    if converted is None:
        yield f"LLVM dialect: no conversion{f': {description.reason}' if description.reason else ''}"
    elif isinstance(type, FunctionType):
        yield f"as a value: `{brief(converted)}`"
    elif converted == type:
        yield "LLVM dialect: the same type"
    else:
        yield f"LLVM dialect: `{brief(converted)}`"


def parameter_lines(element: Element) -> Iterator[str]:
    """Of a type or attribute that a dialect describes, what it is and its parameters."""
    definition = element.definition if isinstance(element, (DialectType, DialectAttr)) else None
    if not isinstance(definition, Parametric) or not isinstance(element, (DialectType, DialectAttr)):
        return
    if definition.summary:
        yield definition.summary
    rows = [
        (parameter.name, quoted(_parameter(value, parameter.kind)))
        for parameter, value in zip(definition.parameters, element.parameters, strict=False)
        if value is not None and not parameter.own_type
    ]
    if rows:
        yield table(("parameter", "value"), rows)


def _parameter(value: Parameter, kind: ParameterKind) -> str:
    match value:
        case Type() | Attribute():
            return brief(value)
        case int() if isinstance(kind, EnumerationKind):
            return f"{kind.enumeration.spell(value)} ({value})"
        case tuple():
            return f"[{listed(value, lambda inner: _parameter(inner, kind))}]"
        case _:
            return beginning(str(value), LONGEST)
