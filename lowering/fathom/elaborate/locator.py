"""The MLIR locations of operations and arguments that came from a text, for `--mlir-print-debuginfo`."""

from __future__ import annotations

from collections.abc import Callable

from fathom.ir.attributes import Attribute
from fathom.ir.locations import FileLineColLoc
from fathom.ir.operation import BlockArgument, Operation
from fathom.text.lines import Lines


def locator(text: str, file: str) -> Callable[[Operation | BlockArgument], Attribute]:
    """Where things stand in `text`: the location written there, else line and column (in bytes) of the first token.

    What has no place of its own, such as the module around a text, is at line 0, column 0.
    """
    lines = Lines(text)

    def locate(owner: Operation | BlockArgument) -> Attribute:
        if owner.location is not None:
            return owner.location
        span = owner.span
        if span is None:
            return FileLineColLoc(file, 0, 0)
        return FileLineColLoc(file, *lines.place(span.start))

    return locate
