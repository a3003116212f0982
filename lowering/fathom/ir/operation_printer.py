"""The printer that an operation is written to: names, types, dictionaries, regions, blocks, and the generic form.

Source of the rules: observed behaviour of mlir-opt 22; *MLIR Language Reference*.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.ir.aliases import alias_stem
from fathom.ir.attributes import (
    FALSE,
    Attribute,
    Blob,
    DenseElementsAttr,
    DenseResourceAttr,
    DenseStringsAttr,
    DictAttr,
    DistinctAttr,
    FloatAttr,
    IntegerAttr,
    SparseElementsAttr,
    StringAttr,
    quote,
    spell_entry,
    spell_symbol,
)
from fathom.ir.custom_text import CUSTOM_TEXT, CustomText
from fathom.ir.dense import spell_dense
from fathom.ir.locations import LocationAttr, spell_pretty
from fathom.ir.naming import Names
from fathom.ir.printing_flags import DEFAULT_FLAGS, HEX_ABOVE, PrintingFlags
from fathom.ir.types import FunctionType, Type
from fathom.ir.users import users_of_argument, users_of_operation
from fathom.text.beginnings import MOST_OUTPUT, TextTooLong

if TYPE_CHECKING:
    from fathom.ir.operation import Block, BlockArgument, Operation, Region, Value

Element: TypeAlias = "Type | Attribute"
Locator: TypeAlias = "Callable[[Operation | BlockArgument], Attribute]"

SEGMENT_PROPERTIES: Final = frozenset(("operandSegmentSizes", "resultSegmentSizes"))
"""As inherent attributes never printed in a custom form: the text shows how many values each group has."""

_WITH_TYPE_BEHIND = (DenseElementsAttr, DenseResourceAttr, DenseStringsAttr, SparseElementsAttr)


class Printer:
    """Writes operations to `parts`. One printer prints one top-level operation, once."""

    def __init__(
        self,
        names: Names,
        flags: PrintingFlags = DEFAULT_FLAGS,
        *,
        locate: Locator | None = None,
        aliases: dict[Element, str] | None = None,
    ) -> None:
        self.names = names.values
        self.result_names = names.results
        self.labels = names.blocks
        self.operation_names = names.operations
        self.flags = flags
        self.generic = flags.generic
        self.locate = locate
        self.parts: list[str] = []
        self.write: Callable[[str], None] = self.parts.append
        self.indent = ""
        self.default_dialect = "builtin."
        self.met_alias = False
        self.ranges: list[tuple[Operation, int, int]] | None = None
        self.blobs: dict[str, Blob] = {}
        """The resources that were met, by key."""
        self._texts: dict[Element, str] = dict(aliases) if aliases else {}
        self._written = 0
        self._aliased = aliases is not None
        self._distinct: dict[DistinctAttr, int] = {}
        self._predecessors: dict[Block, list[Block]] = {}
        self._predecessors_of: Region | None = None

    # ---- values, types, attributes

    def value(self, value: Value) -> None:
        self.write(self.names.get(value, "<<UNKNOWN SSA VALUE>>"))

    def spell_value(self, value: Value) -> str:
        """The name of a value."""
        return self.names.get(value, "<<UNKNOWN SSA VALUE>>")

    def values(self, values: Iterable[Value]) -> None:
        """The values, comma-separated."""
        names = self.names
        self.write(", ".join([names.get(value, "<<UNKNOWN SSA VALUE>>") for value in values]))

    def shadow(self, region: Region, values: Iterable[Value]) -> None:
        """Has the arguments of a region's entry block called as values outside of it are."""
        arguments = region.first.arguments if region.first is not None else ()
        for argument, value in zip(arguments, values, strict=False):
            self.names[argument] = self.spell_value(value)

    def spell(self, element: Element) -> str:
        """The text of a type or attribute, by its alias where it has one. Raises TextTooLong when what was asked for
        has more characters than a text can have."""
        try:
            text = self._texts[element]
        except KeyError:
            text = self._spelt(element)
        # It is a part of what is written, at least once.
        self._written += len(text)
        if self._written > MOST_OUTPUT:
            raise TextTooLong(f"a text of more than {MOST_OUTPUT:,} characters is not written")
        return text

    def _spelt(self, element: Element) -> str:
        text = self._texts[element] = self.definition(element)
        if not self._aliased and alias_stem(element):
            self.met_alias = True
        if isinstance(element, DenseResourceAttr) and element.blob is not None:
            self.blobs[element.key] = element.blob
        return text

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
        self.write(", ".join([self.spell(type) for type in types]))

    def attribute(self, attribute: Attribute) -> None:
        self.write(self.spell(attribute))

    def attribute_without_type(self, attribute: Attribute) -> None:
        """An attribute whose type the context implies: `5`, not `5 : i32`."""
        match attribute:
            case IntegerAttr() | FloatAttr():
                self.write(attribute.spell_value())
            case StringAttr():
                self.write(quote(attribute.value))
            case _ if isinstance(attribute, _WITH_TYPE_BEHIND):
                text = self.spell(attribute)
                self.write(text[: len(text) - len(self.spell(attribute.type)) - len(" : ")])
            case _:
                self.attribute(attribute)

    def symbol(self, name: str) -> None:
        """`@name`, quoted where it has to be."""
        self.write(spell_symbol(name))

    def string(self, text: str) -> None:
        """A string literal."""
        self.write(quote(text))

    def arrow_types(self, types: Sequence[Type]) -> None:
        """` -> ` and the types of results; nothing for none."""
        if types:
            self.write(" -> ")
            self.result_types(types)

    def result_types(self, types: Sequence[Type]) -> None:
        """What stands behind an arrow: one type bare, unless it is a function type, others in parentheses."""
        if len(types) == 1 and not isinstance(types[0], FunctionType):
            self.write(self.spell(types[0]))
        else:
            self.write("(")
            self.types(types)
            self.write(")")

    def functional_type(self, inputs: Iterable[Type], results: Sequence[Type]) -> None:
        """`(inputs) -> results`."""
        self.write("(")
        self.types(inputs)
        self.write(") -> ")
        self.result_types(results)

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
        if not entries:
            return
        if keyword:
            self.write(" attributes")
        self.entries(entries)

    def entries(self, entries: list[tuple[str, Attribute]]) -> None:
        """` {a = 1, b}`, sorted; nothing for no entries."""
        if entries:
            self.write(f" {{{self.spell_entries(entries)}}}")

    def spell_entries(self, entries: Iterable[tuple[str, Attribute]]) -> str:
        """`a = 1, b`, sorted."""
        return ", ".join([spell_entry(name, value, self.spell) for name, value in sorted(entries, key=lambda e: e[0])])

    # ---- operations

    def op(self, op: Operation) -> None:
        """An operation: its results, its name, and the rest in its own form."""
        ranges = self.ranges
        start, position = len(self.parts), 0
        if ranges is not None:
            position = len(ranges)
            ranges.append((op, start, start))
        if op.results:
            self.write(f"{self.result_names.get(op, '%?')} = ")
        self.custom_or_generic(op)
        if self.locate is not None:
            self.location(op)
        if self.flags.value_users:
            self.write(users_of_operation(op, self.names, self.operation_names))
        if ranges is not None:
            ranges[position] = (op, start, len(self.parts))

    def custom_or_generic(self, op: Operation) -> None:
        """The operation without its results and location."""
        definition = op.definition
        if definition is None:
            text = op.properties.get(CUSTOM_TEXT)
            if isinstance(text, CustomText):
                self.custom_text(op, text)
                return
        elif not self.generic:
            write = definition.write
            if write is not None:
                self.write(self._short_name(op))
                write(op, self)
                return
        self.generic_op(op)

    def _short_name(self, op: Operation) -> str:
        """The name of an operation, without the dialect where that goes without saying."""
        name = op.name
        if name.startswith(self.default_dialect) and name.count(".") == 1:
            return name[len(self.default_dialect) :]
        return name

    def custom_text(self, op: Operation, kept: CustomText) -> None:
        """An unknown operation as it was written, with the names that its operands and successors now have."""
        self.write(self._short_name(op))
        for spaced, word in kept.words:
            if spaced:
                self.write(" ")
            if isinstance(word, str):
                self.write(word)
            elif not isinstance(word, tuple):
                text = self.spell(word)
                self.write(
                    word.spell_inside(self.spell) if isinstance(word, LocationAttr) and text[:1] != "#" else text
                )
            elif word[0] == "operand":
                self.value(op.operands[word[1]])
            elif word[0] == "successor":
                self.write(self.label(op.successors[word[1]]))
            elif word[0] == "argument":
                entry = op.regions[word[1]].first
                assert entry is not None, "a region with arguments has a block"
                self.value(entry.arguments[word[2]])
            else:
                named = any(hole[:2] == ("argument", word[1]) for _, hole in kept.words if isinstance(hole, tuple))
                self.region(op.regions[word[1]], entry_arguments=not named)

    def generic_op(self, op: Operation) -> None:
        """`"name"(operands)[successors] <{properties}> (regions) {attributes} : type`."""
        self.write(f"{quote(op.name)}(")
        self.values(op.operands)
        self.write(")")
        if op.successors:
            self.write(f"[{', '.join(map(self.label, op.successors))}]")
        properties = op.properties
        if op.definition is not None and op.definition.unit_properties:
            properties = dict.fromkeys(op.definition.unit_properties, FALSE) | properties
        if properties:
            self.write(f" <{{{self.spell_entries(properties.items())}}}>")
        if op.regions:
            self.write(" (")
            for index, region in enumerate(op.regions):
                if index:
                    self.write(", ")
                self.region(region, empty_block=True)
            self.write(")")
        self.entries(list(op.attributes.items()))
        self.write(" : ")
        self.functional_type([operand.type for operand in op.operands], [result.type for result in op.results])

    def location(self, owner: Operation | BlockArgument) -> None:
        """` loc(…)` behind an operation (by its alias) or behind an argument (in full); nothing unless asked for."""
        if self.locate is None:
            return
        location = self.locate(owner)
        if self.flags.pretty_debug_info:
            self.write(f" {spell_pretty(location, self.spell)}")
            return
        if not isinstance(location, LocationAttr):
            self.write(f" loc({self.spell(location)})")
            return
        text = self.spell(location) if hasattr(owner, "regions") else ""
        self.write(f" loc({text if text.startswith('#') else location.spell_inside(self.spell)})")

    # ---- regions and blocks

    def newline(self) -> None:
        """A line break, and the indentation of the operation that is being printed."""
        self.write(f"\n{self.indent}")

    def further_in(self, write: Callable[[], None]) -> None:
        """What `write` writes, with its lines one level further in."""
        outer = self.indent
        self.indent = f"{outer}  "
        write()
        self.indent = outer

    def region(
        self, region: Region, *, entry_arguments: bool = True, terminators: bool = True, empty_block: bool = False
    ) -> None:
        """`{…}`. Without `entry_arguments` the entry block has no label, without `terminators` no last operation."""
        if self.flags.skip_regions:
            self.write("{...}")
            return
        self.write("{\n")
        entry = region.first
        if entry is not None:
            outer = self.default_dialect
            definition = region.parent.definition if region.parent is not None else None
            self.default_dialect = f"{definition.default_dialect}." if definition is not None else "."
            labelled = (empty_block and entry.first is None) or (entry_arguments and bool(entry.arguments))
            self.block(entry, labelled=labelled, terminator=terminators)
            block = entry.next
            while block is not None:
                self.block(block)
                block = block.next
            self.default_dialect = outer
        self.write(f"{self.indent}}}")

    def block(self, block: Block, *, labelled: bool = True, terminator: bool = True) -> None:
        """The lines of a block, each with its line break."""
        if labelled:
            self.block_header(block)
        outer = self.indent
        self.indent = inner = f"{outer}  "
        if self.flags.value_users:
            for argument in block.arguments:
                self.write(f"{inner}{users_of_argument(argument, self.names, self.operation_names)}\n")
        op, end = block.first, None if terminator else block.last
        while op is not None and op is not end:
            self.write(inner)
            self.op(op)
            self.write("\n")
            op = op.next
        self.indent = outer

    def block_header(self, block: Block) -> None:
        """`^bb1(%0: i32):  // pred: ^bb0`."""
        self.write(f"{self.indent}{self.label(block)}")
        if block.arguments:
            self.write("(")
            for index, argument in enumerate(block.arguments):
                if index:
                    self.write(", ")
                self.value(argument)
                self.write(": ")
                self.type(argument.type)
                self.location(argument)
            self.write(")")
        self.write(f":{self.predecessor_comment(block)}\n")

    def predecessor_comment(self, block: Block) -> str:
        labels = [self.label(predecessor) for predecessor in self.predecessors(block)]
        if not labels:
            return "" if block.is_entry else "  // no predecessors"
        if len(labels) == 1:
            return f"  // pred: {labels[0]}"
        return f"  // {len(labels)} preds: {', '.join(labels)}"

    def predecessors(self, block: Block) -> list[Block]:
        """The blocks that name this one, in the order of the region; found for the whole region at once."""
        region = block.parent
        if region is None:
            return []
        if self._predecessors_of is not region:
            self._predecessors_of = region
            self._predecessors = {}
            for each in region.blocks:
                for op in each:
                    for successor in op.successors:
                        self._predecessors.setdefault(successor, []).append(each)
        return self._predecessors.get(block, [])

    def region_argument(
        self, argument: BlockArgument, attributes: DictAttr | None = None, *, omit_type: bool = False
    ) -> None:
        """`%arg0: i32 {attributes}`, as in a signature."""
        self.value(argument)
        if not omit_type:
            self.write(": ")
            self.type(argument.type)
        if attributes is not None:
            self.entries(list(attributes.entries))
        self.location(argument)

    def label(self, block: Block) -> str:
        """`^bb1`."""
        return self.labels.get(block, "INVALIDBLOCK")

    def successor(self, block: Block, operands: Sequence[Value] = ()) -> None:
        """`^bb1`, or with operands `^bb1(%a, %b : i32, f32)`."""
        self.write(self.label(block))
        if not operands:
            return
        self.write("(")
        self.values(operands)
        self.write(" : ")
        self.types([operand.type for operand in operands])
        self.write(")")


def _element_count(attribute: DenseElementsAttr | DenseStringsAttr | SparseElementsAttr) -> int:
    """How many elements count against the limit; those of a splat do not."""
    if isinstance(attribute, SparseElementsAttr):
        return max(len(attribute.indices.values), len(attribute.values.values))
    return len(attribute.values) if len(attribute.values) > 1 else 0
