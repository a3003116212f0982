"""The function that is to be called, by the path of its name, and the module with all that it needs and no more.

So a mistake or an operation that nothing lowers in one function keeps no other from being run.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from fathom.diagnostics import Diagnostic
from fathom.elaborate.symbol_paths import read_path, write_numbered
from fathom.execution.conventions import convention_of
from fathom.ir.clone import clone
from fathom.ir.operation import Block, Operation, Region
from fathom.ir.symbol_references import references_of_operation
from fathom.irdl.interfaces import FunctionLike, Symbol, symbol_name
from fathom.syntax.lexer import is_split
from fathom.syntax.tree import SyntaxTree
from fathom.verify.symbols import enclosing_table, operations_in

_VISIBLE: Final = re.compile(r"[^\r\n]")
_NAME: Final = re.compile(r"%([\w$.-]+)", re.ASCII)


def find_function(module: Operation, name: str) -> Operation | None:
    """The function with a body that a path such as `inner::f` names: from the top, or else the first whose path ends
    so."""
    wanted = read_path(name)
    if not wanted:
        return None
    ops = [op for op in _functions(module) if _path(op)[-len(wanted) :] == wanted]
    return next((op for op in ops if wanted in (_path(op), _path(op, below=module))), next(iter(ops), None))


def argument_names(function: Operation, text: str) -> tuple[str, ...]:
    """The names that a text gives the arguments of a function, without `%`; none if it does not name them all. What a
    function writes its result to (`llvm.sret`) is none that a caller gives."""
    interface = function.interface(FunctionLike)
    body = interface.body(function) if interface is not None else None
    entry = next(iter(body.blocks), None) if body is not None else None
    if entry is None:
        return ()
    written = convention_of(function).parameters
    names: list[str] = []
    for number, argument in enumerate(entry.arguments):
        if number in written and written[number].passing == "sret":
            continue
        found = _NAME.match(text, argument.span.start) if argument.span is not None else None
        if found is None:
            return ()
        names.append(found[1])
    return tuple(names)


def symbols_of_path(module: Operation, path: tuple[str, ...]) -> list[Operation]:
    """The symbols of a path, in the order of the text."""
    return [op for op in _symbols(module) if path in (_path(op), _path(op, below=module))]


def callable_functions(module: Operation) -> list[str]:
    """The names of the functions that can be called; those of one path are told apart by their numbers."""
    paths: list[str] = []
    met = Counter[tuple[str, ...]]()
    for op in _symbols(module):
        if path := _path(op, below=module):
            met[path] += 1
            paths += [write_numbered(path, met[path])] if has_body(op) else []
    return paths


def parts_of(text: str) -> Iterator[str]:
    """The parts of a text between lines `// -----`, each at its place, with blanks for what stands before it."""
    start = end = 0
    for line in text.splitlines(keepends=True):
        end += len(line)
        if is_split(line):
            yield _blank(text[:start]) + text[start:end]
            start = end
    yield _blank(text[:start]) + text[start:]


def _blank(text: str) -> str:
    return _VISIBLE.sub(" ", text)


def has_body(op: Operation) -> bool:
    """Whether an operation is a function that can be called."""
    function = op.interface(FunctionLike)
    return function is not None and function.body(op) is not None


def _functions(module: Operation) -> Iterator[Operation]:
    """The functions with a body that stand directly in a symbol table."""
    return filter(has_body, _symbols(module))


def _symbols(module: Operation) -> Iterator[Operation]:
    """The symbols that stand directly in a symbol table."""
    return (op for op in module.walk() if op.interface(Symbol) is not None and enclosing_table(op) is op.parent_op)


def _path(op: Operation, below: Operation | None = None) -> tuple[str, ...]:
    """The names of an operation and of those around it that have one, from the outermost, or that below one, on."""
    names: list[str] = []
    inside: Operation | None = op
    while inside is not None and inside is not below:
        names.insert(0, symbol_name(inside))
        inside = inside.parent_op
    return tuple(filter(None, names))


def needed_by(function: Operation, names: Iterable[str] = ()) -> list[Operation]:
    """What a function needs of the symbol table in which it stands: itself, what it refers to, and so on; the symbols
    of these names; and what the LLVM dialect says there of the module as a whole."""
    table = enclosing_table(function)
    around = list(operations_in(table)) if table is not None else [function]
    by_name = {symbol_name(op): op for op in reversed(around)}
    pending = [function, *(op for op in around if op.dialect == "llvm" and op.interface(Symbol) is None)]
    pending += [by_name[name] for name in names if name in by_name]
    needed = dict.fromkeys(pending)
    while pending:
        for inner in pending.pop().walk():
            for reference in references_of_operation(inner):
                callee = by_name.get(reference.root)
                if callee is not None and callee not in needed:
                    needed[callee] = None
                    pending.append(callee)
    return [op for op in around if op in needed]


def names_in(table: Operation | None) -> frozenset[str]:
    """The names of the symbols that stand directly in a table."""
    return frozenset(filter(None, map(symbol_name, operations_in(table) if table is not None else ())))


def keep_only(needed: list[Operation]) -> Operation:
    """The symbol table in which operations stand, with nothing else in it and nothing around it."""
    table = enclosing_table(needed[0])
    assert table is not None, "a function stands in a module"
    kept = set(needed)
    for op in [op for op in operations_in(table) if op not in kept]:
        op.drop_all_references()
        op.unlink()
    table.unlink()
    return table


def copied(needed: list[Operation], function: Operation) -> tuple[Operation, Operation]:
    """A copy of the symbol table in which operations stand, with copies of these in it and nothing else, and that of
    the function, which is one of them."""
    table = enclosing_table(needed[0])
    assert table is not None, "a function stands in a module"
    attributes = table.properties, table.attributes
    module = Operation(table.name, (), (), *attributes, span=table.span, definition=table.definition)
    module.location = table.location
    block = module.add_region(Region()).append(Block(()))
    copies = {op: block.append(clone(op)) for op in needed}
    return module, copies[function]


def concerning(problems: list[Diagnostic], needed: list[Operation], tree: SyntaxTree) -> list[Diagnostic]:
    """Those of the mistakes in a text that stand where these operations do, or where what is around them begins."""
    places = [op.span.start for op in needed if op.span is not None]
    table = enclosing_table(needed[0])
    while table is not None:
        places += [table.span.start] if table.span is not None else []
        table = enclosing_table(table)
    items = {tree.item_at_offset(place) for place in places}
    return [problem for problem in problems if problem.span is None or tree.item_at_offset(problem.span.start) in items]
