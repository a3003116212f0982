"""Which operations stand for intrinsics, by what their dialects say.

Which intrinsic an operation calls is said by tables, for export; here they are read the other way round.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Final

from fathom.records import record
from fathom.rewriting.llvm_imports import FROM_LLVM_IR, READ_BACK, FromLLVMIR
from fathom.rewriting.lowerings import INTRINSICS

if TYPE_CHECKING:
    from fathom.context import Context

_DIALECTS: Final = ("llvm", "nvvm")
"""The library's dialects that are imported."""
_MANGLED: Final = re.compile(r"i\d|b?f\d|p\d|v\d|nxv\d|a\d|s_|sl_|t|ppcf128|x86|isVoid|Metadata|f_")
"""How what is behind the name of an intrinsic begins that is overloaded: as a type."""


@record(eq=False)
class ReadBack:
    """An operation that stands for calls, by a line of a table."""

    name: str
    call: str


class Intrinsics:
    """What stands for intrinsics, by their names. A dialect is asked when a name is met that none before it knows."""

    def __init__(self, context: Context) -> None:
        self._context: Final = context
        self._waiting = [*_DIALECTS, *(name for name in context.own_dialects if name not in _DIALECTS)]
        self._known: dict[str, ReadBack | FromLLVMIR] = {}
        self._overloaded: set[str] = set()
        self._found: dict[str, ReadBack | FromLLVMIR | None] = {}

    def find(self, name: str) -> ReadBack | FromLLVMIR | None:
        """What stands for the intrinsic with a full name, if anything does."""
        if name in self._found:
            return self._found[name]
        found = self._look_up(name)
        while found is None and self._waiting:
            self._read(self._waiting.pop(0))
            found = self._look_up(name)
        self._found[name] = found
        return found

    def _read(self, dialect: str) -> None:
        context = self._context
        patterns = context.aspect(READ_BACK, dialect)
        for name, call in context.aspect(INTRINSICS, dialect).items():
            if any(fnmatchcase(name, pattern) for pattern in patterns):
                head = call.partition("(")[0]
                base, is_overloaded, _ = head.partition(".{")
                self._known.setdefault(base, ReadBack(name, call))
                if is_overloaded:
                    self._overloaded.add(base)
        for base, convert in context.aspect(FROM_LLVM_IR, dialect).items():
            self._known[base] = convert
            self._overloaded.add(base)

    def _look_up(self, name: str) -> ReadBack | FromLLVMIR | None:
        base, rest = name, ""
        while base:
            found = self._known.get(base)
            if found is not None and (not rest or (base in self._overloaded and _MANGLED.match(rest))):
                return found
            base, _, last = base.rpartition(".")
            rest = f"{last}.{rest}" if rest else last
        return None
