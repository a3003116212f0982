"""Transforms of transform itself that change the payload, or say something of it.

Source of the rules: *Transform Dialect*, and `TransformOps.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.diagnostics import Diagnostic
from fathom.ir.attributes import UNIT, ArrayAttr, Attribute, IntegerAttr, StringAttr
from fathom.ir.operation import Operation
from fathom.ir.printing_flags import PrintingFlags
from fathom.ir.types import I1
from fathom.irdl.interfaces import LoopLike
from fathom.ops import transform as ops
from fathom.passes.definition import ANY, FUNCTION
from fathom.passes.shown import show
from fathom.passes.transform_dialect.application import each
from fathom.passes.transform_dialect.models import transforms
from fathom.passes.transform_dialect.outcomes import DefiniteFailure
from fathom.passes.transform_dialect.texts import text_of
from fathom.rewriting.common_subexpressions import eliminate_common_subexpressions
from fathom.rewriting.effects import is_dead
from fathom.rewriting.loop_invariants import move_invariants_of

if TYPE_CHECKING:
    from fathom.passes.transform_dialect.application import Application


@transforms("transform.annotate")
def annotate(op: ops.AnnotateOp, run: Application) -> None:
    given = op.properties["name"]
    assert isinstance(given, StringAttr), "it says the name"
    name = given.value
    targets, values = run.ops(op.target), [UNIT]
    if op.param is not None:
        values = run.params(op.param)
        if len(values) not in (1, len(targets)):
            sizes = f"({len(values)} vs {len(targets)})"
            raise run.silenceable(f"parameter and target have different payload lengths {sizes}")
    for target, value in zip(targets, values if len(values) > 1 else values * len(targets), strict=True):
        target.attributes[name] = value


@transforms("transform.apply_cse")
@each()
def apply_cse(op: Operation, target: Operation, run: Application) -> None:
    run.refuse_itself(target)
    eliminate_common_subexpressions(target, run.tracker)


@transforms("transform.apply_dce")
@each()
def apply_dce(op: Operation, target: Operation, run: Application) -> None:
    """What nobody needs goes, and then what only that needed."""
    run.refuse_itself(target)
    pending: dict[Operation, None] = {}

    def erase(dead: Operation) -> None:
        for inner in dead.walk():
            for maker in inner.definers:
                pending[maker] = None
        for inner in dead.walk():
            pending.pop(inner, None)
        run.rewriter.erase(dead)

    for inner in list(target.walk_postorder()):
        if inner is not target and inner.parent is not None and is_dead(inner):
            erase(inner)
    while pending:
        maker, _ = pending.popitem()
        if maker is not target and maker.parent is not None and is_dead(maker):
            erase(maker)


@transforms("transform.apply_licm")
@each(of=lambda target: target.interface(LoopLike) is not None)
def apply_licm(op: Operation, target: Operation, run: Application) -> None:
    move_invariants_of(target)


@transforms("transform.apply_registered_pass")
def apply_registered_pass(op: ops.ApplyRegisteredPassOp, run: Application) -> None:
    from fathom.passes import find

    def spelled(value: Attribute) -> str:
        if isinstance(value, ArrayAttr):
            return ",".join(map(spelled, value.elements))
        if isinstance(value, StringAttr):
            return value.value
        place = place_of(value)
        if place is not None:
            return ",".join(map(spelled, run.params(op.dynamic_options[place])))
        if not isinstance(value, IntegerAttr):
            raise run.definite(f"an option of '{op.pass_name.value}' is neither a number nor a text")
        return ("false", "true")[value.value != 0] if value.type == I1 else str(value.value)

    options = " ".join(f"{name}={spelled(value)}" for name, value in op.options.entries)
    name = op.pass_name.value
    class_ = find(name)
    if class_ is None:
        raise run.definite(f"unknown pass or pass pipeline: {name}")
    use = class_.read(options)
    if isinstance(use, str):
        raise run.definite(f"failed to add pass or pass pipeline to pipeline: {name}")
    targets = run.ops(op.target)
    for target in targets:
        run.refuse_itself(target)
        is_fit = use.anchor in (ANY, FUNCTION, target.name)
        said: list[Diagnostic] = use.run(target, run.context) if is_fit else []
        run.state.diagnostics += said
        if any(diagnostic.severity == "error" for diagnostic in said) or not is_fit:
            raise run.silenceable("pass pipeline failed", ("target op", target))
    run.set(op.results[0], targets)


def place_of(value: Attribute) -> int | None:
    """The place of the operand that stands for an option."""
    from fathom.dialects.transform.options import places_in

    return next(iter(places_in(value)), None)


@transforms("transform.print")
def print_payload(op: ops.PrintOp, run: Application) -> None:
    flags = PrintingFlags(local_scope="use_local_scope" in op.properties, skip_regions="skip_regions" in op.properties)
    given = op.properties.get("name")
    name = f"{given.value} " if isinstance(given, StringAttr) else ""
    top = "top-level " if op.target is None else ""
    show(f"[[[ IR printer: {name}{top}]]]\n")
    for target in run.ops(op.target) if op.target is not None else [run.state.top_level]:
        show(text_of(target, flags) + "\n")


@transforms("transform.verify")
@each()
def verify_payload(op: Operation, target: Operation, run: Application) -> None:
    from fathom.verify import verify

    diagnostics = verify(target, context=run.context)
    if any(problem.severity == "error" for problem in diagnostics):
        failure = run.definite("failed to verify payload op", ("payload op", target))
        raise DefiniteFailure(*diagnostics, *failure.diagnostics)
