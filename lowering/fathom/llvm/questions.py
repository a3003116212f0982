"""What LLVM is asked, in the process that has it: the only place where llvmlite is used, but for running.

Each takes a text and gives one. LLVM refuses by a RuntimeError, or takes the process down (`process`).
"""

# llvmlite has no type information.
# pyright: reportMissingTypeStubs=false, reportMissingModuleSource=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false

from __future__ import annotations

from typing import Final

import llvmlite.binding as llvm

from fathom.llvm import BITCODE, LAYOUT, NORMAL, PRINT, VERIFY


def _print(text: str) -> str:
    """A module, as LLVM prints it."""
    return str(llvm.parse_assembly(text, context=llvm.create_context()))


def _verify(text: str) -> str:
    """Nothing, if a module is sound."""
    module = llvm.parse_assembly(text, context=llvm.create_context())
    module.verify()
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
