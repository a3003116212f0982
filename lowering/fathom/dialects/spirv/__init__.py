"""The spirv dialect, described in `mlir-22/spirv.toml`: its types, and the operations that C++ reads and writes.

Source of the rules: *'spirv' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects import DESCRIBED
from fathom.dialects.spirv import arithmetic, constants, control, functions, memory
from fathom.dialects.spirv.attribute_checks import CHECKS
from fathom.dialects.spirv.images import DIRECTIVES
from fathom.dialects.spirv.types import PREDICATES, TYPES, unknown_type
from fathom.irdl.code import DialectCode
from fathom.irdl.description import read_description
from fathom.records import replace

CODE: Final = DialectCode(
    operations={**arithmetic.CODE, **constants.CODE, **control.CODE, **functions.CODE, **memory.CODE},
    predicates=PREDICATES,
    directives=DIRECTIVES,
    attribute_checks=CHECKS,
)
DESCRIPTION: Final = read_description(DESCRIBED / "spirv.toml", CODE)
DIALECT: Final = replace(DESCRIPTION.dialect(), types=TYPES, unknown_type=unknown_type)
