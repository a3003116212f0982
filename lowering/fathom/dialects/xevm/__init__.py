"""The xevm dialect, described in `mlir-22/xevm.toml`: what LLVM has for GPUs of Intel."""

from __future__ import annotations

from typing import Final

from fathom.dialects import description_of
from fathom.dialects.llvm.for_others import ATTRIBUTES, TYPES
from fathom.irdl.code import DialectCode

CODE: Final = DialectCode(type_constraints=TYPES, attribute_constraints=ATTRIBUTES)
DESCRIPTION: Final = description_of("xevm", CODE)
DIALECT: Final = DESCRIPTION.dialect()
