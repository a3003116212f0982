"""What MLIR's verifiers say of acc's operations: clauses of data, constructs, routines and recipes.

Source of the rules: *'acc' Dialect*; the texts are those of MLIR 22's verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.acc.common import is_pointer_like
from fathom.ir.attributes import SymbolRefAttr, TypeAttr
from fathom.ir.property_values import elements_property, flag_property, numbers_property, type_property
from fathom.irdl.cases import bits, word, word_of
from fathom.irdl.checking import all_of, bare, group
from fathom.irdl.symbols import Lookup
from fathom.irdl.verifying import Check, Complaint, SymbolCheck, verifies
from fathom.ops import acc as ops

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Region, Value


def devices_of(op: Operation, prop: str) -> list[str]:
    return [word_of(each) for each in elements_property(op, prop)]


# ---- data

_MODIFIERS: Final = {"zero": 1, "readonly": 2, "alwaysin": 4, "alwaysout": 8, "always": 12, "capture": 16}


def data(noun: str, clauses: str, *, decomposed: bool = False, modifiers: str = "", results: bool = True) -> Check:
    """An entry or exit of data: the clauses that it may come from, the modifiers that it may have, and whether its
    result is of the type of its variable."""
    allowed = frozenset(f"acc_{each}" for each in clauses.split())
    whole = f"data clause associated with {noun} operation must match its intent"
    message = f"{whole} or specify original clause this operation was decomposed from" if decomposed else whole
    mask = sum(_MODIFIERS[each] for each in modifiers.split())

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

    def check(op: Operation, lookup: Lookup) -> Complaint:
        symbol = op.properties.get("recipe")
        if not isinstance(symbol, SymbolRefAttr):
            # What can make a recipe of its own needs none.
            is_known = all(is_pointer_like(each.type) for each in op.all_of("var"))
            return f"recipe expected for {name}" if is_known or name == "reduction" else None
        found = lookup(symbol)
        if found is not None and found.name == f"acc.{name}.recipe":
            return None
        return f"expected symbol reference {symbol} to point to a {name} declaration"

    return check


@verifies("acc.bounds")
def bounds(op: ops.BoundsOp) -> Complaint:
    return None if op.all_of("extent") or op.all_of("upperbound") else bare("expected extent or upperbound.")


# ---- operands by type of device


def counted(keyword: str, operands: str, devices: str) -> Check:
    def check(op: Operation) -> Complaint:
        values = op.all_of(operands)
        if not values or len(elements_property(op, devices)) == len(values):
            return None
        return f"{keyword} operands count must match {keyword} device_type count"

    return check


def segmented(keyword: str, operands: str, devices: str, segments: str, most: int = 0) -> Check:
    def check(op: Operation) -> Complaint:
        sizes = numbers_property(op, segments)
        if most and any(size > most for size in sizes):
            return f"{keyword} expects a maximum of {most} values per segment"
        values = op.all_of(operands)
        if sum(sizes) != len(values) or (devices not in op.properties and values):
            return f"{keyword} operand count does not match count in segments"
        if devices in op.properties and len(elements_property(op, devices)) != len(sizes):
            return f"{keyword} segment count does not match device_type count"
        return None

    return check


def _waits_and_asyncs(op: Operation) -> Complaint:
    if {*devices_of(op, "asyncOperandsDeviceType")} & {*devices_of(op, "asyncOnly")}:
        return bare("asyncOnly attribute cannot appear with asyncOperand")
    if {*devices_of(op, "waitOperandsDeviceType")} & {*devices_of(op, "waitOnly")}:
        return bare("wait attribute cannot appear with waitOperands")
    return None


_ASYNC: Final = counted("async", "asyncOperands", "asyncOperandsDeviceType")
_WAIT: Final = segmented("wait", "waitOperands", "waitOperandsDeviceType", "waitOperandsSegments")
_GANGS: Final = segmented("num_gangs", "numGangs", "numGangsDeviceType", "numGangsSegments", 3)
_WORKERS: Final = counted("num_workers", "numWorkers", "numWorkersDeviceType")
_LENGTH: Final = counted("vector_length", "vectorLength", "vectorLengthDeviceType")


# ---- what operands are defined by


def _defined_by(operands: str, names: str, message: str) -> Check:
    allowed = frozenset(f"acc.{each}" for each in names.split())

    def check(op: Operation) -> Complaint:
        defining = [value.defining_op for value in op.all_of(operands)]
        return None if all(each is not None and each.name in allowed for each in defining) else bare(message)

    return check


_ENTRY_OR_EXIT: Final = "expect data entry/exit operation or acc.getdeviceptr as defining op"
_DATA: Final = _defined_by(
    "dataClauseOperands",
    "attach copyin copyout create delete detach deviceptr getdeviceptr nocreate present",
    _ENTRY_OR_EXIT,
)
_UPDATED: Final = _defined_by("dataClauseOperands", "update_device update_host getdeviceptr", _ENTRY_OR_EXIT)
_ENTERED: Final = _defined_by(
    "dataClauseOperands", "attach create copyin", "expect data entry operation as defining op"
)
_USED: Final = _defined_by("dataClauseOperands", "use_device", "expect data entry operation as defining op")
_DECLARED: Final = _defined_by(
    "dataClauseOperands",
    "copyin copyout create deviceptr getdeviceptr present declare_device_resident declare_link",
    "expect valid declare data entry operation or acc.getdeviceptr as defining op",
)


def privates(op: Operation) -> Complaint:
    for name in ("private", "firstprivate", "reduction"):
        seen: list[Value] = []
        for value in op.all_of(f"{name}Operands"):
            if value.defining_op is None or value.defining_op.name != f"acc.{name}":
                return f"expected {name} as defining op"
            if any(value == each for each in seen):
                return f"{name} operand appears more than once"
            seen.append(value)
    return None


# ---- constructs

PARALLEL: Final = all_of(privates, _GANGS, _WAIT, _WORKERS, _LENGTH, _ASYNC, _waits_and_asyncs, _DATA)
SERIAL: Final = all_of(privates, _WAIT, _ASYNC, _waits_and_asyncs, _DATA)
KERNELS: Final = all_of(_GANGS, _WAIT, _WORKERS, _LENGTH, _ASYNC, _waits_and_asyncs, _DATA)


def _some_data(message: str) -> Check:
    return lambda op: None if op.all_of("dataClauseOperands") else bare(message)


def _some_operand(op: Operation) -> Complaint:
    if op.operands or "defaultAttr" in op.properties:
        return None
    return bare("at least one operand or the default attribute must appear on the data operation")


def _one_async(op: Operation) -> Complaint:
    if op.all_of("asyncOperand") and "async" in op.properties:
        return bare("async attribute cannot appear with asyncOperand")
    if op.all_of("waitOperands") and "wait" in op.properties:
        return bare("wait attribute cannot appear with waitOperands")
    if op.all_of("waitDevnum") and not op.all_of("waitOperands"):
        return bare("wait_devnum cannot appear without waitOperands")
    return None


def _declare_some(op: Operation) -> Complaint:
    if op.all_of("dataClauseOperands") or group(op, "token"):
        return None
    return bare("at least one operand must appear on the declare operation")


DATA_CONSTRUCT: Final = all_of(_some_operand, _DATA, _waits_and_asyncs)
DECLARE: Final = all_of(_declare_some, _DECLARED)
ENTER_DATA: Final = all_of(
    _some_data("at least one operand must be present in dataOperands on the enter data operation"), _one_async, _ENTERED
)
EXIT_DATA: Final = all_of(
    _some_data("at least one operand must be present in dataOperands on the exit data operation"), _one_async
)
HOST_DATA: Final = all_of(_some_data("at least one operand must appear on the host_data operation"), _USED)
UPDATE: Final = all_of(
    _some_data("at least one value must be present in dataOperands"), _ASYNC, _WAIT, _waits_and_asyncs, _UPDATED
)
WAIT: Final = _one_async

_COMPUTE: Final = frozenset(("acc.parallel", "acc.serial", "acc.kernels", "acc.loop"))


def _outside(op: Operation) -> Complaint:
    around = op.parent_op
    while around is not None:
        if around.name in _COMPUTE:
            return "cannot be nested in a compute operation"
        around = around.parent_op
    return None


def _sets_something(op: Operation) -> Complaint:
    if "device_type" in op.properties or op.all_of("defaultAsync") or op.all_of("deviceNum"):
        return None
    return "at least one default_async, device_num, or device_type operand must appear"


OUTSIDE: Final[Check] = _outside
SET: Final = all_of(_outside, _sets_something)


# ---- routines


@verifies("acc.routine")
def routine(op: ops.RoutineOp) -> Complaint:
    """One kind of parallelism for each type of device, or one for all."""
    by_kind = [
        {*devices_of(op, "gang"), *devices_of(op, "gangDimDeviceType")},
        *({*devices_of(op, kind)} for kind in ("worker", "vector", "seq")),
    ]
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


def _region(op: Operation, region: Region, noun: str, name: str, *, optional: bool = False) -> Complaint:
    if region.first is None:
        return None if optional else f"expects non-empty {name} region"
    if [each.type for each in region.first.arguments[:1]] != [type_property(op)]:
        return f"expects {name} region first argument of the {noun} type"
    return None


@verifies("acc.private.recipe", regions=True)
def private_recipe(op: ops.PrivateRecipeOp) -> Complaint:
    initial, destroy = op.regions[:2]
    return _region(op, initial, "privatization", "init") or _region(
        op, destroy, "privatization", "destroy", optional=True
    )


@verifies("acc.firstprivate.recipe", regions=True)
def firstprivate_recipe(op: ops.FirstprivateRecipeOp) -> Complaint:
    initial, copy, destroy = op.regions[:3]
    if found := _region(op, initial, "privatization", "init"):
        return found
    if copy.first is None:
        return "expects non-empty copy region"
    if len(copy.first.arguments) < 2 or copy.first.arguments[0].type != op.type.type:
        return "expects copy region with two arguments of the privatization type"
    return _region(op, destroy, "privatization", "destroy", optional=True)


@verifies("acc.reduction.recipe", regions=True)
def reduction_recipe(op: ops.ReductionRecipeOp) -> Complaint:
    initial, combiner = op.regions[:2]
    type = op.type.type
    if found := _region(op, initial, "reduction", "init"):
        return found
    if combiner.first is None:
        return "expects non-empty combiner region"
    if [each.type for each in combiner.first.arguments[:2]] != [type, type]:
        return "expects combiner region with the first two arguments of the reduction type"
    for each in (each for block in combiner.blocks for each in block if isinstance(each, ops.YieldOp)):
        if [value.type for value in each.operands] != [type]:
            return "expects combiner region to yield a value of the reduction type"
    return None
