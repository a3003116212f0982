"""The affine dialect, described in `affine.toml`: its syntax, checks and folds."""

from __future__ import annotations

from typing import Final

from fathom.dialects.affine import dma, indices, loops, maps, memory, parallel
from fathom.dialects.arith import materialize_constant as materialize_number
from fathom.dialects.memref.access import KINDS
from fathom.dialects.ub import materialize_constant as materialize_poison
from fathom.ir.attributes import Attribute
from fathom.ir.operation import Operation, Span
from fathom.ir.types import I64, Type
from fathom.irdl.code import DialectCode
from fathom.irdl.constraints import integer_enum
from fathom.irdl.description import load_dialect
from fathom.irdl.dialect import Definitions


def materialize_constant(context: Definitions, attribute: Attribute, type: Type, span: Span | None) -> Operation | None:
    """`ub.poison` for poison, `arith.constant` for a number, None for anything else."""
    poison = materialize_poison(context, attribute, type, span)
    return poison or materialize_number(context, attribute, type, span)


CODE: Final = DialectCode(
    operations={**maps.CODE, **loops.CODE, **parallel.CODE, **memory.CODE, **dma.CODE, **indices.CODE},
    attribute_constraints={"AtomicRMWKindAttr": integer_enum(KINDS, I64)},
    materialize_constant=materialize_constant,
)
DIALECT: Final = load_dialect(__file__, CODE)
