"""The text of a module in which the nodes of its graphs are found."""

from __future__ import annotations

from fathom.ir.naming import Names, name_values
from fathom.ir.operation import Block, Operation, Span
from fathom.ir.printer import print_with_map
from fathom.ir.printing_flags import DEFAULT_FLAGS, PrintingFlags
from fathom.records import record
from fathom.slices import paced


@record(eq=False)
class Printed:
    """A module as text, with the names in it and where each operation stands."""

    text: str
    names: Names
    spans: dict[Operation, Span]

    @classmethod
    def of(cls, module: Operation, flags: PrintingFlags = DEFAULT_FLAGS) -> Printed:
        """A module as it is printed by these flags."""
        names = name_values(module, flags)
        text, ranges = print_with_map(module, flags, names)
        return cls(text, names, {op: Span(start, end) for op, start, end in paced(ranges)})

    def line(self, op: Operation) -> str:
        """The first line of an operation."""
        span = self.spans.get(op)
        if span is None:
            return op.name
        end = self.text.find("\n", span.start, span.end)
        return self.text[span.start : end if end >= 0 else span.end]

    def head(self, op: Operation) -> Span | None:
        """Where an operation stands; of one with regions, its first line."""
        span = self.spans.get(op)
        if span is None or not op.regions:
            return span
        return Span(span.start, span.start + len(self.line(op)))

    def label(self, block: Block) -> str:
        """`^bb1(%a, %b)`: a block and its arguments."""
        label = self.names.blocks[block]
        arguments = ", ".join(self.names.values[argument] for argument in block.arguments)
        return f"{label}({arguments})" if arguments else label
