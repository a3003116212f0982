"""Sequences that stand in other files, for all schedules that run behind them.

Source of the rules: `transform-preload-library` and `mergeSymbolsInto` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final
from weakref import WeakKeyDictionary

from fathom.diagnostics import PIPELINE, Diagnostic
from fathom.elaborate import load
from fathom.ir.clone import clone
from fathom.ir.traversal import closest_with
from fathom.irdl.interfaces import SymbolTable, symbol_name
from fathom.passes.transform_dialect.outcomes import DefiniteFailure, said
from fathom.verify import verify

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.ir.operation import Operation

_LIBRARIES: Final[WeakKeyDictionary[Context, list[Operation]]] = WeakKeyDictionary()
"""What was read for the schedules of a context."""


def preload(paths: Sequence[str], context: Context) -> list[Diagnostic]:
    """Reads the files, and those directly in a folder, that schedules may name sequences of."""
    modules = _LIBRARIES.setdefault(context, [])
    for path in paths:
        if not Path(path).exists():
            return [Diagnostic(f"'{path}' is neither a file nor a directory", code=PIPELINE, unplaced=True)]
        for file in _files(Path(path)):
            loaded = load(file.read_text(encoding="utf-8"), context)
            found = loaded.diagnostics or verify(loaded.module, context=context)
            if any(each.severity == "error" for each in found):
                first = next(each for each in found if each.severity == "error")
                return [Diagnostic(f"{file}: {first.message}", code=PIPELINE, unplaced=True)]
            modules.append(loaded.module)
    return []


def _files(path: Path) -> list[Path]:
    return sorted(path.glob("*.mlir")) if path.is_dir() else [path]


def library(context: Context) -> Sequence[Operation]:
    """The modules that were read."""
    return _LIBRARIES.get(context, ())


def merge(entry: Operation, context: Context) -> None:
    """Copies what the library defines beside an entry; a definition takes the place of a declaration."""
    table = closest_with(entry, SymbolTable)
    if table is None or not table.regions or table.regions[0].last is None:
        return
    block = table.regions[0].last
    known = {name: op for op in block if (name := symbol_name(op))}
    for module in library(context):
        for op in module.regions[0].operations():
            name = symbol_name(op)
            same = known.get(name)
            if not name or (same is not None and _is_declared(op)):
                continue
            if same is not None and not _is_declared(same):
                note = ("previously defined here", op)
                raise DefiniteFailure(said(f"doubly defined symbol @{name}", same, note))
            copy = clone(op)
            block.insert_before(copy, None)
            known[name] = copy
            if same is not None:
                same.erase()


def _is_declared(op: Operation) -> bool:
    return all(region.is_empty for region in op.regions)
