"""The builtin dialect: the module, and the cast between types that no pass has reconciled yet.

Source of the rules: *Builtin Dialect*, "Operations".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.dialects import Modules
from fathom.interpreting.casts import cast
from fathom.interpreting.machine import Interpret
from fathom.ir.operation import Operation
from fathom.irdl.constraints import ANY, STRING, SYMBOL_NAME
from fathom.irdl.definition import OpDefinition, Operand, Property, RegionDefinition, Result
from fathom.irdl.dialect import Dialect
from fathom.irdl.folding import Constants, Fold, Folded
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
from fathom.irdl.verifying import Complaint, verifies


@verifies("builtin.module")
def _verify_module(op: Operation) -> Complaint:
    for name in op.attributes:
        if "." not in name:
            return f"can only contain attributes with dialect-prefixed names, found: '{name}'"
    return None


@verifies("builtin.unrealized_conversion_cast")
def _verify_cast(op: Operation) -> Complaint:
    return None if op.results else "expected at least one result for cast operation"


def fold_cast(op: Operation, constants: Constants) -> Folded:
    """A cast of nothing changed is its operands; a cast back to where the values came from is those values."""
    del constants
    operands = op.operands
    types = [result.type for result in op.results]
    if operands and [operand.type for operand in operands] == types:
        return list(operands)
    if not operands:
        return None
    source = operands[0].defining_op
    if source is None or source.name != CAST.name:
        return None
    if list(source.results) != list(operands) or [v.type for v in source.operands] != types:
        return None
    return list(source.operands)


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

FOLDS: Final[Mapping[str, Fold]] = {CAST.name: fold_cast}
INTERPRETATION: Final[Mapping[str, Interpret]] = {CAST.name: cast}

DIALECT: Final = Dialect("builtin", operations=(MODULE, CAST), complete=True, aspects=Modules("builtin"))
