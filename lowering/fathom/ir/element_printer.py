"""The printer of what operations consist of: names of values, types, attributes, dictionaries.

Source of the rules: observed behaviour of mlir-opt 22; *MLIR Language Reference*.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.ir.aliases import alias_stem
from fathom.ir.attributes import (
    Attribute,
    Blob,
    DenseElementsAttr,
    DenseResourceAttr,
    DenseStringsAttr,
    DistinctAttr,
    FloatAttr,
    IntegerAttr,
    SparseElementsAttr,
    StringAttr,
    spell_entry,
)
from fathom.ir.dense import spell_dense
from fathom.ir.naming import Names
from fathom.ir.printing_flags import HEX_ABOVE, PrintingFlags
from fathom.ir.spelling import spell_symbol
from fathom.ir.types import FunctionType, Type
from fathom.slices import checkpoint
from fathom.text.beginnings import TextTooLong
from fathom.text.escapes import quote

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Region, Value

Element: TypeAlias = "Type | Attribute"

SEGMENT_PROPERTIES: Final = frozenset(("operandSegmentSizes", "resultSegmentSizes"))
"""As inherent attributes never printed in a custom form: the text shows how many values each group has."""

_NAME: Final = itemgetter(0)
"""The name of an entry of a dictionary."""
_MOST_MET: Final = 4096
"""Of so many elements the text is known by their identity."""
_IN_ORDER = (DistinctAttr, DenseResourceAttr)
"""What gets a number, or is listed, in the order of the text, which aliases begin."""
_WITH_TYPE_BEHIND = (DenseElementsAttr, DenseResourceAttr, DenseStringsAttr, SparseElementsAttr)


class ElementPrinter:
    """Writes to `parts` what operations consist of."""

    def __init__(self, names: Names, flags: PrintingFlags, aliases: dict[Element, str] | None) -> None:
        self.names = names.values
        self.spell_value: Callable[[Value], str] = names.values.__getitem__
        """The name of a value."""
        self.flags = flags
        self.parts: list[str] = []
        self.write: Callable[[str], None] = self.parts.append
        self.at_alias: Callable[[], None] | None = None
        """What finds the aliases when something is met for the first time that has one."""
        self.blobs: dict[str, Blob] = {}
        """The resources that were met, by key."""
        self._texts: dict[Element, str] = dict(aliases) if aliases else {}
        self._met: dict[int, tuple[Element, str]] = {}
        """The same of some by identity, for to hash an element takes long. They are kept, so that none is another's."""
        self._written = 0
        self._distinct: dict[DistinctAttr, int] = {}

    # ---- values, types, attributes

    def value(self, value: Value) -> None:
        self.write(self.spell_value(value))

    def values(self, values: Iterable[Value]) -> None:
        """The values, comma-separated."""
        self.write(self.spell_values(values))

    def spell_values(self, values: Iterable[Value]) -> str:
        """The values, comma-separated."""
        return ", ".join(map(self.spell_value, values))

    def typed_values(self, values: Sequence[Value]) -> None:
        """The values and then their types, as in `%a, %b : i32, f32`."""
        self.values(values)
        self.write(" : ")
        self.types([value.type for value in values])

    def shadow(self, region: Region, values: Iterable[Value]) -> None:
        """Has the arguments of a region's entry block called as values outside of it are."""
        arguments = region.first.arguments if region.first is not None else ()
        for argument, value in zip(arguments, values, strict=False):
            self.names[argument] = self.spell_value(value)

    def spell(self, element: Element) -> str:
        """The text of a type or attribute, by its alias where it has one. Raises TextTooLong when what was asked for
        has more characters than a text can have."""
        met = self._met.get(id(element))
        if met is not None:
            text = met[1]
        else:
            try:
                text = self._texts[element]
            except KeyError:
                text = self._spelt(element)
                if isinstance(element, DenseElementsAttr):
                    # It is as long as what it was read from, but for where it comes again.
                    return text
            if len(self._met) < _MOST_MET:
                self._met[id(element)] = element, text
        # It is a part of what is written, at least once.
        self._written += len(text)
        if self._written > self.flags.most:
            raise TextTooLong(f"a text of more than {self.flags.most:,} characters is not written")
        return text

    def _spelt(self, element: Element) -> str:
        checkpoint()
        if self.at_alias is not None and (isinstance(element, _IN_ORDER) or alias_stem(element)):
            find, self.at_alias = self.at_alias, None
            find()
            if element in self._texts:
                return self._texts[element]
        text = self._texts[element] = self.definition(element)
        if isinstance(element, DenseResourceAttr) and element.blob is not None:
            self.blobs[element.key] = element.blob
        return text

    def use_aliases(self, aliases: Mapping[Element, str]) -> None:
        """Has types and attributes written by their aliases from now on."""
        self._texts |= aliases
        self._met.clear()

    def definition(self, element: Element) -> str:
        """The text of a type or attribute, by the aliases of what is nested in it alone."""
        if isinstance(element, DistinctAttr):
            number = self._distinct.setdefault(element, len(self._distinct))
            return element.spell_numbered(number, self.spell)
        return self._elements(element) or element.spell(self.spell)

    def _elements(self, element: Element) -> str | None:
        """The text of elements that are left out or, against the default, hexadecimal or not; None for all else."""
        flags = self.flags
        if flags.elide_elements_above is None and flags.hex_elements_above == HEX_ABOVE:
            return None
        if isinstance(element, (DenseElementsAttr, DenseStringsAttr, SparseElementsAttr)):
            if flags.elide_elements_above is not None and _element_count(element) > flags.elide_elements_above:
                return f"dense_resource<__elided__> : {self.spell(element.type)}"
            if isinstance(element, DenseElementsAttr):
                return f"dense<{spell_dense(element, flags.hex_elements_above)}> : {self.spell(element.type)}"
            if isinstance(element, SparseElementsAttr) and element.values.values:
                places, values = (
                    spell_dense(element.indices, None),
                    spell_dense(element.values, flags.hex_elements_above),
                )
                return f"sparse<{places}, {values}> : {self.spell(element.type)}"
        return None

    def type(self, type: Type) -> None:
        self.write(self.spell(type))

    def types(self, types: Iterable[Type]) -> None:
        """The types, comma-separated."""
        self.write(self.spell_types(types))

    def spell_types(self, types: Iterable[Type]) -> str:
        """The types, comma-separated."""
        return ", ".join(map(self.spell, types))

    def attribute(self, attribute: Attribute) -> None:
        self.write(self.spell(attribute))

    def attribute_without_type(self, attribute: Attribute) -> None:
        """An attribute whose type the context implies: `5`, not `5 : i32`."""
        self.write(self.spell_without_type(attribute))

    def spell_without_type(self, attribute: Attribute) -> str:
        """The text of an attribute whose type the context implies: `5`, not `5 : i32`."""
        match attribute:
            case IntegerAttr() | FloatAttr():
                return attribute.spell_value()
            case StringAttr():
                return quote(attribute.value)
            case _ if isinstance(attribute, _WITH_TYPE_BEHIND):
                text = self.spell(attribute)
                return text[: len(text) - len(self.spell(attribute.type)) - len(" : ")]
            case _:
                return self.spell(attribute)

    def symbol(self, name: str) -> None:
        """`@name`, quoted where it has to be."""
        self.write(spell_symbol(name))

    def string(self, text: str) -> None:
        """A string literal."""
        self.write(quote(text))

    def arrow_types(self, types: Sequence[Type]) -> None:
        """` -> ` and the types of results; nothing for none."""
        if types:
            self.write(f" -> {self.spell_result_types(types)}")

    def spell_result_types(self, types: Sequence[Type]) -> str:
        """What stands behind an arrow: one type bare, unless it is a function type, others in parentheses."""
        if len(types) == 1 and not isinstance(types[0], FunctionType):
            return self.spell(types[0])
        return f"({self.spell_types(types)})"

    def functional_type(self, inputs: Iterable[Type], results: Sequence[Type]) -> None:
        """`(inputs) -> results`."""
        self.write(self.spell_functional_type(inputs, results))

    def spell_functional_type(self, inputs: Iterable[Type], results: Sequence[Type]) -> str:
        """`(inputs) -> results`."""
        return f"({self.spell_types(inputs)}) -> {self.spell_result_types(results)}"

    # ---- dictionaries

    def attr_dict(self, op: Operation, elide: Collection[str] = (), *, keyword: bool = False) -> None:
        """` {a = 1, b}` of all inherent attributes but those in `elide`, and the discardable ones, whatever they are
        called; nothing when none is left. With `keyword`, after ` attributes`."""
        if not op.attributes and not op.properties:
            return
        entries = [
            (name, value)
            for name, value in op.properties.items()
            if name not in elide and name not in SEGMENT_PROPERTIES
        ]
        entries += op.attributes.items()
        self._attributes(entries, keyword=keyword)

    def attributes_but(self, op: Operation, elide: Container[str], *, keyword: bool = False) -> None:
        """` {a = 1}` of all attributes, inherent or not, but those in `elide`. With `keyword`, after ` attributes`."""
        entries = (*op.properties.items(), *op.attributes.items())
        self._attributes([(name, value) for name, value in entries if name not in elide], keyword=keyword)

    def _attributes(self, entries: list[tuple[str, Attribute]], *, keyword: bool) -> None:
        if entries and keyword:
            self.write(" attributes")
        self.entries(entries)

    def entries(self, entries: list[tuple[str, Attribute]]) -> None:
        """` {a = 1, b}`, sorted; nothing for no entries."""
        self.write(self.spell_dictionary(entries))

    def spell_dictionary(self, entries: Collection[tuple[str, Attribute]]) -> str:
        """` {a = 1, b}`, sorted; nothing for no entries."""
        return f" {{{self.spell_entries(entries)}}}" if entries else ""

    def spell_entries(self, entries: Iterable[tuple[str, Attribute]]) -> str:
        """`a = 1, b`, sorted."""
        spell = self.spell
        return ", ".join([spell_entry(name, value, spell) for name, value in sorted(entries, key=_NAME)])


def _element_count(attribute: DenseElementsAttr | DenseStringsAttr | SparseElementsAttr) -> int:
    """How many elements count against the limit; those of a splat do not."""
    if isinstance(attribute, SparseElementsAttr):
        return max(len(attribute.indices.values), len(attribute.values.values))
    return len(attribute.values) if len(attribute.values) > 1 else 0
