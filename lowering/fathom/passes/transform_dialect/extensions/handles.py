"""Transforms that make handles and parameters of others, and change nothing.

Source of the rules: *Transform Dialect*, and `TransformOps.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.ir.attributes import IntegerAttr
from fathom.ir.types import I64
from fathom.ops import transform as ops
from fathom.passes.transform_dialect.models import transforms
from fathom.passes.transform_dialect.texts import shown

if TYPE_CHECKING:
    from fathom.passes.transform_dialect.application import Application
    from fathom.passes.transform_dialect.state import Payload


@transforms("transform.cast")
def cast(op: ops.CastOp, run: Application) -> None:
    run.set(op.output, run.payload(op.input))


@transforms("transform.merge_handles")
def merge_handles(op: ops.MergeHandlesOp, run: Application) -> None:
    objects = [payload for handle in op.handles for payload in run.payload(handle)]
    run.set(op.results[0], dict.fromkeys(objects) if "deduplicate" in op.properties else objects)


@transforms("transform.split_handle")
def split_handle(op: ops.SplitHandleOp, run: Application) -> None:
    given = run.payload(op.handle)
    overflow = op.overflow_result
    last = overflow.value if isinstance(overflow, IntegerAttr) else None
    is_too_small = len(given) < len(op.results) and op.fail_on_payload_too_small.value
    if is_too_small and not given and op.pass_through_empty_handle.value:
        is_too_small = False
    if is_too_small or (len(given) > len(op.results) and last is None):
        counts = f"{len(op.results)} payloads but it contains {len(given)} payloads"
        raise run.silenceable(f"{shown(op.handle)} expected to contain {counts}")
    parts: list[list[Payload]] = [[] for _ in op.results]
    for place, payload in enumerate(given):
        parts[place if place < len(parts) or last is None else last].append(payload)
    for result, objects in zip(op.results, parts, strict=True):
        run.set(result, objects)


@transforms("transform.num_associations")
def num_associations(op: ops.NumAssociationsOp, run: Application) -> None:
    run.set(op.num, [IntegerAttr(len(run.payload(op.handle)), I64)])


@transforms("transform.replicate")
def replicate(op: ops.ReplicateOp, run: Application) -> None:
    count = len(run.ops(op.pattern))
    for handle, result in zip(op.handles, op.replicated, strict=True):
        run.set(result, run.payload(handle) * count)


@transforms("transform.select")
def select(op: ops.SelectOp, run: Application) -> None:
    run.set(op.results[0], [operation for operation in run.ops(op.target) if operation.name == op.op_name.value])
