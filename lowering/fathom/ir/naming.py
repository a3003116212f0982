"""The names of values and blocks in printed text: `%0`, `%arg0`, `%c1_i32`, `%0:2`, `^bb1`.

A region is numbered as a whole before the regions nested in it, and sibling regions restart from where their parent
ended; a suggested name that an enclosing or the same region has used gets a counter. In the generic form no number is
used twice: regions go on counting, from the last sibling to the first. Source of the rules: observed behaviour of
mlir-opt 22, and *MLIR Language Reference*, "Identifiers and keywords".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from fathom.ir.locations import NameLoc, nested_locations
from fathom.ir.printing_flags import DEFAULT_FLAGS, PrintingFlags
from fathom.records import field, record
from fathom.slices import checkpoint
from fathom.text.encodings import utf8

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Block, Operation, Region, Value


class ValueTexts(dict["Value", str]):
    """The text of each value; what nothing has named is written as MLIR writes it."""

    def __missing__(self, value: Value) -> str:
        return "<<UNKNOWN SSA VALUE>>"


class BlockTexts(dict["Block", str]):
    """The label of each block."""

    def __missing__(self, block: Block) -> str:
        return "INVALIDBLOCK"


@record(frozen=False)
class Names:
    """`values` has each value's text as an operand, `%0#1`; `results` the text before `=` of each operation with
    results; `blocks` the label, `^bb0`, of each block; `operations` the number, `%0`, by which comments about users
    call an operation without results."""

    values: ValueTexts = field(default_factory=ValueTexts)
    results: dict[Operation, str] = field(default_factory=dict["Operation", str])
    blocks: BlockTexts = field(default_factory=BlockTexts)
    operations: dict[Operation, str] = field(default_factory=dict["Operation", str])


def name_values(op: Operation, flags: PrintingFlags = DEFAULT_FLAGS) -> Names:
    """Names for `op` and all that is nested in it. The generic form suggests no names and repeats no numbers."""
    return _Namer(flags).run(op)


class _Scope:
    """The names that a region has used, on top of its parent's."""

    __slots__ = ("parent", "used")

    def __init__(self, parent: _Scope | None) -> None:
        self.parent = parent
        self.used: set[str] = set()

    def has(self, name: str) -> bool:
        scope: _Scope | None = self
        while scope is not None:
            if name in scope.used:
                return True
            scope = scope.parent
        return False


class _Namer:
    def __init__(self, flags: PrintingFlags) -> None:
        self.generic = flags.generic
        self.flags = flags
        self.names = Names()
        self.next_value = 0
        self.next_argument = 0
        self.next_conflict = 0
        self.scope = _Scope(None)
        self.is_plain = not (flags.nameloc_as_prefix or flags.source_names or flags.value_users)
        """Whether neither locations nor the source have a part in names, and only results have some."""
        self._sanitized: dict[str, str] = {}

    def run(self, op: Operation) -> Names:
        pending: list[tuple[Region, int, int, int, _Scope]] = [(region, 0, 0, 0, self.scope) for region in op.regions]
        self.name_operation(op)
        while pending:
            region, *counters, parent = pending.pop()
            if not self.flags.numbers_are_unique:
                self.next_value, self.next_argument, self.next_conflict = counters
            self.scope = _Scope(parent)
            nested = self.name_region(region)
            state = (self.next_value, self.next_argument, self.next_conflict, self.scope)
            pending.extend((child, *state) for child in nested)
        return self.names

    def name_region(self, region: Region) -> list[Region]:
        """Names everything directly in the region, and returns the regions nested in it."""
        values = self.names.values
        if region.parent is not None and not self.generic:
            self.suggest_arguments(region, region.parent)
        nested: list[Region] = []
        label = 0
        block = region.first
        while block is not None:
            self.names.blocks[block] = f"^bb{label}"
            for argument in block.arguments:
                if argument in values:
                    continue
                name = ""
                if label == 0:
                    name = f"arg{self.next_argument}"
                    self.next_argument += 1
                if not self.is_plain:
                    name = self.kept(argument, self.from_location(argument.location, name))
                values[argument] = "%" + self.suggested(name)
            label += 1
            op, names_all = block.first, self.flags.value_users
            while op is not None:
                checkpoint()
                if op.results or names_all:
                    self.name_operation(op)
                if op.regions:
                    nested.extend(op.regions)
                op = op.next
            block = block.next
        return nested

    def suggest_arguments(self, region: Region, op: Operation) -> None:
        if op.definition is None or op.definition.region_argument_names is None or region.first is None:
            return
        suggestions = op.definition.region_argument_names(op)
        index = op.regions.index(region)
        if index >= len(suggestions):
            return
        for argument, name in zip(region.first.arguments, suggestions[index], strict=False):
            self.names.values[argument] = "%" + self.suggested(
                self.kept(argument, self.from_location(argument.location, name))
            )

    def kept(self, value: Value, name: str) -> str:
        """The name that a value had in the source, where it is to be kept; else `name`."""
        hint = value.name_hint if self.flags.source_names else None
        return hint if hint and not hint[0].isdecimal() else name

    def from_location(self, location: Attribute | None, name: str) -> str:
        """The name that a location gives, where it is to be used; else `name`."""
        if not self.flags.nameloc_as_prefix or location is None:
            return name
        return next((nested.name for nested in nested_locations(location) if isinstance(nested, NameLoc)), name)

    def suggested(self, name: str) -> str:
        """A suggestion made unique; the empty one asks for a number."""
        if name:
            known = self._sanitized.get(name)
            if known is None:
                known = self._sanitized[name] = sanitize(name)
            return self.unique(known)
        self.next_value += 1
        return str(self.next_value - 1)

    def name_operation(self, op: Operation) -> None:
        """Names the results; an operation without any is itself numbered, where comments tell of users."""
        results = op.results
        if not results:
            if self.flags.value_users:
                self.names.operations[op] = f"%{self.next_value}"
                self.next_value += 1
            return
        definition = op.definition
        suggest = definition.result_names if definition is not None and not self.generic else None
        suggestions = suggest(op) if suggest is not None else ()
        if self.is_plain and len(results) == 1:
            # Most are such: what stands below would do the same.
            name = suggestions[0] if suggestions else None
            if name:
                text = f"%{self.suggested(name)}"
            else:
                text = f"%{self.next_value}"
                self.next_value += 1
            self.names.results[op] = self.names.values[results[0]] = text
            return
        starts = {
            i: self.suggested(self.kept(results[i], self.from_location(op.location, name)))
            for i, name in enumerate(suggestions)
            if name is not None
        }
        if 0 not in starts:
            starts[0] = self.suggested(self.kept(results[0], self.from_location(op.location, "")))
        self.record(op, starts)

    def record(self, op: Operation, starts: dict[int, str]) -> None:
        """Names the results, whose groups begin at `starts`."""
        results, values = op.results, self.names.values
        if len(results) == 1:
            text = self.names.results[op] = "%" + starts[0]
            values[results[0]] = text
            return
        order = sorted(starts)
        parts: list[str] = []
        for start, end in zip(order, [*order[1:], len(results)], strict=True):
            name = "%" + starts[start]
            size = end - start
            parts.append(name if size == 1 else f"{name}:{size}")
            for index in range(start, end):
                values[results[index]] = name if size == 1 else f"{name}#{index - start}"
        self.names.results[op] = ", ".join(parts)

    def unique(self, name: str) -> str:
        if self.scope.has(name):
            stem = f"{name}_"
            while self.scope.has(name):
                name = f"{stem}{self.next_conflict}"
                self.next_conflict += 1
        self.scope.used.add(name)
        return name


_PLAIN: Final = re.compile(r"[A-Za-z0-9$._-]*")


def sanitize(name: str, *, trailing_digit: bool = True) -> str:
    """An identifier: a leading digit, or a trailing one where it is not allowed, is set off with `_`; spaces become
    `_`; other characters that may not stand in it, their hexadecimal code."""
    if name[0].isdigit():
        name = f"_{name}"
    if not trailing_digit and name[-1].isdigit():
        name = f"{name}_"
    if _PLAIN.fullmatch(name):
        return name
    return "".join(_identifier_character(c) for c in name)


def _identifier_character(character: str) -> str:
    if character == " ":
        return "_"
    if character.isascii() and (character.isalnum() or character in "$._-"):
        return character
    return "".join(f"{byte:X}" for byte in utf8(character))
