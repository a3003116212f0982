"""Which pass takes an operation away, by what the passes declare (`Pass.removes`, `Pass.elsewhere`), and where in a
pipeline its place is, by the order of `lower-to-llvm`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from fathom.passes import all_passes, find_pipeline
from fathom.passes.definition import Pass
from fathom.passes.history import History
from fathom.passes.mlir import LOWERED_BY, passes_of_mlir
from fathom.records import record

ALL_AT_ONCE: Final = "convert-to-llvm"
"""The pass that does the work of all that lower a dialect to the LLVM dialect."""
_PASS: Final = re.compile(r"--([\w-]+)")


@cache
def removers() -> dict[str, type[Pass]]:
    """The pass that takes the operations of a dialect away, by dialect."""
    return {dialect: pass_ for pass_ in all_passes() for dialect in pass_.removes}


@record
class Step:
    """A change of a pipeline: a pass is put before the one at an index, or taken there from another index; or, if it
    `goes`, taken out of that one. One that gets `out` leaves its nest for the root."""

    name: str
    place: int
    source: int | None = None
    options: str = ""
    goes: bool = False
    out: bool = False

    def __str__(self) -> str:
        """The pass as a flag."""
        return f"--{self.name}={self.options}" if self.options else f"--{self.name}"


def rewriters(name: str) -> tuple[str, ...]:
    """The passes that take an operation away, of which one is needed: those that its dialect's pass leaves it to, or
    else that one; or a pass of MLIR that is not here. None where only code that nobody knows does it."""
    dialect = name.partition(".")[0]
    remover = removers().get(dialect)
    if remover is None:
        return passes_of_mlir(name) if dialect in LOWERED_BY else ()
    other = remover.elsewhere.get(name)
    return tuple(_PASS.findall(other)) if other is not None else (remover.name,)


def takers(name: str) -> tuple[str, ...]:
    """All the passes that may take an operation away, those that are for all such first."""
    others = (pass_.name for pass_ in all_passes() if name in pass_.handles)
    dialect = removers().get(name.partition(".")[0])
    return tuple(dict.fromkeys((*rewriters(name), *((dialect.name,) if dialect is not None else ()), *others)))


def does(use: Pass, name: str) -> bool:
    """Whether a pass is the one of a name, or does its work."""
    if use.name == name:
        return True
    return use.name == ALL_AT_ONCE and any(
        remover.name == name and remover.gives_to_llvm for remover in removers().values()
    )


def last_of(names: Sequence[str], history: History) -> int | None:
    """Where in a pipeline the last of some passes stands, or what does its work."""
    indices = [index for index, use in enumerate(history.passes) if any(does(use, name) for name in names)]
    return indices[-1] if indices else None


def place_for(name: str, history: History, after: int | None) -> int:
    """Where a pass belongs that has to come behind the one at an index: before the first of those that lower what it
    makes."""
    start = 0 if after is None else after + 1
    rank = _rank(name)
    for index in range(start, len(history.passes)):
        if _rank(history.passes[index].name) > rank:
            return index
    return len(history.passes)


def _rank(name: str) -> int:
    """The place of a pass in the whole lowering; before all that is in it, for one that is not."""
    return _order().get(name, -1)


@cache
def _order() -> dict[str, int]:
    whole = find_pipeline("lower-to-llvm")
    order = {name.partition("{")[0]: index for index, name in enumerate(whole.passes if whole is not None else ())}
    # It comes when all dialects that are not lowered to LLVM's are gone.
    return order | {ALL_AT_ONCE: order.get("convert-func-to-llvm", 0)}


def spelled(step: Step, history: History) -> str:
    """What is to be done, in words."""
    passes = history.passes
    if step.place == 0:
        return f"add {step} at the beginning"
    return f"add {step} before --{passes[step.place].name}" if step.place < len(passes) else f"add {step} at the end"
