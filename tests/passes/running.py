"""Running a pass by its name, for tests."""

from __future__ import annotations

from fathom.context import Context, default_context
from fathom.diagnostics import Diagnostic
from fathom.elaborate import load
from fathom.ir.operation import Operation
from fathom.passes import find


def run_pass(name: str, module: Operation, options: str = "", context: Context | None = None) -> list[Diagnostic]:
    """Runs the pass `name` on a module, with options as on the command line; what it says. A `context` knows dialects
    of one's own."""
    class_ = find(name)
    assert class_ is not None, f"there is no pass {name}"
    use = class_.read(options)
    assert not isinstance(use, str), use
    return use.run(module, context or default_context())


def lower(name: str, text: str, **options: str) -> tuple[Operation, list[Diagnostic]]:
    """The module of a text after a pass, and what the pass says. Options have `_` for `-`."""
    loaded = load(text)
    assert not loaded.has_errors, loaded.diagnostics
    return loaded.module, run_pass(
        name, loaded.module, " ".join(f"{k.replace('_', '-')}={v}" for k, v in options.items())
    )
