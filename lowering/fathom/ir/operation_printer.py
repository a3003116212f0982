"""The printer that an operation is written to: its own form or the generic one, regions and blocks.

Source of the rules: observed behaviour of mlir-opt 22; *MLIR Language Reference*.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from fathom.ir.attributes import FALSE, Attribute, DictAttr
from fathom.ir.custom_text import CUSTOM_TEXT, CustomText
from fathom.ir.element_printer import Element, ElementPrinter
from fathom.ir.former_attributes import as_written
from fathom.ir.locations import LocationAttr, spell_pretty
from fathom.ir.naming import Names
from fathom.ir.printing_flags import DEFAULT_FLAGS, PrintingFlags
from fathom.ir.property_values import WHOLE
from fathom.ir.users import users_of_argument, users_of_operation
from fathom.slices import checkpoint
from fathom.text.escapes import quote

if TYPE_CHECKING:
    from fathom.ir.operation import Block, BlockArgument, Operation, Region, Value

Locator: TypeAlias = "Callable[[Operation | BlockArgument], Attribute]"


class Printer(ElementPrinter):
    """Writes operations to `parts`. One printer prints one top-level operation, once."""

    def __init__(
        self,
        names: Names,
        flags: PrintingFlags = DEFAULT_FLAGS,
        *,
        locate: Locator | None = None,
        aliases: dict[Element, str] | None = None,
    ) -> None:
        super().__init__(names, flags, aliases)
        self.result_names = names.results
        self.label: Callable[[Block], str] = names.blocks.__getitem__
        """`^bb1`."""
        self.operation_names = names.operations
        self.generic = flags.generic
        self.locate = locate
        self.indent = ""
        self.default_dialect = "builtin."
        self.bare_dialects = flags.language.bare_dialects
        self.ranges: list[tuple[Operation, int, int]] | None = None
        self._predecessors: dict[Block, list[Block]] = {}
        self._predecessors_of: Region | None = None

    # ---- operations

    def op(self, op: Operation) -> None:
        """An operation: its results, its name, and the rest in its own form."""
        ranges = self.ranges
        start, position = len(self.parts), 0
        if ranges is not None:
            position = len(ranges)
            ranges.append((op, start, start))
        lead = f"{self.result_names.get(op, '%?')} = " if op.results else ""
        write = op.definition.write if op.definition is not None and not self.generic else None
        if write is not None:
            # What `custom_or_generic` does of most.
            name = op.name
            is_whole = not self.bare_dialects and not name.startswith(self.default_dialect)
            self.write(lead + (name if is_whole else self._short_name(op)))
            write(op, self)
        else:
            self.write(lead)
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
        name, prefix = op.name, self.default_dialect
        if not name.startswith(prefix):
            return self._bare_name(name) if self.bare_dialects else name
        short = name[len(prefix) :]
        return name if "." in short else short

    def _bare_name(self, name: str) -> str:
        """The name of an operation of a dialect that goes without saying anywhere, without it."""
        dialect, _, short = name.partition(".")
        return short if dialect in self.bare_dialects and "." not in short else name

    def custom_text(self, op: Operation, kept: CustomText) -> None:
        """An unknown operation as it was written, with the names that its operands and successors now have."""
        self.write(self._short_name(op))
        named = {hole[1] for _, hole in kept.words if isinstance(hole, tuple) and hole[0] == "argument"}
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
                self.region(op.regions[word[1]], entry_arguments=word[1] not in named)

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
        if op.definition is not None and not self.flags.states_defaults:
            known = op.definition.property_map
            properties = {
                name: value for name, value in properties.items() if name not in known or known[name].default != value
            }
        attributes: Mapping[str, Attribute] = op.attributes
        if not self.flags.language.has_properties:
            attributes, properties = self._in_one_dictionary(op), {}
        if WHOLE in properties:
            self.write(" <")
            self.attribute(properties[WHOLE])
            self.write(">")
        elif properties:
            self.write(f" <{{{self.spell_entries(properties.items())}}}>")
        if op.regions:
            self.write(" (")
            for index, region in enumerate(op.regions):
                if index:
                    self.write(", ")
                if self.flags.language.gaps_before_regions:
                    self.write(" ")
                self.region(region, empty_block=True)
            self.write(")")
        self.entries(list(attributes.items()))
        self.write(" : ")
        self.functional_type([operand.type for operand in op.operands], [result.type for result in op.results])

    def _in_one_dictionary(self, op: Operation) -> Mapping[str, Attribute]:
        """All properties and attributes, as a former release writes them."""
        entries = {**op.properties, **op.attributes}
        return as_written(self.flags.language, op.name, entries) if op.definition is not None else entries

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
        self.write(self.spell_newline())

    def spell_newline(self) -> str:
        """A line break, and the indentation of the operation that is being printed."""
        return f"\n{self.indent}"

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
        lead = inner
        while op is not None and op is not end:
            checkpoint()
            self.write(lead)
            self.op(op)
            lead = f"\n{inner}"
            op = op.next
        if lead is not inner:
            self.write("\n")
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
            is_left_out = block.is_entry and not self.flags.language.gaps_before_regions
            return "" if is_left_out else "  // no predecessors"
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
            for source in region.blocks:
                for op in source:
                    for successor in op.successors:
                        self._predecessors.setdefault(successor, []).append(source)
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

    def successor(self, block: Block, operands: Sequence[Value] = ()) -> None:
        """`^bb1`, or with operands `^bb1(%a, %b : i32, f32)`."""
        self.write(self.label(block))
        if not operands:
            return
        self.write("(")
        self.typed_values(operands)
        self.write(")")
