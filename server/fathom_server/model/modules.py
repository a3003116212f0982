"""Modules to be lowered: a unit, an item or a symbol of one, with what it refers to, or the whole document.

The spans in a module count in a text of its own: the items that it holds, one after the other. So it is the same
wherever they stand in the document, and stays at hand when something before them is edited.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from pathlib import Path
from typing import TypeAlias

from fathom.diagnostics import Diagnostic, order_in_text
from fathom.elaborate import syntax_diagnostics
from fathom.elaborate.elaborator import Elaborator
from fathom.ir.attributes import Attribute, StringAttr
from fathom.ir.clone import clone
from fathom.ir.operation import MODULE, Block, Operation, Region, Span, is_module
from fathom.ir.symbol_references import references_of_operation
from fathom.irdl.declaring import DECLARING
from fathom.irdl.interfaces import symbol_name
from fathom.records import record, replace
from fathom.slices import read_ahead
from fathom.syntax.sequence import chunked
from fathom.syntax.tree import Item, SyntaxTree
from fathom.verify import verify
from fathom_server.model.aliases import aliases
from fathom_server.model.definitions_needed import names_of, needed_whole
from fathom_server.model.elaboration import elaborated, operation_of
from fathom_server.model.lookup import (
    Beginning,
    Scope,
    header,
    is_in_modules,
    is_root,
    modules_around,
    scope_behind,
    scope_of_symbol,
    split_in,
    symbol,
    tables_in,
    text_order,
)
from fathom_server.model.mistakes import first_error
from fathom_server.model.named_tables import Tables, units_in_tables
from fathom_server.model.outer_values import outer_use
from fathom_server.model.outlines import declaration
from fathom_server.model.queries import NONE, fact
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.symbols import (
    Header,
    Role,
    Symbol,
    Unit,
    item_of,
    open_tables,
    role_of,
    symbols_of,
    unit_of,
)

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
        if not any(offsets):
            return list(spans)
        places: list[Span] = []
        for span in read_ahead(spans):
            offset = offsets[max(bisect_right(starts, span.start) - 1, 0)]
            places.append(Span(span.start + offset, span.end + offset))
        return places


@record
class Module:
    """A module with the layout of its spans. `problem` is a mistake that keeps it from being lowered. What it is about
    stands in so many modules inside it. `names` are those of the symbols beside that, as far as they are in it. In one
    that `is_apart` it stands in a module in the place of another table, or without something that it names and that is
    broken."""

    op: Operation
    layout: Layout
    problem: Diagnostic | None
    depth: int = 0
    names: frozenset[str] = frozenset()
    is_apart: bool = False

    @property
    def inner(self) -> Operation:
        """The module in which stands what it is about."""
        operation = self.op
        for _ in range(self.depth):
            operation = next(
                (op for region in operation.regions for op in region.operations() if is_module(op)), operation
            )
        return operation

    def copy(self) -> Module:
        """The same module, for those who change it."""
        return replace(self, op=clone(self.op))


def module_for(snapshot: Snapshot, units: Sequence[Unit], bodies: bool, beside: frozenset[str] = frozenset()) -> Module:
    """A new module with units of one scope, what they refer to, and the symbols of the names `beside`: declarations, or
    with `bodies` whole definitions."""
    referred = beside.union(*(names_of(snapshot, unit) for unit in units))
    return _around(snapshot, units, None, _names(snapshot, units), referred, bodies=bodies)


def ask_what_is_needed(snapshot: Snapshot, unit: Unit, bodies: bool = False) -> None:
    """Asks for all that a module with a unit follows from, without bodies of others or with them."""
    units = (unit,)
    _around(snapshot, units, None, _names(snapshot, units), names_of(snapshot, unit), bodies=bodies, copied=False)


def names_beside(module: Module) -> frozenset[str]:
    """The names of all symbols where what a module is about stands."""
    named = (symbol_name(op) for region in module.inner.regions for op in region.operations())
    return frozenset(filter(None, named))


def are_taken(snapshot: Snapshot, unit: Unit, names: frozenset[str]) -> frozenset[str]:
    """Those of some names that symbols of the document have in the scope of a unit."""
    scope = _scope(snapshot, unit) if names else ()
    return frozenset(name for name in names if header(snapshot, scope, name) is not None)


def owner(module: Module, span: Span) -> tuple[Item, int, Symbol] | None:
    """The item that a span of a module stands in, where that begins in the text of the module, and its symbol around
    the span; None where there is none."""
    start = 0
    for item in module.layout.items:
        if span.start < start + item.length:
            here = span.start - start
            around = (defined for defined in symbols_of(item) if defined.start <= here < defined.full_end)
            innermost = next(around, None)
            return (item, start, innermost) if innermost is not None else None
        start += item.length
    return None


def module_of_part(snapshot: Snapshot, unit: Unit, function: Operation) -> Module:
    """A new module with a function made of a part of a unit, whose spans count from the beginning of the item, and with
    declarations of what it refers to."""
    name = function.properties.get("sym_name")
    names = {name.value} if isinstance(name, StringAttr) else set[str]()
    referred = frozenset(reference.root for op in function.walk() for reference in references_of_operation(op))
    return _around(snapshot, (unit,), function, names, referred, bodies=False)


def _scope(snapshot: Snapshot, unit: Unit) -> Scope:
    """The scope of what a unit consists of."""
    return scope_of_symbol(snapshot, unit) if isinstance(unit, Symbol) else scope_behind(snapshot, unit)


def _names(snapshot: Snapshot, units: Iterable[Unit]) -> set[str]:
    """The names that units define in their scope."""
    names: set[str] = set()
    for unit in units:
        tables = unit.tables if isinstance(unit, Symbol) else open_tables(unit)
        own = (unit,) if isinstance(unit, Symbol) else symbols_of(unit)
        names.update(defined.name for defined in own if defined.tables == tables)
    return names


def _around(
    snapshot: Snapshot,
    roots: Sequence[Unit],
    function: Operation | None,
    met: set[str],
    names: frozenset[str],
    *,
    bodies: bool,
    copied: bool = True,
) -> Module:
    """A module with units of one scope, or the function that stands for the only one, and with the symbols of these
    names that are not `met` in it; or nothing in it, if they are not to be `copied`."""
    of_part = _operations if copied else _asked
    scope = _scope(snapshot, roots[0])
    split = split_in(scope)
    units, declared = _gathered(snapshot, roots, scope, met, names, bodies=bodies)
    are_tables = [role_of(unit, snapshot.context) is Role.TABLE for unit in declared]
    inner = units_in_tables(snapshot, scope, units) if any(are_tables) else {}
    items = tuple(dict.fromkeys(map(item_of, (*units, *inner))))
    starts = dict(zip(items, accumulate((item.length for item in items), initial=0), strict=False))
    errors = ((item, first_error(snapshot, item)) for item in items)
    problem = next((moved(error, starts[unit]) for unit, error in errors if error is not None), None)
    if problem is None:
        outer = ((item, outer_use(snapshot, item, elaborated(snapshot, item))) for item in items)
        problem = next((moved(error, starts[unit]) for unit, error in outer if error is not None), None)
    parts = (*units, *declared)
    operations = [
        [function] if part is roots[0] and function is not None else of_part(snapshot, part, starts, split)
        for part in parts
    ]
    tables = Tables(snapshot, scope)
    for unit, is_table, made in zip(declared, are_tables, operations[len(units) :], strict=True):
        if is_table and made:
            tables.add(unit.name, made[0])
    for unit, path in inner.items():
        tables.fill(path, of_part(snapshot, unit, starts, split))
    ordered = [op for index in text_order(snapshot, scope, parts) for op in operations[index]]
    if isinstance(roots[0], Item) and is_root(snapshot, roots[0]) and len(ordered) == 1:
        return Module(ordered[0], Layout(items), problem, names=frozenset(met), is_apart=not all(operations))
    module, depth = module_of(snapshot, ordered), modules_around(snapshot, scope)
    around = tables_in(scope)
    for level in range(depth + 1):
        module = module if level == 0 else module_of(snapshot, [module])
        if level < len(around):
            module.attributes |= _attributes_of(snapshot, around[-1 - level])
    is_apart = not is_in_modules(around) or not all(operations)
    return Module(module, Layout(items), problem, depth, frozenset(met), is_apart)


def _gathered(
    snapshot: Snapshot, roots: Sequence[Unit], scope: Scope, met: set[str], names: Iterable[str], *, bodies: bool
) -> tuple[dict[Unit, None], list[Header]]:
    """The units that belong into a module with these roots and the symbols of these names that are not `met`, and the
    headers of those symbols of which a declaration does."""
    units = dict.fromkeys(roots)
    outlined: dict[str, Header] = {}
    whole = {name for root in roots for name in needed_whole(snapshot, root)}
    pending = sorted(names)
    while pending:
        name = pending.pop()
        declared = header(snapshot, scope, name)
        if declared is None or (name in met and not (name in whole and name in outlined)):
            continue
        met.add(name)
        role = role_of(declared, snapshot.context)
        if role is Role.TABLE or (declared.has_body and role is not Role.DATA and not bodies and name not in whole):
            outlined[name] = declared
            continue
        outlined.pop(name, None)
        defined = symbol(snapshot, scope, name)
        if defined is not None and (unit := unit_of(defined)) not in units:
            units[unit] = None
            pending += sorted(names_of(snapshot, unit))
            whole |= needed_whole(snapshot, unit)
    return units, list(outlined.values())


def _attributes_of(snapshot: Snapshot, table: Beginning) -> dict[str, Attribute]:
    """What a module says of itself, by which what stands in it is judged and lowered; nothing for another table."""
    known = elaborated(snapshot, table.item)
    known.place_all()
    modules = [op for op in known.operations if is_module(op)]
    for op in modules:
        if op.span is not None and op.span.start == table.start:
            return dict(op.attributes)
        modules += [inner for region in op.regions for inner in region.operations() if is_module(inner)]
    return {}


def _operations(
    snapshot: Snapshot, part: Unit | Header, starts: dict[Item, int], split: Item | None
) -> list[Operation]:
    """Copies of the operations of a part: a unit's, or a declaration in a split of the document."""
    if isinstance(part, Header):
        known = declaration(snapshot, part, split)
        if known is None:
            return []
        copy = clone(known)
        if role_of(part, snapshot.context) is not Role.TABLE:
            copy.properties["sym_visibility"] = PRIVATE
            definition = copy.definition if part.has_body else None
            if definition is not None and (declare := definition.told(DECLARING)) is not None:
                declare(copy)
        return [copy]
    item = item_of(part)
    known = elaborated(snapshot, item)
    known.place_all()
    if isinstance(part, Item):
        ops = _innermost(known.operations, len(open_tables(item)))
    else:
        op = operation_of(known, part)
        ops = [op] if op is not None else []
    return [_shifted(op, starts[item]) for op in ops]


def _innermost(operations: Sequence[Operation], opened: int) -> list[Operation]:
    """The operations of an item that opens so many tables for what follows it: in place of each of these, of which the
    others know that they stand in it, what it holds. What stands before one in its line comes along, but for symbols of
    a name that one inside has too."""
    ops = list(operations)
    for _ in range(opened):
        inside = [op for region in ops[-1].regions for op in region.operations()] if ops else []
        names = set(map(symbol_name, inside)) - {""}
        ops = [*(op for op in ops[:-1] if symbol_name(op) not in names), *inside]
    return ops


def _asked(snapshot: Snapshot, part: Unit | Header, _starts: dict[Item, int], split: Item | None) -> list[Operation]:
    """Asks for the operations of a part, and copies none."""
    known = declaration(snapshot, part, split) if isinstance(part, Header) else elaborated(snapshot, item_of(part))
    del known
    return []


# ---- whole splits


def splits(snapshot: Snapshot) -> list[Item | None]:
    """The splits of the document, each by the line that begins it."""
    tree = snapshot.tree
    return [tree.split_of(index) for index in tree.split_starts]


@fact(lambda _reach: NONE)
def items_of_split(snapshot: Snapshot, split: Item | None) -> tuple[Item, ...]:
    """The items of a split of the document, which is given by the line that begins it. Each edit changes some, and
    nobody is told of it."""
    tree = snapshot.tree
    around = tree.split_around(tree.index_of(split) if split is not None else 0)
    return tuple(tree.items[around.start : around.stop])


def module_of_split(snapshot: Snapshot, split: Item | None) -> Module:
    """A new module with all that a split of the document holds."""
    items = items_of_split(snapshot, split)
    known = Elaborator(snapshot.context, aliases(snapshot, split)).run(items)
    operations = known.operations
    for op in operations:
        op.unlink()
    is_one = len(operations) == 1 and is_module(operations[0])
    module = operations[0] if is_one else module_of(snapshot, operations)
    diagnostics = [*syntax_diagnostics(SyntaxTree(chunked(items))), *known.diagnostics]
    if not any(d.severity == "error" for d in diagnostics):
        diagnostics += verify(module, None, snapshot.context, known.template)
    errors = [d for d in diagnostics if d.severity == "error"]
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
    for operation in op.walk():
        operation.span = fixed(operation.span, offset)
        for block in (block for region in operation.regions for block in region.blocks):
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


Say: TypeAlias = "Callable[[Diagnostic, Snapshot], str]"
"""Says a diagnostic of a document where there is no room for more than a line."""


def in_one_line(diagnostic: Diagnostic, snapshot: Snapshot) -> str:
    """A diagnostic of the document with its cause and its line."""
    span = diagnostic.span
    return with_line(diagnostic, snapshot.tree.line_of(span.start)[0] if span is not None else None)


def with_line(diagnostic: Diagnostic, line: int | None) -> str:
    """A diagnostic with its cause and the line, from 0 on, if it has one."""
    cause = next((f": {note.message}" for note in diagnostic.notes if note.span in (None, diagnostic.span)), "")
    where = f" (line {line + 1})" if line is not None else ""
    message = diagnostic.message.partition("\n")[0]
    if diagnostic.place is not None:
        message = f"{Path(diagnostic.place.file).name}, line {diagnostic.place.line}: {message}"
    return f"{message}{cause}{where}"
