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
from fathom.irdl.dialect import Dialect
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


def completed(described: Dialect) -> Dialect:
    """The dialect that a description of it makes, with what code reads."""
    return replace(described, types=Joined(TYPES, described.types), unknown_type=unknown_type)


DIALECT: Final = completed(DESCRIPTION.dialect())
VERIFY_PARTS: Final = ("functions", "launch")
