"""The functions of a program that stays: text beside its LLVM IR by which each can be called, again and again.

    __fathom_call_0, …   the trampolines
    __fathom_begin       what runs before the first call: the program's constructors
    __fathom_end         what runs when the program goes: its destructors

Source of the rules: *LLVM Language Reference*, "The 'llvm.global_ctors' Global Variable".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from fathom.execution.outcome import Convention, UnsupportedSignature
from fathom.execution.runtime_async import FINISH, is_asynchronous
from fathom.execution.trampoline import ENTRY, Trampoline, trampoline
from fathom.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fathom.ir.types import FunctionType

BEGIN: Final = "__fathom_begin"
END: Final = "__fathom_end"
_STRUCTORS: Final = re.compile(r"^@llvm\.global_(ctors|dtors) = (.*)$", re.MULTILINE)
_STRUCTOR: Final = re.compile(r"\{ *i32 (\d+), ptr (@(?:\"[^\"]*\"|[^\s,]+))")
"""Functions that are called before a program and after it, each with its priority."""


C: Final = Convention()
"""C's way of calling."""


@record
class Entry:
    """How a function is called: by the symbol of its trampoline, with buffers of these sizes in bytes; or why it is
    not. `type` is the type that it must have in LLVM IR. `convention` says how it
    is called, where that is not C's way."""

    symbol: str
    type: str = ""
    arguments_size: int = 0
    results_size: int = 0
    why_not: str = ""
    convention: Convention = C


@record
class Entries:
    """The text to put behind a program, and how each function is called."""

    text: str
    functions: dict[str, Entry]

    @property
    def symbols(self) -> list[str]:
        """The symbols in the text."""
        return [BEGIN, END, *(entry.symbol for entry in self.functions.values() if not entry.why_not)]


def entries_of(
    program: str, functions: Mapping[str, FunctionType], conventions: Mapping[str, Convention] | None = None
) -> Entries:
    """The entries of functions of a program, by their names and their types before they were lowered; and how they are
    called, where that is not C's way."""
    texts, made = list[str](), dict[str, Entry]()
    called = structors_of(program)
    finishes = is_asynchronous(program)
    for number, (name, type) in enumerate(functions.items()):
        symbol = f"{ENTRY}_{number}"
        convention = (conventions or {}).get(name, C)
        try:
            one = trampoline(name, type.inputs, type.results, convention, makes_memory=True)
        except UnsupportedSignature as problem:
            made[name] = Entry(symbol, why_not=problem.failure.message)
            continue
        texts.append(_renamed(one, symbol, finishes=finishes))
        made[name] = Entry(symbol, one.function_type, one.arguments_size, one.results_size, convention=convention)
    for symbol, kind in ((BEGIN, "ctors"), (END, "dtors")):
        body = "".join(f"  call void {function}()\n" for function in called[kind])
        texts.append(f"define void @{symbol}() {{\n{body}  ret void\n}}\n")
    if finishes:
        texts.append(f"declare void @{FINISH}()\n")
    return Entries("".join(texts), made)


def structors_of(program: str) -> dict[str, list[str]]:
    """The constructors and the destructors of a program, as `@name`, in the order in which they are called."""
    called: dict[str, list[str]] = {"ctors": [], "dtors": []}
    if "@llvm.global_" in program:
        for what, listed in _STRUCTORS.findall(program):
            found = sorted(_STRUCTOR.findall(listed), key=lambda each: int(each[0]), reverse=what == "dtors")
            called[what] = [name for _, name in found]
    return called


def _renamed(one: Trampoline, symbol: str, *, finishes: bool) -> str:
    """A trampoline under a name of its own. With `finishes` it has all tasks finished before it returns."""
    text = one.text.replace(f"@{ENTRY}(", f"@{symbol}(", 1)
    if not finishes:
        return text
    body, _, end = text.rpartition("  ret void")
    return f"{body}  call void @{FINISH}()\n  ret void{end}"
