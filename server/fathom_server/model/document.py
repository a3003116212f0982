"""An open document: its text as a syntax tree, kept up to date by edits, and an index of the symbols it defines.

This is what changes. A snapshot of it does not, and neither does anything that a snapshot holds. Costs follow the size
of the edit: an edit touches the items it changes, and nothing that comes after them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from fathom.context import Context
from fathom.elaborate.aliases import aliases_of, defines_names
from fathom.elaborate.meaning import Aliases
from fathom.ir.language import MARK
from fathom.records import record
from fathom.syntax.parse import parse, reparse, split_lines
from fathom.syntax.tree import Item, SyntaxTree
from fathom_server.model.memory import NOTHING_STALE, Memory, Stale
from fathom_server.model.reach import reach_of
from fathom_server.model.settings import Settings
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.symbol_index import SymbolIndex

HEAD: Final = 100
"""How many lines are looked through for the edition that a comment says."""


_LONGEST_HEAD: Final = 20_000


@record
class Change:
    """The items that an edit took away and those it brought; `first` is the index at which they stood and stand. What
    is remembered of others and not true any more is `stale`."""

    first: int
    removed: tuple[Item, ...]
    added: tuple[Item, ...]
    stale: Stale = NOTHING_STALE


@record
class TextChange:
    """An edit: `text` takes the place of what stands from `start` to `end`, each a line and a column in characters; of
    everything if there are none."""

    text: str
    start: tuple[int, int] | None = None
    end: tuple[int, int] | None = None


class Document:
    """One open document. Positions are a line and a column in characters."""

    def __init__(self, uri: str, version: int, text: str, context: Context, settings: Settings) -> None:
        self.uri = uri
        self.version = version
        self._given = context
        self._code_from = 0
        """The line with which the code begins, before which a comment may say the edition."""
        self.context = self._in_edition(text[:_LONGEST_HEAD].split("\n", HEAD)[:HEAD], settings)
        """What is known, in the edition of MLIR that the text says, or else the settings."""
        self.tree: SyntaxTree = parse(text, self.context.shapes, splits=True)
        self.symbols = SymbolIndex()
        self.aliases: Mapping[Item | None, Aliases] = {}
        """The aliases and resources of each split that has any, by the line that begins it; another object whenever one
        of them changed."""
        self._settings = settings
        self._memory = Memory()
        self._alias_items: set[Item] = set()
        self._alias_lists: dict[Item | None, list[Item]] = {}
        self._index((), self.tree.items)
        self._refresh_aliases()

    # ---- snapshots

    def snapshot(self) -> Snapshot:
        """The present version. It answers as long as anybody holds it, and fastest while it is the present one."""
        return Snapshot(
            self.uri,
            self.version,
            self.tree,
            self.symbols,
            self.aliases,
            self.context,
            self._settings,
            self._memory,
        )

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self._settings

    @property
    def memory(self) -> Memory:
        """What is remembered of the present version."""
        return self._memory

    def close(self) -> None:
        """Lets go of all that is known, which refers to each other in circles. Nobody asks this document any more, and
        the garbage collector may never come for it (`session/collector.py`)."""
        self._memory.close()
        for item in self.tree.items:
            item.forget()

    # ---- editions

    def _in_edition(self, head: Sequence[str], settings: Settings) -> Context:
        """The context that was given, in the edition that is said: by the first lines, or else by settings."""
        said: str | None = None
        self._code_from = 0
        for line in head:
            if MARK in line:
                from fathom.editions.chosen import said_in

                said = said or said_in(line)
            elif line.strip() and not line.lstrip().startswith("//"):
                break
            self._code_from += 1
        name = said or settings.mlir
        return self._given.in_edition(name) if name else self._given

    def is_otherwise_in(self, settings: Settings) -> bool:
        """Whether the document is in another edition with these settings, so that it has to be read again."""
        return self._in_edition(self._head(), settings) is not self.context

    def _head(self) -> list[str]:
        return [self.tree.line(number) for number in range(min(self.tree.line_count, HEAD))]

    def _read_anew(self, removed: Sequence[Item], context: Context) -> Change:
        """Reads the whole text in another context, in the place of the items that stood in it."""
        self.context = context
        self.tree = parse(self.tree.text, context.shapes, splits=True)
        added = tuple(self.tree.items)
        self._memory = Memory()
        self.symbols, self.aliases = SymbolIndex(), {}
        self._alias_items, self._alias_lists = set(), {}
        self._index((), added)
        self._refresh_aliases()
        return Change(0, tuple(removed), added)

    # ---- changes

    def configure(self, settings: Settings) -> None:
        """Puts other settings in force, with which the document is in the same edition."""
        self._settings = settings
        self._memory = self._memory.successor()

    def apply(self, change: TextChange) -> Change:
        """Makes an edit."""
        if change.start is None or change.end is None:
            return self.replace(change.text)
        return self.edit(change.start, change.end, change.text)

    def edit(self, start: tuple[int, int], end: tuple[int, int], text: str) -> Change:
        """Replaces the text between two positions."""
        tree = self.tree
        first, last = start[0], min(end[0] + 1, tree.line_count)
        replaced = tree.line(start[0])[: start[1]] + text + tree.line(end[0])[end[1] :]
        if first > 0 and _joins(tree.line(first - 1), replaced or tree.line(last)):
            first -= 1
            replaced = tree.line(first) + replaced
        while replaced and last < tree.line_count and _joins(replaced, tree.line(last)):
            replaced += tree.line(last)
            last += 1
        return self._splice(min(first, tree.line_count), last, split_lines(replaced))

    def replace(self, text: str) -> Change:
        """Replaces the whole text."""
        return self._splice(0, self.tree.line_count, split_lines(text))

    def _splice(self, first: int, last: int, lines: list[str]) -> Change:
        old = self.tree
        self.tree, gone, new = reparse(old, first, last, lines, self.context.shapes)
        if first <= self._code_from and (context := self._in_edition(self._head(), self._settings)) is not self.context:
            return self._read_anew(old.items, context)
        removed = tuple(old.items[gone.start : gone.stop])
        added = tuple(self.tree.items[new.start : new.stop])
        self._memory = self._memory.successor(removed, added)
        had_aliases = any(item in self._alias_items for item in removed)
        is_divided_anew = any(item.begins_split for item in (*removed, *added))
        self._alias_items.difference_update(removed)
        self._index(removed, added)
        other_aliases: frozenset[Item | None] = frozenset()
        if had_aliases or is_divided_anew or any(item in self._alias_items for item in added):
            other_aliases = self._refresh_aliases()
        reach = reach_of(self.tree, new.start, removed, added, other_aliases)
        return Change(new.start, removed, added, self._memory.stale(self.snapshot(), reach))

    def _index(self, removed: Iterable[Item], added: Iterable[Item]) -> None:
        self.symbols = self.symbols.updated(removed, added)
        self._alias_items.update(item for item in added if defines_names(item))

    def _refresh_aliases(self) -> frozenset[Item | None]:
        """Reads the aliases of the splits in which they changed; gives the splits."""
        defining: dict[Item | None, list[Item]] = {}
        for index, item in self.tree.items.in_order(self._alias_items):
            defining.setdefault(self.tree.split_of(index), []).append(item)
        former, known = self._alias_lists, self.aliases
        if defining != former:
            self._alias_lists = defining
            self.aliases = {
                split: known[split] if former.get(split) == items else aliases_of(items)
                for split, items in defining.items()
            }
        splits = known.keys() | self.aliases.keys()
        return frozenset(split for split in splits if known.get(split) is not self.aliases.get(split))


def _joins(before: str, after: str) -> bool:
    """Whether two texts, put one after the other, have a line in common: a carriage return waits for its line feed."""
    return not before.endswith(("\n", "\r")) or (before.endswith("\r") and after.startswith("\n"))
