"""The gpu dialect, described in `mlir-22/gpu.toml`: kernels and how they are launched.

Source of the rules: *'gpu' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects import description_of
from fathom.dialects.gpu import functions, launch, verify
from fathom.dialects.gpu.attribute_checks import PARAMETERS, PREDICATES
from fathom.dialects.gpu.directives import BODIES, CUSTOMS, DIRECTIVES
from fathom.dialects.gpu.types import CONSTRAINTS, TYPES, unknown_type
from fathom.irdl.code import DialectCode
from fathom.irdl.lazy import Joined
from fathom.records import replace

CODE: Final = DialectCode(
    operations={**verify.CODE, **functions.CODE, **launch.CODE},
    type_constraints=CONSTRAINTS,
    predicates=PREDICATES,
    directives={**DIRECTIVES, **functions.DIRECTIVES, **launch.DIRECTIVES},
    parameters=PARAMETERS,
    customs=CUSTOMS,
    bodies=BODIES,
)
DESCRIPTION: Final = description_of("gpu", CODE)
_DESCRIBED: Final = DESCRIPTION.dialect()
DIALECT: Final = replace(_DESCRIBED, types=Joined(TYPES, _DESCRIBED.types), unknown_type=unknown_type)
VERIFY_PARTS: Final = ("functions", "launch")
