"""What a `.ll` file is in the LLVM dialect, and which of its lines come from which instruction.

An import makes an operation of each instruction, in their order, but for phis, and constants at the beginning of a
function. So lines are paired from the end of each function on, as far as they go by the same names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Final

from fathom.cached import cached_property
from fathom.llvmir.words import OPERATIONS, TAIL_CALL_KINDS
from fathom.records import record
from fathom.slices import paced
from fathom_server.model.llvm_ir.names import body_of
from fathom_server.model.llvm_ir.tokens import Kind, key_of
from fathom_server.model.llvm_ir.units import Unit, UnitKind

_OPERATIONS: Final = frozenset(OPERATIONS)
_NAMES: Final = {"ret": ("return",), "br": ("br", "cond_br"), "call": ()}
"""What operations are called that instructions become, where that is another name; any for a call."""
_OPERATION: Final = re.compile(r' +(?:%[^=]* = )?"?([a-z]\w*)\.([\w.]+)')
_FUNCTION: Final = re.compile(r'  llvm\.func .*?@((?:[-$.\w]+|"[^"]*"))\(')
_DEBUG: Final = "intr.dbg."


@record
class Pair:
    """A line of the LLVM dialect, by its number, and what it comes from: a part of a unit."""

    line: int
    unit: Unit
    start: int
    end: int


@record(eq=False, slots=False)
class Imported:
    """The text of the import of a file, or of a part of it, or why there is none. It is of these `units`; of `outlined`
    functions it has no body."""

    units: Sequence[Unit]
    text: str
    problem: str = ""
    outlined: frozenset[Unit] = frozenset()

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    @cached_property
    def starts(self) -> list[int]:
        """Where each line of the import begins, and behind the last one the end."""
        return [0, *accumulate(len(line) + 1 for line in self.lines)]

    @cached_property
    def pairs(self) -> dict[int, Pair]:
        """The lines of which it is known what they come from, by their numbers."""
        return {pair.line: pair for pair in _pairs(self.units, self.outlined, self.lines)}

    def line_of(self, unit: Unit, offset: int) -> str:
        """The operation that the instruction around an offset of a unit became; empty if that is not known."""
        pair = self._by_unit.get((id(unit), unit.line_number(offset)))
        return self.lines[pair.line].strip() if pair is not None else ""

    @cached_property
    def _by_unit(self) -> dict[tuple[int, int], Pair]:
        return {(id(pair.unit), pair.unit.line_number(pair.start)): pair for pair in self.pairs.values()}


def _pairs(units: Iterable[Unit], outlined: frozenset[Unit], lines: list[str]) -> Iterator[Pair]:
    functions = {unit.key: unit for unit in units if unit.is_function}
    begun: tuple[Unit, int] | None = None
    for number, line in enumerate(paced(lines)):
        if begun is not None and line == "  }":
            yield from _in_function(begun[0], begun[1], lines[begun[1] + 1 : number])
            begun = None
        match = _FUNCTION.match(line) if line.startswith("  llvm.func ") else None
        unit = functions.get(key_of(f"@{match[1]}")) if match is not None else None
        if unit is not None:
            is_whole = unit.kind is UnitKind.FUNCTION and unit not in outlined
            header = unit.text[: body_of(unit.text)] if unit.kind is UnitKind.FUNCTION else unit.text[: unit.end]
            yield Pair(number, unit, 0, len(header.rstrip("{").rstrip()))
            begun = (unit, number) if is_whole and line.endswith("{") else None


def _in_function(unit: Unit, first: int, lines: list[str]) -> Iterator[Pair]:
    """The pairs in a body, whose lines stand behind the first one."""
    made = [
        (first + 1 + number, match[1], match[2])
        for number, line in enumerate(lines)
        if (match := _OPERATION.match(line)) is not None and not match[2].startswith(_DEBUG)
    ]
    for (number, dialect, name), (word, start, end) in zip(
        reversed(made), reversed(list(instructions_in(unit))), strict=False
    ):
        expected = _NAMES.get(word, (word,))
        if dialect == "llvm" and expected and name not in expected:
            return
        yield Pair(number, unit, start, end)


def instructions_in(unit: Unit) -> Iterator[tuple[str, int, int]]:
    """The instructions of a function but for phis: their words, and where they stand in the unit."""
    if unit.kind is not UnitKind.FUNCTION:
        return
    for number in range(unit.line_number(unit.names.body), unit.line_count):
        tokens = [token for token in unit.tokens_of_line(number) if token.kind is not Kind.COMMENT]
        at = 2 if len(tokens) > 1 and tokens[0].kind is Kind.LOCAL and tokens[1].text == "=" else 0
        while at < len(tokens) and tokens[at].text in TAIL_CALL_KINDS:
            at += 1
        word = tokens[at].text if at < len(tokens) else ""
        is_debug = word == "call" and any(token.text.startswith("@llvm.dbg.") for token in tokens)
        if word in _OPERATIONS and word != "phi" and tokens[0].start >= unit.names.body and not is_debug:
            yield word, tokens[0].start, tokens[-1].end
