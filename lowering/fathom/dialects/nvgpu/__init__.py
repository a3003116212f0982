"""The nvgpu dialect, described in `mlir-22/nvgpu.toml`: what bridges vectors and memrefs and the GPUs of NVIDIA.

Source of the rules: *'nvgpu' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects import load_described
from fathom.dialects.nvgpu import checks, tensor_maps
from fathom.irdl.code import DialectCode

CODE: Final = DialectCode(operations={**checks.CODE, **tensor_maps.CODE})
DIALECT: Final = load_described("nvgpu", CODE)
