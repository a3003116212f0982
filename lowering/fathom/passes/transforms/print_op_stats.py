"""`print-op-stats`: how many operations there are of each name."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from fathom.passes.definition import ShowingPass
from fathom.passes.options import BOOL, option
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.operation import Operation


@record
class PrintOpStatsPass(ShowingPass):
    """Counts the operation and all that is nested in it, and writes to standard error."""

    name = "print-op-stats"
    summary = "counts operations by their names"

    json: bool = option(False, "write JSON", BOOL)

    def shown(self, op: Operation) -> str:
        counts = sorted(Counter(inner.name for inner in op.walk()).items(), key=lambda entry: entry[0].encode())
        if self.json:
            return "{\n" + ",\n".join(f'  "{name}" : {count}' for name, count in counts) + "\n}\n"
        parts = [name.partition(".") if "." in name else ("", "", name) for name, _ in counts]
        dialect = max(len(part[0]) for part in parts)
        width = max(len(part[2]) for part in parts)
        lines = ["Operations encountered:", "-----------------------"]
        for (of, dot, name), (_, count) in zip(parts, counts, strict=True):
            lines.append(f"{of:>{dialect + 2}}{dot or ' '}{name:<{width}} , {count}")
        return "\n".join(lines) + "\n"
