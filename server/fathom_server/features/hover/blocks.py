"""Hovers of blocks: their arguments, and how control comes and goes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from fathom.ir.operation import Block, BlockArgument
from fathom.syntax.tree import Item
from fathom_server.features.hover.texts import Said, brief, code, listed, name_of, shown_name, table
from fathom_server.features.hover.values import source_line
from fathom_server.model.subjects import NamedBlock

MOST: Final = 16
"""So many blocks and arguments are named."""


def block_text(subject: NamedBlock) -> Said:
    """A block: its label, where control comes from and goes, and what its arguments are."""
    block, item = subject.block, subject.item
    arguments = f"({listed(block.arguments, _argument)})" if block.arguments else ""
    op = block.parent.parent if block.parent is not None else None
    short = (
        code(f"{label_of(item, block)}{arguments}"),
        f"block of `{op.name}`" if op is not None and op.name else "",
        _named(item, "predecessors", block.predecessors()),
        _named(item, "successors", block.successors),
    )
    passed = [(shown_name(argument), source_line(argument)) for argument in block.arguments[:MOST]]
    rows = [row for row in passed if row[1]]
    return Said(short, (table(("argument", "comes from"), rows),) if rows else ())


def label_of(item: Item, block: Block) -> str:
    """The label of a block as it is written; of one without a label what it is."""
    span = block.label_span
    if span is None:
        return "the entry block" if block.is_entry else "a block without a label"
    return item.text_between(span.start, span.end)


def _argument(argument: BlockArgument) -> str:
    return f"{name_of(argument)}: {brief(argument.type)}"


def _named(item: Item, what: str, blocks: Iterable[Block]) -> str:
    """Blocks in the order of the text, each once."""
    known = {block: block.label_span.start if block.label_span is not None else -1 for block in blocks}
    names = [label_of(item, block) for block in sorted(known, key=known.__getitem__)[:MOST]]
    shown = ", ".join(f"`{name}`" if name.startswith("^") else name for name in names)
    if not shown:
        return f"no {what}" if what == "predecessors" else ""
    return f"{what}: {shown}{', …' if len(known) > MOST else ''}"
