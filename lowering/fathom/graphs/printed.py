"""The text of a module in which the nodes of its graphs are found."""

from __future__ import annotations

from fathom.ir.naming import Names, name_values
from fathom.ir.operation import Block, Operation, Span
from fathom.ir.printer import print_with_map
from fathom.ir.printing_flags import DEFAULT_FLAGS, PrintingFlags
from fathom.records import record, replace
from fathom.slices import paced


@record(eq=False)
class Printed:
    """A module as text, with where each operation stands in it. What a graph shows of it has the names that values have
    in the source, or that what they came of has: `names`, and the text `shown` with its own spans."""

    text: str
    spans: dict[Operation, Span]
    names: Names
    shown: str
    shown_spans: dict[Operation, Span]

    @classmethod
    def of(cls, module: Operation, flags: PrintingFlags = DEFAULT_FLAGS) -> Printed:
        """A module as it is printed by these flags."""
        text, spans, _ = _printed(module, flags)
        shown, shown_spans, names = _printed(module, replace(flags, source_names=True))
        return cls(text, spans, names, shown, shown_spans)

    def line(self, op: Operation) -> str:
        """The first line of an operation, with the names of the source."""
        span = self.shown_spans.get(op)
        return self.shown[span.start : _end_of_line(self.shown, span)] if span is not None else op.name

    def head(self, op: Operation) -> Span | None:
        """Where an operation stands; of one with regions, its first line."""
        span = self.spans.get(op)
        if span is None or not op.regions:
            return span
        return Span(span.start, _end_of_line(self.text, span))

    def label(self, block: Block) -> str:
        """`^bb1(%a, %b)`: a block and its arguments."""
        label = self.names.blocks[block]
        arguments = ", ".join(self.names.values[argument] for argument in block.arguments)
        return f"{label}({arguments})" if arguments else label


def _printed(module: Operation, flags: PrintingFlags) -> tuple[str, dict[Operation, Span], Names]:
    names = name_values(module, flags)
    text, ranges = print_with_map(module, flags, names)
    return text, {op: Span(start, end) for op, start, end in paced(ranges)}, names


def _end_of_line(text: str, span: Span) -> int:
    """Where the first line of a part of a text ends."""
    end = text.find("\n", span.start, span.end)
    return end if end >= 0 else span.end
