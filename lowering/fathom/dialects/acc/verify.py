"""What MLIR's verifiers say of the operations of acc, of checks that are made of others."""

from __future__ import annotations

from typing import Final

from fathom.dialects.acc import checks as c
from fathom.dialects.acc.loop_checks import LOOP
from fathom.irdl import atomics
from fathom.irdl.verifying import Checks, SymbolChecks

PARTS: Final = ("checks",)


VERIFY_REGIONS: Final[Checks] = {
    "acc.atomic.capture": atomics.atomic_capture_regions,
    "acc.atomic.update": atomics.atomic_update_regions,
}


VERIFY: Final[Checks] = {
    "acc.atomic.read": atomics.atomic_read,
    "acc.atomic.update": atomics.atomic_update,
    "acc.atomic.write": atomics.atomic_write,
    "acc.attach": c.data("attach", "attach"),
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
    "acc.data": c.DATA_CONSTRUCT,
    "acc.declare": c.DECLARE,
    "acc.declare_device_resident": c.data("device_resident", "declare_device_resident"),
    "acc.declare_enter": c.DECLARE,
    "acc.declare_exit": c.DECLARE,
    "acc.declare_link": c.data("link", "declare_link"),
    "acc.delete": c.data(
        "delete",
        "delete create create_zero copyin copyin_readonly present no_create declare_device_resident declare_link",
        decomposed=True,
        modifiers="zero readonly always capture",
    ),
    "acc.detach": c.data("detach", "detach attach", decomposed=True),
    "acc.deviceptr": c.data("deviceptr", "deviceptr"),
    "acc.enter_data": c.ENTER_DATA,
    "acc.exit_data": c.EXIT_DATA,
    "acc.firstprivate": c.data("firstprivate", "firstprivate", results=False),
    "acc.firstprivate_map": c.data("firstprivate", "firstprivate", results=False),
    "acc.host_data": c.HOST_DATA,
    "acc.init": c.OUTSIDE,
    "acc.kernels": c.KERNELS,
    "acc.loop": LOOP,
    "acc.nocreate": c.data("no_create", "no_create"),
    "acc.parallel": c.PARALLEL,
    "acc.present": c.data("present", "present"),
    "acc.private": c.data("private", "private", results=False),
    "acc.reduction": c.data("reduction", "reduction", results=False),
    "acc.serial": c.SERIAL,
    "acc.set": c.SET,
    "acc.shutdown": c.OUTSIDE,
    "acc.update": c.UPDATE,
    "acc.update_device": c.data("device", "update_device", decomposed=True),
    "acc.update_host": c.data("host", "update_host update_self", decomposed=True),
    "acc.use_device": c.data("use_device", "use_device", decomposed=True),
    "acc.wait": c.WAIT,
}


VERIFY_SYMBOLS: Final[SymbolChecks] = {
    "acc.firstprivate": c.recipe("firstprivate"),
    "acc.private": c.recipe("private"),
    "acc.reduction": c.recipe("reduction"),
}
