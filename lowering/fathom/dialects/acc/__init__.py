"""The acc dialect, OpenACC: described in `mlir-22/acc.toml`; here what its clauses say, and what MLIR's verifiers say.

Source of the rules: *'acc' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.dialects import description_of
from fathom.dialects.acc import checks as c
from fathom.dialects.acc import clauses, routines
from fathom.dialects.acc.common import may_be_pointer
from fathom.dialects.acc.loop_checks import LOOP
from fathom.irdl import atomics
from fathom.irdl.code import DialectCode, OpCode

OPERATIONS: Final[Mapping[str, OpCode]] = {
    "atomic.capture": OpCode(verify_regions=atomics.atomic_capture_regions),
    "atomic.read": OpCode(verify=atomics.atomic_read),
    "atomic.update": OpCode(verify=atomics.atomic_update, verify_regions=atomics.atomic_update_regions),
    "atomic.write": OpCode(verify=atomics.atomic_write),
    "attach": OpCode(verify=c.data("attach", "attach")),
    "bounds": OpCode(verify=c.bounds),
    "cache": OpCode(verify=c.data("cache", "cache cache_readonly", decomposed=True, modifiers="readonly")),
    "copyin": OpCode(
        verify=c.data(
            "copyin", "copyin copyin_readonly copy reduction", decomposed=True, modifiers="readonly always capture"
        )
    ),
    "copyout": OpCode(
        verify=c.data(
            "copyout", "copyout copyout_zero copy reduction", decomposed=True, modifiers="zero always capture"
        )
    ),
    "create": OpCode(
        verify=c.data(
            "create", "create create_zero copyout copyout_zero", decomposed=True, modifiers="zero always capture"
        )
    ),
    "data": OpCode(verify=c.DATA_CONSTRUCT),
    "declare": OpCode(verify=c.DECLARE),
    "declare_device_resident": OpCode(verify=c.data("device_resident", "declare_device_resident")),
    "declare_enter": OpCode(verify=c.DECLARE),
    "declare_exit": OpCode(verify=c.DECLARE),
    "declare_link": OpCode(verify=c.data("link", "declare_link")),
    "delete": OpCode(
        verify=c.data(
            "delete",
            "delete create create_zero copyin copyin_readonly present no_create declare_device_resident declare_link",
            decomposed=True,
            modifiers="zero readonly always capture",
        )
    ),
    "detach": OpCode(verify=c.data("detach", "detach attach", decomposed=True)),
    "deviceptr": OpCode(verify=c.data("deviceptr", "deviceptr")),
    "enter_data": OpCode(verify=c.ENTER_DATA),
    "exit_data": OpCode(verify=c.EXIT_DATA),
    "firstprivate": OpCode(
        verify=c.data("firstprivate", "firstprivate", results=False), verify_symbols=c.recipe("firstprivate")
    ),
    "firstprivate.recipe": OpCode(verify_regions=c.firstprivate_recipe),
    "firstprivate_map": OpCode(verify=c.data("firstprivate", "firstprivate", results=False)),
    "host_data": OpCode(verify=c.HOST_DATA),
    "init": OpCode(verify=c.OUTSIDE),
    "kernels": OpCode(verify=c.KERNELS),
    "loop": OpCode(verify=LOOP),
    "nocreate": OpCode(verify=c.data("no_create", "no_create")),
    "parallel": OpCode(verify=c.PARALLEL),
    "present": OpCode(verify=c.data("present", "present")),
    "private": OpCode(verify=c.data("private", "private", results=False), verify_symbols=c.recipe("private")),
    "private.recipe": OpCode(verify_regions=c.private_recipe),
    "reduction": OpCode(verify=c.data("reduction", "reduction", results=False), verify_symbols=c.recipe("reduction")),
    "reduction.recipe": OpCode(verify_regions=c.reduction_recipe),
    "routine": OpCode(verify=c.routine),
    "serial": OpCode(verify=c.SERIAL),
    "set": OpCode(verify=c.SET),
    "shutdown": OpCode(verify=c.OUTSIDE),
    "update": OpCode(verify=c.UPDATE),
    "update_device": OpCode(verify=c.data("device", "update_device", decomposed=True)),
    "update_host": OpCode(verify=c.data("host", "update_host update_self", decomposed=True)),
    "use_device": OpCode(verify=c.data("use_device", "use_device", decomposed=True)),
    "wait": OpCode(verify=c.WAIT),
}
CODE: Final = DialectCode(
    operations=OPERATIONS,
    predicates={"PointerLikeType": may_be_pointer, "OpenACC_AnyPointerOrMappableType": may_be_pointer},
    directives={**clauses.CLAUSES, **routines.CLAUSES},
)
DESCRIPTION: Final = description_of("acc", CODE)
DIALECT: Final = DESCRIPTION.dialect()
