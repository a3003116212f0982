"""What MLIR's verifiers say of acc's operations: clauses of data, constructs, routines and recipes.

Source of the rules: *'acc' Dialect*; the texts are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from fathom.dialects.acc.common import is_pointer_like
from fathom.ir.attributes import IntegerAttr, TypeAttr
from fathom.ir.operation import Operation, Region, Value
from fathom.ir.property_values import elements_property, flag_property, numbers_property
from fathom.ir.traversal import ancestors, closest_with
from fathom.ir.values import types_of
from fathom.irdl.cases import bits, word, word_of
from fathom.irdl.checking import all_of, as_many, bare, count_of, group, only_with
from fathom.irdl.interfaces import LoopLike
from fathom.irdl.symbols import Lookup
from fathom.irdl.verifying import Check, Complaint, SymbolCheck, verifies
from fathom.ops import acc as ops


def devices_of(op: Operation, prop: str) -> list[str]:
    return [word_of(element) for element in elements_property(op, prop)]


# ---- data

_MODIFIERS: Final = {"zero": 1, "readonly": 2, "alwaysin": 4, "alwaysout": 8, "always": 12, "capture": 16}


def data(noun: str, clauses: str = "", *, decomposed: bool = False, modifiers: str = "", results: bool = True) -> Check:
    """An entry or exit of data: the clauses that it may come from, where its own is not the only one, the modifiers
    that it may have, and whether its result is of the type of its variable."""
    allowed = frozenset(f"acc_{clause}" for clause in (clauses or noun).split())
    whole = f"data clause associated with {noun} operation must match its intent"
    message = f"{whole} or specify original clause this operation was decomposed from" if decomposed else whole
    mask = sum(_MODIFIERS[modifier] for modifier in modifiers.split())

    def check(op: Operation) -> Complaint:
        is_implicit = noun == "copyin" and flag_property(op, "implicit")
        if not is_implicit and word(op, "dataClause") not in allowed:
            return bare(message)
        return _variable(op, results=results) or _modifiers(op, mask)

    return check


def _variable(op: Operation, *, results: bool) -> Complaint:
    variables = group(op, "var")
    if not variables:
        return None
    type, stated = variables[0].type, op.properties.get("varType")
    if is_pointer_like(type) and isinstance(stated, TypeAttr) and stated.type == type:
        return bare("varType must capture the element type of var")
    inside = group(op, "accVar") or op.results
    if results and inside and inside[0].type != type:
        return bare("input and output types must match")
    return None


def _modifiers(op: Operation, mask: int) -> Complaint:
    given = bits(op, "modifiers")
    if not given & ~mask:
        return None
    if not mask:
        return bare("no data clause modifiers are allowed")
    rest = given & ~mask
    words = [name for name, bit in _MODIFIERS.items() if name != "always" and rest & bit]
    return bare(f"invalid data clause modifiers: {','.join(words)}")


def recipe(name: str) -> SymbolCheck:
    """What is private or reduced has a recipe."""

    def check(op: ops.FirstprivateOp | ops.PrivateOp | ops.ReductionOp, lookup: Lookup) -> Complaint:
        if op.recipe is None:
            # What can make a recipe of its own needs none.
            return f"recipe expected for {name}" if is_pointer_like(op.var.type) or name == "reduction" else None
        meant = lookup(op.recipe)
        if meant is not None and meant.name == f"acc.{name}.recipe":
            return None
        return f"expected symbol reference {op.recipe} to point to a {name} declaration"

    return check


# ---- operands by type of device


def counted(keyword: str, operands: str, devices: str) -> Check:
    return as_many(f"{keyword} operands count must match {keyword} device_type count", operands, devices)


def segmented(keyword: str, operands: str, devices: str, segments: str, most: int = 0) -> Check:
    in_segments = f"{keyword} operand count does not match count in segments"

    def fits(op: Operation) -> Complaint:
        sizes = numbers_property(op, segments)
        if most and any(size > most for size in sizes):
            return f"{keyword} expects a maximum of {most} values per segment"
        return in_segments if sum(sizes) != count_of(op, operands) else None

    by_device = as_many(f"{keyword} segment count does not match device_type count", devices, segments)
    return all_of(fits, only_with(in_segments, operands, devices), by_device)


def waits_and_asyncs(op: Operation) -> Complaint:
    if {*devices_of(op, "asyncOperandsDeviceType")} & {*devices_of(op, "asyncOnly")}:
        return bare("asyncOnly attribute cannot appear with asyncOperand")
    if {*devices_of(op, "waitOperandsDeviceType")} & {*devices_of(op, "waitOnly")}:
        return bare("wait attribute cannot appear with waitOperands")
    return None


# ---- what operands are defined by


def defined_by(names: str, message: str) -> Check:
    """The operands that data clauses give come from some of acc's operations."""
    allowed = frozenset(f"acc.{name}" for name in names.split())

    def check(op: Operation) -> Complaint:
        defining = [value.defining_op for value in op.all_of("dataClauseOperands")]
        return None if all(maker is not None and maker.name in allowed for maker in defining) else bare(message)

    return check


def privates(op: Operation) -> Complaint:
    for name in ("private", "firstprivate", "reduction"):
        seen: list[Value] = []
        for value in op.all_of(f"{name}Operands"):
            if value.defining_op is None or value.defining_op.name != f"acc.{name}":
                return f"expected {name} as defining op"
            if any(value == earlier for earlier in seen):
                return f"{name} operand appears more than once"
            seen.append(value)
    return None


def outside(op: Operation) -> Complaint:
    is_inside = any(
        isinstance(ancestor, (ops.ParallelOp, ops.SerialOp, ops.KernelsOp, ops.LoopOp)) for ancestor in ancestors(op)
    )
    return "cannot be nested in a compute operation" if is_inside else None


# ---- loops


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
        again = next((device for index, device in enumerate(devices) if device in devices[:index]), None)
        return None if again is None else f"duplicate device_type `{again}` found in {prop} attribute"

    return check


def _kinds(op: Operation) -> Complaint:
    kinds = [device for prop in ("auto_", "independent", "seq") for device in devices_of(op, prop)]
    if len({*kinds}) != len(kinds):
        return bare("only one of auto, independent, seq can be present at the same time")
    if "none" not in kinds:
        return bare("at least one of auto, independent, seq must be present")
    parallel = ("vector", "vectorOperandsDeviceType", "worker", "workerNumOperandsDeviceType", "gang")
    others = {device for prop in (*parallel, "gangOperandsDeviceType") for device in devices_of(op, prop)}
    return bare("gang, worker or vector cannot appear with seq") if others & {*devices_of(op, "seq")} else None


def _body(op: ops.LoopOp) -> Complaint:
    is_container = not op.lowerbound
    if op.region.is_empty:
        return bare("expected non-empty body.")
    if "unstructured" in op.properties:
        return None if is_container else bare("unstructured acc.loop must not have induction variables")
    if not is_container:
        return None
    needed = max(
        (element.value for element in elements_property(op, "collapse") if isinstance(element, IntegerAttr)), default=1
    )
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


# ---- routines


@verifies("acc.routine")
def routine(op: ops.RoutineOp) -> Complaint:
    """One kind of parallelism for each type of device, or one for all."""
    by_kind = [{*devices_of(op, "gang"), *devices_of(op, "gangDimDeviceType")}]
    by_kind += [{*devices_of(op, kind)} for kind in ("worker", "vector", "seq")]
    general = sum("none" in kind for kind in by_kind)
    message = "only one of `gang`, `worker`, `vector`, `seq` can be present at the same time"
    if general > 1:
        return bare(message)
    for device in ("star", "default", "host", "multicore", "nvidia", "radeon"):
        count = sum(device in kind for kind in by_kind)
        if count > 1 or (general and count):
            return bare(f"{message} for device_type `{device}`")
    return None


# ---- recipes

Recipe: TypeAlias = "ops.PrivateRecipeOp | ops.FirstprivateRecipeOp | ops.ReductionRecipeOp"


def _region(op: Recipe, region: Region, noun: str, name: str, *, optional: bool = False) -> Complaint:
    if region.first is None:
        return None if optional else f"expects non-empty {name} region"
    if types_of(region.first.arguments[:1]) != [op.type.type]:
        return f"expects {name} region first argument of the {noun} type"
    return None


@verifies("acc.private.recipe", "acc.firstprivate.recipe", regions=True)
def private_recipe(op: ops.PrivateRecipeOp | ops.FirstprivateRecipeOp) -> Complaint:
    if problem := _region(op, op.initRegion, "privatization", "init"):
        return problem
    if isinstance(op, ops.FirstprivateRecipeOp):
        copy = op.copyRegion.first
        if copy is None:
            return "expects non-empty copy region"
        if len(copy.arguments) < 2 or copy.arguments[0].type != op.type.type:
            return "expects copy region with two arguments of the privatization type"
    return _region(op, op.destroyRegion, "privatization", "destroy", optional=True)


@verifies("acc.reduction.recipe", regions=True)
def reduction_recipe(op: ops.ReductionRecipeOp) -> Complaint:
    type, combiner = op.type.type, op.combinerRegion
    if problem := _region(op, op.initRegion, "reduction", "init"):
        return problem
    if combiner.first is None:
        return "expects non-empty combiner region"
    if types_of(combiner.first.arguments[:2]) != [type, type]:
        return "expects combiner region with the first two arguments of the reduction type"
    for end in (op for block in combiner.blocks for op in block if isinstance(op, ops.YieldOp)):
        if types_of(end.operands) != [type]:
            return "expects combiner region to yield a value of the reduction type"
    return None
