"""Types and attributes read from a text, in a context."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.elaborate import load
from fathom.ir.attributes import TypeAttr

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation
    from fathom.ir.types import Type

_NAME = "fathom.read"


def attribute_of(text: str, context: Context) -> Attribute | None:
    """The attribute of a text; None where it has no meaning."""
    loaded = load(f'"builtin.module"() ({{}}) {{{_NAME} = {text}}} : () -> ()', context)
    return loaded.module.attributes.get(_NAME) if not loaded.has_errors else None


def type_of(text: str, context: Context) -> Type | None:
    """The type of a text; None where it has no meaning."""
    attribute = attribute_of(text, context)
    return attribute.type if isinstance(attribute, TypeAttr) else None


def give_region(op: Operation, text: str, context: Context) -> bool:
    """Gives an operation the regions of one with this text, whose operands are called `%0`, `%1`, … and are of the
    types of its own. False where the text has no meaning."""
    arguments = ", ".join(f"%{number}: {value.type}" for number, value in enumerate(op.operands))
    loaded = load(f"func.func @f({arguments}) {{\n{text}\nreturn\n}}", context)
    if loaded.has_errors:
        return False
    made = next((inner for inner in loaded.module.walk() if inner.name == op.name), None)
    for region in list(made.regions) if made is not None else ():
        op.add_region(region)
    return made is not None
