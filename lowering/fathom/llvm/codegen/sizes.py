"""How big what LLVM makes is, by its text."""

from __future__ import annotations

import re
from typing import Final

from fathom.llvm.codegen.assembly import instructions
from fathom.llvm.codegen.wanted import Form

_IN_IR: Final = re.compile(r"^  (?=[^\s\]#])", re.MULTILINE)
"""An instruction of LLVM IR: what belongs to a `switch` stands further in, or is its closing bracket."""
_IN_OBJECT: Final = re.compile(r"^ *[0-9a-f]+: ((?:[0-9a-f]{2,8} ?)+)\s*\t(?!\.local)", re.MULTILINE)
_OF_AMDGPU: Final = re.compile(r"^\t.*// [0-9A-F]{12}: ([0-9A-F ]+)", re.MULTILINE)


def count_of_instructions(text: str, form: Form) -> int:
    """The instructions in LLVM IR, in assembly, or in an object file that is disassembled."""
    if form == "assembly":
        return sum(1 for _ in instructions(text))
    if form == "disassembly":
        return len(_code_in(text))
    return len(_IN_IR.findall(text))


def bytes_of_code(text: str) -> int:
    """The bytes of the instructions in an object file that is disassembled."""
    return sum(len(code.replace(" ", "")) // 2 for code in _code_in(text))


def _code_in(text: str) -> list[str]:
    return [*_IN_OBJECT.findall(text), *_OF_AMDGPU.findall(text)]
