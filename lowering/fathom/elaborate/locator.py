"""The MLIR locations of operations and arguments that came from a text, for `--mlir-print-debuginfo`."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable

from fathom.ir.attributes import Attribute
from fathom.ir.locations import FileLineColLoc
from fathom.ir.operation import BlockArgument, Operation
from fathom.text.encodings import utf8


def locator(text: str, file: str) -> Callable[[Operation | BlockArgument], Attribute]:
    """Where things stand in `text`: the location written there, else line and column (in bytes) of the first token.

    What has no place of its own, such as the module around a text, is at line 0, column 0.
    """
    starts = [0]
    starts.extend(index + 1 for index, character in enumerate(text) if character == "\n")

    def locate(owner: Operation | BlockArgument) -> Attribute:
        if owner.location is not None:
            return owner.location
        span = owner.span
        if span is None:
            return FileLineColLoc(file, 0, 0)
        line = bisect_right(starts, span.start)
        before = text[starts[line - 1] : span.start]
        return FileLineColLoc(file, line, len(utf8(before)) + 1)

    return locate
