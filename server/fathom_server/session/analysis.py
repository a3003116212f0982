"""What is known of an item beyond its syntax: its IR, what is wrong with it, and how it lowers. Kept with the item.

An item is elaborated alone. What it needs of others, the operations behind the symbols it names, is looked up by
signature, so that a broken body elsewhere in the document does it no harm.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from fathom.elaborate.elaborator import Elaborated, Elaborator
from fathom.ir.attributes import ArrayAttr, Attribute, DictAttr, StringAttr, SymbolRefAttr
from fathom.ir.operation import MODULE, Block, Operation, Region, Span, Value
from fathom.pipeline import LOWER_TO_LLVM, Pipeline, left_behind, run
from fathom.syntax.events import OpenEvent
from fathom.syntax.tree import Item
from fathom.verify import verify
from fathom.verify.diagnostic import Diagnostic
from fathom_server.session.document import Document
from fathom_server.session.symbols import Symbol, symbols_of

PRIVATE = StringAttr("private")


@dataclass(slots=True)
class Analysis:
    """The IR of one item. All spans count from the item's beginning.

    `names` are the symbols that it refers to; `seen` what was found behind them, by which it shows to be out of date.
    """

    elaborated: Elaborated
    diagnostics: list[Diagnostic]
    generation: int
    names: frozenset[str]
    seen: dict[str, str | None] = field(default_factory=dict[str, "str | None"])

    @property
    def has_errors(self) -> bool:
        return any(diagnostic.severity == "error" for diagnostic in self.diagnostics)


def analysis_of(item: Item, document: Document) -> Analysis:
    """The analysis of an item of the document, made now unless it is at hand and still true."""
    known = item.cache.get("analysis")
    if isinstance(known, Analysis) and _is_current(known, document):
        return known
    elaborated = Elaborator(document.registry, document.aliases).run([item])
    syntax = [Diagnostic(e.message, Span(e.start, e.end), "error", "parse") for e in item.errors]
    diagnostics = [*syntax, *elaborated.diagnostics]
    names = frozenset(name for op in elaborated.operations for name in _referenced(op))
    lookup = symbol_lookup(document)
    for op in elaborated.operations:
        if not any(d.severity == "error" for d in diagnostics) and (op.name != MODULE or item.frame.depth):
            diagnostics += verify(op, lookup)
    diagnostics += _redefinitions(item, document)
    diagnostics.sort(key=lambda d: d.span.start if d.span is not None else 0)
    seen = {name: _signature_text(name, document) for name in names}
    analysis = item.cache["analysis"] = Analysis(elaborated, diagnostics, document.generation, names, seen)
    item.cache.pop("lowering", None)
    return analysis


def _is_current(analysis: Analysis, document: Document) -> bool:
    return analysis.generation == document.generation and all(
        _signature_text(name, document) == text for name, text in analysis.seen.items()
    )


def forget(item: Item) -> None:
    """Gives up the IR of an item, to save memory; what was found wrong with it stays with who asked."""
    item.cache.pop("analysis", None)


def _redefinitions(item: Item, document: Document) -> Iterable[Diagnostic]:
    for symbol in symbols_of(item):
        same = [s for s in document.symbols.get(symbol.name, []) if s.depth == symbol.depth]
        if len(same) > 1 and symbol.depth == 0:
            first = min(same, key=lambda s: document.tree.items.index(s.item))
            if first.item is not item:
                yield Diagnostic(
                    f"redefinition of symbol named '{symbol.name}'",
                    Span(symbol.name_start, symbol.name_end),
                    "error",
                    "verify",
                )


# ---- symbols


def symbol_lookup(document: Document) -> Callable[[str], Operation | None]:
    """Finds the operation that defines a symbol, without its body."""

    def lookup(name: str) -> Operation | None:
        symbols = document.symbols.get(name)
        return declaration_of(symbols[0], document) if symbols else None

    return lookup


def declaration_of(symbol: Symbol, document: Document) -> Operation | None:
    """The operation of a symbol without its body; None while its header is broken."""
    item = symbol.item
    key = ("declaration", document.generation, symbol.name_start)
    if key not in item.cache:
        piece = next(
            (p for p, at in zip(item.pieces, item.starts, strict=False) if at <= symbol.name_start < at + p.length),
            None,
        )
        operations: list[Operation] = []
        if piece is not None:
            header = Item((piece,), piece.frame)
            operations = Elaborator(document.registry, document.aliases).run([header]).operations
        found = next((op for op in operations if op.properties.get("sym_name") == StringAttr(symbol.name)), None)
        if found is not None:
            for region in found.regions:
                for block in list(region.blocks):
                    region.remove(block)
        item.cache[key] = found
    return item.cache[key]


def _signature_text(name: str, document: Document) -> str | None:
    """The text of the header that defines a symbol."""
    symbols = document.symbols.get(name)
    if not symbols:
        return None
    symbol = symbols[0]
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
    copy = op.clone(values if values is not None else {})
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
        symbols = document.symbols.get(name)
        if not symbols:
            continue
        symbol = symbols[0]
        if symbol.item in items:
            continue
        if bodies or not symbol.has_body or symbol.op_name.endswith(("global",)):
            items.append(symbol.item)
            pending += analysis_of(symbol.item, document).names
            problem = problem or _first_error(symbol.item, document)
        elif (declaration := declaration_of(symbol, document)) is not None:
            copy = shifted(declaration, 0)
            copy.properties["sym_visibility"] = PRIVATE
            for each in copy.walk():
                each.span = None
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
    problem: str | None = None
    for item in tree.items:
        problem = problem or _first_error(item, document)
    elaborated = Elaborator(document.registry, document.aliases).run(tree.items)
    operations = elaborated.operations
    if len(operations) == 1 and operations[0].name == MODULE:
        operations[0].unlink()
        return operations[0], problem
    for op in operations:
        op.unlink()
    return module_of(operations, document), problem


def module_of(operations: list[Operation], document: Document) -> Operation:
    block = Block()
    for op in operations:
        block.append(op)
    return Operation(MODULE, regions=[Region([block])], definition=document.registry.lookup(MODULE))


def _first_error(item: Item, document: Document) -> str | None:
    """What is wrong with an item, in one line with its place."""
    analysis = analysis_of(item, document)
    error = next((d for d in analysis.diagnostics if d.severity == "error"), None)
    if error is None:
        return None
    offset = document.tree.start_offsets[document.tree.items.index(item)]
    line = document.tree.line_of(offset + (error.span.start if error.span is not None else 0))[0]
    return f"{error.message} (line {line + 1})"


# ---- what is left behind


def lowering_diagnostics(item: Item, document: Document, pipeline: Pipeline = LOWER_TO_LLVM) -> list[Diagnostic]:
    """What the pipeline would leave behind of the item, and why; nothing while the item has errors of its own."""
    analysis = analysis_of(item, document)
    key = str(pipeline)
    known = item.cache.get("lowering")
    if known is not None and known[0] == key:
        return known[1]
    found: list[Diagnostic] = []
    if not analysis.has_errors and not _has_unknown(analysis) and _has_function(item):
        module, _, _ = function_module(item, document, bodies=False)
        result = run(pipeline, module)
        start = document.tree.start_offsets[document.tree.items.index(item)]
        diagnostics = list(result.diagnostics)
        if not result.failed:
            diagnostics += [d for d in left_behind(module) if d not in diagnostics]
        found = [_relative(d, start) for d in diagnostics if d.span is not None]
    item.cache["lowering"] = (key, found)
    return found


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
