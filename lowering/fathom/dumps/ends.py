"""Where the IR behind a header ends, and other text of a log begins.

Of MLIR it ends with the operation, which closes at the margin, and the aliases and resources behind that; of LLVM IR
before the first line that looks like none; machine code goes on until its own end. Nothing is parsed: the IR may be of
any dialect, cut off, or broken.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeAlias

from fathom.dumps.headers import Language

Belongs: TypeAlias = Callable[[str], bool]
"""Whether the next line of a dump is still part of it. It is asked of one line after the other."""

_ALIAS: Final = re.compile(r"[#!][\w$.-]+ = ")
_LLVM: Final = re.compile(
    r"(?:define|declare|@|%|!|attributes |target |source_filename|;|\$|\^|module asm|uselistorder|\}|\s|$)"
)
_LABEL: Final = re.compile(r"""(?:[\w$.-]+|"[^"]*"):""")
_END_OF_MACHINE_CODE: Final = "# End machine code"


def end_of(language: Language) -> Belongs:
    """What tells where a dump ends, beginning with its first line."""
    return {"mlir": _Mlir, "llvm": _Llvm, "mir": _MachineCode}[language]().belongs


class _Mlir:
    def __init__(self) -> None:
        self._state = "before"

    def belongs(self, line: str) -> bool:
        if self._state == "resources":
            self._state = "behind" if line.startswith("#-}") else "resources"
            return True
        if self._state == "inside":
            if line.startswith("}") and not line.endswith("{"):
                self._state = "behind"
            return True
        if not line.strip() or _ALIAS.match(line):
            return True
        if self._state == "behind":
            self._state = "resources"
            return line.startswith("{-#")
        self._state = "inside" if line.endswith("{") else "behind"
        return True


class _Llvm:
    def __init__(self) -> None:
        self._is_in_function = True
        """A loop is printed without the function around it."""

    def belongs(self, line: str) -> bool:
        if line.startswith("}"):
            self._is_in_function = False
        elif line.startswith("define "):
            self._is_in_function = True
        elif line[:1].isspace() and line.strip():
            return self._is_in_function
        return _LLVM.match(line) is not None or (self._is_in_function and _LABEL.match(line) is not None)


class _MachineCode:
    def __init__(self) -> None:
        self._is_over = False

    def belongs(self, line: str) -> bool:
        if self._is_over and line.strip():
            return line.startswith("#")
        self._is_over = self._is_over or line.startswith(_END_OF_MACHINE_CODE)
        return True
