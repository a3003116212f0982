"""What MLIR's verifiers say of acc's loops.

Source of the rules: *'acc' Dialect*; the texts are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.acc.checks import counted, devices_of, privates, segmented
from fathom.ir.attributes import IntegerAttr
from fathom.ir.property_values import elements_property
from fathom.ir.traversal import closest_with
from fathom.irdl.checking import all_of, as_many, bare, only_with
from fathom.irdl.interfaces import LoopLike
from fathom.irdl.verifying import Check, Complaint
from fathom.ops import acc as ops

if TYPE_CHECKING:
    from fathom.ir.operation import Operation


def _extents(op: ops.LoopOp) -> Complaint:
    upper, inclusive = len(op.upperbound), op.inclusiveUpperbound
    for name, values in (("steps", op.step), ("lowerbounds", op.lowerbound)):
        if upper != len(values):
            return bare(f"number of upperbounds expected to be the same as number of {name}")
    if upper and inclusive is not None and len(inclusive.values) != upper:
        return bare("inclusiveUpperbound size is expected to be the same as upperbound size")
    return None


def _distinct(prop: str) -> Check:
    def check(op: Operation) -> Complaint:
        devices = devices_of(op, prop)
        again = next((each for index, each in enumerate(devices) if each in devices[:index]), None)
        return None if again is None else f"duplicate device_type `{again}` found in {prop} attribute"

    return check


def _kinds(op: Operation) -> Complaint:
    kinds = [each for prop in ("auto_", "independent", "seq") for each in devices_of(op, prop)]
    if len({*kinds}) != len(kinds):
        return bare("only one of auto, independent, seq can be present at the same time")
    if "none" not in kinds:
        return bare("at least one of auto, independent, seq must be present")
    parallel = ("vector", "vectorOperandsDeviceType", "worker", "workerNumOperandsDeviceType", "gang")
    others = {each for prop in (*parallel, "gangOperandsDeviceType") for each in devices_of(op, prop)}
    return bare("gang, worker or vector cannot appear with seq") if others & {*devices_of(op, "seq")} else None


def _body(op: ops.LoopOp) -> Complaint:
    is_container = not op.lowerbound
    if op.region.is_empty:
        return bare("expected non-empty body.")
    if "unstructured" in op.properties:
        return None if is_container else bare("unstructured acc.loop must not have induction variables")
    if not is_container:
        return None
    needed = max((each.value for each in elements_property(op, "collapse") if isinstance(each, IntegerAttr)), default=1)
    expected = op
    for inner in op.region.walk():
        if inner.definition is None:
            return None  # It may be a loop.
        if inner.interface(LoopLike) is None:
            continue
        if closest_with(inner, LoopLike) is not expected:
            return bare("found sibling loops inside container-like acc.loop")
        expected, needed = inner, needed - 1
        if needed <= 0:
            return None
    return bare("failed to find enough loop-like operations inside container-like acc.loop")


LOOP: Final = all_of(
    _extents,
    only_with(
        "collapse device_type attr must be define when collapse attr is present", "collapse", "collapseDeviceType"
    ),
    as_many("collapse attribute count must match collapse device_type count", "collapse", "collapseDeviceType"),
    _distinct("collapseDeviceType"),
    only_with(
        "gangOperandsArgType attribute must be defined when gang operands are present",
        *("gangOperands", "gangOperandsArgType"),
    ),
    as_many("gangOperandsArgType attribute count must match gangOperands count", "gangOperands", "gangOperandsArgType"),
    _distinct("gang"),
    segmented("gang", "gangOperands", "gangOperandsDeviceType", "gangOperandsSegments"),
    _distinct("worker"),
    _distinct("workerNumOperandsDeviceType"),
    counted("worker", "workerNumOperands", "workerNumOperandsDeviceType"),
    _distinct("vector"),
    _distinct("vectorOperandsDeviceType"),
    counted("vector", "vectorOperands", "vectorOperandsDeviceType"),
    segmented("tile", "tileOperands", "tileOperandsDeviceType", "tileOperandsSegments"),
    _kinds,
    privates,
    _body,
)
