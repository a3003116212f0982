"""A pass, or a pipeline, that a schedule names.

Source of the rules: *Transform Dialect*; `ApplyRegisteredPassOp` in `TransformOps.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.dialects.transform.options import place_of
from fathom.ir.attributes import ArrayAttr, FloatAttr, IntegerAttr, StringAttr
from fathom.ops import transform as ops
from fathom.passes.transform_dialect.models import transforms

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fathom.ir.attributes import Attribute
    from fathom.passes.transform_dialect.application import Application


@transforms("transform.apply_registered_pass")
def apply_registered_pass(op: ops.ApplyRegisteredPassOp, run: Application) -> None:
    name = op.pass_name.value
    options = " ".join(f"{key}={_text(value, op, run)}" for key, value in op.options.entries)
    prepared = run.state.prepare(name, options)
    if prepared is None:
        raise run.definite(f"unknown pass or pass pipeline: {name}")
    if not callable(prepared):
        for problem in prepared:
            run.error(problem, op)
        raise run.definite(f"failed to add pass or pass pipeline to pipeline: {name}")
    targets = run.ops(op.target)
    for target in targets:
        run.refuse_itself(target)
        said = prepared(target)
        run.state.diagnostics += said
        if any(diagnostic.severity == "error" and diagnostic.fatal for diagnostic in said):
            raise run.silenceable("pass pipeline failed", ("target op", target))
    run.set(op.results[0], targets)


def _text(value: Attribute, op: ops.ApplyRegisteredPassOp, run: Application) -> str:
    """The value of an option as it is written on a command line."""
    place = place_of(value)
    if place is not None:
        return _listed(run.params(op.dynamic_options[place]), op, run)
    match value:
        case ArrayAttr(elements):
            return _listed(elements, op, run)
        case StringAttr(text):
            return text
        case IntegerAttr() | FloatAttr():
            return value.spell_value()
        case _:
            return str(value)


def _listed(values: Iterable[Attribute], op: ops.ApplyRegisteredPassOp, run: Application) -> str:
    return ",".join(_text(value, op, run) for value in values)
