"""Finds the sequence that is to be interpreted, and the payload, and applies one to the other.

Source of the rules: *Transform Dialect*, and `transform-interpreter` of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.diagnostics import Diagnostic
from fathom.ir.attributes import IntegerAttr, StringAttr
from fathom.ir.operation import Operation
from fathom.ir.traversal import is_inside
from fathom.ir.types import I64
from fathom.ops.transform import NamedSequenceOp
from fathom.passes.transform_dialect.library import library, merge
from fathom.passes.transform_dialect.outcomes import DefiniteFailure, SilenceableFailure, said
from fathom.passes.transform_dialect.state import State
from fathom.records import replace

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.passes.definition import Prepare
    from fathom.passes.transform_dialect.state import Payload

TAG = "transform.target_tag"


def interpret(
    root: Operation,
    context: Context,
    prepare: Prepare,
    *,
    entry: str,
    tag: str = "",
    trailing: Sequence[str] = (),
    checks_handles: bool = True,
) -> list[Diagnostic]:
    """Applies the sequence of the name `entry` to `root`, or to what in it has the tag. `prepare` gives the passes that
    it names."""
    try:
        payload = _payload(root, tag)
        sequence = _entry(root, entry, context)
        extra = [_bound(payload, text) for text in trailing]
        if not any(is_inside(sequence, module) for module in library(context)):
            merge(sequence, context)
    except DefiniteFailure as failure:
        return failure.diagnostics
    state = State(payload, context, prepare, extra, checks_handles=checks_handles)
    try:
        state.apply(sequence)
    except (DefiniteFailure, SilenceableFailure) as failure:
        return [*state.diagnostics, *failure.diagnostics]
    return state.diagnostics


def _payload(root: Operation, tag: str) -> Operation:
    if not tag:
        return root
    payload_root: Operation | None = None
    for op in root.walk_postorder():
        value = op.attribute(TAG)
        if not isinstance(value, StringAttr) or value.value != tag:
            continue
        if payload_root is not None:
            message = f"repeated operation with the target tag '{tag}'"
            problem = said(message, op, ("previously seen operation", payload_root))
            raise DefiniteFailure(replace(problem, op=op))
        payload_root = op
    if payload_root is None:
        message = f'could not find the operation with {TAG}="{tag}" attribute'
        raise DefiniteFailure(replace(said(message, root), op=root))
    return payload_root


def _entry(root: Operation, name: str, context: Context) -> NamedSequenceOp:
    nested = (op for region in root.regions for op in region.operations())
    for op in (*nested, *root.walk(), *(op for module in library(context) for op in module.walk())):
        if isinstance(op, NamedSequenceOp) and op.sym_name.value == name:
            return op
    problem = said(f"could not find a nested named sequence with name: {name}", root)
    raise DefiniteFailure(replace(problem, op=root))


def _bound(payload: Operation, name: str) -> list[Payload]:
    """What an argument of the entry stands for: numbers, operations of a name, or their results."""
    if name.startswith("#"):
        words = name[1:].split(";")
        if not all(word.lstrip("+-").isdigit() for word in words):
            message = f"couldn't parse integer pass argument {name}"
            raise DefiniteFailure(replace(said(message, None), unplaced=True))
        return [IntegerAttr(int(word), I64) for word in words]
    ops = [op for op in payload.walk_postorder() if op.name == name.removeprefix("^")]
    return [result for op in ops for result in op.results] if name.startswith("^") else [*ops]
