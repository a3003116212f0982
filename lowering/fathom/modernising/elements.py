"""Types and attributes with others in the place of what is nested in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar, cast

from fathom.ir.attributes import Attribute
from fathom.ir.element_printer import Element
from fathom.ir.types import Type
from fathom.records import fields, replace
from fathom.slices import checkpoint

ElementT = TypeVar("ElementT", bound="Element")
Rule = Callable[[Element], Element]


class ElementMap:
    """What becomes of types and attributes by a rule, which gets each when what is nested in it has become what it
    shall be. Each is looked at once."""

    def __init__(self, rule: Rule) -> None:
        self._rule: Final = rule
        self._known: Final[dict[Element, Element]] = {}

    def of(self, element: ElementT) -> ElementT:
        """What becomes of a type, which is a type, or of an attribute."""
        known = self._known.get(element)
        if known is None:
            checkpoint()
            known = self._known[element] = self._rule(self._rebuilt(element))
        return known  # type: ignore[return-value]  # A rule makes types of types.

    def _rebuilt(self, element: Element) -> Element:
        changes: dict[str, object] = {}
        for declared in fields(type(element)):
            if declared.init and declared.compare:
                value = getattr(element, declared.name)
                new = self._value(value)
                if new is not value:
                    changes[declared.name] = new
        return replace(element, **changes) if changes else element

    def _value(self, value: object) -> object:
        if isinstance(value, (Type, Attribute)):
            return self.of(value)
        if isinstance(value, tuple):
            parts = cast("tuple[object, ...]", value)
            if not parts or isinstance(parts[0], int):
                return parts
            new = tuple(self._value(part) for part in parts)
            return new if any(one is not other for one, other in zip(new, parts, strict=True)) else parts
        return value
