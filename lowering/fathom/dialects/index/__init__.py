"""The index dialect, described in `index.toml`: its folds, names of constants, and the check of casts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from fathom.dialects.index import folds
from fathom.ir.attributes import Attribute, IntegerAttr
from fathom.ir.operation import Operation, Span
from fathom.ir.types import I1, IndexType, Type
from fathom.irdl.build import create
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.definition import Problem
from fathom.irdl.description import read_description
from fathom.irdl.dialect import Definitions


def _verify_cast(op: Operation) -> Sequence[Problem]:
    source, target = op.operands[0].type, op.results[0].type
    if isinstance(source, IndexType) != isinstance(target, IndexType):
        return ()
    return (Problem(f"operand type '{source}' and result type '{target}' are cast incompatible"),)


def _constant_names(op: Operation) -> Sequence[str | None]:
    value = op.properties.get("value")
    return (f"idx{value.value}" if isinstance(value, IntegerAttr) else None,)


def _bool_names(op: Operation) -> Sequence[str | None]:
    value = op.properties.get("value")
    return ("true" if isinstance(value, IntegerAttr) and value.value else "false",)


def materialize_constant(context: Definitions, attribute: Attribute, type: Type, span: Span | None) -> Operation | None:
    """`index.constant` for an index, `index.bool.constant` for a bool, None for anything else."""
    if not isinstance(attribute, IntegerAttr) or attribute.type != type:
        return None
    if isinstance(type, IndexType):
        return create(context, "index.constant", (), [type], {"value": attribute}, span=span)
    if type == I1:
        return create(context, "index.bool.constant", (), [type], {"value": attribute}, span=span)
    return None


CODE: Final = DialectCode(
    operations={
        **{name: OpCode(fold=folds.fold_binary) for name in (*folds.UNCHECKED, *folds.CHECKED)},
        "casts": OpCode(verify=_verify_cast, fold=folds.fold_casts),
        "castu": OpCode(verify=_verify_cast, fold=folds.fold_castu),
        "cmp": OpCode(fold=folds.fold_cmp),
        "constant": OpCode(fold=folds.fold_constant, result_names=_constant_names),
        "bool.constant": OpCode(fold=folds.fold_constant, result_names=_bool_names),
    },
    materialize_constant=materialize_constant,
)
DESCRIPTION: Final = read_description(Path(__file__).with_name("index.toml"), CODE)
DIALECT: Final = DESCRIPTION.dialect()
