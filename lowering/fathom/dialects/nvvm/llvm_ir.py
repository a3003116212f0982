"""What operations and attributes of the nvvm dialect are in LLVM IR, beside those that call one intrinsic.

Source of the rules: *'nvvm' Dialect*, and observed behaviour of mlir-translate 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import DenseArrayAttr, IntegerAttr
from fathom.rewriting.lowerings import Amended, Amendment

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation

# ---- attributes of functions


def _kernel(_op: Operation, _value: Attribute, amended: Amended) -> None:
    amended.convention = "ptx_kernelcc"


def _says(name: str) -> Amendment:
    """An attribute of a function whose numbers are the value of one in LLVM; of one without numbers there is none."""

    def amend(_op: Operation, value: Attribute, amended: Amended) -> None:
        numbers = value.values if isinstance(value, DenseArrayAttr) else ()
        numbers = [value.value] if isinstance(value, IntegerAttr) else numbers
        amended.attributes[name] = ",".join(map(str, numbers))

    return amend


AMENDMENTS: Final[Mapping[str, Amendment]] = {
    "nvvm.kernel": _kernel,
    **{
        f"nvvm.{name}": _says(f"nvvm.{name}")
        for name in ("maxntid", "reqntid", "cluster_dim", "minctasm", "maxnreg", "blocksareclusters")
    },
    "nvvm.cluster_max_blocks": _says("nvvm.maxclusterrank"),
}
