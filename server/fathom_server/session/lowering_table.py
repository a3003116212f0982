"""How a project is lowered, in terms of what it is to be called by and to run on: the pipeline that does it.

[lowering]
convention = "c-interface"          builtin.module(func.func(llvm-request-c-wrappers),
indexBitwidth = 32                                 lower-to-llvm{index-bitwidth=32})

A target says the data layout and how wide `index` is, unless these are said themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from fathom.dialects.llvm.data_layout import layout_problem
from fathom.irdl.sections import Value
from fathom.llvm.targets import UnknownTarget, machine, pointer_bits

CONVENTIONS: Final = {"default": "", "bare-pointers": "use-bare-ptr-memref-call-conv=true", "c-interface": ""}
"""What functions are called by, and the option of `lower-to-llvm` that makes it so."""
ALLOCATIONS: Final = {
    "malloc": "",
    "aligned": "use-aligned-alloc=true",
    "generic": "use-generic-functions=true",
}
"""The functions that memory is had from."""
_WIDTHS: Final = (8, 16, 32, 64)


def _one_of(names: Mapping[str, str]) -> Callable[[Value], str]:
    quoted = ", ".join(f"'{name}'" for name in names)
    return lambda value: "" if isinstance(value, str) and value in names else f"expected one of {quoted}"


def _width(value: Value) -> str:
    return "" if value in _WIDTHS else "expected 8, 16, 32 or 64"


def _layout(value: Value) -> str:
    if not isinstance(value, str):
        return "expected a string"
    return layout_problem(value) or ""


def _target(value: Value) -> str:
    if not isinstance(value, str):
        return "expected a string"
    try:
        machine(value)
    except UnknownTarget as unknown:
        return str(unknown)
    return ""


_CHECKS: Final[Mapping[str, Callable[[Value], str]]] = {
    "convention": _one_of(CONVENTIONS),
    "allocation": _one_of(ALLOCATIONS),
    "indexBitwidth": _width,
    "dataLayout": _layout,
    "target": _target,
}
"""What is wrong with the value of each key; nothing if it is not."""
KEYS: Final = tuple(_CHECKS)


def pipeline_from(table: Mapping[str, Value]) -> tuple[str, list[tuple[str, str]]]:
    """The pipeline that lowers as a table says, empty if it says nothing; and what is wrong with it, by its keys."""
    wrong = [(key, problem) for key, value in table.items() if key in _CHECKS and (problem := _CHECKS[key](value))]
    said = {key: str(value) for key, value in table.items() if key not in dict(wrong)}
    if "target" in said:
        layout = machine(said["target"]).layout
        said = {"dataLayout": layout, "indexBitwidth": str(pointer_bits(layout)), **said}
    options = [
        CONVENTIONS[said.get("convention", "default")],
        ALLOCATIONS[said.get("allocation", "malloc")],
        f"index-bitwidth={said['indexBitwidth']}" if "indexBitwidth" in said else "",
    ]
    chosen = " ".join(filter(None, options))
    passes = [
        "func.func(llvm-request-c-wrappers)" if said.get("convention") == "c-interface" else "",
        f"set-llvm-module-datalayout{{data-layout={said['dataLayout']}}}" if said.get("dataLayout") else "",
        f"lower-to-llvm{{{chosen}}}" if chosen else "lower-to-llvm",
    ]
    named = [pass_ for pass_ in passes if pass_]
    return (f"builtin.module({','.join(named)})" if chosen or len(named) > 1 else ""), wrong
