"""The passes that lower to the LLVM dialect, by the names that mlir-opt gives them.

A pass's module is imported when it first runs, so that to know the names costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation

Run: TypeAlias = "Callable[[Operation, Mapping[str, str], Context], list[Diagnostic]]"
"""`run(module, options, context)` changes the module in place and returns what went wrong. Options are as in
mlir-opt's text."""


@dataclass(frozen=True, slots=True)
class PassDefinition:
    """A pass: its name, the options it knows with their defaults, and what it does."""

    name: str
    options: Mapping[str, str]
    run: Run
    summary: str = ""


def _lazy(name: str, module: str, options: Mapping[str, str], summary: str) -> PassDefinition:
    def run(root: Operation, given: Mapping[str, str], context: Context) -> list[Diagnostic]:
        return import_module(f"fathom.passes.conversions.{module}").run(root, {**options, **given}, context)

    return PassDefinition(name, options, run, summary)


INDEX_BITWIDTH: Final = {"index-bitwidth": "0"}

PASSES: Final[dict[str, PassDefinition]] = {
    definition.name: definition
    for definition in (
        _lazy(
            "convert-scf-to-cf",
            "convert_scf_to_cf",
            {"allow-pattern-rollback": "true"},
            "structured control flow to branches between blocks",
        ),
        _lazy("convert-arith-to-llvm", "convert_arith_to_llvm", INDEX_BITWIDTH, "arithmetic to the LLVM dialect"),
        _lazy("convert-cf-to-llvm", "convert_cf_to_llvm", INDEX_BITWIDTH, "branches to the LLVM dialect"),
        _lazy(
            "finalize-memref-to-llvm",
            "finalize_memref_to_llvm",
            {"use-aligned-alloc": "false", "index-bitwidth": "0", "use-generic-functions": "false"},
            "memory references to descriptors and pointers",
        ),
        _lazy(
            "convert-func-to-llvm",
            "convert_func_to_llvm",
            {"use-bare-ptr-memref-call-conv": "false", "index-bitwidth": "0"},
            "functions and calls to the LLVM dialect",
        ),
        _lazy("reconcile-unrealized-casts", "reconcile_unrealized_casts", {}, "casts that undo each other away"),
    )
}

PASS_FOR_DIALECT: Final = {
    "scf": "convert-scf-to-cf",
    "arith": "convert-arith-to-llvm",
    "cf": "convert-cf-to-llvm",
    "memref": "finalize-memref-to-llvm",
    "func": "convert-func-to-llvm",
}
"""Which pass takes the operations of a dialect away."""


def advice(op: Operation) -> str | None:
    """What would lower an operation that a pass left behind."""
    name = PASS_FOR_DIALECT.get(op.dialect)
    return None if name is None else f"'{op.name}' is lowered by the pass --{name}"
