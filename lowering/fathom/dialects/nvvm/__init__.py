"""The nvvm dialect, described in `mlir-22/nvvm.toml`: what LLVM has for GPUs of NVIDIA.

Source of the rules: *'nvvm' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects import description_of
from fathom.dialects.llvm.for_others import ATTRIBUTES, TYPES
from fathom.dialects.nvvm import conversions, copies, matrices, product_checks, tensor_memory, warps
from fathom.dialects.nvvm.attribute_checks import target_problem
from fathom.dialects.nvvm.products import syntaxes
from fathom.irdl.code import DialectCode, OpCode

if TYPE_CHECKING:
    from fathom.irdl.parametric import Parametric

_PRODUCTS: Final = {
    "mma.sync": product_checks.dense,
    "mma.sp.sync": product_checks.sparse,
    "mma.block_scale": product_checks.scaled,
    "mma.sp.block_scale": product_checks.sparse_scaled,
}
_REGISTERS: Final = (
    *(
        f"{name}.{axis}"
        for name in ("tid", "ntid", "ctaid", "nctaid", "clusterid", "nclusterid", "cluster.ctaid", "cluster.nctaid")
        for axis in "xyz"
    ),
    *("cluster.ctarank", "cluster.nctarank", "gridid", "laneid", "nsmid", "nwarpid", "smid", "warpid", "warpsize"),
)
"""The special registers whose values may be said to be in a range."""


def _element() -> Parametric:
    return DESCRIPTION.attributes["MMATypesAttr"]


CODE: Final = DialectCode(
    operations={
        **conversions.CODE,
        **copies.CODE,
        **matrices.CODE,
        **tensor_memory.CODE,
        **warps.CODE,
        **{f"read.ptx.sreg.{name}": OpCode(verify=warps.register_range) for name in _REGISTERS},
        **{name: OpCode(custom=syntax, verify=_PRODUCTS[name]) for name, syntax in syntaxes(_element).items()},
    },
    relations={"Valid address-space check(or mapping) for mapa Op": warps.maps_address},
    type_constraints=TYPES,
    attribute_constraints=ATTRIBUTES,
    parameters={"NVVMTargetAttr": target_problem},
)
DESCRIPTION: Final = description_of("nvvm", CODE)
DIALECT: Final = DESCRIPTION.dialect()
