"""The nvvm dialect, described in `mlir-22/nvvm.toml`: what LLVM has for GPUs of NVIDIA.

Source of the rules: *'nvvm' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects import description_of
from fathom.dialects.llvm.for_others import ATTRIBUTES, TYPES
from fathom.dialects.nvvm import warps
from fathom.dialects.nvvm.attribute_checks import target_problem
from fathom.dialects.nvvm.products import syntaxes
from fathom.irdl.cases import case_of
from fathom.irdl.code import DialectCode, OpCode

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.irdl.parametric import Parametric


def _element() -> Parametric:
    return DESCRIPTION.attributes["MMATypesAttr"]


CODE: Final = DialectCode(
    operations={name: OpCode(custom=syntax) for name, syntax in syntaxes(_element).items()},
    relations={"Valid address-space check(or mapping) for mapa Op": warps.maps_address},
    type_constraints=TYPES,
    attribute_constraints=ATTRIBUTES,
    parameters={"NVVMTargetAttr": target_problem},
)
DESCRIPTION: Final = description_of("nvvm", CODE)
DIALECT: Final = DESCRIPTION.dialect()
LLVM_IR_PARTS: Final = ("converting", "copying", "multiplying", "tensor_memory")
VERIFY_PARTS: Final = ("conversions", "copies", "matrices", "products", "warps")


def case(attribute: str, word: str) -> Attribute:
    """The attribute of a kind, such as `MMALayoutAttr`, that a word stands for."""
    made = case_of(DESCRIPTION.attributes[attribute], word)
    assert made is not None, word
    return made
