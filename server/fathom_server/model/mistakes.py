"""What is wrong with single items: with their syntax and their meaning, and what the verifier finds.

Each item is looked at alone, as it is elaborated. All spans count from the item's beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from fathom.diagnostics import (
    PARSE,
    UNCLOSED,
    UNDECLARED_VALUE,
    UNREGISTERED,
    VERIFY,
    Diagnostic,
    alone,
    order_in_text,
)
from fathom.elaborate import item_diagnostics, syntax_diagnostic
from fathom.elaborate.aliases import is_sound
from fathom.elaborate.renamed import with_renames
from fathom.elaborate.suggestions import with_suggestions
from fathom.ir.clone import clone
from fathom.ir.operation import MODULE, Block, Operation, Region
from fathom.ir.symbol_references import references_of_operation
from fathom.irdl.traits import misplaced
from fathom.records import replace
from fathom.slices import checkpoint, paced
from fathom.syntax.lexer import indentation
from fathom.syntax.pieces import Piece
from fathom.syntax.sequence import Chunk
from fathom.syntax.tree import Item, SyntaxTree
from fathom.verify import verify
from fathom.verify.ways import with_ways
from fathom_server.model.elaboration import elaborated, live_item, references
from fathom_server.model.lookup import Beginning, Scope, headers, is_repeated, redefinitions, scope_at, scope_of
from fathom_server.model.outer_values import nearest_free, redefined_values, settled
from fathom_server.model.outlines import ScopeSymbols
from fathom_server.model.queries import query
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.symbols import ends_in, open_tables, symbols_of


@query()
def diagnostics(snapshot: Snapshot, item: Item) -> tuple[Diagnostic, ...]:
    """The mistakes of an item, in the order of its text: of syntax, of meaning, and what the verifier finds.

    Where a header could not be read, what may be wrong in the body for that reason alone says that it follows from it.
    """
    if item.is_trivia or item.begins_split or is_sound(item):
        return ()
    known = elaborated(snapshot, item)
    mistakes = _with_causes(item, [*item_diagnostics(item), *settled(snapshot, item, known)])
    # What the verifier asks for it may ask for another time only: whoever becomes one of these names is noted here.
    names = {name for reference in references(snapshot, item) for name in reference.path}
    known_headers = {name: headers(snapshot, name) for name in names}
    live = live_item(snapshot, item)
    for op, own, scope, inside in _verified(snapshot, item, known.operations):
        if any(d.severity == "error" for d in mistakes):
            break
        if inside is not None and _goes_on(item):
            continue
        symbols = ScopeSymbols(snapshot, scope, own)
        if inside is not None and references_of_operation(op) and not op.operands and not op.results:
            wrong = _wrong_with_table(snapshot, op, symbols, inside)
        elif live is not None and op.parent_op is None:
            wrong = live.verify(op, symbols, known_headers)
        else:
            wrong = verify(op, symbols, snapshot.context, known.template)
        elsewhere = _misplaced(item, op) if op.parent_op is None else None
        if inside is not None:
            wrong = [diagnostic for diagnostic in wrong if diagnostic.op is op]
        if elsewhere is not None:
            wrong = [elsewhere, *(diagnostic for diagnostic in wrong if diagnostic.op is not op)]
        # What begins at one place has an order that does not depend on which was found first.
        mistakes += _sorted(
            wrong, lambda diagnostic: (diagnostic.span.end if diagnostic.span is not None else 0, diagnostic.message)
        )
    if any(is_repeated(snapshot, symbol.name) for symbol in symbols_of(item)):
        mistakes += redefinitions(snapshot, item)
    mistakes += redefined_values(snapshot, item, known)
    if not mistakes:
        return ()
    mistakes = with_renames(_sorted(mistakes, order_in_text), lambda _: (item, 0))
    mistakes = with_suggestions(
        mistakes, known, snapshot.context, item.text_between, lambda name: nearest_free(snapshot, item, known, name)
    )
    mistakes = with_ways(mistakes)
    # What is kept of all items is not to keep the IR of all: that of a big one is there in any case.
    return tuple(mistakes if live is not None else map(alone, mistakes))


def _verified(
    snapshot: Snapshot, item: Item, operations: Sequence[Operation]
) -> Iterator[tuple[Operation, Sequence[Operation], Scope, Scope | None]]:
    """The operations of an item that are looked at by themselves, each with those of the item in its scope, with that,
    and with the scope inside of one that is open: a table that the item opens, in which what follows the item stands
    too. What the item has of that comes by itself."""
    if ends_in(item):
        for op in operations:
            start = op.span.start if op.span is not None else 0
            scope = scope_at(snapshot, item, start)
            yield op, [op], scope, (*scope, Beginning(item, start)) if start in open_tables(item) else None
        return
    own, scope = operations, scope_of(snapshot, item)
    for start in open_tables(item) if operations else ():
        inside = (*scope, Beginning(item, start))
        yield from ((op, own, scope, inside if op is own[-1] else None) for op in own)
        own = [op for region in own[-1].regions for op in region.operations()] if own else []
        scope = inside
    yield from ((op, own, scope, None) for op in own)


def _wrong_with_table(snapshot: Snapshot, op: Operation, symbols: ScopeSymbols, inside: Scope) -> list[Diagnostic]:
    """What is wrong with an operation that begins a table and names what stands in that, which is known by its
    headers: in the place of what the item has of it stand their outlines."""
    table = Operation(op.name, (), (), op.properties, op.attributes, span=op.span, definition=op.definition)
    body, held = table.add_region(Region()).append(Block()), ScopeSymbols(snapshot, inside)
    for name in dict.fromkeys(reference.root for reference in references_of_operation(op)):
        operation = held.find((name,))
        if operation is not None:
            body.append(clone(operation))
    return [
        replace(diagnostic, op=op) for diagnostic in verify(table, symbols, snapshot.context) if diagnostic.op is table
    ]


def _goes_on(item: Item) -> bool:
    """Whether the text of what the item begins goes on behind the region that it opens."""
    opened = item.frame_out.open if item.frame_out.depth > item.frame.depth else None
    return opened is not None and opened.is_container and opened.probes is None


def _misplaced(item: Item, op: Operation) -> Diagnostic | None:
    """What is wrong with the place of an operation that is elaborated without what it stands in."""
    parents, frame = op.definition.parents if op.definition is not None else (), item.frame
    for end in ends_in(item):
        frame = frame.parent or frame if op.span is not None and op.span.start >= end else frame
    # It ends a function that is not closed, by beginning.
    while frame.parent is not None and frame.open is not None and frame.open.parsed and not frame.open.is_container:
        frame = frame.parent
    around = frame.open
    if not parents or (around is not None and around.parsed is None):
        return None
    name = around.parsed.name if around is not None and around.parsed is not None else MODULE
    wrong = misplaced(parents, name)
    return Diagnostic(f"'{op.name}' op {wrong}", op.span, code=VERIFY, op=op) if wrong is not None else None


def _sorted(findings: Iterable[Diagnostic], key: Callable[[Diagnostic], tuple[int, str] | int]) -> list[Diagnostic]:
    """The diagnostics in an order, of which there may be any number."""
    listed = list(findings)
    keys = [(key(diagnostic), index) for index, diagnostic in enumerate(paced(listed))]
    return [listed[index] for _, index in paced(sorted(keys))]


def unclosed_containers(tree: SyntaxTree) -> dict[Item, Diagnostic]:
    """What is wrong with a document, or with a split of it, as a whole: a region that is open where that ends, outside
    of any function; by the item that opens it."""
    return {tree.items[index]: syntax_diagnostic(mistake) for index, mistake in tree.unclosed()}


def first_error(snapshot: Snapshot, item: Item) -> Diagnostic | None:
    """The first mistake of an item that keeps it from being lowered."""
    return next((d for d in diagnostics(snapshot, item) if d.severity == "error"), None)


def stands_outside(item: Item, brace: Diagnostic, diagnostic: Diagnostic) -> bool:
    """Whether something found in an item is about a line that was meant to stand behind the region whose closing brace
    is missing: one that begins no further to the right than the one that opens it."""
    if diagnostic.span is None or brace.span is None or diagnostic.span.start <= brace.span.start:
        return False
    line, opening = item.line_at(diagnostic.span.start)[2], item.line_at(brace.span.start)[2]
    return indentation(line) <= indentation(opening)


def _with_causes(item: Item, findings: list[Diagnostic]) -> list[Diagnostic]:
    """The diagnostics of an item, with the mistakes that they follow from: those in the body of a header that could not
    be read, and those behind a brace that is missing."""
    brace = next((diagnostic for diagnostic in findings if diagnostic.code == UNCLOSED), None)
    if brace is not None:
        findings = [replace(d, follows_from=brace) if stands_outside(item, brace, d) else d for d in findings]
    broken = zip(item.pieces.starts, item.pieces.known(_first_broken), strict=False)
    first = next((start + index for start, index in broken if index >= 0), None)
    if first is None:
        return findings
    body = item.start(first + 1)

    def is_consequence(diagnostic: Diagnostic) -> bool:
        """A header brings to its body the names of arguments, and the dialect of names without a prefix."""
        span = diagnostic.span
        if span is None or span.start < body:
            return False
        return diagnostic.code == UNDECLARED_VALUE or (
            diagnostic.code == UNREGISTERED and "." not in item.text_between(span.start, span.end)
        )

    cause = next(
        (d for d in reversed(findings) if d.code == PARSE and d.span is not None and d.span.start < body), None
    )
    return [replace(d, follows_from=cause) if is_consequence(d) else d for d in findings]


def _first_broken(chunk: Chunk[Piece]) -> int:
    """The first statement of a chunk that opens a region and could not be read; -1 where there is none."""
    checkpoint()
    for index, piece in enumerate(chunk.elements):
        for opened in piece.shape.pushes:
            if opened.broken:
                return index
    return -1
