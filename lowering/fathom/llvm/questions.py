"""What LLVM is asked, in the process that has it: the only place where llvmlite is used, but for running.

Each takes a text and gives one. LLVM refuses by a RuntimeError, or takes the process down (`process`).
"""

# llvmlite has no type information.
# pyright: reportMissingTypeStubs=false, reportMissingModuleSource=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

import os
from typing import Final

import llvmlite.binding as llvm

from fathom.llvm import BITCODE, LAYOUT, NORMAL, PRINT, VERIFY

_ERRORS: Final = 2
"""The file that has what LLVM printed."""
_MOST_SAID: Final = 1 << 16
_DROPPED: Final = "warning: ignoring invalid debug info"


def _print(text: str) -> str:
    """A module, as LLVM prints it."""
    return str(llvm.parse_assembly(text, context=llvm.create_context()))


def _verify(text: str) -> str:
    """Nothing, if a module is sound. Debug information that is not LLVM drops as it reads, and only prints why."""
    printed = os.fstat(_ERRORS).st_size
    module = llvm.parse_assembly(text, context=llvm.create_context())
    module.verify()
    said = os.pread(_ERRORS, _MOST_SAID, printed).decode(errors="replace")
    before, dropped, _ = said.partition(_DROPPED)
    if dropped:
        raise RuntimeError(before)
    return ""


def _layout(triple: str) -> str:
    """The data layout of a target triple."""
    llvm.initialize_all_targets()
    return str(llvm.Target.from_triple(triple).create_target_machine().target_data)


def _normal(text: str) -> str:
    """A module that is sound, as LLVM prints it."""
    module = llvm.parse_assembly(text, context=llvm.create_context())
    module.verify()
    return str(module)


def _bitcode(text: str) -> str:
    """A module that is sound, of bitcode."""
    module = llvm.parse_bitcode(text.encode("latin-1"), context=llvm.create_context())
    module.verify()
    return str(module)


QUESTIONS: Final = {PRINT: _print, VERIFY: _verify, LAYOUT: _layout, NORMAL: _normal, BITCODE: _bitcode}
