"""The affine dialect, described in `affine.toml`: its syntax, checks and folds."""

from __future__ import annotations

from typing import Final

from fathom.dialects import load_described
from fathom.dialects.affine import dma, indices, loops, memory, parallel
from fathom.dialects.affine.syntax import APPLIED
from fathom.dialects.memref import access
from fathom.ir.types import I64
from fathom.irdl.code import DialectCode
from fathom.irdl.constraints import integer_enum

CODE: Final = DialectCode(
    operations={**indices.CODE, **loops.CODE, **parallel.CODE, **memory.CODE, **dma.CODE},
    directives={
        **access.DIRECTIVES,
        **indices.DIRECTIVES,
        **loops.DIRECTIVES,
        **parallel.DIRECTIVES,
        "Applied": APPLIED,
        "Subscripts": memory.SUBSCRIPTS,
    },
    attribute_constraints={"AtomicRMWKindAttr": integer_enum(access.KINDS, I64)},
)
DIALECT: Final = load_described("affine", CODE)
VERIFY_PARTS: Final = ("dma", "indices", "loops", "memory", "parallel")
