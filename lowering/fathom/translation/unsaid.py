"""What an operation holds and its translation does not say: nothing of it is left out without a word.

Each emitter names the properties that it says. What of an operation nobody says, its properties, its attributes, its
place in a program of another language, is looked at here, at little cost where there is nothing: what `mlir-translate`
leaves out too is left out (`IGNORED`, `SAID_BY_OTHERS`, found by trying: `tests/translation/leaving_out.py`); a hint,
without which the program computes the same, is noted, and who asked for the translation decides; all else has no
translation.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Final

from fathom.diagnostics import NOT_CARRIED, Diagnostic, Note
from fathom.ir.operation import Operation

IGNORED: Final[Mapping[str, frozenset[str]]] = {
    "llvm.func": frozenset({"sym_visibility"}),
    "llvm.mlir.global_ctors": frozenset({"data"}),
    "llvm.mlir.global_dtors": frozenset({"data"}),
    "builtin.module": frozenset({"sym_name", "sym_visibility"}),
}
"""The properties that `mlir-translate` leaves out too, by operations."""
SAID_BY_OTHERS: Final = frozenset({"omp"})
"""The dialects whose attributes `mlir-translate` translates wherever they stand, and Fathom does not. Of all others
that do not say what theirs are, it leaves them out."""
_NOTES: Final = (Note("mlir-translate of MLIR 22 carries it", hint=True),)


class Lost(Exception):
    """What changes the meaning of an operation if it is left out."""


class Unsaid:
    """What the translation of a module leaves out, as diagnostics: of each operation's kind one, within a function."""

    def __init__(self) -> None:
        self.diagnostics: list[Diagnostic] = []
        self._told: set[object] = set()

    def check(self, op: Operation, says: Set[str], within: Operation | None = None) -> None:
        """Takes note of what an operation in the function `within` holds, besides the properties that are said.
        Raises Lost if its meaning depends on it."""
        if op.properties and not op.properties.keys() <= says:
            self._left(op, op.properties.keys() - says - IGNORED.get(op.name, frozenset()), within)
        if op.attributes:
            names = {name for name in op.attributes if name.partition(".")[0] in SAID_BY_OTHERS and "." in name}
            self._left(op, names - says, within)

    def _left(self, op: Operation, names: Set[str], within: Operation | None) -> None:
        for name in sorted(names):
            if "." not in name:
                raise Lost(_message(op, f"'{name}'"))
            self._tell(op, f"'{name}'", within)

    def _tell(self, op: Operation, what: str, within: Operation | None) -> None:
        key = within, op.name, what
        if key in self._told:
            return
        self._told.add(key)
        self.diagnostics.append(Diagnostic(_message(op, what), op.span, code=NOT_CARRIED, notes=_NOTES))


def _message(op: Operation, what: str) -> str:
    return f"'{op.name}' op has {what}, which the translation to LLVM IR does not carry"
