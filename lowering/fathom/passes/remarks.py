"""What a pass says of what it left: asked of each, and mostly nothing. `fathom.passes.leftovers` knows what, and is
imported when there is something."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from fathom.passes.left import follows
from fathom.slices import read_ahead

if TYPE_CHECKING:
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation
    from fathom.passes.definition import Pass
    from fathom.passes.to_llvm.llvm_types import LLVMTypes


def left_by(
    use: Pass,
    root: Operation,
    reasons: Mapping[Operation, str],
    types: LLVMTypes | None = None,
    parts: Sequence[Pass] = (),
    also: Collection[str] = (),
) -> list[Diagnostic]:
    """A warning for each operation of the dialects that a pass, or one whose work it does, removes which is still there
    after it; and for those that are `also` to be gone.

    `reasons` is what the conversion said of single ones; `types` are those that it converts to, if it does.
    """
    diagnostics: list[Diagnostic] = []
    by_dialect = {dialect: part for part in parts or (use,) for dialect in part.removes}
    by_name: dict[str, Pass | None] = dict.fromkeys(also, use)
    for op in read_ahead(root.walk()):
        name = op.name
        part = by_name[name] if name in by_name else by_name.setdefault(name, by_dialect.get(op.dialect))
        if part is None or follows(op):
            continue
        from fathom.passes.leftovers import said_of_left

        diagnostics.append(said_of_left(use, part, op, types, reasons.get(op)))
    return diagnostics


def advice(op: Operation) -> str | None:
    """What would lower an operation that a conversion had to convert and did not."""
    from fathom.passes.leftovers.removers import removers

    remover = removers().get(op.dialect)
    if remover is None:
        return None
    other = remover.elsewhere.get(op.name)
    return f"'{op.name}' is {f'lowered by the pass --{remover.name}' if other is None else f'rewritten by {other}'}"
