"""The directives of an operation's assembly format, each bound to the operand, property, region or successor it means.

A directive reads what it stands for into the parsed operation, tells whether the text goes on with it, says whether an
operation has something for it to write, and gives the pieces of text that it is. `op_format` makes them of a
definition, and `pieces` puts those of all together to what writes an operation.
Those for words, regions and successors stand here; `value_directives`, `attribute_directives` and
`composed_directives` have the others.
Source of the rules: *Defining Dialects*, "Declarative Assembly Format", and the code that MLIR 22 generates for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from fathom.irdl.pieces import Piece, Writer
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Region
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp


@record(eq=False, slots=False)
class Directive:
    """One of the classes below."""

    def parse(self, parser: OpParser, parsed: ParsedOp) -> None:
        """Reads what it stands for."""
        raise TypeError(f"{type(self).__name__} reads nothing")

    def miss(self, parsed: ParsedOp) -> None:
        """Notes that it is not in the text, where that has to be known."""

    def stands_next(self, parser: OpParser) -> bool:
        """Whether the text goes on with it; the language is LL(1), so its first token tells."""
        return False

    def presence(self) -> Callable[[Operation], bool]:
        """What tells whether an operation has something for it to write."""
        return lambda op: True

    def pieces(self) -> list[Piece]:
        """What it writes."""
        raise TypeError(f"{type(self).__name__} writes nothing")


def all_pieces(directives: Iterable[Directive]) -> list[Piece]:
    """What the directives write, one after the other."""
    return [piece for directive in directives for piece in directive.pieces()]


# ---- words


@record(eq=False, slots=False)
class Word(Directive):
    """A keyword or punctuation; `lead` is the white space that is written in front of it, here and below."""

    lead: str
    text: str

    def parse(self, parser: OpParser, parsed: ParsedOp) -> None:
        is_keyword = self.text[0] == "_" or self.text[0].isalpha()
        parser.expect(self.text, f"custom op '{parsed.name}' expected '{self.text}'" if is_keyword else None)

    def stands_next(self, parser: OpParser) -> bool:
        return parser.at(self.text)

    def pieces(self) -> list[Piece]:
        return [self.lead + self.text]


@record(eq=False, slots=False)
class WhiteSpace(Directive):
    """White space for the printer alone."""

    text: str

    def parse(self, parser: OpParser, parsed: ParsedOp) -> None:
        pass

    def pieces(self) -> list[Piece]:
        return [lambda _, p: p.spell_newline()] if self.text == "\\n" else [self.text]


# ---- regions and successors


def needs_terminator(region: Region) -> bool:
    """Whether a terminator that the text may leave out says more than its name."""
    last = region.first.last if region.first is not None else None
    return last is None or bool(last.operands or last.results or last.attributes or last.properties)


@record(eq=False, slots=False)
class RegionDirective(Directive):
    """`$region`, or `regions` from the first on: one, or several with commas between them."""

    lead: str
    index: int
    single: bool
    implicit_terminator: bool
    separator: str = ","

    def parse(self, parser: OpParser, parsed: ParsedOp) -> None:
        if self.single:
            parser.region(parsed)
            return
        if not parser.at_region():
            return
        parser.region_list(parsed)

    def miss(self, parsed: ParsedOp) -> None:
        if self.single:
            parsed.absent_regions.append(self.index)

    def stands_next(self, parser: OpParser) -> bool:
        return parser.at_region()

    def presence(self) -> Callable[[Operation], bool]:
        index, single = self.index, self.single
        # Several are there though the first be empty.
        return lambda op: len(op.regions) > index and not (single and op.regions[index].is_empty)

    def pieces(self) -> list[Piece]:
        index, single, implicit = self.index, self.single, self.implicit_terminator

        def write(op: Operation, p: OpPrinter) -> None:
            regions = [op.regions[index]] if single else op.regions[index:]
            for position, region in enumerate(regions):
                if position:
                    p.write(", ")
                p.region(region, terminators=not implicit or needs_terminator(region))

        return [self.lead, Writer(write)]


@record(eq=False, slots=False)
class SuccessorDirective(Directive):
    """`$successor`, or `successors` from the first on: one, or several with commas between them."""

    lead: str
    index: int
    single: bool

    def parse(self, parser: OpParser, parsed: ParsedOp) -> None:
        if not self.single and not parser.at_kind("block"):
            return
        start = len(parsed.successors)
        parser.successor_block(parsed)
        while not self.single and parser.accept(","):
            parser.successor_block(parsed)
        # The definition says which come first, and not the text.
        for successor in parsed.successors[start:]:
            successor.group = self.index
        parsed.successors.sort(key=lambda successor: successor.group)

    def stands_next(self, parser: OpParser) -> bool:
        return parser.at_kind("block")

    def presence(self) -> Callable[[Operation], bool]:
        index = self.index
        return lambda op: len(op.successors) > index

    def pieces(self) -> list[Piece]:
        index = self.index
        if self.single:
            return [self.lead, lambda op, p: p.label(op.successors[index])]
        return [self.lead, lambda op, p: ", ".join(map(p.label, op.successors[index:]))]
