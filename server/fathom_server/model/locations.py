"""Where what stands in a document comes from, as MLIR's tools have it that read the document as a file: what says no
location of its own is at its line and its column there, in bytes."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from urllib.parse import unquote, urlsplit

from fathom.ir.attributes import Attribute
from fathom.ir.locations import FileLineColLoc
from fathom.ir.operation import BlockArgument, Operation
from fathom.ir.operation_printer import Locator
from fathom.syntax.tree import Item
from fathom.text.encodings import utf8
from fathom_server.model.modules import Layout
from fathom_server.model.queries import fact
from fathom_server.model.snapshot import Snapshot


@fact(lambda _reach: None)
def first_line(snapshot: Snapshot, item: Item) -> int:
    """The number of the line at which an item begins; below 0 for an item of a former version."""
    tree = snapshot.tree
    return tree.first_line(tree.index_of(item)) if item in tree.items else -1


def locator(snapshot: Snapshot, layout: Layout) -> Locator:
    """What gives the location of an operation or an argument of a module, whose spans count as the layout says. Only
    what is asked for makes an answer follow from where items stand."""
    address = urlsplit(snapshot.uri)
    file = unquote(address.path) if address.scheme == "file" else snapshot.uri
    items = layout.items
    starts = [0, *accumulate(item.length for item in items[:-1])] if items else []

    def locate(owner: Operation | BlockArgument) -> Attribute:
        if owner.location is not None:
            return owner.location
        if owner.span is None or not items:
            return FileLineColLoc(file, 0, 0)
        number = max(bisect_right(starts, owner.span.start) - 1, 0)
        item, offset = items[number], owner.span.start - starts[number]
        if offset < item.length:
            line, start, text = item.line_at(offset)
            line += first_line(snapshot, item)
        else:
            # What follows the last item follows it in the document too.
            offset += snapshot.start_of(item)
            line, start, text = snapshot.tree.line_at(offset)
        return FileLineColLoc(file, line + 1, len(utf8(text[: offset - start])) + 1)

    return locate
