"""The search for a smaller text: edits in an order that follows from the text alone; those that the test accepts stay.

Hierarchical delta debugging (Misherghi and Su, 2006): the operations of each depth go in big groups first, then in
smaller ones, outer ones before those inside. What is left is taken apart: regions, branches, values, arguments,
attributes, numbers. All of that again until nothing becomes smaller.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from fathom.ir.operation import Block, is_module
from fathom.reducing.bounds import Bounds, Reduced, Stop
from fathom.reducing.branching import simpler_ends
from fathom.reducing.deleting import alternatives, unused_aliases, without
from fathom.reducing.edits import Edit, applied, removal
from fathom.reducing.outline import Node, Outline
from fathom.reducing.results import fewer_results
from fathom.reducing.shrinking import extents, fewer_attributes, numbers, smaller_extents, smaller_numbers
from fathom.reducing.signatures import fewer_arguments, fewer_block_arguments
from fathom.reducing.statements import Stretch, stretches
from fathom.reducing.unwrapping import unwrapped
from fathom.syntax.lexer import is_split

if TYPE_CHECKING:
    from fathom.context import Context

T = TypeVar("T")
Test: TypeAlias = "Callable[[str], bool]"
"""Whether a text still shows what is looked for."""


class _Ended(Exception):
    """No more is tried."""

    def __init__(self, stop: Stop) -> None:
        super().__init__(stop)
        self.stop: Stop = stop


def reduce(
    text: str,
    is_interesting: Test,
    context: Context,
    bounds: Bounds | None = None,
    *,
    only_valid: bool = True,
    keeps: Callable[[Node], bool] = lambda node: False,
) -> Reduced | None:
    """The smallest text that is found by edits after each of which the test accepts it; None where it does not accept
    the text itself.

    With `only_valid`, what has no mistake gets none: the test is not asked of such texts. `keeps` says of which
    functions the signature stays. The same text and a test that answers alike give the same: nothing here is random. An
    interrupt (Ctrl-C) ends the search with the best so far.
    """
    search = _Search(_parts(text), is_interesting, context, bounds or Bounds())
    before = search.operations
    try:
        if not search.is_accepted(text):
            return None
        _delete_parts(search)
        for at in range(len(search.parts)):
            search.turn_to(at, only_valid)
            _search(search, keeps)
        stop: Stop = "smallest"
    except _Ended as ended:
        stop = ended.stop
    except KeyboardInterrupt:
        stop = "interrupted"
    return Reduced(search.text, search.operations, before, search.tests, stop)


def _parts(text: str) -> list[str]:
    """The parts of a text that lines `// -----` divide, each of which begins with its line."""
    parts = [""]
    for line in text.splitlines(keepends=True):
        if is_split(line):
            parts.append("")
        parts[-1] += line
    return parts


class _Search:
    """The best text so far, of which one part is looked at."""

    def __init__(self, parts: list[str], test: Test, context: Context, bounds: Bounds) -> None:
        self.parts = parts
        self.tests = 0
        self.outline = Outline(parts[0], context)
        self._at = 0
        self._only_valid = False
        self._test = test
        self._context = context
        self._bounds = bounds
        self._begun = monotonic()
        self._known: set[int] = {hash(self.text)}

    @property
    def text(self) -> str:
        return "".join(self.parts)

    @property
    def operations(self) -> int | None:
        """How many operations stand in it but for modules, if it can be read."""
        outlines = [Outline(part, self._context) for part in self.parts]
        if any(outline.loaded.has_errors for outline in outlines):
            return None
        return sum(not is_module(node.op) for outline in outlines for node in outline.nodes)

    def turn_to(self, at: int, only_valid: bool) -> None:
        """Goes on with another part."""
        self._at = at
        self.outline = Outline(self.parts[at], self._context)
        self._only_valid = only_valid and self.outline.is_valid

    def is_accepted(self, text: str) -> bool:
        """Asks the test."""
        if self.tests >= self._bounds.tests:
            raise _Ended("tests")
        if self._bounds.seconds is not None and monotonic() - self._begun > self._bounds.seconds:
            raise _Ended("seconds")
        self.tests += 1
        return self._test(text)

    def takes(self, edit: Edit | None) -> bool:
        """Whether an edit of the part gives a text that is interesting, which is the best from then on."""
        if edit is None:
            return False
        part = applied(self.outline.text, edit)
        parts = [*self.parts[: self._at], part, *self.parts[self._at + 1 :]]
        if not self._is_new(parts):
            return False
        outline = Outline(part, self._context)
        if (self._only_valid and not outline.is_valid) or not self.is_accepted("".join(parts)):
            return False
        self.parts, self.outline = parts, outline
        return True

    def takes_parts(self, parts: list[str]) -> bool:
        """Whether the text of some parts alone is interesting."""
        if not parts or not self._is_new(parts) or not self.is_accepted("".join(parts)):
            return False
        self.parts = parts
        return True

    def _is_new(self, parts: list[str]) -> bool:
        known = hash("".join(parts))
        if known in self._known:
            return False
        self._known.add(known)
        return True


def _delete_parts(search: _Search) -> None:
    size = len(search.parts) // 2
    while size >= 1:
        end = len(search.parts)
        while end > 0:
            start = max(end - size, 0)
            search.takes_parts([*search.parts[:start], *search.parts[end:]])
            end = start
        size //= 2


def _search(search: _Search, keeps: Callable[[Node], bool]) -> None:
    """Tries all there is, again and again."""
    if search.outline.loaded.has_errors:
        _delete_statements(search)
        return
    before = ""
    while search.text != before:
        before = search.text
        _delete(search)
        _each(search, lambda outline: outline.nodes, unwrapped)
        _each(search, lambda outline: outline.nodes, simpler_ends)
        _each(search, lambda outline: _without_ends(outline.nodes), alternatives)
        _each(search, lambda outline: (node for node in outline.nodes if not keeps(node)), fewer_arguments)
        _each(search, lambda outline: (node for node in outline.nodes if not keeps(node)), fewer_results)
        _each(search, _blocks, fewer_block_arguments)
        if search.text == before:
            _each(search, lambda outline: outline.nodes, fewer_attributes)
            _each(search, extents, smaller_extents)
            _each(search, numbers, lambda outline, word: smaller_numbers(word))


def _each(search: _Search, of: Callable[[Outline], Iterable[T]], edits: Callable[[Outline, T], Iterator[Edit]]) -> None:
    """Tries the edits of each of those that there are, the last first; after one that is taken, the edits of what now
    stands in its place."""
    things = list(of(search.outline))
    index = len(things) - 1
    while index >= 0:
        if any(search.takes(edit) for edit in edits(search.outline, things[index])):
            things = list(of(search.outline))
            index = min(index, len(things) - 1)
        else:
            index -= 1


def _without_ends(nodes: Iterable[Node]) -> Iterator[Node]:
    return (node for node in nodes if not node.is_terminator and not is_module(node.op))


def _blocks(outline: Outline) -> list[Block]:
    return [block for node in outline.nodes for region in node.op.regions for block in region.blocks]


def _delete(search: _Search) -> None:
    """Deletes operations, those of each depth in groups that become smaller and smaller."""

    def at_depth() -> list[Node]:
        return [node for node in _without_ends(search.outline.nodes) if node.depth == depth]

    depth = 0
    while any(node.depth >= depth for node in search.outline.nodes):
        _delete_some(search, at_depth, without)
        depth += 1
    while search.takes(unused_aliases(search.outline)):
        pass  # What was mentioned by one of them alone is not mentioned any more.


def _delete_statements(search: _Search) -> None:
    """Deletes statements of a text with a mistake."""

    def at_depth() -> list[Stretch]:
        return [stretch for stretch in stretches(search.outline.loaded.tree) if stretch.depth == depth]

    def gone(outline: Outline, some: list[Stretch]) -> Edit:
        return [removal(outline.text, stretch.start, stretch.end) for stretch in some]

    before = ""
    while search.text != before:
        before, depth = search.text, 0
        while any(stretch.depth >= depth for stretch in stretches(search.outline.loaded.tree)):
            _delete_some(search, at_depth, gone)
            depth += 1


def _delete_some(search: _Search, of: Callable[[], list[T]], edit: Callable[[Outline, list[T]], Edit | None]) -> None:
    """Deletes some of those that there are: the last first, which use those before them."""
    things = of()
    size = len(things)
    while size >= 1:
        end = len(things)
        while end > 0:
            start = max(end - size, 0)
            if search.takes(edit(search.outline, things[start:end])):
                count, things = len(things), of()
                # Constants in the place of what was deleted stand where that stood.
                end = min(end, len(things)) if len(things) < count else start
            else:
                end = start
        size = min(size // 2, len(things))
