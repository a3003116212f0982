"""Modules to be lowered: an item with what it refers to, or the whole document.

The spans in a module count in a text of its own: the items that it holds, one after the other. So it is the same
wherever they stand in the document, and stays at hand when something before them is edited.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate

from fathom.diagnostics import Diagnostic, order_in_text
from fathom.elaborate import syntax_diagnostics
from fathom.elaborate.elaborator import Elaborator
from fathom.ir.attributes import StringAttr
from fathom.ir.clone import clone
from fathom.ir.operation import MODULE, Block, Operation, Region, Span
from fathom.ir.symbol_references import references_of_operation
from fathom.records import record, replace
from fathom.slices import paced
from fathom.syntax.sequence import chunked
from fathom.syntax.tree import Item, SyntaxTree
from fathom.verify import verify
from fathom_server.model.aliases import aliases
from fathom_server.model.elaboration import elaborated, first_error, referenced
from fathom_server.model.lookup import header, opened_by, split_of, symbol, text_order
from fathom_server.model.outer_values import outer_use
from fathom_server.model.outlines import declaration
from fathom_server.model.queries import fact
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.symbols import Header, Role, role_of, symbols_of

PRIVATE = StringAttr("private")


@record
class Layout:
    """The text in which the spans of a module count: that of `items`, one after the other. What follows the last one
    follows it in the document too."""

    items: tuple[Item, ...]

    def place(self, snapshot: Snapshot, span: Span) -> Span:
        """Where a span of the module stands in the document."""
        return self.place_all(snapshot, (span,))[0]

    def place_all(self, snapshot: Snapshot, spans: Iterable[Span]) -> list[Span]:
        """Where spans of the module stand in the document."""
        if not self.items:
            return list(spans)
        starts = [0, *accumulate(item.length for item in self.items[:-1])]
        offsets = [snapshot.start_of(item) - start for item, start in zip(self.items, starts, strict=True)]
        found: list[Span] = []
        for span in paced(spans):
            offset = offsets[max(bisect_right(starts, span.start) - 1, 0)]
            found.append(Span(span.start + offset, span.end + offset))
        return found


@record
class Module:
    """A module with the layout of its spans. `problem` is a mistake that keeps it from being lowered."""

    op: Operation
    layout: Layout
    problem: Diagnostic | None

    def copy(self) -> Module:
        """The same module, for those who change it."""
        return replace(self, op=clone(self.op))


def module_for(snapshot: Snapshot, items: Sequence[Item], bodies: bool) -> Module:
    """A new module with items of one scope and what they refer to: declarations, or with `bodies` whole definitions."""
    names = {each.name for item in items for each in symbols_of(item)}
    referred = frozenset(name for item in items for name in referenced(snapshot, item))
    return _around(snapshot, items, None, names, referred, bodies=bodies)


def ask_what_is_needed(snapshot: Snapshot, item: Item) -> None:
    """Asks for all that a module with an item, without bodies of others, follows from."""
    names = {each.name for each in symbols_of(item)}
    _around(snapshot, (item,), None, names, referenced(snapshot, item), bodies=False, copied=False)


def module_of_part(snapshot: Snapshot, item: Item, function: Operation) -> Module:
    """A new module with a function made of a part of an item, whose spans count from the beginning of that, and with
    declarations of what it refers to."""
    name = function.properties.get("sym_name")
    names = {name.value} if isinstance(name, StringAttr) else set[str]()
    referred = frozenset(each.root for op in function.walk() for each in references_of_operation(op))
    return _around(snapshot, (item,), function, names, referred, bodies=False)


def _around(
    snapshot: Snapshot,
    roots: Sequence[Item],
    function: Operation | None,
    met: set[str],
    names: frozenset[str],
    *,
    bodies: bool,
    copied: bool = True,
) -> Module:
    """A module with items of one scope, or the function that stands for the only one, and with the symbols of these
    names that are not `met` in it; or nothing in it, if they are not to be `copied`."""
    of_part = _operations if copied else _asked
    root, end = roots[0], 0
    starts: dict[Item, int] = {}
    declared: list[Header] = []
    problem = None
    for each in roots:
        starts[each] = end
        error = first_error(snapshot, each)
        problem = moved(error, end) if problem is None and error is not None else problem
        end += each.length
    pending = [(root, name) for name in sorted(names)]
    while pending:
        scope, name = pending.pop()
        found = header(snapshot, scope, name)
        if name in met or found is None:
            continue
        met.add(name)
        if not bodies and found.has_body and role_of(found, snapshot.context) is not Role.DATA:
            declared.append(found)
            continue
        defined = symbol(snapshot, scope, name)
        if defined is None or defined.item in starts:
            continue
        item = defined.item
        starts[item] = end
        error = first_error(snapshot, item)
        if problem is None and error is not None:
            problem = moved(error, end)
        pending += [(item, each) for each in referenced(snapshot, item)]
        end += item.length
    for item, start in starts.items() if problem is None else ():
        found = outer_use(snapshot, item, elaborated(snapshot, item))
        problem = problem or (moved(found, start) if found is not None else None)
    parts, split = (*starts, *declared), split_of(snapshot, root)
    operations = [
        [function] if part is root and function is not None else of_part(snapshot, part, starts, split)
        for part in parts
    ]
    ordered = [op for index in text_order(snapshot, root, parts) for op in operations[index]]
    return Module(module_of(snapshot, ordered), Layout(tuple(starts)), problem)


def _operations(
    snapshot: Snapshot, part: Item | Header, starts: dict[Item, int], split: Item | None
) -> list[Operation]:
    """Copies of the operations of a part: an item's, or a declaration in a split of the document."""
    if isinstance(part, Item):
        known = elaborated(snapshot, part)
        known.place_all()
        return [_shifted(op, starts[part]) for op in _innermost(known.operations, opened_by(part))]
    known = declaration(snapshot, part, split)
    if known is None:
        return []
    copy = clone(known)
    copy.properties["sym_visibility"] = PRIVATE
    return [copy]


def _innermost(operations: Sequence[Operation], opened: int) -> list[Operation]:
    """The operations of an item that opens so many tables for what follows it: in place of each of these, of which the
    others know that they stand in it, what it holds."""
    found = list(operations)
    for _ in range(opened):
        found[-1:] = [op for region in found[-1].regions for op in region.operations()] if found else []
    return found


def _asked(snapshot: Snapshot, part: Item | Header, _starts: dict[Item, int], split: Item | None) -> list[Operation]:
    """Asks for the operations of a part, and copies none."""
    _ = elaborated(snapshot, part) if isinstance(part, Item) else declaration(snapshot, part, split)
    return []


# ---- whole splits


def splits(snapshot: Snapshot) -> list[Item | None]:
    """The splits of the document, each by the line that begins it."""
    tree = snapshot.tree
    return [tree.split_of(index) for index in tree.split_starts]


@fact
def _items_of(snapshot: Snapshot, split: Item | None) -> tuple[Item, ...]:
    tree = snapshot.tree
    around = tree.split_around(tree.index_of(split) if split is not None else 0)
    return tuple(tree.items[around.start : around.stop])


def module_of_split(snapshot: Snapshot, split: Item | None) -> Module:
    """A new module with all that a split of the document holds."""
    items = _items_of(snapshot, split)
    known = Elaborator(snapshot.context, aliases(snapshot, split)).run(items)
    operations = known.operations
    for op in operations:
        op.unlink()
    is_module = len(operations) == 1 and operations[0].name == MODULE
    module = operations[0] if is_module else module_of(snapshot, operations)
    found = [*syntax_diagnostics(SyntaxTree(chunked(items))), *known.diagnostics]
    if not any(d.severity == "error" for d in found):
        found += verify(module, None, snapshot.context, known.template)
    errors = [d for d in found if d.severity == "error"]
    first = min(errors, key=order_in_text) if errors else None
    return Module(module, Layout(items[:1]), first)


def module_of(snapshot: Snapshot, operations: list[Operation]) -> Operation:
    """A module of operations that stand in no block."""
    block = Block()
    for op in operations:
        block.append(op)
    return Operation(MODULE, regions=[Region([block])], definition=snapshot.context.lookup(MODULE))


def _shifted(op: Operation, offset: int) -> Operation:
    """A copy of an operation whose spans are moved by `offset`, and do not move any more with the text."""
    copy = clone(op)
    fix_spans(copy, offset)
    return copy


def fix_spans(op: Operation, offset: int) -> None:
    """Moves the spans of an operation by `offset`; they do not move any more with the text."""
    for each in op.walk():
        each.span = fixed(each.span, offset)
        for block in (block for region in each.regions for block in region.blocks):
            block.label_span = fixed(block.label_span, offset)
            for argument in block.arguments:
                argument.span = fixed(argument.span, offset)


def fixed(span: Span | None, offset: int) -> Span | None:
    """A span that is moved by `offset`, and does not move any more with the text."""
    return Span(span.start + offset, span.end + offset) if span is not None else None


def moved(diagnostic: Diagnostic, offset: int) -> Diagnostic:
    """A diagnostic whose places are moved by `offset`."""

    def shift(span: Span | None) -> Span | None:
        return Span(span.start + offset, span.end + offset) if span is not None else None

    notes = tuple(replace(note, span=shift(note.span)) for note in diagnostic.notes)
    return replace(diagnostic, span=shift(diagnostic.span), notes=notes)


def placed(diagnostic: Diagnostic, layout: Layout, snapshot: Snapshot) -> Diagnostic:
    """A diagnostic about a module, at its places in the document."""

    def place(span: Span | None) -> Span | None:
        return layout.place(snapshot, span) if span is not None else None

    notes = tuple(replace(note, span=place(note.span)) for note in diagnostic.notes)
    return replace(diagnostic, span=place(diagnostic.span), notes=notes)


def in_one_line(diagnostic: Diagnostic, snapshot: Snapshot) -> str:
    """A diagnostic of the document with its cause and its line, for a message that has no room for more."""
    cause = next((f": {note.message}" for note in diagnostic.notes if note.span in (None, diagnostic.span)), "")
    where = ""
    if diagnostic.span is not None:
        where = f" (line {snapshot.tree.line_of(diagnostic.span.start)[0] + 1})"
    message = diagnostic.message.partition("\n")[0]
    return f"{message}{cause}{where}"
