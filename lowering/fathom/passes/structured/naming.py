"""Named operations of linalg as `linalg.generic` and as `linalg.elementwise`.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.linalg.canonicalization.structured import STRUCTURED
from fathom.dialects.linalg.contractions import kind_named
from fathom.dialects.linalg.structured import array_of
from fathom.ops.linalg import BroadcastOp, GenericOp, TransposeOp
from fathom.passes.structured import named
from fathom.passes.structured.generics import Form, create_generic, form_of, works_on_tensors
from fathom.rewriting.pattern import NO_MATCH, Failure, Pattern, defined_by
from fathom.rewriting.rewriter import source_of

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ops.linalg import ElementwiseOp
    from fathom.rewriting.rewriter import Rewriter


def generalize(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """A named operation as `linalg.generic`, which takes over its body."""
    form = form_of(op)
    if form is None or isinstance(op, GenericOp):
        return Failure("preconditions not met")
    made = create_generic(rewriter, form, None if works_on_tensors(op) else ())
    rewriter.inline_region_before(op.regions[0], made.regions[0], None)
    if isinstance(op, (BroadcastOp, TransposeOp)):
        # What their text leaves out stands where they do, as long as they are in a document.
        for argument, value in zip(made.regions[0].entry.arguments, form.values, strict=True):
            argument.span, argument.location = source_of(value)
    rewriter.replace(op, list(made.results))
    return None


GENERALIZATION: Final = (Pattern("", generalize, name="LinalgGeneralizationPattern", trait=STRUCTURED),)

# ---- linalg.elementwise

ELEMENTWISE: Final = (
    *("select", "add", "sub", "mul", "div", "div_unsigned", "powf", "exp", "log", "abs", "ceil", "floor", "negf"),
    *("reciprocal", "round", "sqrt", "rsqrt", "square", "tanh", "erf"),
)
"""The operations that are of a kind of the same name."""


def to_elementwise(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """`linalg.add` and its like as `linalg.elementwise kind=#linalg.elementwise_kind<add>`."""
    form = form_of(op)
    if form is None:
        return NO_MATCH
    properties = {"kind": kind_named(op.name.removeprefix("linalg.")), "indexing_maps": array_of(form.maps)}
    made = named(rewriter, "elementwise", form.inputs, form.inits, properties)
    rewriter.replace(op, list(made.results))
    return None


CATEGORIES: Final = tuple(
    Pattern(f"linalg.{name}", to_elementwise, name="NamedToElementwisePattern") for name in ELEMENTWISE
)


def fold_transpose(op: ElementwiseOp, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
    """What is transposed first is read through the map of the transpose."""
    form = form_of(op)
    if form is None:
        return NO_MATCH
    inputs: list[Value] = []
    maps = list(form.maps)
    for place, (value, map) in enumerate(zip(form.inputs, form.maps, strict=False)):
        transpose = defined_by(value, TransposeOp) if map.is_identity else None
        inner = form_of(transpose) if transpose is not None else None
        if inner is None:
            inputs.append(value)
            continue
        inputs.append(inner.inputs[0])
        maps[place] = inner.maps[0]
    if all(before is after for before, after in zip(form.inputs, inputs, strict=True)):
        return NO_MATCH
    folded = Form(inputs, form.inits, maps, form.loops)
    properties = {"kind": op.kind, "indexing_maps": array_of(folded.maps)}
    made = named(rewriter, "elementwise", folded.inputs, folded.inits[:1], properties)
    rewriter.replace(op, list(made.results))
    return None


FOLDING: Final = (Pattern("linalg.elementwise", fold_transpose, name="FoldTransposePattern"),)
