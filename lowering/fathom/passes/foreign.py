"""The passes that MLIR has and Fathom has not: they can be named in a pipeline, and do not run."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from fathom.passes import find, find_pipeline
from fathom.passes.definition import Pass
from fathom.passes.mlir import NAMES
from fathom.records import record

if TYPE_CHECKING:
    from typing import Self

    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation


@record
class PassOfMLIR(Pass):
    """One of them, with the text of its options."""

    given_options: str = ""

    @classmethod
    def read(cls, text: str) -> Self | str:
        return cls(text)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.diagnostics import PIPELINE, Diagnostic

        return [Diagnostic(f"'{self.name}' is a pass of MLIR that Fathom does not have yet", op.span, code=PIPELINE)]

    def __str__(self) -> str:
        return f"{self.name}{{{self.given_options}}}" if self.given_options else self.name


def of_mlir(*names: str, what: str = "") -> str:
    """What is said of passes that `mlir-opt` has, with their options, of what they do, and of which Fathom has."""
    here = [name for name in names if (find(plain := name.partition("=")[0]) or find_pipeline(plain)) is not None]
    if len(here) == len(names):
        return f"--{' and --'.join(names)} {what or 'lowers it'}"
    known = f"--{' and --'.join(here)} only" if here else "not"
    return f"mlir-opt has --{' and --'.join(names)}{f', which {what}' if what else ''}; Fathom has {known}"


def find_any(name: str) -> type[Pass] | None:
    """The pass of a name, here or in MLIR."""
    return find(name) or (pass_to_come(name) if name in NAMES else None)


@cache
def pass_to_come(name: str) -> type[PassOfMLIR]:
    """A pass that can be named, and is not here."""
    return type("PassOfMLIR", (PassOfMLIR,), {"name": name, "summary": "", "__slots__": ()})
