"""The builtin dialect: the module, and the cast between types that no pass has reconciled yet.

Source of the rules: *Builtin Dialect*, "Operations".
"""

from __future__ import annotations

from typing import Final

from fathom.dialects import Modules
from fathom.irdl.constraints import ANY, STRING, SYMBOL_NAME
from fathom.irdl.definition import OpDefinition, Operand, Property, RegionDefinition, Result
from fathom.irdl.dialect import Dialect
from fathom.irdl.groups import Arity
from fathom.irdl.traits import (
    AFFINE_SCOPE,
    GRAPH_REGION,
    ISOLATED_FROM_ABOVE,
    NO_REGION_ARGUMENTS,
    NO_TERMINATOR,
    PURE,
    SINGLE_BLOCK,
    SYMBOL,
    SYMBOL_TABLE,
)

MODULE: Final = OpDefinition(
    "builtin.module",
    properties=(Property("sym_name", SYMBOL_NAME, optional=True), Property("sym_visibility", STRING, optional=True)),
    regions=(RegionDefinition("bodyRegion", single_block=True),),
    traits=(
        AFFINE_SCOPE,
        ISOLATED_FROM_ABOVE,
        SYMBOL_TABLE,
        SYMBOL,
        NO_REGION_ARGUMENTS,
        NO_TERMINATOR,
        SINGLE_BLOCK,
        GRAPH_REGION,
    ),
    assembly="($sym_name^)? attr-dict-with-keyword $bodyRegion",
    default_dialect="builtin",
    summary="a container of functions and globals",
    description="Holds one block of operations that has no terminator, and is the scope of their symbols.",
)

CAST: Final = OpDefinition(
    "builtin.unrealized_conversion_cast",
    operands=(Operand("inputs", ANY, Arity.VARIADIC),),
    results=(Result("outputs", ANY, Arity.VARIADIC),),
    traits=(PURE,),
    assembly="($inputs^ `:` type($inputs))? `to` type($outputs) attr-dict",
    summary="a value of one type seen as another, until a pass reconciles the two",
    description="Conversions put it between values of an old and a new type; a program is not finished while one is "
    "left.",
)

DIALECT: Final = Dialect("builtin", operations=(MODULE, CAST), complete=True, aspects=Modules("builtin"))
