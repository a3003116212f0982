"""What is known of an item beyond its syntax: its IR, what is wrong with it, and how it lowers. Kept with the item.

An item is elaborated alone. What it needs of others, the operations behind the symbols it names, is looked up by
signature, so that a broken body elsewhere in the document does it no harm.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from fathom.diagnostics import Diagnostic
from fathom.elaborate import syntax_diagnostics
from fathom.elaborate.elaborated import Elaborated
from fathom.elaborate.elaborator import Elaborator
from fathom.ir.attributes import ArrayAttr, Attribute, DictAttr, StringAttr, SymbolRefAttr
from fathom.ir.clone import clone
from fathom.ir.operation import MODULE, Block, Operation, Region, Span, Value
from fathom.passes.leftovers import left_behind
from fathom.pipeline import LOWER_TO_LLVM, Pipeline, PipelineResult, run
from fathom.syntax.events import OpenEvent
from fathom.syntax.tree import Item, SyntaxTree
from fathom.verify import verify
from fathom_server.session.document import Document
from fathom_server.session.symbols import Symbol, symbols_of

PRIVATE = StringAttr("private")


@dataclass(slots=True)
class Analysis:
    """The IR of one item. All spans count from the item's beginning.

    `names` are the symbols that it refers to; `seen` what was found behind them, by which it shows to be out of date.
    `revision` is that of the document for which it was last found to be true.
    """

    elaborated: Elaborated
    diagnostics: list[Diagnostic]
    generation: int
    names: frozenset[str]
    seen: dict[str, str | None]
    redefinitions: list[Diagnostic]
    revision: int

    @property
    def has_errors(self) -> bool:
        return any(diagnostic.severity == "error" for diagnostic in self.diagnostics)


def analysis_of(item: Item, document: Document) -> Analysis:
    """The analysis of an item of the document, made now unless it is at hand and still true."""
    known = item.cache.get("analysis")
    if isinstance(known, Analysis) and _is_current(known, item, document):
        return known
    elaborated = Elaborator(document.context, document.aliases).run([item])
    syntax = [Diagnostic(e.message, Span(e.start, e.end), "error", "parse") for e in item.errors]
    diagnostics = [*syntax, *elaborated.diagnostics]
    body = _broken_body(item)
    diagnostics = [d for d in diagnostics if d.span is None or d.span.start < body or not _follows(d)]
    names = frozenset(name for op in elaborated.operations for name in _referenced(op))
    lookup = symbol_lookup(document)
    for op in elaborated.operations:
        if not any(d.severity == "error" for d in diagnostics) and (op.name != MODULE or item.frame.depth):
            diagnostics += verify(op, lookup)
    redefinitions = list(_redefinitions(item, document))
    diagnostics += redefinitions
    diagnostics.sort(key=lambda d: d.span.start if d.span is not None else 0)
    seen = {name: _signature_text(name, document) for name in names}
    forget(item)
    item.cache.pop("lowering", None)
    analysis = item.cache["analysis"] = Analysis(
        elaborated, diagnostics, document.generation, names, seen, redefinitions, document.revision
    )
    return analysis


def _broken_body(item: Item) -> int:
    """Where the body begins whose header could not be read; the end of the item if there is none."""
    pieces = zip(item.pieces, item.starts[1:], strict=True)
    broken = (end for piece, end in pieces if any(opened.broken for opened in piece.shape.pushes))
    return next(broken, item.length)


def _follows(diagnostic: Diagnostic) -> bool:
    """Whether this may only be wrong since the header could not be read: the names and the dialect that it brings."""
    message = diagnostic.message
    unknown = message.startswith("custom op '") and "." not in message and message.endswith("is unknown")
    return unknown or message == "use of undeclared SSA value name"


def _is_current(analysis: Analysis, item: Item, document: Document) -> bool:
    """Looks at what the item refers to once for each revision of the document."""
    if analysis.revision == document.revision:
        return True
    current = (
        analysis.generation == document.generation
        and all(_signature_text(name, document) == text for name, text in analysis.seen.items())
        and list(_redefinitions(item, document)) == analysis.redefinitions
    )
    if current:
        analysis.revision = document.revision
    return current


def forget(item: Item) -> None:
    """Gives up the IR of an item, to save memory; what was found wrong with it stays with who asked."""
    for key in ("analysis", "declarations", "lowered"):
        item.cache.pop(key, None)


def _redefinitions(item: Item, document: Document) -> Iterable[Diagnostic]:
    """The symbols of an item that an earlier one of the same table has the name of."""
    for symbol in symbols_of(item):
        if len(document.symbols.get(symbol.name, ())) < 2:
            continue
        for other in document.definitions(symbol.name):
            if other == symbol:
                break
            if other.depth == symbol.depth and _same_table(other, symbol, document):
                span = Span(symbol.name_start, symbol.name_end)
                yield Diagnostic(f"redefinition of symbol named '{symbol.name}'", span, "error", "verify")
                break


def _same_table(first: Symbol, second: Symbol, document: Document) -> bool:
    """Whether nothing between two symbols of one depth closes what is around the first."""
    items = document.tree.items
    between = items[items.index(first.item) : items.index(second.item) + 1]
    return all(item.frame.depth >= first.depth for item in between)


# ---- symbols


def symbol_lookup(document: Document) -> Callable[[str], Operation | None]:
    """Finds the operation that defines a symbol, without its body."""

    def lookup(name: str) -> Operation | None:
        symbol = document.definition(name)
        return declaration_of(symbol, document) if symbol is not None else None

    return lookup


def declaration_of(symbol: Symbol, document: Document) -> Operation | None:
    """The operation of a symbol without its body and without spans; None while its header is broken."""
    item = symbol.item
    kept: tuple[int, dict[int, Operation | None]] | None = item.cache.get("declarations")
    if kept is None or kept[0] != document.generation:
        kept = (document.generation, {})
        item.cache["declarations"] = kept
    known = kept[1]
    if symbol.name_start not in known:
        known[symbol.name_start] = _declaration(symbol, document)
    return known[symbol.name_start]


def _declaration(symbol: Symbol, document: Document) -> Operation | None:
    item = symbol.item
    pieces = zip(item.pieces, item.starts, strict=False)
    piece = next((p for p, start in pieces if start <= symbol.name_start < start + p.length), None)
    if piece is None:
        return None
    operations = Elaborator(document.context, document.aliases).run([Item((piece,), piece.frame)]).operations
    found = next((op for op in operations if op.properties.get("sym_name") == StringAttr(symbol.name)), None)
    if found is None:
        return None
    for region in found.regions:
        for block in list(region.blocks):
            region.remove(block)
    # Places in another item say nothing to those who look the symbol up.
    for op in found.walk():
        op.span = None
    return found


def _signature_text(name: str, document: Document) -> str | None:
    """The text of the header that defines a symbol."""
    symbol = document.definition(name)
    if symbol is None:
        return None
    key = ("header", symbol.name_start)
    if key not in symbol.item.cache:
        symbol.item.cache[key] = symbol.item.text[symbol.start : symbol.end]
    return str(symbol.item.cache[key])


def _referenced(root: Operation) -> Iterable[str]:
    for op in root.walk():
        for attribute in (*op.properties.values(), *op.attributes.values()):
            yield from _symbols_in(attribute)


def _symbols_in(attribute: Attribute) -> Iterable[str]:
    match attribute:
        case SymbolRefAttr(root):
            yield root
        case ArrayAttr(elements):
            for element in elements:
                yield from _symbols_in(element)
        case DictAttr(entries):
            for _, value in entries:
                yield from _symbols_in(value)
        case _:
            pass


# ---- modules to be lowered


def shifted(op: Operation, offset: int, values: dict[Value, Value] | None = None) -> Operation:
    """A copy of an operation whose spans are moved by `offset`."""
    copy = clone(op, values)
    if offset:
        for each in copy.walk():
            if each.span is not None:
                each.span = Span(each.span.start + offset, each.span.end + offset)
    return copy


def function_module(item: Item, document: Document, *, bodies: bool) -> tuple[Operation, list[Item], str | None]:
    """A module with the item's operations and what they refer to: declarations, or with `bodies` whole definitions.

    Also the items whose text it holds, and why it is not fit to be lowered, if so. Spans are offsets in the document.
    """
    items = [item]
    declarations: list[tuple[int, Operation]] = []
    pending = sorted(analysis_of(item, document).names)
    met = {symbol.name for symbol in symbols_of(item)}
    problem = _first_error(item, document)
    while pending:
        name = pending.pop()
        if name in met:
            continue
        met.add(name)
        symbol = document.definition(name)
        if symbol is None or symbol.item in items:
            continue
        if bodies or not symbol.has_body or symbol.op_name.endswith(("global",)):
            items.append(symbol.item)
            pending += analysis_of(symbol.item, document).names
            problem = problem or _first_error(symbol.item, document)
        elif (declaration := declaration_of(symbol, document)) is not None:
            copy = shifted(declaration, 0)
            copy.properties["sym_visibility"] = PRIVATE
            declarations.append((document.tree.items.index(symbol.item), copy))
    order = {id(each): index for index, each in enumerate(document.tree.items)}
    placed = list(declarations)
    for each in items:
        start = document.tree.start_offsets[order[id(each)]]
        for op in analysis_of(each, document).elaborated.operations:
            placed.append((order[id(each)], shifted(op, start)))
    placed.sort(key=lambda entry: entry[0])
    return module_of([op for _, op in placed], document), items, problem


def whole_module(document: Document) -> tuple[Operation, str | None]:
    """The whole document as one module, and why it is not fit to be lowered, if so."""
    tree = document.tree
    elaborated = Elaborator(document.context, document.aliases).run(tree.items)
    operations = elaborated.operations
    for op in operations:
        op.unlink()
    is_module = len(operations) == 1 and operations[0].name == MODULE
    module = operations[0] if is_module else module_of(operations, document)
    found = [*syntax_diagnostics(tree), *elaborated.diagnostics]
    if not any(d.severity == "error" for d in found):
        found += verify(module)
    errors = [d for d in found if d.severity == "error"]
    if not errors:
        return module, None
    return module, _with_line(min(errors, key=lambda d: d.span.start if d.span is not None else 0), tree, 0)


def module_of(operations: list[Operation], document: Document) -> Operation:
    block = Block()
    for op in operations:
        block.append(op)
    return Operation(MODULE, regions=[Region([block])], definition=document.context.lookup(MODULE))


def _first_error(item: Item, document: Document) -> str | None:
    """What is wrong with an item, in one line with its place."""
    analysis = analysis_of(item, document)
    error = next((d for d in analysis.diagnostics if d.severity == "error"), None)
    if error is None:
        return None
    return _with_line(error, document.tree, document.start_of(item))


def _with_line(error: Diagnostic, tree: SyntaxTree, offset: int) -> str:
    """A mistake in one line; its span counts from `offset`."""
    line = tree.line_of(offset + (error.span.start if error.span is not None else 0))[0]
    return f"{error.message.splitlines()[0]} (line {line + 1})"


# ---- what is left behind


def lowering_diagnostics(item: Item, document: Document, pipeline: Pipeline = LOWER_TO_LLVM) -> list[Diagnostic]:
    """What the pipeline would leave behind of the item, and why; nothing while the item or what it uses has errors."""
    analysis = analysis_of(item, document)
    key = str(pipeline)
    known = item.cache.get("lowering")
    if known is not None and known[0] == key:
        return known[1]
    found: list[Diagnostic] = []
    if not analysis.has_errors and not _has_unknown(analysis) and _has_function(item):
        module, _, problem = function_module(item, document, bodies=False)
        start = document.start_of(item)
        found = [
            _relative(replace(d, severity="warning"), start)
            for d in (stalled(run(pipeline, module, document.context), module) if problem is None else ())
            if d.span is not None and start <= d.span.start <= start + item.length
        ]
    item.cache["lowering"] = (key, found)
    return found


def stalled(result: PipelineResult, module: Operation) -> list[Diagnostic]:
    """What keeps a module from being all LLVM dialect after a run: a diagnostic for each operation, with its cause."""
    left = [] if result.failed else left_behind(module, result.ran)
    if not result.failed and not left:
        return []
    # A pass that met the operation knows more of the cause than what can be seen of it at the end.
    found: dict[Span | None, Diagnostic] = {}
    for diagnostic in (*result.diagnostics, *left):
        found.setdefault(diagnostic.span, diagnostic)
    return list(found.values())


def in_one_line(diagnostic: Diagnostic, document: Document) -> str:
    """A diagnostic with its cause and its place, for a message that has no room for more."""
    cause = f": {diagnostic.notes[0].message}" if diagnostic.notes else ""
    where = ""
    if diagnostic.span is not None:
        where = f" (line {document.tree.line_of(diagnostic.span.start)[0] + 1})"
    return f"{diagnostic.message}{cause}{where}"


def _has_function(item: Item) -> bool:
    return any(
        isinstance(event, OpenEvent) and event.open.is_function for piece in item.pieces for event in piece.shape.events
    )


def _has_unknown(analysis: Analysis) -> bool:
    return any(d.code == "unknown-op" for d in analysis.diagnostics)


def _relative(diagnostic: Diagnostic, start: int) -> Diagnostic:
    def moved(span: Span | None) -> Span | None:
        return Span(span.start - start, span.end - start) if span is not None else None

    notes = tuple(replace(note, span=moved(note.span)) for note in diagnostic.notes)
    return replace(diagnostic, span=moved(diagnostic.span), code=diagnostic.code or "lowering", notes=notes)
