"""What MLIR's verifiers say of the operations of acc, of checks that are made of others."""

from __future__ import annotations

from typing import Final

from fathom.dialects.acc import checks as c
from fathom.irdl import atomics
from fathom.irdl.checking import all_of, bare, not_both, only_with, some
from fathom.irdl.verifying import Check, Checks, SymbolChecks

VERIFY_REGIONS: Final[Checks] = {
    "acc.atomic.capture": atomics.atomic_capture_regions,
    "acc.atomic.update": atomics.atomic_update_regions,
}


_ASYNC: Final = c.counted("async", "asyncOperands", "asyncOperandsDeviceType")
_WAIT: Final = c.segmented("wait", "waitOperands", "waitOperandsDeviceType", "waitOperandsSegments")
_SIZES: Final = all_of(
    c.segmented("num_gangs", "numGangs", "numGangsDeviceType", "numGangsSegments", 3),
    _WAIT,
    c.counted("num_workers", "numWorkers", "numWorkersDeviceType"),
    c.counted("vector_length", "vectorLength", "vectorLengthDeviceType"),
)
_ENTRY_OR_EXIT: Final = "expect data entry/exit operation or acc.getdeviceptr as defining op"
_ENTRY: Final = "expect data entry operation as defining op"
_DATA: Final = c.defined_by(
    "attach copyin copyout create delete detach deviceptr getdeviceptr nocreate present", _ENTRY_OR_EXIT
)
_ASYNC_DATA: Final = all_of(_ASYNC, c.waits_and_asyncs, _DATA)
_DECLARE: Final = all_of(
    some(bare("at least one operand must appear on the declare operation"), "dataClauseOperands", "token"),
    c.defined_by(
        "copyin copyout create deviceptr getdeviceptr present declare_device_resident declare_link",
        "expect valid declare data entry operation or acc.getdeviceptr as defining op",
    ),
)
_ONE_ASYNC: Final = all_of(
    not_both(bare("async attribute cannot appear with asyncOperand"), "asyncOperand", "async"),
    not_both(bare("wait attribute cannot appear with waitOperands"), "waitOperands", "wait"),
    only_with(bare("wait_devnum cannot appear without waitOperands"), "waitDevnum", "waitOperands"),
)


def _some_data(message: str) -> Check:
    return some(bare(message), "dataClauseOperands")


VERIFY: Final[Checks] = {
    "acc.atomic.read": atomics.atomic_read,
    "acc.atomic.update": atomics.atomic_update,
    "acc.atomic.write": atomics.atomic_write,
    "acc.attach": c.data("attach"),
    "acc.bounds": some(bare("expected extent or upperbound."), "extent", "upperbound"),
    "acc.cache": c.data("cache", "cache cache_readonly", decomposed=True, modifiers="readonly"),
    "acc.copyin": c.data(
        "copyin", "copyin copyin_readonly copy reduction", decomposed=True, modifiers="readonly always capture"
    ),
    "acc.copyout": c.data(
        "copyout", "copyout copyout_zero copy reduction", decomposed=True, modifiers="zero always capture"
    ),
    "acc.create": c.data(
        "create", "create create_zero copyout copyout_zero", decomposed=True, modifiers="zero always capture"
    ),
    "acc.data": all_of(
        some(
            bare("at least one operand or the default attribute must appear on the data operation"),
            *("defaultAttr", "ifCond", "asyncOperands", "waitOperands", "dataClauseOperands"),
        ),
        _DATA,
        c.waits_and_asyncs,
    ),
    "acc.declare": _DECLARE,
    "acc.declare_device_resident": c.data("device_resident", "declare_device_resident"),
    "acc.declare_enter": _DECLARE,
    "acc.declare_exit": _DECLARE,
    "acc.declare_link": c.data("link", "declare_link"),
    "acc.delete": c.data(
        "delete",
        "delete create create_zero copyin copyin_readonly present no_create declare_device_resident declare_link",
        decomposed=True,
        modifiers="zero readonly always capture",
    ),
    "acc.detach": c.data("detach", "detach attach", decomposed=True),
    "acc.deviceptr": c.data("deviceptr"),
    "acc.enter_data": all_of(
        _some_data("at least one operand must be present in dataOperands on the enter data operation"),
        _ONE_ASYNC,
        c.defined_by("attach create copyin", _ENTRY),
    ),
    "acc.exit_data": all_of(
        _some_data("at least one operand must be present in dataOperands on the exit data operation"), _ONE_ASYNC
    ),
    "acc.firstprivate": c.data("firstprivate", results=False),
    "acc.firstprivate_map": c.data("firstprivate", results=False),
    "acc.host_data": all_of(
        _some_data("at least one operand must appear on the host_data operation"), c.defined_by("use_device", _ENTRY)
    ),
    "acc.init": c.outside,
    "acc.kernels": all_of(_SIZES, _ASYNC_DATA),
    "acc.loop": c.LOOP,
    "acc.nocreate": c.data("no_create"),
    "acc.parallel": all_of(c.privates, _SIZES, _ASYNC_DATA),
    "acc.present": c.data("present"),
    "acc.private": c.data("private", results=False),
    "acc.reduction": c.data("reduction", results=False),
    "acc.serial": all_of(c.privates, _WAIT, _ASYNC_DATA),
    "acc.set": all_of(
        c.outside,
        some(
            "at least one default_async, device_num, or device_type operand must appear",
            *("device_type", "defaultAsync", "deviceNum"),
        ),
    ),
    "acc.shutdown": c.outside,
    "acc.update": all_of(
        _some_data("at least one value must be present in dataOperands"),
        _ASYNC,
        _WAIT,
        c.waits_and_asyncs,
        c.defined_by("update_device update_host getdeviceptr", _ENTRY_OR_EXIT),
    ),
    "acc.update_device": c.data("device", "update_device", decomposed=True),
    "acc.update_host": c.data("host", "update_host update_self", decomposed=True),
    "acc.use_device": c.data("use_device", decomposed=True),
    "acc.wait": _ONE_ASYNC,
}


VERIFY_SYMBOLS: Final[SymbolChecks] = {
    "acc.firstprivate": c.recipe("firstprivate"),
    "acc.private": c.recipe("private"),
    "acc.reduction": c.recipe("reduction"),
}
