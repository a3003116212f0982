"""Pieces of Markdown that hovers are made of, each no longer than a person reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias, TypeVar

from fathom.elaborate.scopes import ForwardValue
from fathom.elaborate.sites import definition
from fathom.ir.attributes import (
    ArrayAttr,
    Attribute,
    DenseArrayAttr,
    DenseElementsAttr,
    DenseStringsAttr,
    DictAttr,
    SparseElementsAttr,
    spell_entry,
)
from fathom.ir.operation import OpResult, Value
from fathom.ir.spelling import spell_element
from fathom.ir.types import Type
from fathom.records import record
from fathom.text.beginnings import beginning
from fathom_server.features.questions import Question

T = TypeVar("T")


@record
class Said:
    """What a hover says: what is to be read at once, and below a rule what else there is to say. What is empty is left
    out."""

    short: Sequence[str]
    details: Sequence[str] = ()
    asks: Question | None = None
    """What one may ask besides."""

    def after(self, *first: str) -> Said:
        """The same, to be read after something else."""
        return Said((*first, *self.short), self.details, self.asks)

    @property
    def text(self) -> str:
        first, rest = filter(None, self.short), [detail for detail in self.details if detail]
        return "\n\n".join([*first, *(["---", *rest] if rest else [])])


Element: TypeAlias = "Type | Attribute"

LONGEST: Final = 1000
"""Of a type or attribute so many characters are shown."""
MOST_ELEMENTS: Final = 32
"""And so many elements of a list."""
MOST_CASES: Final = 24
"""So many cases of an enumeration are listed."""


def brief(element: Element) -> str:
    """The text of a type or attribute, or its beginning. What is behind that is not gone through, however large it
    is."""
    written = 0

    def of(part: Element) -> str:
        nonlocal written
        if written > LONGEST:
            return "…"
        text = _spelt(part, of)
        written += len(text)
        return text

    return beginning(of(element), LONGEST)


def _spelt(element: Element, of: Callable[[Element], str]) -> str:
    """The text of a type or attribute, a list by its first elements."""
    match element:
        case DenseElementsAttr() | DenseStringsAttr() if len(element.values) > MOST_ELEMENTS:
            return f"dense<…> : {of(element.type)}"
        case SparseElementsAttr() if len(element.values.values) > MOST_ELEMENTS:
            return f"sparse<…> : {of(element.type)}"
        case DenseArrayAttr() if len(element.values) > MOST_ELEMENTS:
            first = ", ".join(spell_element(value, element.element) for value in element.values[:MOST_ELEMENTS])
            return f"array<{of(element.element)}: {first}, …>"
        case ArrayAttr() if len(element.elements) > MOST_ELEMENTS:
            return f"[{', '.join(nested.spell_inside(of) for nested in element.elements[:MOST_ELEMENTS])}, …]"
        case DictAttr() if len(element.entries) > MOST_ELEMENTS:
            first = ", ".join(spell_entry(name, value, of) for name, value in element.entries[:MOST_ELEMENTS])
            return f"{{{first}, …}}"
        case _:
            return element.spell(of)


def listed(parts: Sequence[T], text: Callable[[T], str], most: int = MOST_ELEMENTS) -> str:
    """The parts of a list, comma-separated, or the first of them."""
    return ", ".join([*map(text, parts[:most]), *(["…"] if len(parts) > most else [])])


def cases_line(cases: Mapping[str, int], word: str) -> str:
    """The cases of an enumeration, of which one is meant."""
    if not cases:
        return ""
    return "one of " + listed(list(cases), lambda case: f"**`{case}`**" if case == word else f"`{case}`", MOST_CASES)


def code(text: str, language: str = "mlir") -> str:
    return f"```{language}\n{text}\n```"


def quoted(text: str) -> str:
    """Code within a line."""
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; a bar in a cell would end it."""
    lines = [" | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) for row in (head, *rows)]
    return "\n".join(f"| {line} |" for line in (lines[0], " | ".join("---" for _ in head), *lines[1:]))


def name_of(value: Value) -> str:
    """The name of a value as the text has it where it is used, defined or not; empty where it has none."""
    if isinstance(value, ForwardValue):
        return value.places[0].site.text(value.places[0].token)
    place = definition(value)
    if place is None:
        return ""
    text = place.site.text(place.token)
    several = len(place.site.definitions[place.token]) > 1
    if not (several and isinstance(value, OpResult)):
        return text
    first = place.site.definitions[place.token][0]
    return f"{text}#{value.index - first.index}" if isinstance(first, OpResult) else text


def shown_name(value: Value) -> str:
    """The name of a value in a sentence."""
    name = name_of(value)
    return f"`{name}`" if name else "a value without a name"


def counted_on(ask: Callable[[], T]) -> T | None:
    """What an operation's own code says of it; None where it fails, since it is written for operations that are valid,
    and nobody has verified this one."""
    try:
        return ask()
    except Exception:
        return None
